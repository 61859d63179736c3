import type { components as Partner } from './generated/partner.js';
import type { components as Sandbox } from './generated/sandbox.js';
import type { EffectOptions, RequestOptions } from './operations.js';
import { checkNumber } from './options.js';
import { pause } from './transport.js';

/** A withdrawal of one of your users, in both contracts. */
export type UserWithdrawal = (Partner | Sandbox)['schemas']['Withdrawal'];

export interface PaymentWait {
  /** The longest wait for the payment. Default: 600,000. */
  timeoutMs?: number;
  /** The longest pause between two reads. Default: 10,000. */
  maxPauseMs?: number;
}

export interface WithdrawOptions extends EffectOptions {
  /** Waits until the withdrawal is paid, failed or lapsed. Default: the call answers as soon as it is requested. */
  wait?: boolean | PaymentWait;
}

/** The withdrawal has ended without a payment, and nothing is reserved any more. */
export class WithdrawalUnpaidError extends Error {
  override readonly name = 'WithdrawalUnpaidError';
  readonly status: UserWithdrawal['status'];
  /** Why it failed, in the words of the executor; null for one that lapsed. */
  readonly note: string | null;

  constructor(readonly withdrawal: UserWithdrawal) {
    const { id, status, note } = withdrawal;
    const reason = status === 'lapsed' ? 'no executor took it in time.' : (note ?? 'nothing was paid.');
    super(
      `Withdrawal ${id} ${status}: ${reason} To try again, request a new one with another idempotencyKey.`,
    );
    this.status = status;
    this.note = note;
  }
}

/** The wait is over, and the withdrawal is not: it may still be paid. */
export class WithdrawalPendingError extends Error {
  override readonly name = 'WithdrawalPendingError';

  /** @param withdrawal as it was last read */
  constructor(
    readonly withdrawal: UserWithdrawal,
    options?: ErrorOptions,
  ) {
    const { id, status } = withdrawal;
    const reason = options ? 'could not be read any more' : 'was not paid in time';
    super(
      `Withdrawal ${id} ${reason}, and was last ${status}. It may still be paid, so do not request it again: readWithdrawal('${id}') shows its end.`,
      options,
    );
  }
}

const FIRST_PAUSE_MS = 250;
/** The time of a read at the deadline. */
const LAST_READ_MS = 1_000;
/** Transient failures do not end the wait. */
const RETRIES = 1_000;

/**
 * Reads a withdrawal until it has ended.
 *
 * @throws WithdrawalUnpaidError, WithdrawalPendingError; the reason of an aborted signal
 */
export async function untilPaid(
  requested: UserWithdrawal,
  read: (id: string, options: RequestOptions) => Promise<UserWithdrawal>,
  { timeoutMs = 600_000, maxPauseMs = 10_000 }: PaymentWait,
  options: RequestOptions,
): Promise<UserWithdrawal> {
  const { signal } = options;
  const endsAt = performance.now() + timeoutMs;
  let withdrawal = requested;
  for (let pauseMs = FIRST_PAUSE_MS; isOpen(withdrawal); pauseMs *= 1.5) {
    const restMs = endsAt - performance.now();
    if (restMs <= 0) throw new WithdrawalPendingError(withdrawal);
    await pause(Math.min(pauseMs, maxPauseMs, restMs), signal ? [signal] : []);
    const totalTimeoutMs = Math.max(endsAt - performance.now(), LAST_READ_MS);
    try {
      withdrawal = await read(withdrawal.id, { ...options, maxRetries: RETRIES, totalTimeoutMs });
    } catch (error) {
      signal?.throwIfAborted();
      throw new WithdrawalPendingError(withdrawal, { cause: error });
    }
  }
  if (withdrawal.status !== 'paid') throw new WithdrawalUnpaidError(withdrawal);
  return withdrawal;
}

const isOpen = ({ status }: UserWithdrawal): boolean => status === 'requested' || status === 'taken';

/** @throws TypeError for an invalid wait, before anything is requested */
export function waitOf(wait: WithdrawOptions['wait']): PaymentWait | null {
  if (wait === undefined || wait === false) return null;
  const given = wait === true ? {} : wait;
  for (const [name, value] of Object.entries(given)) checkNumber(`wait.${name}`, value);
  return given;
}
