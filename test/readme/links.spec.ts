import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'sdk/README.md']
  .concat(readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path)))
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const headings = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the documentation', () => {
  it('links to files and headings that exist', () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, file = '', heading]) => {
          const target = file === '' ? path : join(dirname(path), file);
          return !existsSync(target) || (heading !== undefined && !headings(target).includes(heading));
        })
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages.flatMap(({ text }) => [
      ...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g),
    ]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, script = '']) => script).filter((script) => !(script in scripts))).toEqual([]);
  });

  it('lists every constant with its value', () => {
    const constants = flattened(parse(readFileSync('config/default.yaml', 'utf8')));
    const operations = readFileSync('docs/operations.md', 'utf8');
    const listed = [...operations.matchAll(/^\| `(\w+(?:\.\w+)+)` +\| ([^ |;,]+(?:, [\d.]+)*)/gm)].map(
      ([, key, value]) => `${key} ${value}`,
    );
    expect(listed).toEqual(constants);
  });

  it('lists every setting, in the order in which they are read', () => {
    const read = readFileSync('src/config/environment.ts', 'utf8')
      .split('const VARIABLES')[1]
      ?.split('as const')[0];
    const settings = [...(read ?? '').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
    const listed = [...readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)].map(
      ([, name]) => name,
    );
    expect(settings.length).toBeGreaterThan(10);
    expect(listed).toEqual(settings);
  });
});

/** The keys and values as `section.key value`, in the order of the file. */
function flattened(value: unknown, path: string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [`${path.join('.')} ${Array.isArray(value) ? value.join(', ') : String(value)}`];
  }
  return Object.entries(value).flatMap(([key, child]) => flattened(child, [...path, key]));
}
