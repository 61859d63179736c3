import { createHash } from 'node:crypto';
import type { BridgeCostEntry } from '../../../config/chains.js';
import type { Constants } from '../../../config/constants.js';
import type { DomainSettings } from '../../../config/domain-settings.js';
import { MICRO_PER_UNIT } from '../../kernel/money.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { MAX_GAP_HOURS, MAX_STEP } from '../../markets/vaults/yield-index.js';

export type RoutingConstants = ReturnType<typeof routingConstants>;

/** Constants that a decision is stored with; those from the settings are explained there. */
export function routingConstants({ routing }: Pick<Constants, 'routing'>) {
  return {
    horizonDays: routing.horizonDays,
    lastingHorizonDays: routing.lastingHorizonDays,
    cashHorizonDays: routing.cashHorizonDays,
    minimumDelta: routing.minDelta,
    minimumGainMultiple: routing.minGainMultiple,
    minimumPromiseMultiple: routing.minPromiseMultiple,
    /** Whole asset units. */
    minimumNetGain: Number(routing.minNetGain) / Number(MICRO_PER_UNIT),
    minimumHoursInVault: routing.minHoursInVault,
    returnHours: routing.returnWindowHours,
    returnGainMultiple: routing.returnGainMultiple,
    minimumSizeMultiple: routing.minSizeMultiple,
    maximumShare: routing.maxVaultShare,
    /** Limits on the hours since the last observation: of a vault, and where none of the asset's vaults is observed. */
    maximumGapHours: MAX_GAP_HOURS,
    maximumSilentHours: 72,
    /** Limit on the age of a reading in hours, for new funds. */
    maximumReadingHours: 3,
    maximumIndexLoss: routing.maxIndexLoss,
    maximumAssetsLoss: routing.maxAssetsLoss,
    /** Limit on the loss of assets against the median of a week, for new funds; a fraction. */
    maximumThinning: 0.3,
    /** Utilisation beyond which a vault is left while its liquidity is below a multiple of the service's holdings. */
    maximumUtilisation: 0.97,
    minimumLiquidityMultiple: 2,
    /** Utilisation above which a pool's rate follows its liquidity. */
    kink: 0.9,
    exposure: { vault: routing.maxVaultExposure, tier: routing.maxTierExposure },
  };
}

type RuleConstants = Pick<Constants, 'routing' | 'signals' | 'chain'>;

export type VaultRules = ReturnType<typeof vaultRules>;

/** `haircut`: discount on an expected yield, by tier. `maximumStep`: limit on a step that the index has yet to take, a fraction. */
export const vaultRules = ({ constants }: { constants: RuleConstants }) => ({
  constants: routingConstants(constants),
  returnHalfLifeHours: constants.signals.returnHalfLifeHours,
  haircut: constants.signals.riskHaircut,
  maximumStep: MAX_STEP,
  maximumDivergence: constants.chain.maxDivergence,
});

export type RoutingRules = ReturnType<typeof routingRules>;

/** `isShared`: one executor moves for all, so that moves of an hour between two vaults share their cost. */
export const routingRules = (settings: DomainSettings) => ({
  ...vaultRules(settings),
  configVersion: configurationVersion(settings),
  bridgeCosts: settings.bridgeCosts,
  isShared: settings.constants.routing.custody === 'shared',
});

/** Digest of the whole configuration that decisions depend on: equal digests mean equal decisions. 12 hexadecimal digits. */
function configurationVersion({ constants, vaults, bridgeCosts }: DomainSettings): string {
  // Settings of how moves are executed do not affect decisions.
  const {
    orderExpiresHours: _,
    maxReportDeviation: __,
    maxDailyDeviation: ___,
    maxMonthlyDeviation: ____,
    maxUnreviewedGain: _____,
    ...routing
  } = constants.routing;
  const { signals } = constants;
  const text = JSON.stringify({ routing, signals, vaults, bridgeCosts }, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * Cost of a move, whatever its amount: `exit_cost + entry_cost`, and `bridge_cost` where the chains differ. Cash has no chain and needs no bridge.
 * @returns micro-units
 * @throws RangeError when the settings, which are validated for each pair in use, lack a cost for the two chains
 */
export function moveCost(
  from: Pick<Vault, 'chain' | 'exitCost'>,
  to: Pick<Vault, 'chain' | 'entryCost'>,
  bridgeCosts: readonly BridgeCostEntry[],
): bigint {
  return from.exitCost + to.entryCost + bridgeCost(from.chain, to.chain, bridgeCosts);
}

function bridgeCost(from: string | null, to: string | null, bridgeCosts: readonly BridgeCostEntry[]): bigint {
  if (from === null || to === null || from === to) return 0n;
  const bridge = bridgeCosts.find(({ between }) => between.includes(from) && between.includes(to));
  if (!bridge) throw new RangeError(`bridge_costs names no cost between ${from} and ${to}.`);
  return bridge.cost;
}
