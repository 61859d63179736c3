import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from './caller.js';
import { type Exchange, isSuccess } from './exchange.js';

export const newTxHash = (): string => `0x${randomBytes(32).toString('hex')}`;

export interface DepositInput {
  user_id: string;
  asset: string;
  amount: number;
  split?: boolean;
}

/** Deposits and withdrawals of one partner's end-users. */
export class Funds {
  /** Positions that it opened. */
  readonly opened: string[] = [];

  constructor(
    /** The partner. */
    readonly caller: Caller,
    /** Who deposits and withdraws: in the sandbox the partner itself. */
    readonly reporter: Caller,
    /** Whether a transfer comes with its hash. */
    private readonly hasSettled: boolean,
  ) {}

  /** What comes with a transfer that has settled. */
  settled = (): { tx_hash?: string } => (this.hasSettled ? { tx_hash: newTxHash() } : {});

  deposit = async (input: DepositInput): Promise<Exchange> => {
    const body = { ...input, ...this.settled() };
    const answer = await this.reporter.post('/positions', body, { 'idempotency-key': randomUUID() });
    if (isSuccess(answer)) this.opened.push(...[answer.body?.data].flat().map((row) => row?.id));
    return answer;
  };

  /** Withdraws from a user's positions. Where an executor is to pay, it also reports the payment. */
  withdrawFrom = async (userId: string, input: { asset: string; amount?: number }): Promise<Exchange> => {
    const asked = await this.caller.post(`/users/${userId}/withdrawals`, input);
    const { id, status } = asked.body?.data ?? {};
    if (!isSuccess(asked) || status === 'paid') return asked;
    return this.reporter.post(`/withdrawals/${id}/paid`, this.settled());
  };

  withdraw = (positionId: string, amount?: number): Promise<Exchange> => {
    const input = { ...(amount !== undefined && { amount }), ...this.settled() };
    return this.reporter.post(`/positions/${positionId}/withdrawals`, input);
  };
}
