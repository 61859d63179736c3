import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identity of one run of one process. A pid alone is not enough: after a container restart the same small numbers are reused, and a stale file would
 * seem to belong to an unrelated process.
 * @returns undefined when no such process runs; a zombie does not run.
 */
export function processIdentity(pid: number): string | undefined {
  const [state = '', ...begun] = process.platform === 'linux' ? linuxStatus(pid) : psStatus(pid);
  return /^[^ZX]/.test(state) ? [pid, ...begun].join(' ') : undefined;
}

export function identityRuns(identity: string | undefined): boolean {
  const pid = Number.parseInt(identity ?? '', 10);
  return pid > 0 && processIdentity(pid) === identity;
}

/** Whether `pid` runs and was started with `argument` as one of its arguments. */
export function runsWithArgument(pid: number, argument: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') return ps(pid, 'command=').includes(argument);
  return read(`/proc/${pid}/cmdline`).split('\0').includes(argument);
}

/** State, boot, and the start in ticks since then. */
function linuxStatus(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  // The command in parentheses may contain blanks and parentheses itself, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[0] ?? '', read('/proc/sys/kernel/random/boot_id').trim(), fields[19] ?? ''];
}

const psStatus = (pid: number): string[] => ps(pid, 'stat=,lstart=').split(/\s+/);

/** @returns '' when there is no such file */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @returns '' when there is no such process @throws Error when `ps` itself does not end */
function ps(pid: number, columns: string): string {
  try {
    const args = ['-ww', '-o', columns, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: 'pipe', timeout: 15_000 }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ETIMEDOUT') throw error;
    return '';
  }
}
