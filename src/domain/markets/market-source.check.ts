import { Injectable } from '@nestjs/common';
import { ConfigError } from '../../config/config-error.js';
import { Settings } from '../../config/settings.js';
import { statement } from '../store/statement.js';
import { Store } from '../store/store.js';
import { isIdle } from '../vaults/vault.js';
import { BASE_MARKET } from './market-plan.js';

/** Observed vaults of a market, of the two lists' ids: $2 are simulated now, $3 are not. */
const FIND_CHANGED = statement(
  'markets.find_changed_sources',
  `SELECT vault_id AS "vaultId", simulated IS NOT NULL AS simulated FROM vault_states
    WHERE market_id = $1 AND observed_hour IS NOT NULL AND vault_id = ANY(CASE WHEN simulated IS NULL THEN $2::text[] ELSE $3::text[] END)
    ORDER BY vault_id`,
);

/** A vault's index is a path from its first hour on: one that was simulated for a while would say for ever what nobody earned. */
@Injectable()
export class MarketSourceCheck {
  constructor(
    private readonly store: Store,
    private readonly settings: Settings,
  ) {}

  /** @throws ConfigError where everybody's market was simulated and is not any more, or the other way round */
  async run(): Promise<void> {
    const [simulated, observed] = [true, false].map((is) =>
      this.settings.vaults
        .filter((vault) => !isIdle(vault) && (vault.feed.kind === 'simulated') === is)
        .map(({ id }) => id),
    );
    const changed = await this.store.query<{ vaultId: string; simulated: boolean }>(FIND_CHANGED, [
      BASE_MARKET,
      simulated,
      observed,
    ]);
    if (changed.length === 0) return;
    const [before, now] = changed[0]!.simulated ? ['simulated', 'live'] : ['live', 'simulated'];
    throw new ConfigError([
      `YIELDS is ${now}, and this database holds ${before} yields of ${changed.length} vaults (${changed[0]!.vaultId} first): their figures cannot be mixed. ` +
        `Set YIELDS=${before}, or take another database (with npm start: another DATA_DIR).`,
    ]);
  }
}
