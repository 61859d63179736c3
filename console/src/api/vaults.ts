import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { answered, api } from './client.js';
import type { Schemas } from './contract.js';
import { type Page, pagesOf } from './resource.js';
import { holds, session } from './session.js';

export type Vault = Schemas['Vault'];

/** The newest catalogue of the session by vault id; names come from it. */
export const vaultsById = signal<ReadonlyMap<string, Vault>>(new Map());
let knownOf: string | null = null;

export const hasSimulatedYields = (): boolean =>
  [...vaultsById.value.values()].some(({ source }) => source === 'simulated');

/** Whether no vault was ever observed. */
export const isUnobserved = (): boolean =>
  vaultsById.value.size > 0 &&
  [...vaultsById.value.values()].every(({ observed_at }) => observed_at === null);

export async function loadVaults(): Promise<Vault[]> {
  const vaults: Vault[] = [];
  const load = (cursor: string | undefined): Promise<Page<Vault>> =>
    answered(api.GET('/vaults', { params: { query: { limit: 500, ...(cursor && { cursor }) } } }));
  for await (const { data } of pagesOf(load)) vaults.push(...data);
  vaultsById.value = new Map(vaults.map((vault) => [vault.id, vault]));
  return vaults;
}

/** Loads the catalogue once a session, if the session may read it. */
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

/** Whether the vault is cash, from which nothing has to be redeemed. */
export const isIdle = (id: string): boolean => IDLE.test(id);

/** Cash is not in the catalogue. */
export function vaultName(id: string): string {
  const idle = IDLE.exec(id)?.[1];
  return idle === undefined ? (vaultsById.value.get(id)?.name ?? id) : `Cash (${idle.toUpperCase()})`;
}
