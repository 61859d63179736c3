import { answered, api, asked } from './client.js';
import type { Schemas } from './contract.js';
import { type Page, sifted } from './resource.js';

type ApiDecision = Schemas['Decision'];
type DecisionWith<Name extends keyof ApiDecision> = ApiDecision & Required<Pick<ApiDecision, Name>>;
export type Decision = DecisionWith<'inputs' | 'alternatives' | 'exposure' | 'rationale' | 'plan'>;
export type DecisionSummary = DecisionWith<'amount'>;
export type Alternative = Schemas['DecisionAlternative'];
export type Gate = Schemas['DecisionGate'];

/** Filters of a list of decisions, with their names in the address. */
export type DecisionQuery = Partial<
  Record<'kind' | 'asset' | 'vault' | 'user_id' | 'position_id' | 'from' | 'to', string>
>;

const PAGE = 50;
/** The most pages that one search reads. */
const MOST_PAGES = 20;
const ENOUGH = 20;

async function page(
  query: DecisionQuery & { view: 'whole' | 'summary' },
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<ApiDecision>> {
  const { vault: _, ...narrowed } = query;
  const params = { query: asked({ ...narrowed, limit: PAGE, cursor }) };
  return answered(api.GET('/analytics/decisions', { params, signal }));
}

/** A page of matching decisions. The API has no filter by vault: further pages are read until there is something to show. */
export async function listDecisions(
  query: DecisionQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<DecisionSummary>> {
  const { vault } = query;
  const read = (next: string | undefined) =>
    page({ ...query, view: 'summary' }, next, signal) as Promise<Page<DecisionSummary>>;
  if (vault === undefined) return read(cursor);
  const fits = ({ from_vault_id, to_vault_id }: DecisionSummary): boolean =>
    from_vault_id === vault || to_vault_id === vault;
  return sifted(read, cursor, { fits, enough: ENOUGH, mostPages: MOST_PAGES });
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Digits of an id's time, in milliseconds: the first 48 bits. */
const TIME_DIGITS = 10;

/** When the record of an id was made, which the id itself has. */
const timeOf = (id: string): number =>
  [...id.slice(id.indexOf('_') + 1).slice(0, TIME_DIGITS)].reduce(
    (time, digit) => time * DIGITS.length + DIGITS.indexOf(digit),
    0,
  );

/**
 * One decision. The API has no read by id: those of its moment are listed.
 *
 * @returns null where the decision is not found
 */
export async function findDecision(id: string, signal: AbortSignal): Promise<Decision | null> {
  const at = timeOf(id);
  if (!(at > 0)) return null;
  const moment = { from: new Date(at).toISOString(), to: new Date(at + 1).toISOString() };
  const { data } = await sifted((next) => page({ ...moment, view: 'whole' }, next, signal), undefined, {
    fits: (row) => row.id === id,
    enough: 1,
    mostPages: MOST_PAGES,
  });
  return (data[0] as Decision | undefined) ?? null;
}
