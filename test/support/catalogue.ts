import type { Settings } from '../../src/config/settings.js';
import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';

/** The vaults that the catalogue's file lists: all vaults but cash. */
export const listed = ({ vaults }: Pick<Settings, 'vaults'>): Settings['vaults'] =>
  vaults.filter((vault) => !isIdle(vault));

/** Leaves only some of the listed vaults, as an hour costs what its vaults cost. */
export const onlyVaults =
  (...ids: readonly string[]) =>
  (settings: Pick<Settings, 'vaults'>): void =>
    void (settings.vaults = settings.vaults.filter((vault) => isIdle(vault) || ids.includes(vault.id)));
