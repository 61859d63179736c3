import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { Settings } from '../../config/settings.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';

const FIND_USED = statement(
  'positions.find_used_vaults',
  `SELECT DISTINCT vault_id AS "vaultId" FROM book_shares WHERE shares <> 0 ORDER BY vault_id`,
);

/** Positions are valued by the indexes of their vaults, and those of the baselines: a vault that the catalogue forgets would leave them without one. */
@Injectable()
export class CatalogueCheck {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** @throws ConfigError that names every vault which is missing */
  async run(): Promise<void> {
    const listed = new Set(this.settings.vaults.map(({ id }) => id));
    const used = await this.store.query<{ vaultId: string }>(FIND_USED);
    const missing = used.map(({ vaultId }) => vaultId).filter((vaultId) => !listed.has(vaultId));
    if (missing.length === 0) return;
    throw new ConfigError(
      missing.map(
        (vaultId) =>
          `vaults: ${vaultId} is missing, by which positions are valued; list it again, with active: false to stop using it.`,
      ),
    );
  }
}
