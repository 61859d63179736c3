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

/** Whether the deployment's yields are simulated, and whether no feed ever answered, as far as the session may know. */
export const deployment = signal({ isSimulated: false, isUnobserved: false });

/** Reads both once a session. */
export function useDeployment(): void {
  const id = session.value?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    const keep = (facts: Partial<typeof deployment.value>): void => {
      deployment.value = { ...deployment.value, ...facts };
    };
    const unread = (): void => undefined;
    fetch('/health/ready')
      .then((answer) => answer.json())
      .then(({ yields }: { yields?: string }) => keep({ isSimulated: yields === 'simulated' }))
      .catch(unread);
    if (!holds('partner:admin', 'keys:admin')) return keep({ isUnobserved: false });
    answered(api.GET('/deployment'))
      .then(({ data }) => keep({ isUnobserved: data.tick.vaults_observed === 0 }))
      .catch(unread);
  }, [id]);
}

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
