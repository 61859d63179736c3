import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { answered, api } from './client.js';
import type { Schemas } from './contract.js';
import { type Page, pagesOf } from './resource.js';
import { holds, session } from './session.js';

export type Vault = Schemas['Vault'];

/** The catalogue as this session saw it last, by id; names are shown from it. */
export const vaultsById = signal<ReadonlyMap<string, Vault>>(new Map());
let knownOf: string | null = null;

export async function loadVaults(): Promise<Vault[]> {
  const vaults: Vault[] = [];
  const load = (cursor: string | undefined): Promise<Page<Vault>> =>
    answered(api.GET('/vaults', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }));
  for await (const { data } of pagesOf(load)) vaults.push(...data);
  vaultsById.value = new Map(vaults.map((vault) => [vault.id, vault]));
  return vaults;
}

/** Asks for the catalogue once a session, where it may. */
export function useVaultNames(): void {
  const id = session.value?.id ?? null;
  useEffect(() => {
    if (id === null || id === knownOf || !holds('read', 'partner:read')) return;
    knownOf = id;
    loadVaults().catch(() => {
      knownOf = null;
    });
  }, [id]);
}

const IDLE = /^vlt_idle_(\w+)$/;

/** Whether it is cash, which nothing has to be redeemed of. */
export const isIdle = (id: string): boolean => IDLE.test(id);

/** Cash is in no vault of the catalogue. */
export function vaultName(id: string): string {
  const idle = IDLE.exec(id)?.[1];
  return idle === undefined ? (vaultsById.value.get(id)?.name ?? id) : `Cash (${idle.toUpperCase()})`;
}
