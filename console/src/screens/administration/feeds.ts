import type { Vault } from '../../api/vaults.js';

/** The newest hour in which any vault was observed: others are behind it. */
export const newestHour = (vaults: readonly Vault[]): string =>
  vaults
    .flatMap(({ observed_at }) => observed_at ?? [])
    .toSorted()
    .at(-1) ?? new Date().toISOString();
