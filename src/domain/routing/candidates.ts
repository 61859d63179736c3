import { idleVaultId } from '../../config/idle-vault.js';
import { expectedApy } from '../analytics/expected-apy.js';
import { type Policy, policyFor } from '../policies/policy.js';
import { afterHaircut } from '../analytics/signal.js';
import type { MarketVault, MarketView } from '../markets/market.service.js';
import { hoursBetween } from '../vaults/hour.js';
import { moveCost } from '../vaults/move-cost.js';
import { pendingChange } from '../vaults/share-price.js';
import { isIdle, type Vault } from '../vaults/vault.js';
import type { DecisionInputs } from './decision.js';
import { type Candidate, failed, type Gate, keepGates, limitGates } from './gates.js';
import type { RoutingRules, VaultRules } from './routing-constants.js';

/** Funds that a decision is about. Amounts are micro-units. */
export interface Funds {
  asset: string;
  amount: bigint;
  /** All that is held where they are; absent: the amount. */
  groupAmount?: bigint;
  /** Where they are; null: they are a deposit. */
  vaultId: string | null;
  hoursInVault: number;
  /** What the service holds in a vault, where it is no longer what the view says: decisions of one hour see each other. */
  held?: ReadonlyMap<string, bigint>;
  /** What their partner holds in a vault; absent: what the view, of that partner, says. */
  own?: ReadonlyMap<string, bigint>;
  /** By vault, since they were last moved out of it; absent: never. */
  hoursSinceLeft?: ReadonlyMap<string, number>;
  /** Of their partner; absent: it has none. */
  policy?: Policy | undefined;
}

/** What of a market a decision depends on. */
export interface JudgedMarket {
  hour: MarketView['hour'];
  vaults: ReadonlyMap<string, JudgedVault>;
}

/** A vault, and what a market knows of it. */
export type JudgedVault = Omit<MarketVault, 'state'> & {
  state: Pick<MarketVault['state'], 'lastApy' | 'lastTvl' | 'observedHour' | 'smoothed'> &
    Partial<Pick<MarketVault['state'], 'index' | 'price'>>;
};

/**
 * All that a decision on funds depends on: the vaults of their asset as it judges them, and the rules.
 *
 * @param hour in which the decision is made: a market that nobody ticks grows stale
 */
export function inputsOf(
  market: JudgedMarket,
  funds: Funds,
  hour: Date,
  rules: RoutingRules,
): DecisionInputs {
  const { constants, configVersion, bridgeCosts } = rules;
  const { asset, amount, vaultId, policy } = funds;
  const from = vaultId === null ? null : (market.vaults.get(vaultId)?.vault ?? null);
  const costTo = (to: Vault): bigint => (from === null || from === to ? 0n : moveCost(from, to, bridgeCosts));
  const idle = market.vaults.get(idleVaultId(asset))?.vault;
  const candidates = [...market.vaults.values()]
    .filter(({ vault }) => vault.asset === asset && !isIdle(vault))
    .map((one) => candidateOf(one, funds, hour, costTo(one.vault), rules));
  const vaultIds = candidates.map((one) => one.vaultId);
  return {
    asset,
    amount: amount.toString(),
    groupAmount: (funds.groupAmount ?? amount).toString(),
    currentVaultId: vaultId,
    hoursInVault: funds.hoursInVault,
    idle: { vaultId: idleVaultId(asset), cost: (idle ? costTo(idle) : 0n).toString() },
    snapshotHour: (market.hour ?? new Date(0)).toISOString(),
    configVersion,
    constants,
    ...(policy && { policy: policyFor(policy, vaultIds) }),
    candidates,
  };
}

/** What a vault that holds funds of a partner must be, as it is at an hour. */
export const keptOf = (judged: JudgedVault, hour: Date, rules: VaultRules, policy?: Policy): Gate[] =>
  keepGates(candidateOf(judged, {}, hour, 0n, rules), rules.constants, policy);

/** What an amount of a partner asks of a vault, as it is at an hour. */
const limitsOf = (
  judged: JudgedVault,
  amount: bigint,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): Gate[] => limitGates(candidateOf(judged, {}, hour, 0n, rules), amount, rules.constants, policy);

/**
 * Whether a vault that was decided still takes an amount, when its turn has come: its limits are asked for once more. Funds may be on their way to the lending
 * vault although nobody knows it for long.
 */
export const stillTakes = (
  judged: JudgedVault,
  amount: bigint,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): boolean =>
  isIdle(judged.vault) ||
  failed(limitsOf(judged, amount, hour, rules, policy)).every((gate) => gate === 'history');

function candidateOf(
  judged: JudgedVault,
  { held, own, hoursSinceLeft }: Pick<Funds, 'held' | 'own' | 'hoursSinceLeft'>,
  hour: Date,
  cost: bigint,
  rules: VaultRules,
): Candidate {
  const { vault, state } = judged;
  return {
    vaultId: vault.id,
    active: vault.active,
    lendingBaseline: vault.lendingBaseline,
    riskTier: vault.riskTier,
    apy: state.lastApy,
    expectedApy: judged.expectedApy,
    riskAdjustedApy: judged.riskAdjustedApy,
    promisedApy: promisedApy(judged, rules, rules.constants.horizonDays),
    lastingApy: lastingApy(judged, rules),
    promisedLastingApy: promisedApy(judged, rules, rules.constants.lastingHorizonDays),
    tvl: state.lastTvl?.toString() ?? null,
    dilution: vault.dilution,
    indexChange: judged.indexChange,
    tvlChange: judged.tvlChange,
    capacity: vault.capacity?.toString() ?? null,
    held: (held?.get(vault.id) ?? judged.held).toString(),
    own: (own ? (own.get(vault.id) ?? 0n) : judged.own).toString(),
    cost: cost.toString(),
    exitDelayHours: vault.exitDelayHours,
    hoursSinceObserved: state.observedHour && hoursBetween(state.observedHour, hour),
    hoursSinceLeft: hoursSinceLeft?.get(vault.id) ?? null,
    ...priceOf(judged, rules),
  };
}

/** Nothing of a vault that is not followed by its price. */
function priceOf({ vault, state }: JudgedVault, rules: VaultRules): Pick<Candidate, 'price'> {
  const { index, price, lastApy } = state;
  if (vault.feed.kind !== 'chain' || !price || index === undefined) return {};
  const { otherApy } = price;
  return {
    price: {
      pendingChange: pendingChange(price, index),
      maximumStep: rules.maximumStep,
      divergence: lastApy === null || otherApy === null ? null : lastApy - otherApy,
      maximumDivergence: rules.maximumDivergence,
    },
  };
}

/**
 * What a promise is made of: what is expected over the horizon, from what was observed last. The average of now that a choice is made by lags a change by hours, and it
 * is a change that makes a move: a promise made of it would leave out a good part of what led to it.
 *
 * @returns fraction a year; null where history is insufficient
 */
function promisedApy(
  { vault, state, expectedApy: known }: JudgedVault,
  { returnHalfLifeHours }: VaultRules,
  horizonDays: number,
): number | null {
  const { lastApy, smoothed } = state;
  if (known === null || lastApy === null || smoothed === null) return null;
  const halfLife = vault.returnHalfLifeHours ?? returnHalfLifeHours;
  return expectedApy({ recent: lastApy, long: smoothed.long }, halfLife, horizonDays * 24);
}

/**
 * The risk-adjusted APY of a vault that yields its long average: the haircut is that average's, and the downside that of now.
 *
 * @returns fraction a year; null where history is insufficient
 */
function lastingApy(
  { vault, state: { smoothed }, expectedApy: expected, riskAdjustedApy }: JudgedVault,
  { haircut }: VaultRules,
): number | null {
  if (smoothed === null || expected === null || riskAdjustedApy === null) return null;
  const trusted = (apy: number): number => afterHaircut(apy, haircut[vault.riskTier]);
  return riskAdjustedApy + trusted(smoothed.long) - trusted(expected);
}
