import { isVaultlineError, type PagedList, type PartnerSchemas, VaultlinePartner } from '@vaultline/sdk';
import { getAddress, type Hex, isAddress } from 'viem';
import * as z from 'zod';
import { boundedFetch } from './bounded.js';
import type { Meters } from './meters.js';
import { textOf } from './problem.js';
import type { ChainName, Settings } from './settings.js';

type Deposit = PartnerSchemas['CreatePositionInput'];

const WORD = z.string().regex(/^\w{1,100}$/);
const AMOUNT = { amount: z.number(), amount_exact: z.string().optional() };
const WORK = {
  ...{ id: WORD, status: WORD, asset: z.string().regex(/^[A-Z0-9]{1,12}$/), ...AMOUNT },
  ...{ taken_by: WORD.nullable(), ended_at: z.string().nullable(), failure: WORD.nullable() },
};
const MOVE = z
  .object({
    ...WORK,
    ...{ urgent: z.boolean(), from_vault_id: WORD, to_vault_id: WORD, position_id: WORD.nullable() },
    taken_at: z.string().nullable(),
  })
  .transform((move) => ({
    ...workOf(move),
    ...{ urgent: move.urgent, from: move.from_vault_id, to: move.to_vault_id, positionId: move.position_id },
    isTaken: move.taken_at !== null,
  }));
const PAYOUT = z
  .object({
    ...WORK,
    wallet: WORD.transform((text) => (isAddress(text) ? getAddress(text) : text)).nullable(),
    parts: z.array(z.object({ vault_id: WORD, ...AMOUNT })),
  })
  .transform((payout) => ({
    ...workOf(payout),
    wallet: payout.wallet,
    parts: payout.parts.map((part) => ({ vaultId: part.vault_id, amount: microOf(part) })),
  }));
const RECORD = z.object({ id: WORD });

/** An order, as the server says: of a known form, and otherwise not to be trusted. Amounts are micro-units. */
export type Move = z.infer<typeof MOVE>;
/** A withdrawal by user, likewise. */
export type Payout = z.infer<typeof PAYOUT>;
export type Refusal = { code: string; message: string };

const MICRO = 1_000_000;

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
    const {
      VAULTLINE_URL: baseUrl,
      VAULTLINE_API_KEY: apiKey,
      DEPOSITS_API_KEY,
      PARTNER_API_KEYS,
    } = settings;
    const client = (key: string): VaultlinePartner =>
      new VaultlinePartner({
        baseUrl,
        apiKey: key,
        maxRetries: 1,
        timeoutMs: 15_000,
        totalTimeoutMs: 40_000,
        fetch: boundedFetch,
      });
    this.executor = client(apiKey);
    this.depositor = client(DEPOSITS_API_KEY ?? apiKey);
    this.partners = PARTNER_API_KEYS.map(client);
  }

  /** Orders that nobody took, the oldest first. */
  requestedMoves(): Promise<Move[]> {
    return rowsOf(MOVE, this.executor.listMoves({ status: 'requested', limit: PAGE }));
  }

  /** Received deposits whose order nobody took. */
  async arrivingMoves(): Promise<Move[]> {
    const arriving = await rowsOf(MOVE, this.executor.listMoves({ status: 'arriving', limit: PAGE }));
    return arriving.filter(({ isTaken }) => !isTaken);
  }

  requestedPayouts(): Promise<Payout[]> {
    return rowsOf(PAYOUT, this.executor.listWithdrawals({ status: 'requested', limit: PAGE }));
  }

  async move(id: string): Promise<Move> {
    return formOf(MOVE, await this.executor.readMove(id));
  }

  async payout(id: string): Promise<Payout> {
    return formOf(PAYOUT, await this.executor.readWithdrawal(id));
  }

  take(kind: 'move', id: string): Promise<Move | Refusal>;
  take(kind: 'payout', id: string): Promise<Payout | Refusal>;
  take(kind: 'move' | 'payout', id: string): Promise<Move | Payout | Refusal> {
    const options = this.once(`taken ${id}`);
    return this.report('taken', async () =>
      kind === 'move'
        ? formOf(MOVE, await this.executor.takeMove(id, {}, options))
        : formOf(PAYOUT, await this.executor.takeWithdrawal(id, options)),
    );
  }

  redeemed(id: string, hash: Hex, amount: bigint): Promise<Move | Refusal> {
    return this.report('redeemed', async () => {
      const body = { tx_hash: hash, amount: unitsOf(amount) };
      return formOf(
        MOVE,
        await this.executor.reportMoveRedeemed(id, body, this.once(`redeemed ${id} ${hash}`)),
      );
    });
  }

  settled(id: string, hash: Hex, amount: bigint): Promise<Move | Refusal> {
    return this.report('settled', async () => {
      const body = { tx_hash: hash, amount: unitsOf(amount) };
      return formOf(
        MOVE,
        await this.executor.reportMoveSettled(id, body, this.once(`settled ${id} ${hash}`)),
      );
    });
  }

  paid(id: string, hash: Hex, chain: ChainName, amount: bigint): Promise<Payout | Refusal> {
    return this.report('paid', async () => {
      const body = { tx_hash: hash, chain, amount: unitsOf(amount) };
      return formOf(
        PAYOUT,
        await this.executor.reportWithdrawalPaid(id, body, this.once(`paid ${id} ${hash}`)),
      );
    });
  }

  failed(kind: 'move' | 'payout', id: string, note: string): Promise<Refusal | 'failed'> {
    const [body, options] = [{ note: note.slice(0, 500) }, this.once(`failed ${id}`)];
    return this.report('failed', async () => {
      if (kind === 'move') await this.executor.reportMoveFailed(id, body, options);
      else await this.executor.reportWithdrawalFailed(id, body, options);
      return 'failed' as const;
    });
  }

  /** @returns the position's id */
  deposit(
    userId: string,
    asset: string,
    chain: ChainName,
    hash: Hex,
    amount: bigint,
  ): Promise<{ id: string } | Refusal> {
    return this.report('deposit', async () => {
      const body = {
        user_id: userId,
        asset,
        chain,
        tx_hash: hash,
        amount: unitsOf(amount),
        allocated: false,
      };
      const options = this.once(`deposit ${hash}`);
      return formOf(RECORD, await this.depositor.createPosition(body as Deposit, options));
    });
  }

  /** Users of all partners that have a wallet. */
  async usersOf(wallet: string): Promise<string[]> {
    const lists = await Promise.all(
      this.partners.map((partner) => rowsOf(RECORD, partner.listPartnerUsers({ wallet, limit: 2 }))),
    );
    return lists.flat().map(({ id }) => id);
  }

  /** A refusal is an answer; without an answer the report is made again in the next pass. */
  private async report<T>(name: string, send: () => Promise<T>): Promise<T | Refusal> {
    try {
      const answer = await send();
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

  private once(what: string): { idempotencyKey: string } {
    return { idempotencyKey: `executor ${this.journalId} ${what}` };
  }
}

const PAGE = 200;
/** Pages that one pass looks at: the others follow. A server may have a next one for ever. */
const PAGES = 5;

/** The oldest first. */
async function rowsOf<T>(form: z.ZodType<T>, list: PagedList<unknown>): Promise<T[]> {
  const rows: T[] = [];
  let pages = 0;
  for await (const { data } of list.pages()) {
    rows.push(...formOf(z.array(form).max(PAGE), data));
    pages += 1;
    if (pages === PAGES) break;
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

export const isRefusal = (answer: object | string): answer is Refusal =>
  typeof answer === 'object' && 'code' in answer;

const workOf = ({ id, status, asset, taken_by, ...work }: z.infer<z.ZodObject<typeof WORK>>) => ({
  ...{ id, status, asset, amount: microOf(work), takenBy: taken_by },
  ended: work.ended_at === null ? null : `${status} (${work.failure ?? 'done'})`,
});

/** A double holds 2^33 units with six decimals; beyond that the text beside it counts. @throws Error for anything else than an amount */
function microOf(record: { amount: number; amount_exact?: string | undefined }): bigint {
  const text = record.amount_exact ?? record.amount.toFixed(6);
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error('the server answered with an amount that is none');
  return BigInt(whole + decimals.padEnd(6, '0'));
}

const unitsOf = (micro: bigint): number => Number(micro) / MICRO;
