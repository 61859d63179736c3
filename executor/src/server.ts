import { isVaultlineError, type PagedList, VaultlinePartner } from '@vaultline/sdk';
import * as z from 'zod';
import { boundedFetch } from './bounded.js';
import type { Meters } from './meters.js';
import { textOf } from './problem.js';
import type { Settings } from './settings.js';

export const WORD = z.string().regex(/^\w{1,100}$/);
export const RECORD = z.object({ id: WORD });
export const AMOUNT = { amount: z.number(), amount_exact: z.string().optional() };
/** What orders and withdrawals have in common. */
export const WORK = {
  ...{ id: WORD, status: WORD, asset: z.string().regex(/^[A-Z0-9]{1,12}$/), ...AMOUNT },
  ...{ taken_by: WORD.nullable(), ended_at: z.string().nullable(), failure: WORD.nullable() },
};
/** An order or a withdrawal, with its amount in micro-units. */
export type Work = Exact<z.infer<z.ZodObject<typeof WORK>>>;
export type Refusal = { code: string; message: string };
export type Key = { idempotencyKey: string };

const MICRO = 1_000_000;
/** Rows that lists are asked for. */
export const PAGE = 200;
/** Pages that one pass looks at: the others follow. A server may have a next one for ever. */
const PAGES = 5;

/** The server's API. What it answers has a known form, and is otherwise not to be trusted. */
export class Server {
  readonly executor: VaultlinePartner;
  readonly depositor: VaultlinePartner;
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

  /** Users of all partners that have a wallet. */
  async usersOf(wallet: string): Promise<string[]> {
    const lists = this.partners.map((partner) => partner.listPartnerUsers({ wallet, limit: 2 }));
    return (await Promise.all(lists.map((list) => rowsOf(RECORD, list)))).flat().map(({ id }) => id);
  }

  /**
   * Makes a report, with a key of its own in this journal, so that one whose answer was lost is not made twice. A refusal is an answer; without an
   * answer the report is made again in the next pass.
   */
  async report<T>(
    name: string,
    subject: string,
    form: z.ZodType<T>,
    send: (key: Key) => Promise<unknown>,
  ): Promise<T | Refusal> {
    try {
      const answer = await send({ idempotencyKey: `executor ${this.journalId} ${name} ${subject}` });
      const record = formOf(form, answer);
      this.meters.reports.inc({ report: name, result: 'accepted' });
      return record;
    } catch (error) {
      // The first of two equal requests may still run, and a gateway may have answered: nothing is known of it.
      const isRefused =
        isVaultlineError(error) &&
        error.status < 500 &&
        !['idempotency_in_progress', 'unexpected_response'].includes(error.code) &&
        ![401, 403, 408, 429].includes(error.status);
      this.meters.reports.inc({ report: name, result: isRefused ? 'refused' : 'unknown' });
      if (!isRefused) throw error;
      return { code: error.code.slice(0, 100), message: textOf(error.message) };
    }
  }
}

/** The oldest first. */
export async function rowsOf<T>(form: z.ZodType<T>, list: PagedList<unknown>): Promise<T[]> {
  const rows: T[] = [];
  let pages = 0;
  for await (const { data } of list.pages()) {
    rows.push(...formOf(z.array(form).max(PAGE), data));
    if (++pages === PAGES) break;
  }
  return rows.toReversed();
}

/** @throws Error for an answer of another form */
export function formOf<T>(form: z.ZodType<T>, answer: unknown): T {
  const { data, error } = form.safeParse(answer);
  if (!error) return data;
  const { path, message } = error.issues[0]!;
  throw new Error(`the server's answer has no allowed ${path.join('.')}: ${message}`);
}

export const isRefusal = (answer: object): answer is Refusal => 'code' in answer;

type Inexact = { amount: number; amount_exact?: string | undefined };
type Exact<T> = Omit<T, 'amount'> & { amount: bigint };

/**
 * A record with its amount in micro-units. A double holds 2^33 units with six decimals; beyond that the text beside it counts.
 * @throws Error for anything else than an amount
 */
export function exact<T extends Inexact>(record: T): Exact<T> {
  const text = record.amount_exact ?? record.amount.toFixed(6);
  const [, whole, decimals = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error('the server answered with an amount that is none');
  return { ...record, amount: BigInt(whole + decimals.padEnd(6, '0')) };
}

/** Whole units, as the API has them. */
export const wholeOf = (micro: bigint): number => Number(micro) / MICRO;
