import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** A source file, without the specs beside it. */
interface Source {
  path: string;
  text: string;
}

const sources = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => join(folder, path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** @returns `path:line: text` of each line of the files that the pattern matches */
function linesMatching(files: readonly Source[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}: ${line.trim()}` }))
      .filter(({ line }) => pattern.test(line))
      .map(({ at }) => at),
  );
}

describe('the domain', () => {
  const domain = sources('src/domain');

  it('is there to be read', () => {
    expect(domain.length).toBeGreaterThan(20);
  });

  it('names no contract and branches on none', () => {
    // The pattern also matches across a line break within a comment.
    const names = /\b(partner|sandbox)[\s*-]+contract\b/i;
    const branches =
      /\.contract\b|\bCONTRACTS?\b|\bContract\b.*from '|\b(contract|environment)\b\s*[!=]==?\s*['"`]|['"`](live|sandbox|partner)['"`]\s*[!=]==?|\bcase ['"`](live|sandbox)['"`]/;
    expect(domain.filter(({ text }) => names.test(text)).map(({ path }) => path)).toEqual([]);
    expect(linesMatching(domain, branches)).toEqual([]);
  });

  it('has no cycle of imports, neither of files nor of folders', () => {
    const files = importGraph(domain, (path) => path);
    const subjects = importGraph(domain, (path) => /^src\/domain\/[^/]+\//.exec(path)?.[0] ?? path);
    expect(files.size).toBe(domain.length);
    expect(findCycle(files)).toBeNull();
    expect(findCycle(subjects)).toBeNull();
  });
});

describe('what records traces', () => {
  const all = sources('src');

  it('is one file, which is loaded where a collector is set and nowhere else', () => {
    const library = all.filter(({ text }) => /from '@opentelemetry\//.test(text)).map(({ path }) => path);
    expect(library).toEqual(['src/telemetry/otlp-tracing.ts']);
    const loaded = linesMatching(all, /otlp-tracing\.js'/).filter((line) => !line.includes('import type '));
    expect(loaded).toEqual([expect.stringMatching(/^src\/traces\.ts:.* = await import\(/)]);
  });
});

describe('a cycle', () => {
  it('is found where there is one, and only there', () => {
    const graph = (edges: Record<string, string[]>): Graph =>
      new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]));
    expect(findCycle(graph({ a: ['b', 'c'], b: ['c'], c: [] }))).toBeNull();
    expect(findCycle(graph({ a: ['b'], b: ['c'], c: ['d', 'b'], d: [] }))).toEqual(['b', 'c', 'b']);
  });

  it('is made of every form of an import', () => {
    const text = `
      import a from './a.js';
      import type { B } from '../users/b.js';
      import {
        c,
      } from './c.js';
      import './d.js';
      export * from './e.js';
      type F = import('./f.js').F;
      import { g } from 'node:path';`;
    expect(importsOf({ path: 'src/domain/x/y.ts', text })).toEqual([
      'src/domain/x/a.ts',
      'src/domain/users/b.ts',
      'src/domain/x/c.ts',
      'src/domain/x/d.ts',
      'src/domain/x/e.ts',
      'src/domain/x/f.ts',
    ]);
  });
});

describe('settings', () => {
  const outside = sources('src').filter(({ path }) => !path.startsWith('src/config/'));

  it('are read from the environment by src/config only: everybody else hands it over whole', () => {
    const named = /\benv\s*(\?\.\s*[\w[]|\.\s*\w|\[)|\}\s*=\s*(process\.)?env\b|\benv\b.*=\s*process\b/;
    const readers = outside.filter(({ path }) => !STARTING_PROGRAMS.includes(path));
    expect(linesMatching(readers, named)).toEqual([]);
    expect(linesMatching(readers, /import .*\benv\b.* from '(node:)?process'/)).toEqual([]);
  });

  it('are read from config/*.yaml by src/config only', () => {
    expect(linesMatching(outside, /\.ya?ml\b|from 'yaml'/)).toEqual([]);
  });
});

/** This file hands its PATH to programs that it starts; it reads no setting from the environment. */
const STARTING_PROGRAMS = [join('src/database/embedded', 'cluster.ts')];

type Graph = Map<string, Set<string>>;

/** @param nodeOf which node of the graph a file belongs to; edges within a node are left out */
function importGraph(files: readonly Source[], nodeOf: (path: string) => string): Graph {
  const graph: Graph = new Map(files.map(({ path }) => [nodeOf(path), new Set()]));
  for (const file of files) {
    const from = nodeOf(file.path);
    for (const path of importsOf(file)) {
      const to = nodeOf(path);
      if (to !== from && graph.has(to)) graph.get(from)?.add(to);
    }
  }
  return graph;
}

/** Relative imports only, types included, as paths from the root. */
function importsOf({ path, text }: Source): string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, to = '']) => join(dirname(path), to).replace(/\.js$/, '.ts'));
}

/** @returns the nodes of one cycle, with the first node repeated at the end; null: the graph has no cycle */
function findCycle(graph: Graph): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, trail: string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...trail, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}

describe('the words that docs/glossary.md retired', () => {
  const tracked = (folder: string, ending: RegExp): Source[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => ending.test(path) && !path.endsWith('.spec.ts') && path !== 'glossary.md')
      .map((path) => ({ path: join(folder, path), text: readFileSync(join(folder, path), 'utf8') }));
  const [, table = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Retired words');
  const words = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, word]) => word!));

  it('stand in no source, page or OpenAPI document', () => {
    expect(words.length).toBeGreaterThan(15);
    const retired = new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`);
    const files = [...tracked('src', /\.ts$/), ...tracked('docs', /\.(md|json)$/)];
    expect(linesMatching(files, retired)).toEqual([]);
  });
});
