import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';

const run = promisify(execFile);
const LIB = '/usr/lib/postgresql';

/** Programs of the newest PostgreSQL that Debian's packages installed. */
export const PG_BIN = existsSync(LIB)
  ? `${LIB}/${readdirSync(LIB).sort((a, b) => Number(b) - Number(a))[0]}/bin`
  : '';

/** PostgreSQL and its tools refuse root. */
const PREFIX =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--inh-caps=-all']
    : [];

export const asPostgres = (...command: readonly string[]): [string, ...string[]] =>
  [...PREFIX, ...command] as [string, ...string[]];

/** Runs a program as the database's user. @returns its standard output */
export async function runAsPostgres(
  command: readonly string[],
  env: Record<string, string> = {},
  ms = 120_000,
): Promise<string> {
  const [program, ...args] = asPostgres(...command);
  const { stdout } = await run(program, args, { env: { ...process.env, ...env }, cwd: '/', timeout: ms });
  return stdout;
}

/** `describe`, or one that is skipped with the reason on standard error, where a program is missing. */
export function whereInstalled(programs: readonly string[], what: string): typeof describe.skip {
  const missing = programs.filter((program) => {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore', timeout: 10_000 });
      return false;
    } catch {
      return true;
    }
  });
  if (PG_BIN === '') missing.push('a PostgreSQL of Debian');
  if (missing.length === 0) return describe;
  process.stderr.write(`Skipped: there is no ${missing.join(', ')}, so ${what}.\n`);
  return describe.skip;
}
