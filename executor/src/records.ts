import type { SQLInputValue } from 'node:sqlite';
import type { Address, Hex } from 'viem';
import type { LimitKind } from './allowlist.js';
import type { Intent } from './contracts.js';
import type { ChainName } from './settings.js';

/** Tables of the journal. */
export const SCHEMA = `
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
  priority_fee TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (transaction_id, number)) STRICT;`;

/** What is known of an order, a withdrawal or the like, for people and for comparison. */
export type Facts = Readonly<Record<string, string | null>>;
export interface Job {
  id: string;
  kind: 'move' | 'payout';
  chain: ChainName;
  asset: string;
  /** As the server said when it was taken: it may not change any more. */
  facts: Facts;
  status: 'taking' | 'taken' | 'redeemed' | 'closing' | 'done' | 'stopped';
  note: string | null;
  trouble_since: number | null;
}
export type NewJob = Pick<Job, 'id' | 'kind' | 'chain' | 'asset' | 'facts'>;
/** An intent that was signed, or for a signer that only sends asked for. */
export interface Transaction extends Omit<Intent, 'units'> {
  id: number;
  job_id: string;
  account: Address;
  nonce: number;
  target: Address;
  data: Hex;
  gas: string;
  /** What was asked of the contract, and once final what it did, in units of the token. */
  units: string;
  amount: string | null;
  limited: LimitKind | null;
  since_block: number;
  status: 'pending' | 'final' | 'reverted' | 'void';
  hash: Hex | null;
}
export type NewTransaction = Omit<Transaction, 'id' | 'status' | 'hash' | 'amount'>;
/** Signed, or for a signer that only sends asked for; `hash` is null until that signer answers. */
export interface Attempt {
  number: number;
  hash: Hex | null;
  raw: Hex | null;
  max_fee: string;
  priority_fee: string;
  at: number;
}
export type NewAttempt = Omit<Attempt, 'number' | 'at'>;
export interface SeenDeposit {
  chain: ChainName;
  tx_hash: Hex;
  asset: string;
  wallet: Address;
  units: string;
  block: number;
  /** Why it was not reported when that was tried. */
  note: string | null;
}

export interface Statement {
  text: string;
  values: SQLInputValue[];
}

/** A statement, to which each embedded value is bound. */
export const sql = (text: TemplateStringsArray, ...values: SQLInputValue[]): Statement => ({
  text: text.join('?'),
  values,
});
