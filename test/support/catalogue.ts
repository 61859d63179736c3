import type { Settings } from '../../src/config/settings.js';

/** The vaults that the catalogue's file lists: all but cash. */
export const listed = ({ vaults }: Pick<Settings, 'vaults'>): Settings['vaults'] =>
  vaults.filter(({ idle }) => !idle);
