import { createHash } from 'node:crypto';
import type { Constants } from '../../../config/constants.js';
import type { DomainSettings } from '../../../config/domain-settings.js';
import type { SignalConstants } from '../../markets/signals/signal.js';
import { MICRO_PER_UNIT } from '../../kernel/money.js';
import type { Vault } from '../../kernel/catalogue/catalogue.js';
import { MAX_GAP_HOURS, MAX_STEP } from '../../markets/vaults/yield-index.js';
import type { RoutingConstants } from './gates.js';

export function routingConstants({ routing }: Pick<Constants, 'routing'>): RoutingConstants {
  return {
    horizonDays: routing.horizonDays,
    lastingHorizonDays: routing.lastingHorizonDays,
    cashHorizonDays: routing.cashHorizonDays,
    minimumDelta: routing.minDelta,
    minimumGainMultiple: routing.minGainMultiple,
    minimumPromiseMultiple: routing.minPromiseMultiple,
    minimumNetGain: Number(routing.minNetGain) / Number(MICRO_PER_UNIT),
    minimumHoursInVault: routing.minHoursInVault,
    returnHours: routing.returnWindowHours,
    returnGainMultiple: routing.returnGainMultiple,
    minimumSizeMultiple: routing.minSizeMultiple,
    maximumShare: routing.maxVaultShare,
    maximumGapHours: MAX_GAP_HOURS,
    maximumSilentHours: 72,
    maximumReadingHours: 3,
    maximumIndexLoss: routing.maxIndexLoss,
    maximumAssetsLoss: routing.maxAssetsLoss,
    maximumThinning: 0.3,
    maximumUtilisation: 0.97,
    minimumLiquidityMultiple: 2,
    kink: 0.9,
    exposure: { vault: routing.maxVaultExposure, tier: routing.maxTierExposure },
  };
}

export interface VaultRules {
  constants: RoutingConstants;
  /** Half-life of mean reversion in hours, for vaults without one of their own. */
  returnHalfLifeHours: number;
  /** Discount on an expected yield, by tier. */
  haircut: SignalConstants['riskHaircut'];
  /** Limits for vaults followed by share price, fractions: on a step that the index has yet to take, and on a difference of APYs. */
  maximumStep: number;
  maximumDivergence: number;
}

export interface RoutingRules extends VaultRules {
  configVersion: string;
  bridgeCosts: readonly BridgeCost[];
  /** Whether one executor moves for all, so that moves of an hour between two vaults share their cost. */
  isShared: boolean;
}

export const vaultRules = ({ constants }: Pick<DomainSettings, 'constants'>): VaultRules => ({
  constants: routingConstants(constants),
  returnHalfLifeHours: constants.signals.returnHalfLifeHours,
  haircut: constants.signals.riskHaircut,
  maximumStep: MAX_STEP,
  maximumDivergence: constants.chain.maxDivergence,
});

export const routingRules = (settings: DomainSettings): RoutingRules => ({
  ...vaultRules(settings),
  configVersion: configurationVersion(settings),
  bridgeCosts: settings.bridgeCosts,
  isShared: settings.constants.routing.custody === 'shared',
});

/** Digest of the whole configuration that decisions depend on: equal digests mean equal decisions. 12 hexadecimal digits. */
function configurationVersion({ constants, vaults, bridgeCosts }: DomainSettings): string {
  // DomainSettings of how moves are executed do not affect decisions.
  const {
    orderExpiresHours: _,
    maxReportDeviation: __,
    maxDailyDeviation: ___,
    maxUnreviewedGain: ____,
    ...routing
  } = constants.routing;
  const { signals } = constants;
  const text = JSON.stringify({ routing, signals, vaults, bridgeCosts }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

export interface BridgeCost {
  between: readonly [string, string];
  cost: bigint;
}

/**
 * Cost of a move, whatever its amount: `exit_cost + entry_cost`, and `bridge_cost` where the chains differ. Cash has no chain and needs no bridge.
 * @returns micro-units
 * @throws RangeError when the settings, which are validated for each pair in use, lack a cost for the two chains
 */
export function moveCost(
  from: Pick<Vault, 'chain' | 'exitCost'>,
  to: Pick<Vault, 'chain' | 'entryCost'>,
  bridgeCosts: readonly BridgeCost[],
): bigint {
  return from.exitCost + to.entryCost + bridgeCost(from.chain, to.chain, bridgeCosts);
}

function bridgeCost(from: string | null, to: string | null, bridgeCosts: readonly BridgeCost[]): bigint {
  if (from === null || to === null || from === to) return 0n;
  const bridge = bridgeCosts.find(({ between }) => between.includes(from) && between.includes(to));
  if (!bridge) throw new RangeError(`bridge_costs names no cost between ${from} and ${to}.`);
  return bridge.cost;
}
