import type { Contract } from './environment.js';
import type { Settings } from './settings.js';
import type { FeedSource } from './vault-catalogue.js';

/** Differences between contracts, beside document, modules (`app.module.ts`) and the file in `config/`. */
interface DeploymentTraits {
  /** Name in its API keys and its database schema. */
  environment: string;
  /**
   * Whether it is simulated by nature: no funds are moved on a chain, and accounts can be reset, which deletes data that is otherwise kept for ever.
   */
  simulated: boolean;
  /** Address under `npm start`: setting, default port, and offset from `MANAGEMENT_PORT` for its `/metrics`. */
  start: { setting: 'partnerPort' | 'sandboxPort'; port: number; managementOffset: number };
}

export const DEPLOYMENTS = {
  partner: {
    environment: 'live',
    simulated: false,
    start: { setting: 'partnerPort', port: 3000, managementOffset: 0 },
  },
  sandbox: {
    environment: 'sandbox',
    simulated: true,
    start: { setting: 'sandboxPort', port: 3001, managementOffset: 1 },
  },
} as const satisfies Record<Contract, DeploymentTraits>;

export type DeploymentEnvironment = (typeof DEPLOYMENTS)[Contract]['environment'];
export const ENVIRONMENTS = Object.values(DEPLOYMENTS).map(({ environment }) => environment);

export const YIELDS = ['simulated', 'observed', 'none'] as const;

/** What the yields of a deployment are: `none` before a feed has answered. @param vaultsObserved vaults that were ever observed */
export const yieldsOf = (
  { contract, simulatedYields }: Settings,
  vaultsObserved: number,
): (typeof YIELDS)[number] =>
  DEPLOYMENTS[contract].simulated || simulatedYields ? 'simulated' : vaultsObserved > 0 ? 'observed' : 'none';

/** Prefix of the environment's API keys. */
export const keyPrefixOf = (environment: DeploymentEnvironment): string => `vl_${environment}_`;

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

/** Source of a vault's share price or yield; a second source is none. */
function feedText(feed: FeedSource): string {
  if (feed.kind === 'chain') return [feed.standard, feed.address, feed.reserve].filter(Boolean).join(' ');
  return feed.kind === 'defillama' ? `defillama ${feed.pool}` : feed.kind;
}

/** URL under which this machine reaches a server that listens on a host. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
