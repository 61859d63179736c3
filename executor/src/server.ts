import { isVaultlineError, type PagedList, type PartnerSchemas, VaultlinePartner } from '@vaultline/sdk';
import { getAddress, isAddress } from 'viem';
import * as z from 'zod';
import { boundedFetch } from './bounded.js';
import type { Job, Transaction } from './journal.js';
import type { Meters } from './meters.js';
import { textOf } from './problem.js';
import type { Settings } from './settings.js';

/** A double holds 2^33 units with six decimals; beyond that the text beside it counts. */
const AMOUNT = { amount: z.number(), amount_exact: z.string().optional() };
const microOf = (record: { amount: number; amount_exact?: string | undefined }): bigint => {
  const text = record.amount_exact ?? record.amount.toFixed(6);
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error('the server answered with an amount that is none');
  return BigInt(whole + decimals.padEnd(6, '0'));
};
const WORD = z.string().regex(/^\w{1,100}$/);
const WORK = {
  ...{ id: WORD, status: WORD, asset: z.string().regex(/^[A-Z0-9]{1,12}$/), ...AMOUNT },
  ...{ taken_by: WORD.nullable(), ended_at: z.string().nullable(), failure: WORD.nullable() },
};
const workOf = ({ id, status, asset, ...work }: z.infer<z.ZodObject<typeof WORK>>) => ({
  ...{ id, status, asset, amount: microOf(work), takenBy: work.taken_by },
  ended: work.ended_at === null ? null : `${status} (${work.failure ?? 'done'})`,
});
const MOVE = z
  .object({
    ...{ ...WORK, urgent: z.boolean(), taken_at: z.string().nullable() },
    ...{ from_vault_id: WORD, to_vault_id: WORD, position_id: WORD.nullable() },
  })
  .transform(({ urgent, taken_at, from_vault_id: from, to_vault_id: to, position_id, ...move }) => ({
    ...workOf(move),
    ...{ urgent, from, to, positionId: position_id, isTaken: taken_at !== null },
  }));
const PAYOUT = z
  .object({
    ...WORK,
    wallet: WORD.transform((text) => (isAddress(text) ? getAddress(text) : text)).nullable(),
    parts: z.array(z.object({ vault_id: WORD, ...AMOUNT })),
  })
  .transform(({ wallet, parts, ...payout }) => ({
    ...{ ...workOf(payout), wallet },
    parts: parts.map((part) => ({ vaultId: part.vault_id, amount: microOf(part) })),
  }));
const RECORD = z.object({ id: WORD });

/** An order, as the server says: of a known form, and otherwise not to be trusted. Amounts are micro-units. */
export type Move = z.infer<typeof MOVE>;
/** A withdrawal by user, likewise. */
export type Payout = z.infer<typeof PAYOUT>;
export type Refusal = { code: string; message: string };
type DepositBody = PartnerSchemas['CreatePositionInputDto'];

const MICRO = 1_000_000;
const PAGE = 200;
/** Pages that one pass looks at: the others follow. A server may have a next one for ever. */
const PAGES = 5;

/** The server's API. Each report has a key of its own in this journal, so that one whose answer was lost is not made twice. */
export class Server {
  private readonly executor: VaultlinePartner;
  private readonly depositor: VaultlinePartner;
  private readonly partners: VaultlinePartner[];

  constructor(
    settings: Settings,
    private readonly journalId: string,
    private readonly meters: Meters,
  ) {
    const options = { maxRetries: 1, timeoutMs: 15_000, totalTimeoutMs: 40_000, fetch: boundedFetch };
    const client = (apiKey: string): VaultlinePartner =>
      new VaultlinePartner({ baseUrl: settings.VAULTLINE_URL, apiKey, ...options });
    this.executor = client(settings.VAULTLINE_API_KEY);
    this.depositor = client(settings.DEPOSITS_API_KEY ?? settings.VAULTLINE_API_KEY);
    this.partners = settings.PARTNER_API_KEYS.map(client);
  }

  /** Orders that nobody took, the oldest first; then received deposits whose order nobody took. */
  async newMoves(): Promise<Move[]> {
    const list = (status: 'requested' | 'arriving') =>
      rowsOf(MOVE, this.executor.listMoves({ status, limit: PAGE }));
    return [...(await list('requested')), ...(await list('arriving')).filter(({ isTaken }) => !isTaken)];
  }

  newPayouts(): Promise<Payout[]> {
    return rowsOf(PAYOUT, this.executor.listWithdrawals({ status: 'requested', limit: PAGE }));
  }

  async move(id: string): Promise<Move> {
    return formOf(MOVE, await this.executor.readMove(id));
  }

  async payout(id: string): Promise<Payout> {
    return formOf(PAYOUT, await this.executor.readWithdrawal(id));
  }

  takeMove(id: string): Promise<Move | Refusal> {
    return this.report('taken', id, MOVE, (key) => this.executor.takeMove(id, {}, key));
  }

  takePayout(id: string): Promise<Payout | Refusal> {
    return this.report('taken', id, PAYOUT, (key) => this.executor.takeWithdrawal(id, key));
  }

  /** What a final transaction did. @param amount in micro-units */
  done(
    { id, chain }: Job,
    { step, hash: tx_hash }: Transaction,
    amount: bigint,
  ): Promise<Move | Payout | Refusal> {
    const body = { tx_hash: tx_hash!, amount: Number(amount) / MICRO };
    const subject = `${id} ${tx_hash}`;
    if (step === 'redeem')
      return this.report('redeemed', subject, MOVE, (key) => this.executor.reportMoveRedeemed(id, body, key));
    if (step === 'deposit')
      return this.report('settled', subject, MOVE, (key) => this.executor.reportMoveSettled(id, body, key));
    const payment = { ...body, chain };
    return this.report('paid', subject, PAYOUT, (key) =>
      this.executor.reportWithdrawalPaid(id, payment, key),
    );
  }

  failed({ id, kind }: Job, reason: string): Promise<{ id: string } | Refusal> {
    const body = { note: reason.slice(0, 500) };
    return this.report('failed', id, RECORD, (key) =>
      kind === 'move'
        ? this.executor.reportMoveFailed(id, body, key)
        : this.executor.reportWithdrawalFailed(id, body, key),
    );
  }

  /** @param amount in micro-units @returns the position's id */
  deposit({
    amount,
    ...deposit
  }: {
    user_id: string;
    asset: string;
    chain: string;
    tx_hash: string;
    amount: bigint;
  }): Promise<{ id: string } | Refusal> {
    const body = { ...deposit, amount: Number(amount) / MICRO, allocated: false } as DepositBody;
    return this.report('deposit', deposit.tx_hash, RECORD, (key) => this.depositor.createPosition(body, key));
  }

  /** Users of all partners that have a wallet. */
  async usersOf(wallet: string): Promise<string[]> {
    const lists = await Promise.all(
      this.partners.map((partner) => rowsOf(RECORD, partner.listPartnerUsers({ wallet, limit: 2 }))),
    );
    return lists.flat().map(({ id }) => id);
  }

  /** A refusal is an answer; without an answer the report is made again in the next pass. */
  private async report<T>(
    name: string,
    subject: string,
    form: z.ZodType<T>,
    send: (key: { idempotencyKey: string }) => Promise<unknown>,
  ): Promise<T | Refusal> {
    try {
      const idempotencyKey = `executor ${this.journalId} ${name} ${subject}`;
      const answer = formOf(form, await send({ idempotencyKey }));
      this.meters.reports.inc({ report: name, result: 'accepted' });
      return answer;
    } catch (error) {
      // The first of two equal requests may still run, and a gateway may have answered: nothing is known of it.
      const isRefused =
        isVaultlineError(error) &&
        error.status < 500 &&
        !['idempotency_in_progress', 'unexpected_response'].includes(error.code) &&
        ![401, 403, 408, 429].includes(error.status);
      this.meters.reports.inc({ report: name, result: isRefused ? 'refused' : 'unknown' });
      if (!isRefused) throw error;
      return { code: error.code.slice(0, 100), message: textOf(error) };
    }
  }
}

/** The oldest first. */
async function rowsOf<T>(form: z.ZodType<T>, list: PagedList<unknown>): Promise<T[]> {
  const rows: T[] = [];
  let pages = 0;
  for await (const { data } of list.pages()) {
    rows.push(...formOf(z.array(form).max(PAGE), data));
    if (++pages === PAGES) break;
  }
  return rows.toReversed();
}

/** @throws Error for an answer of another form */
function formOf<T>(form: z.ZodType<T>, answer: unknown): T {
  const { data, error } = form.safeParse(answer);
  if (!error) return data;
  const { path, message } = error.issues[0]!;
  throw new Error(`the server's answer has no allowed ${path.join('.')}: ${message}`);
}

export const isRefusal = (answer: object): answer is Refusal => 'code' in answer;
