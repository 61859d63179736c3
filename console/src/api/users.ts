import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { answered, api } from './client.js';
import type { Schemas } from './contract.js';
import { type Page, sifted } from './resource.js';
import { session } from './session.js';

export type User = Schemas['AttributedUser'];

const PAGE = 100;
const SEARCHED_PAGE = 500;
/** The most pages that one search reads before it asks whether to continue. */
const MOST_PAGES = 20;

/** External ids by user id, as far as lists have asked for them. */
const names = signal<ReadonlyMap<string, string>>(new Map());

async function page(query: object, signal?: AbortSignal): Promise<Page<User>> {
  const page = await answered(api.GET('/partner/users', { params: { query }, ...(signal && { signal }) }));
  names.value = new Map([
    ...names.value,
    ...page.data.map(({ id, external_id }): [string, string] => [id, external_id]),
  ]);
  return page;
}

export const findUser = async (id: string, signal: AbortSignal): Promise<User | null> =>
  (await page({ ids: id }, signal)).data[0] ?? null;

const WALLET = /^0x[0-9a-f]{40}$/i;
const LONGEST_ID = 255;

/** A whole external id or wallet is found by the server. For a part of an id or label, pages are read until some rows match. */
export async function listUsers(
  search: string,
  from: string | undefined,
  signal: AbortSignal,
): Promise<Page<User>> {
  if (from === undefined && search !== '' && search.length <= LONGEST_ID) {
    const isWallet = WALLET.test(search);
    const exact = await page(isWallet ? { wallet: search } : { external_id: search }, signal);
    if (exact.data.length > 0 || isWallet) return exact;
  }
  const words = search.toLowerCase();
  const load = (limit: number) => (cursor: string | undefined) =>
    page({ limit, ...(cursor && { cursor }) }, signal);
  if (words === '') return load(PAGE)(from);
  const fits = ({ id, external_id, label }: User): boolean =>
    [id, external_id, label].some((text) => text.toLowerCase().includes(words));
  return sifted(load(SEARCHED_PAGE), from, { fits, enough: PAGE, mostPages: MOST_PAGES });
}

/** The external ids of these users; of one that is not known yet, its id. */
export function useUserNames(ids: readonly string[]): (id: string) => string {
  const missing = [...new Set(ids)].filter((id) => !names.value.has(id)).slice(0, PAGE);
  const bound = session.value?.partner_id != null;
  useEffect(() => {
    if (missing.length > 0 && bound) page({ ids: missing.join(',') }).catch(() => undefined);
  }, [missing.join()]);
  return (id) => names.value.get(id) ?? id;
}
