import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Identity of one run of one process. A pid alone is not enough: after a container restart the same small numbers are reused, and a stale file would
 * seem to belong to an unrelated process.
 * @returns undefined when no such process runs; a zombie does not run.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command in parentheses may contain blanks and parentheses itself, so fields are counted from the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${pid} ${bootId()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  const line = ps(pid, 'stat=,lstart=');
  return !line || line.startsWith('Z') ? undefined : `${pid} ${line.replace(/^\S+\s+/, '')}`;
}

export function identityRuns(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return Number.isInteger(pid) && pid > 0 && processIdentity(pid) === identity;
}

/** Whether `pid` runs and was started with `argument` as one of its arguments. */
export function runsWithArgument(pid: number, argument: string): boolean {
  if (processIdentity(pid) === undefined) return false;
  if (process.platform !== 'linux') return ps(pid, 'command=').includes(argument);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
  } catch {
    return false;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '-';
  }
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync('ps', ['-ww', '-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return '';
  }
}
