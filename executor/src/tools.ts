import type { Logger } from 'pino';
import type { Allowlist } from './allowlist.js';
import type { Job, Journal, LeftAlone, Transaction } from './journal.js';
import { NotAllowed, NotNow } from './problem.js';
import type { Refusal, Server } from './server.js';
import type { Sender } from './sender.js';
import type { ChainName } from './settings.js';

/** What a pass works with. */
export interface Tools {
  server: Server;
  journal: Journal;
  allowlist: Allowlist;
  senders: ReadonlyMap<ChainName, Sender>;
  giveUpMs: number;
  dryRun: boolean;
  log: Logger;
}

/** @throws NotAllowed for a chain without a sender */
export function senderOf({ senders }: Tools, chain: ChainName): Sender {
  const sender = senders.get(chain);
  if (!sender) throw new NotAllowed(`${chain} is not served`);
  return sender;
}

/** Whether an error says that something cannot be done, and not that the program is wrong. */
export const isObstacle = (error: unknown): error is NotAllowed | NotNow =>
  error instanceof NotAllowed || error instanceof NotNow;

/** Leaves an order or a withdrawal to others, and says so once. */
export function leave(
  { journal, log }: Tools,
  id: string,
  reason: string,
  facts: LeftAlone['facts'],
  now: number,
): void {
  if (journal.leave(id, reason, facts, now)) log.warn({ id, ...facts }, `left alone: ${reason}`);
}

/** Notes what keeps a job from going on. @returns whether that lasts for so long that it is given up */
export function trouble({ journal, log, giveUpMs }: Tools, job: Job, what: string, now: number): boolean {
  const { since, isNews } = journal.trouble(job, what, now);
  if (isNews) log.warn({ job: job.id }, what);
  return now - since >= giveUpMs;
}

/** What an operator types to approve a payment: all of it, so that no later answer of the server changes what that allows. */
export const approvalOf = (id: string, { wallet, amount, asset }: Job['facts']): string =>
  `${id} ${wallet} ${Number(amount) / 1_000_000} ${asset}`;

export const refused = (what: string, { code, message }: Refusal): string =>
  `${what} was refused (${code}): ${message}`;

/** Ends a job that an operator has to look at. */
export function stop({ journal, log }: Tools, job: Job, why: string): void {
  journal.turn(job.id, 'stopped', why);
  log.error({ job: job.id }, `stopped, an operator has to look at it: ${why}`);
}

export function finish({ journal, log }: Tools, job: Job, how: string): void {
  journal.turn(job.id, 'done', how);
  log.info({ job: job.id }, how);
}

export const finalOf = (
  sent: readonly Transaction[],
  step: Transaction['step'],
  vaultId?: string,
): Transaction | undefined =>
  sent.find(
    (entry) =>
      entry.step === step &&
      entry.status === 'final' &&
      (vaultId === undefined || entry.vault_id === vaultId),
  );

/** Reverts of a step after which it is not tried again. */
const MOST_REVERTS = 3;
export const isHopeless = (sent: readonly Transaction[], step: Transaction['step']): boolean =>
  sent.filter((entry) => entry.step === step && entry.status === 'reverted').length >= MOST_REVERTS;

export const isIdle = (vaultId: string): boolean => vaultId.startsWith('vlt_idle_');

/** The most that an amount may have become since it was taken: a hundredth is the yield of months. */
export const grown = (amount: bigint): bigint => amount + amount / 100n;
