import { DEPLOYMENTS } from './deployments.js';
import type { Settings } from './settings.js';
import type { FeedSource } from './vault-catalogue.js';

/** Settings and constants by the names that operators know. */
export type DeploymentIdentity = Record<string, string | number>;

/**
 * Settings that all processes of a deployment must share, because its books depend on them: how moves are settled, which contract a vault is, what is
 * charged. Limits, costs, thresholds, names and risk tiers are left out: a rolling deploy may change them. The schema is the contract's, and
 * `SecretsCheck` compares the secrets key.
 */
export function deploymentIdentity(settings: Settings): DeploymentIdentity {
  const { contract, constants, vaults, tokens, simulatedYields } = settings;
  const isSimulated = DEPLOYMENTS[contract].simulated;
  const identity: DeploymentIdentity = {
    SETTLEMENT: settings.settlement,
    'revenue.performance_fee_bps': constants.revenue.performanceFeeBps,
    'points.per_usd_day': constants.points.perUsdDay,
  };
  if (!isSimulated) identity['YIELDS'] = simulatedYields ? 'simulated' : 'live';
  // The same seed makes the same market only after as many hours of history.
  if (isSimulated || simulatedYields)
    identity['simulation.history_hours'] = constants.simulation.historyHours;
  for (const { id, asset, venue, chain, feed } of vaults.filter((vault) => vault.feed.kind !== 'idle')) {
    Object.assign(identity, {
      [`vaults.${id}.asset`]: asset,
      [`vaults.${id}.venue`]: venue,
      [`vaults.${id}.chain`]: chain,
    });
    // YIELDS stands for them.
    if (!simulatedYields) identity[`vaults.${id}.feed`] = feedText(feed);
  }
  for (const { asset, chain, address, decimals } of tokens)
    identity[`tokens.${asset}.${chain}`] = `${address} of ${decimals} decimals`;
  return identity;
}

/** Primary source of a vault's share price or yield; the second source may differ between processes. */
function feedText(feed: FeedSource): string {
  if (feed.kind === 'chain') return [feed.standard, feed.address, feed.reserve].filter(Boolean).join(' ');
  return feed.kind === 'defillama' ? `defillama ${feed.pool}` : feed.kind;
}
