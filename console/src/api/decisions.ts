import { answered, api, asked } from './client.js';
import type { Schemas } from './contract.js';
import { type Page, sifted } from './resource.js';

export type Decision = Schemas['Decision'];
export type Alternative = Schemas['DecisionAlternative'];
export type Gate = Schemas['DecisionGate'];

/** Filters of a list of decisions, with their names in the address. */
export type DecisionQuery = Partial<
  Record<'kind' | 'asset' | 'vault' | 'user_id' | 'position_id' | 'from' | 'to', string>
>;

const PAGE = 50;
/** The most pages that one search reads for a vault, or for one decision. */
const MOST_PAGES = 20;
const ENOUGH = 20;

/** Decisions that were listed: opening one of them needs no further request. */
const seen = new Map<string, Decision>();

async function page(
  query: DecisionQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Decision>> {
  const { vault: _, ...narrowed } = query;
  const params = { query: asked({ ...narrowed, limit: PAGE, cursor }) };
  const found = await answered(api.GET('/analytics/decisions', { params, signal }));
  for (const decision of found.data) seen.set(decision.id, decision);
  return found;
}

/** A page of matching decisions. The API has no filter by vault: further pages are read until there is something to show. */
export async function listDecisions(
  query: DecisionQuery,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Decision>> {
  const { vault } = query;
  if (vault === undefined) return page(query, cursor, signal);
  const fits = ({ from_vault_id, to_vault_id }: Decision): boolean =>
    from_vault_id === vault || to_vault_id === vault;
  return sifted((next) => page(query, next, signal), cursor, { fits, enough: ENOUGH, mostPages: MOST_PAGES });
}

/**
 * One decision. The API has no read by id: the list is searched, newest first, until its rows are older.
 *
 * @param query filters that shorten the search
 * @returns null where the decision is not found
 */
export async function findDecision(
  id: string,
  query: DecisionQuery,
  signal: AbortSignal,
): Promise<Decision | null> {
  if (seen.has(id)) return seen.get(id)!;
  // Ids sort by time.
  const isPast = (row: Decision): boolean => row.id <= id;
  await sifted((next) => page(query, next, signal), undefined, {
    fits: isPast,
    enough: 1,
    mostPages: MOST_PAGES,
  });
  return seen.get(id) ?? null;
}

/** The address of a decision, with the filters by which it is found. */
export function decisionPath(id: string, { kind, asset }: Pick<DecisionQuery, 'kind' | 'asset'>): string {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(asset && { asset }) }).toString();
  return `/console/decisions/${id}${query && `?${query}`}`;
}
