import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Address, Hex } from 'viem';
import type { LimitKind } from './allowlist.js';
import type { Step } from './contracts.js';
import { ConfigError } from './problem.js';
import type { ChainName } from './settings.js';

const VERSION = '1';
const SCHEMA = `
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS deposits (
  chain TEXT NOT NULL, tx_hash TEXT NOT NULL, asset TEXT NOT NULL, wallet TEXT NOT NULL, units TEXT NOT NULL, block INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'seen' CHECK (status IN ('seen', 'reported')), position_id TEXT, note TEXT,
  tries INTEGER NOT NULL DEFAULT 0, due_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (chain, tx_hash, asset, wallet)) STRICT;
CREATE TABLE IF NOT EXISTS jobs (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('move', 'payout')), chain TEXT NOT NULL, asset TEXT NOT NULL, facts TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('taking', 'taken', 'redeemed', 'closing', 'done', 'stopped')),
  note TEXT, trouble_since INTEGER, at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS left_alone (
  id TEXT PRIMARY KEY, reason TEXT NOT NULL, facts TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS transactions (
  id INTEGER PRIMARY KEY, job_id TEXT NOT NULL REFERENCES jobs (id), step TEXT NOT NULL, vault_id TEXT, chain TEXT NOT NULL, account TEXT NOT NULL,
  nonce INTEGER NOT NULL, target TEXT NOT NULL, data TEXT NOT NULL, gas TEXT NOT NULL, asset TEXT NOT NULL, units TEXT NOT NULL,
  limited TEXT, wallet TEXT, since_block INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'final', 'reverted', 'void')), hash TEXT, amount TEXT, at INTEGER NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS one_in_flight ON transactions (chain, account) WHERE status = 'pending';
CREATE TABLE IF NOT EXISTS attempts (
  transaction_id INTEGER NOT NULL REFERENCES transactions (id), number INTEGER NOT NULL, hash TEXT, raw TEXT, max_fee TEXT NOT NULL,
  priority_fee TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (transaction_id, number)) STRICT;
CREATE TABLE IF NOT EXISTS approvals (
  withdrawal_id TEXT PRIMARY KEY, wallet TEXT NOT NULL, asset TEXT NOT NULL, amount TEXT NOT NULL, at INTEGER NOT NULL) STRICT;`;

export type JobStatus = 'taking' | 'taken' | 'redeemed' | 'closing' | 'done' | 'stopped';
export interface Job {
  id: string;
  kind: 'move' | 'payout';
  chain: ChainName;
  asset: string;
  /** As the server said when it was taken: it may not change any more. */
  facts: Readonly<Record<string, string | null>>;
  status: JobStatus;
  note: string | null;
  troubleSince: number | null;
}
export interface Transaction {
  id: number;
  job_id: string;
  step: Step;
  vault_id: string | null;
  chain: ChainName;
  account: Address;
  nonce: number;
  target: Address;
  data: Hex;
  gas: string;
  asset: string;
  /** What was asked of the contract, and once final what it did, in units of the token. */
  units: string;
  amount: string | null;
  limited: LimitKind | null;
  wallet: Address | null;
  since_block: number;
  status: 'pending' | 'final' | 'reverted' | 'void';
  hash: Hex | null;
}
/** Signed, or for a signer that only sends asked for; `hash` is null until that signer answers. */
export interface Attempt {
  number: number;
  hash: Hex | null;
  raw: Hex | null;
  max_fee: string;
  priority_fee: string;
  at: number;
}
export type NewTransaction = Omit<Transaction, 'id' | 'status' | 'hash' | 'amount'>;
export type NewAttempt = Omit<Attempt, 'number' | 'at'>;
export interface SeenDeposit {
  chain: ChainName;
  tx_hash: Hex;
  asset: string;
  wallet: Address;
  units: string;
  block: number;
}
export interface LeftAlone {
  id: string;
  reason: string;
  facts: Readonly<Record<string, string | null>>;
}

/** What the executor has done and is about to do. Each change is on the disk before its method returns. */
export class Journal {
  /** Random, made with the file: two executors with two journals never share the answer of a server. */
  readonly id: string;

  private constructor(private readonly database: DatabaseSync) {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    database.exec(SCHEMA);
    this.id = this.fact('id') ?? this.setFact('id', randomBytes(8).toString('hex'));
    const version = this.fact('version') ?? this.setFact('version', VERSION);
    if (version !== VERSION)
      throw new ConfigError([`The journal is of version ${version}: this program reads ${VERSION}.`]);
  }

  static open(path: string): Journal {
    return new Journal(new DatabaseSync(path, { timeout: 10_000 }));
  }

  /**
   * Makes this process the only one that moves funds by this journal, until it ends. The system releases the lock of a process that is killed.
   * @throws ConfigError if another process leads
   */
  static lead(path: string): { close(): void } {
    const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
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
    return this.all<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)[0]?.value;
  }

  setFact(name: string, value: string): string {
    this.run(
      'INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
    return value;
  }

  /** Deposits up to a block, with that block. */
  saw(chain: ChainName, upTo: number, deposits: readonly SeenDeposit[]): void {
    this.together(() => {
      for (const deposit of deposits) this.insert('deposits', { ...deposit }, 'OR IGNORE');
      this.setFact(`scanned ${chain}`, String(upTo));
    });
  }

  unreported(now: number): SeenDeposit[] {
    return this.all(
      `SELECT * FROM deposits WHERE status = 'seen' AND due_at <= ? ORDER BY block, tx_hash LIMIT 500`,
      now,
    );
  }

  reported(txHash: Hex, positionId: string | null, note: string | null): void {
    this.run(
      `UPDATE deposits SET status = 'reported', position_id = ?, note = ? WHERE tx_hash = ?`,
      ...[positionId, note, txHash],
    );
  }

  /** Tries again after a time that doubles up to an hour. */
  postpone(txHash: Hex, note: string, now: number): void {
    this.run(
      'UPDATE deposits SET note = ?, due_at = ? + min(3600000, 5000 * (1 << min(tries, 12))), tries = tries + 1 WHERE tx_hash = ?',
      ...[note, now, txHash],
    );
  }

  depositChain(positionId: string): ChainName | undefined {
    return this.all<{ chain: ChainName }>('SELECT chain FROM deposits WHERE position_id = ?', positionId)[0]
      ?.chain;
  }

  /** What a wallet deposited, as this executor saw it, and what it was paid, or is being paid; in units. */
  flowOf(chain: ChainName, asset: string, wallet: Address): { deposited: bigint; paid: bigint } {
    const deposited = `SELECT units FROM deposits WHERE chain = ? AND asset = ? AND wallet = ?`;
    const paid = `SELECT units FROM transactions WHERE chain = ? AND asset = ? AND wallet = ? AND status IN ('pending', 'final')`;
    return {
      deposited: this.total(deposited, chain, asset, wallet),
      paid: this.total(paid, chain, asset, wallet),
    };
  }

  approve(withdrawalId: string, wallet: string, asset: string, amount: string, now: number): void {
    this.run(
      'INSERT OR REPLACE INTO approvals VALUES (?, ?, ?, ?, ?)',
      withdrawalId,
      wallet,
      asset,
      amount,
      now,
    );
  }

  approval(withdrawalId: string): { wallet: string; asset: string; amount: string } | undefined {
    return this.all<{ wallet: string; asset: string; amount: string }>(
      'SELECT wallet, asset, amount FROM approvals WHERE withdrawal_id = ?',
      withdrawalId,
    )[0];
  }

  /** Notes why an order or a withdrawal is not taken. @returns whether that is news */
  leave(id: string, reason: string, facts: LeftAlone['facts'], now: number): boolean {
    const isNews = this.leftAlone(id)[0]?.reason !== reason;
    this.run('INSERT OR REPLACE INTO left_alone VALUES (?, ?, ?, ?)', id, reason, JSON.stringify(facts), now);
    return isNews;
  }

  leftAlone(id?: string): LeftAlone[] {
    const rows = this.all<{ id: string; reason: string; facts: string }>(
      'SELECT id, reason, facts FROM left_alone WHERE ?1 IS NULL OR id = ?1 ORDER BY at DESC LIMIT 1000',
      id ?? null,
    );
    return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as LeftAlone['facts'] }));
  }

  /** Forgets what the server no longer lists. */
  keepLeft(ids: readonly string[]): void {
    this.run('DELETE FROM left_alone WHERE id NOT IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  begin(
    { id, kind, chain, asset, facts }: Pick<Job, 'id' | 'kind' | 'chain' | 'asset' | 'facts'>,
    now: number,
  ): Job {
    this.insert('jobs', { id, kind, chain, asset, facts: JSON.stringify(facts), status: 'taking', at: now });
    return this.job(id)!;
  }

  job(id: string): Job | undefined {
    return this.jobs('WHERE id = ?', id)[0];
  }

  openJobs(): Job[] {
    return this.jobs(`WHERE status NOT IN ('done', 'stopped') ORDER BY at, id`);
  }

  stoppedJobs(): Job[] {
    return this.jobs(`WHERE status = 'stopped' ORDER BY at, id`);
  }

  turn(id: string, status: JobStatus, note: string | null = null): void {
    this.run('UPDATE jobs SET status = ?, note = ?, trouble_since = NULL WHERE id = ?', status, note, id);
  }

  /** Notes why a job does not go on. @returns since when that is so, and whether the reason is news */
  trouble(job: Job, note: string, now: number): { since: number; isNews: boolean } {
    const since = job.troubleSince ?? now;
    this.run('UPDATE jobs SET note = ?, trouble_since = ? WHERE id = ?', note, since, job.id);
    return { since, isNews: job.note !== note };
  }

  inFlight(chain: ChainName): Transaction | undefined {
    return this.all<Transaction>(
      `SELECT * FROM transactions WHERE chain = ? AND status = 'pending'`,
      chain,
    )[0];
  }

  transactionsOf(jobId: string): Transaction[] {
    return this.all('SELECT * FROM transactions WHERE job_id = ? ORDER BY id', jobId);
  }

  /** Writes a transaction down, with what was signed: before it is sent. */
  prepare(transaction: NewTransaction, attempt: NewAttempt, now: number): Transaction {
    return this.together(() => {
      this.insert('transactions', { ...transaction, at: now });
      const prepared = this.inFlight(transaction.chain)!;
      this.addAttempt(prepared.id, attempt, now);
      return prepared;
    });
  }

  addAttempt(transactionId: number, { hash, raw, max_fee, priority_fee }: NewAttempt, now: number): void {
    this.run(
      `INSERT INTO attempts SELECT ?1, count(*), ?2, ?3, ?4, ?5, ?6 FROM attempts WHERE transaction_id = ?1`,
      ...[transactionId, hash, raw, max_fee, priority_fee, now],
    );
  }

  /** The latest first. */
  attempts(transactionId: number): Attempt[] {
    return this.all('SELECT * FROM attempts WHERE transaction_id = ? ORDER BY number DESC', transactionId);
  }

  setAttemptHash(transactionId: number, number: number, hash: Hex): void {
    this.run(
      'UPDATE attempts SET hash = ? WHERE transaction_id = ? AND number = ?',
      hash,
      transactionId,
      number,
    );
  }

  /** @param amount what its events say, in units */
  end(id: number, status: 'final' | 'reverted' | 'void', hash: Hex | null, amount: bigint | null): void {
    this.run(
      'UPDATE transactions SET status = ?, hash = ?, amount = ? WHERE id = ?',
      ...[status, hash, amount === null ? null : String(amount), id],
    );
  }

  /** What was sent of a kind since a time, in units. */
  moved(chain: ChainName, asset: string, limited: LimitKind, since: number): bigint {
    return this.total(
      `SELECT units FROM transactions WHERE chain = ? AND asset = ? AND limited = ? AND at > ? AND status IN ('pending', 'final')`,
      ...[chain, asset, limited, since],
    );
  }

  counts(): { name: string; count: number }[] {
    return this.all(`
      SELECT 'deposits_unreported' AS name, count(*) AS count FROM deposits WHERE status = 'seen'
      UNION ALL SELECT 'left_alone', count(*) FROM left_alone
      UNION ALL SELECT 'jobs_open', count(*) FROM jobs WHERE status NOT IN ('done', 'stopped')
      UNION ALL SELECT 'jobs_in_trouble', count(*) FROM jobs WHERE status NOT IN ('done', 'stopped') AND trouble_since IS NOT NULL
      UNION ALL SELECT 'jobs_stopped', count(*) FROM jobs WHERE status = 'stopped'`);
  }

  unclear(): (SeenDeposit & { note: string })[] {
    return this.all(
      `SELECT * FROM deposits WHERE status = 'seen' AND note IS NOT NULL ORDER BY block LIMIT 1000`,
    );
  }

  private jobs(where: string, ...values: SQLInputValue[]): Job[] {
    const rows = this.all<Omit<Job, 'facts'> & { facts: string }>(
      `SELECT id, kind, chain, asset, facts, status, note, trouble_since AS "troubleSince" FROM jobs ${where}`,
      ...values,
    );
    return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) as Job['facts'] }));
  }

  /** SQLite adds 64-bit numbers, and units of a token with 18 decimals are more. */
  private total(sql: string, ...values: SQLInputValue[]): bigint {
    return this.all<{ units: string }>(sql, ...values).reduce((sum, { units }) => sum + BigInt(units), 0n);
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

  private all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.database.prepare(sql).all(...values) as Row[];
  }

  private insert(table: string, record: Record<string, SQLInputValue>, otherwise = ''): void {
    const names = Object.keys(record);
    const places = names.map(() => '?').join(', ');
    this.run(
      `INSERT ${otherwise} INTO ${table} (${names.join(', ')}) VALUES (${places})`,
      ...Object.values(record),
    );
  }

  private run(sql: string, ...values: SQLInputValue[]): void {
    this.database.prepare(sql).run(...values);
  }
}
