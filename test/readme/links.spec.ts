import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ENDS } from '../support/child-environment.js';

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
  it('The documentation links to files and headings that exist', () => {
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

  it('The documentation names only scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages.flatMap(({ text }) => [
      ...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g),
    ]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, script = '']) => script).filter((script) => !(script in scripts))).toEqual([]);
  });

  it('The documentation has a settings reference that matches the schema', () => {
    const check = () =>
      execFileSync(process.execPath, ['scripts/settings.mjs', '--check'], { stdio: 'pipe', ...ENDS });
    expect(check).not.toThrow();
  });
});

describe('the retired words of docs/glossary.md', () => {
  const tracked = (folder: string, ending: RegExp): { path: string; text: string }[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path) && !path.endsWith('.spec.ts') && path !== 'glossary.md')
      .map((path) => ({ path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') }));
  const [, table = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Retired words');
  const words = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!));

  it('The retired words of docs/glossary.md appear in no source, page or OpenAPI document', () => {
    expect(words.length).toBeGreaterThan(15);
    const retired = new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`);
    const occurrences = [...tracked('src', /\.ts$/), ...tracked('docs', /\.(md|json)$/)].flatMap(
      ({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, n) => (retired.test(line) ? [`${path}:${n + 1}: ${line.trim()}`] : [])),
    );
    expect(occurrences).toEqual([]);
  });
});
