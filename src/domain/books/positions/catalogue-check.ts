import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../../config/config-error.js';
import { BASE_MARKET } from '../../markets/hours/market-plan.js';
import { bool, listOf, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';

const FIND_USED = statement(
  'positions.find_used_vaults',
  { values: [], row: { vaultId: text(), asset: text() } },
  `SELECT DISTINCT vault_id AS "vaultId", asset FROM book_shares WHERE shares <> 0 ORDER BY vault_id`,
);

/** Vaults of a market whose kind of observation has changed: $2 are simulated now, $3 have a feed. */
const FIND_CHANGED = statement(
  'positions.find_changed_sources',
  { values: [text(), listOf(text()), listOf(text())], row: { vaultId: text(), simulated: bool() } },
  `SELECT vault_id AS "vaultId", simulated IS NOT NULL AS simulated FROM vault_states
    WHERE market_id = $1 AND observed_hour IS NOT NULL AND vault_id = ANY(CASE WHEN simulated IS NULL THEN $2::text[] ELSE $3::text[] END)
    ORDER BY vault_id`,
);

/**
 * Check of the catalogue against stored data. Positions are valued by the indexes of their vaults and baselines, so a vault missing from the
 * catalogue would leave them without one. An index is also one continuous series: a vault that was simulated for a while would show yield that nobody
 * earned, for ever.
 */
@Injectable()
export class CatalogueCheck {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
  ) {}

  /** Runs before a market is written to. @throws ConfigError that names what is missing or has changed */
  async run(): Promise<void> {
    const assets = new Map(this.catalogue.vaults.map(({ id, asset }) => [id, asset]));
    const used = await this.store.query(FIND_USED, []);
    const problems = used.flatMap(({ vaultId, asset }) => {
      const listed = assets.get(vaultId);
      if (listed === asset) return [];
      return listed === undefined
        ? `vaults: ${vaultId} is missing, by which positions are valued; list it again, with active: false to stop using it.`
        : `vaults: ${vaultId} has the asset ${listed}, and positions of ${asset} in it; give the vault its asset back, and the other one a new id.`;
    });
    problems.push(...(await this.changedSources()));
    if (problems.length > 0) throw new ConfigError(problems);
  }

  private async changedSources(): Promise<string[]> {
    const [simulated = [], observed = []] = [true, false].map((is) =>
      this.catalogue.vaults
        .filter((vault) => !isIdle(vault) && (vault.feed.kind === 'simulated') === is)
        .map(({ id }) => id),
    );
    const changed = await this.store.query(FIND_CHANGED, [BASE_MARKET, simulated, observed]);
    if (changed.length === 0) return [];
    const [before, now] = changed[0]!.simulated ? ['simulated', 'live'] : ['live', 'simulated'];
    return [
      `YIELDS is ${now}, and this database holds ${before} yields of ${changed.length} vaults (${changed[0]!.vaultId} first): their figures cannot be mixed. ` +
        `Set YIELDS=${before}, or take another database (with npm start: another DATA_DIR).`,
    ];
  }
}
