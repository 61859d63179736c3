import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Processes that nobody waits for without a limit of their own. */
const BOUNDED_ELSEWHERE = [
  // It has the deadlines that everything else gets from it.
  'scripts/child.mjs: spawn(command, args,',
  // Each step of its start, and its stop, has a deadline.
  'src/cli/deployment.process.ts: spawn(process.execPath, [SMALL_HEAP, PROGRAM],',
  // The server ends with this process; its start has a deadline.
  "src/database/embedded/embedded-server.ts: spawn('/bin/sh', ['-c', LEASH,",
  // It ends by itself with the test.
  "test/faults/database-server.ts: spawn('/bin/sh', ['-c', GUARD],",
];

const STARTS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];

/** The calls in a text that start a child process, whole. */
function callsIn(text: string): string[] {
  const [, imported] = /import \{([^}]*)\} from '(?:node:)?child_process'/.exec(text) ?? [];
  const names = STARTS.filter((name) => imported?.split(/[\s,]+/).includes(name));
  if (names.length === 0) return [];
  const begins = new RegExp(`(?<![.\\w]|async )(?:promisify\\()?(?:${names.join('|')})\\)?\\(`, 'g');
  return [...text.matchAll(begins)].map(({ index, 0: { length } }) => {
    let end = index + length;
    for (let open = 1; open > 0; end++) open += { '(': 1, ')': -1 }[text[end]!] ?? 0;
    return text.slice(index, end);
  });
}

it('every child process that is waited for has a deadline: a program that never ends would be waited for without one', () => {
  const calls = ['src', 'test', 'scripts', 'sdk/scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs)$/.test(path))
      .flatMap((path) =>
        callsIn(readFileSync(join(folder, path), 'utf8')).map((call) => ({ path: join(folder, path), call })),
      ),
  );
  expect(calls.length).toBeGreaterThan(30);
  const without = calls
    .filter(({ call }) => !/\btimeout\b|\bENDS\b|\bSERVES\b/.test(call))
    .map(({ path, call }) => `${path}: ${call.replace(/\s+/g, ' ')}`)
    .filter((call) => !BOUNDED_ELSEWHERE.some((known) => call.startsWith(known)));
  expect(without).toEqual([]);
});
