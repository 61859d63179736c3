import { existsSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** Clock ticks of /proc a second, on Linux. */
const TICKS = 100;

/** CPU seconds. */
export interface Cpu {
  /** Of this process, its threads included. */
  process: number;
  /** Of the connections that were open at the end, but for the asking one. */
  database: number;
}

/**
 * CPU time that work takes, of this process and of its connections, which the database on this machine serves by a process each.
 * @param client a connection of its own
 */
export async function cpuOf<T>(client: Client, work: () => Promise<T>): Promise<{ result: T; cpu: Cpu }> {
  const before = { process: ownSeconds(), database: await databaseSeconds(client) };
  const result = await work();
  const after = { process: ownSeconds(), database: await databaseSeconds(client) };
  let database = 0;
  for (const [pid, seconds] of after.database) database += seconds - (before.database.get(pid) ?? 0);
  return { result, cpu: { process: after.process - before.process, database } };
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function databaseSeconds(client: Client): Promise<Map<number, number>> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type IN ('client backend', 'parallel worker')`,
  );
  return new Map(rows.map(({ pid }) => [pid, secondsOf(pid)]));
}

/**
 * CPU seconds of the whole server: of all its processes, those that have ended among them.
 * @param client a superuser's
 */
export async function serverSeconds(client: Client): Promise<number> {
  const { rows } = await client.query<{ postmaster: number; pids: number[] }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS postmaster, array_agg(pid) AS pids FROM pg_stat_activity`,
  );
  const { postmaster, pids } = rows[0]!;
  const living = pids.filter((pid) => existsSync(`/proc/${pid}/stat`));
  return living.reduce((sum, pid) => sum + secondsOf(pid), secondsOf(postmaster, true));
}

/**
 * CPU seconds of a process, its threads included: fields 14 and 15, behind a name that may contain spaces; 16 and 17 are of its ended children.
 */
export function secondsOf(pid: number, withEnded = false): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}
