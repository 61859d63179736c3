import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Address, Hex } from 'viem';
import type { LimitKind } from './allowlist.js';
import { ConfigError } from './problem.js';
import {
  type Attempt,
  type Facts,
  type Job,
  type NewAttempt,
  type NewJob,
  type NewTransaction,
  SCHEMA,
  type SeenDeposit,
  sql,
  type Statement,
  type Transaction,
} from './records.js';
import type { ChainName } from './settings.js';

const VERSION = '1';

/** @throws ConfigError on a Node.js without SQLite */
function databaseAt(path: string, timeout: number): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite') as { DatabaseSync: typeof DatabaseSync } | undefined;
  if (!sqlite) throw new ConfigError([`This is Node.js ${process.version}: 22.13 or later is needed.`]);
  return new sqlite.DatabaseSync(path, { timeout });
}

/** What the executor has done and is about to do. Each change is on the disk before its method returns. */
export class Journal {
  /** Random, made with the file: two executors with two journals never share the answer of a server. */
  readonly id: string;

  private constructor(
    private readonly database: DatabaseSync,
    mayBeNew: boolean,
  ) {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    if (mayBeNew) database.exec(SCHEMA);
    this.id = this.fact('id') ?? this.setFact('id', randomBytes(8).toString('hex'));
    const version = this.fact('version') ?? this.setFact('version', VERSION);
    if (version !== VERSION)
      throw new ConfigError([`The journal is of version ${version}: this program reads ${VERSION}.`]);
  }

  /** @throws ConfigError for a file that is no journal; for one that is not there, unless it may be new */
  static open(path: string, mayBeNew = false): Journal {
    try {
      if (!mayBeNew && !existsSync(path)) throw new Error('there is no such file');
      return new Journal(databaseAt(path, 10_000), mayBeNew);
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError([
        `JOURNAL is ${path}, which is no journal: ${(error as Error).message}. ` +
          'Set the path of the journal; docs/executor.md says what to do when it is lost.',
      ]);
    }
  }

  /** Whether no executor has ever led by this journal: a lock stays beside one that did. */
  static isNew(path: string): boolean {
    return !existsSync(`${path}.lock`);
  }

  /**
   * Makes this process the only one that moves funds by this journal, until it ends. The system releases the lock of a process that is killed.
   * @throws ConfigError if another process leads
   */
  static lead(path: string): { close(): void } {
    const lock = databaseAt(`${path}.lock`, 0);
    try {
      lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    } catch {
      throw new ConfigError([`Another executor works with JOURNAL ${path}: this one ends.`]);
    }
    return lock;
  }

  close(): void {
    this.database.close();
  }

  fact(name: string): string | undefined {
    return this.first<{ value: string }>(sql`SELECT value FROM facts WHERE name = ${name}`)?.value;
  }

  setFact(name: string, value: string): string {
    this.run(sql`INSERT OR REPLACE INTO facts VALUES (${name}, ${value})`);
    return value;
  }

  /** Deposits up to a block, with that block. */
  saw(chain: ChainName, upTo: number, deposits: readonly Omit<SeenDeposit, 'note'>[]): void {
    this.together(() => {
      for (const { tx_hash, asset, wallet, units, block } of deposits)
        this.run(sql`INSERT OR IGNORE INTO deposits (chain, tx_hash, asset, wallet, units, block)
          VALUES (${chain}, ${tx_hash}, ${asset}, ${wallet}, ${units}, ${block})`);
      this.setFact(`scanned ${chain}`, String(upTo));
    });
  }

  unreported(now: number): SeenDeposit[] {
    return this.all(sql`SELECT * FROM deposits WHERE status = 'seen' AND due_at <= ${now}
      ORDER BY block, tx_hash LIMIT 500`);
  }

  reported(txHash: Hex, positionId: string | null, note: string | null): void {
    this.run(sql`UPDATE deposits SET status = 'reported', position_id = ${positionId}, note = ${note}
      WHERE tx_hash = ${txHash}`);
  }

  /** Tries again after a time that doubles up to an hour. */
  postpone(txHash: Hex, note: string, now: number): void {
    this.run(sql`UPDATE deposits SET note = ${note}, tries = tries + 1,
      due_at = ${now} + min(3600000, 5000 * (1 << min(tries, 12))) WHERE tx_hash = ${txHash}`);
  }

  depositChain(positionId: string): ChainName | undefined {
    return this.first<SeenDeposit>(sql`SELECT * FROM deposits WHERE position_id = ${positionId}`)?.chain;
  }

  /** What a wallet deposited, as this executor saw it, in units. */
  deposited(chain: ChainName, asset: string, wallet: Address): bigint {
    return this.total(sql`SELECT units FROM deposits
      WHERE chain = ${chain} AND asset = ${asset} AND wallet = ${wallet}`);
  }

  /** What was sent, or is being sent, of a kind or to a wallet since a time, in units. */
  sent(chain: ChainName, asset: string, to: LimitKind | Address, since = 0): bigint {
    return this.total(sql`SELECT units FROM transactions WHERE chain = ${chain} AND asset = ${asset}
      AND ${to} IN (limited, wallet) AND at > ${since} AND status IN ('pending', 'final')`);
  }

  /** Notes why an order or a withdrawal is not taken. @returns whether that is news */
  leave(id: string, reason: string, facts: Facts, now: number): boolean {
    const isNews = this.leftAlone(id)[0]?.reason !== reason;
    this.run(sql`INSERT OR REPLACE INTO left_alone
      VALUES (${id}, ${reason}, ${JSON.stringify(facts)}, ${now})`);
    return isNews;
  }

  leftAlone(id: string | null = null): { id: string; reason: string; facts: Facts }[] {
    return this.all<{ id: string; reason: string; facts: Facts }>(
      sql`SELECT id, reason, facts FROM left_alone
      WHERE ${id} IS NULL OR id = ${id} ORDER BY at DESC LIMIT 1000`,
    ).map(parsed);
  }

  /** Forgets what the server no longer lists. */
  keepLeft(ids: readonly string[]): void {
    this.run(
      sql`DELETE FROM left_alone WHERE id NOT IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    );
  }

  begin({ id, kind, chain, asset, facts }: NewJob, now: number): Job {
    this.run(sql`INSERT INTO jobs (id, kind, chain, asset, facts, status, at)
      VALUES (${id}, ${kind}, ${chain}, ${asset}, ${JSON.stringify(facts)}, 'taking', ${now})`);
    return this.job(id)!;
  }

  job(id: string): Job | undefined {
    return this.all<Job>(sql`SELECT * FROM jobs WHERE id = ${id}`).map(parsed)[0];
  }

  /** Jobs that are open or stopped, the oldest first. */
  unfinished(): Job[] {
    return this.all<Job>(sql`SELECT * FROM jobs WHERE status <> 'done' ORDER BY at, id`).map(parsed);
  }

  turn(id: string, status: Job['status'], note: string | null = null): void {
    this.run(sql`UPDATE jobs SET status = ${status}, note = ${note}, trouble_since = NULL WHERE id = ${id}`);
  }

  /** Notes why a job does not go on, since when. */
  trouble(id: string, note: string, since: number): void {
    this.run(sql`UPDATE jobs SET note = ${note}, trouble_since = ${since} WHERE id = ${id}`);
  }

  inFlight(chain: ChainName): Transaction | undefined {
    return this.first(sql`SELECT * FROM transactions WHERE chain = ${chain} AND status = 'pending'`);
  }

  transactionsOf(jobId: string): Transaction[] {
    return this.all(sql`SELECT * FROM transactions WHERE job_id = ${jobId} ORDER BY id`);
  }

  /** The open job that approved a vault last. */
  approverOf(vaultId: string): string | undefined {
    return this.first<{ job_id: string }>(sql`SELECT job_id FROM transactions JOIN jobs ON jobs.id = job_id
      WHERE step = 'approve' AND vault_id = ${vaultId} AND transactions.status = 'final'
      AND jobs.status NOT IN ('done', 'stopped') ORDER BY transactions.id DESC LIMIT 1`)?.job_id;
  }

  /** Writes a transaction down, with what was signed: before it is sent. */
  prepare(transaction: NewTransaction, attempt: NewAttempt, now: number): Transaction {
    const [names, values] = [Object.keys(transaction), Object.values(transaction)];
    const text = `INSERT INTO transactions (${names.join(', ')}, at) VALUES (${names.map(() => '?, ').join('')}?)`;
    return this.together(() => {
      this.run({ text, values: [...values, now] });
      const prepared = this.inFlight(transaction.chain)!;
      this.addAttempt(prepared.id, attempt, now);
      return prepared;
    });
  }

  addAttempt(id: number, { hash, raw, max_fee, priority_fee }: NewAttempt, now: number): void {
    this
      .run(sql`INSERT INTO attempts SELECT ${id}, count(*), ${hash}, ${raw}, ${max_fee}, ${priority_fee}, ${now}
      FROM attempts WHERE transaction_id = ${id}`);
  }

  /** The latest first. */
  attempts(transactionId: number): Attempt[] {
    return this.all(sql`SELECT * FROM attempts WHERE transaction_id = ${transactionId} ORDER BY number DESC`);
  }

  setAttemptHash(id: number, number: number, hash: Hex): void {
    this.run(sql`UPDATE attempts SET hash = ${hash} WHERE transaction_id = ${id} AND number = ${number}`);
  }

  /** @param amount what its events say, in units */
  end(id: number, status: Transaction['status'], hash: Hex, amount: bigint | null): void {
    this
      .run(sql`UPDATE transactions SET status = ${status}, hash = ${hash}, amount = ${amount?.toString() ?? null}
      WHERE id = ${id}`);
  }

  counts(): { name: string; count: number }[] {
    return this.all(sql`
      SELECT 'deposits_unreported' AS name, count(*) AS count FROM deposits WHERE status = 'seen'
      UNION ALL SELECT 'left_alone', count(*) FROM left_alone
      UNION ALL SELECT 'jobs_open', count(*) FROM jobs WHERE status NOT IN ('done', 'stopped')
      UNION ALL SELECT 'jobs_in_trouble', count(*) FROM jobs
        WHERE status NOT IN ('done', 'stopped') AND trouble_since IS NOT NULL
      UNION ALL SELECT 'jobs_stopped', count(*) FROM jobs WHERE status = 'stopped'`);
  }

  /** SQLite adds 64-bit numbers, and units of a token with 18 decimals are more. */
  private total(statement: Statement): bigint {
    return this.all<{ units: string }>(statement).reduce((sum, { units }) => sum + BigInt(units), 0n);
  }

  private together<T>(work: () => T): T {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.database.exec('COMMIT');
      return result;
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private run({ text, values }: Statement): void {
    this.database.prepare(text).run(...values);
  }

  private first<Row>(statement: Statement): Row | undefined {
    return this.all<Row>(statement)[0];
  }

  private all<Row>({ text, values }: Statement): Row[] {
    return this.database.prepare(text).all(...values) as Row[];
  }
}

/** A row whose facts are JSON. */
const parsed = <Row extends { facts: Facts }>(row: Row): Row => ({
  ...row,
  facts: JSON.parse(row.facts as unknown as string) as Facts,
});
