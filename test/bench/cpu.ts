import { readFileSync } from 'node:fs';
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

/** User and system time: fields 14 and 15, behind a name that may contain spaces. */
function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
