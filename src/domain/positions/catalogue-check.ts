import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { Settings } from '../../config/settings.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';

const FIND_USED = statement(
  'positions.find_used_vaults',
  `SELECT DISTINCT vault_id AS "vaultId", asset FROM book_shares WHERE shares <> 0 ORDER BY vault_id`,
);

/** Positions are valued by the indexes of their vaults, and those of the baselines: a vault that the catalogue forgets would leave them without one. */
@Injectable()
export class CatalogueCheck {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** @throws ConfigError that names every vault which is missing, or has changed its asset */
  async run(): Promise<void> {
    const assets = new Map(this.settings.vaults.map(({ id, asset }) => [id, asset]));
    const used = await this.store.query<{ vaultId: string; asset: string }>(FIND_USED);
    const problems = used.flatMap(({ vaultId, asset }) => {
      const listed = assets.get(vaultId);
      if (listed === asset) return [];
      return listed === undefined
        ? `vaults: ${vaultId} is missing, by which positions are valued; list it again, with active: false to stop using it.`
        : `vaults: ${vaultId} has the asset ${listed}, and positions of ${asset} in it; give the vault its asset back, and the other one a new id.`;
    });
    if (problems.length > 0) throw new ConfigError(problems);
  }
}
