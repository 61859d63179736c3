import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/** Files that a file imports, types included, which no lint rule of `import-x` follows. */
const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName).replace(/\.js$/, '.ts'));

/** The first circle that a walk along the imports meets; null: there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | null => {
    const begin = path.indexOf(file);
    if (begin !== -1) return [...path.slice(begin), file];
    if (done.has(file)) return null;
    for (const imported of graph.get(file) ?? []) {
      const circle = walk(imported, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}

describe('imports between files', () => {
  it('Imports between files have no circle', () => {
    const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.spec.ts'));
    expect(files.length).toBeGreaterThan(300);
    expect(circleIn(new Map(files.map((file) => [file, importsOf(file)])))).toBeNull();
  });

  it('Imports between files are followed to a circle over several files', () => {
    const graph = { a: ['b', 'd'], b: ['c'], c: ['e'], d: ['b'], e: ['b'] };
    expect(circleIn(new Map(Object.entries(graph)))).toEqual(['b', 'c', 'e', 'b']);
  });
});
