import type { Vault } from '../../api/vaults.js';

/** The newest hour that any vault was observed in: what the others are behind of. */
export const newestHour = (vaults: readonly Vault[]): string =>
  vaults
    .flatMap(({ observed_at }) => observed_at ?? [])
    .toSorted()
    .at(-1) ?? new Date().toISOString();
