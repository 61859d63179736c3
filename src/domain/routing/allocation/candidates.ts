import { idleVaultId } from '../../../config/vault-catalogue.js';
import { expectedApy } from '../../markets/signals/expected-apy.js';
import { type Policy, policyFor } from '../../tenants/policies/policy.js';
import { afterRisk } from '../../markets/signals/signal.js';
import type { MarketVault, MarketView } from '../../markets/hours/market.service.js';
import { hoursBetween } from '../../kernel/catalogue/hour.js';
import { moveCost } from '../../markets/vaults/move-cost.js';
import { pendingChange } from '../../markets/vaults/share-price.js';
import { isIdle, type Vault } from '../../kernel/catalogue/vault.js';
import type { DecisionInputs } from './decision.js';
import { type Candidate, failed, type Gate, keepGates, limitGates } from './gates.js';
import { marketLevel } from './market-level.js';
import type { RoutingRules, VaultRules } from './routing-constants.js';

/** Funds to decide on. Amounts are micro-units. */
export interface Funds {
  asset: string;
  amount: bigint;
  /** All of the partner's funds in their vault; absent: the amount. */
  groupAmount?: bigint;
  /** Current vault; null: a deposit. */
  vaultId: string | null;
  hoursInVault: number;
  /** The service's holdings by vault when they differ from the view's: decisions of one hour take each other into account. */
  held?: ReadonlyMap<string, bigint>;
  /** The partner's holdings by vault; absent: those of the view, which is the partner's. */
  own?: ReadonlyMap<string, bigint>;
  /** Hours since the funds were last moved out of a vault; absent: never. */
  hoursSinceLeft?: ReadonlyMap<string, number>;
  /** Policy of the partner; absent: none. */
  policy?: Policy | undefined;
}

/** Part of a market that a decision depends on. */
export interface JudgedMarket {
  hour: MarketView['hour'];
  vaults: ReadonlyMap<string, JudgedVault>;
}

/** Vault with its state in a market. */
export type JudgedVault = Omit<MarketVault, 'state'> & {
  state: Pick<MarketVault['state'], 'lastApy' | 'lastTvl' | 'observedHour' | 'smoothed'> &
    Partial<Pick<MarketVault['state'], 'index' | 'price'>>;
};

/**
 * Inputs of a decision: all vaults of the asset in their present state, and the rules.
 * @param hour hour of the decision: a market without ticks becomes stale
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
  const vaults = [...market.vaults.values()].filter(({ vault }) => vault.asset === asset && !isIdle(vault));
  const level = marketLevel(vaults);
  const candidates = vaults.map((one) => candidateOf(one, funds, hour, costTo(one.vault), rules, level));
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

/** Conditions under which a vault may keep a partner's funds, evaluated at an hour. */
export const keptOf = (judged: JudgedVault, hour: Date, rules: VaultRules, policy?: Policy): Gate[] =>
  keepGates(candidateOf(judged, {}, hour, 0n, rules), rules.constants, policy);

/** Limits of a vault for an amount of a partner, evaluated at an hour. */
const limitsOf = (
  judged: JudgedVault,
  amount: bigint,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): Gate[] => limitGates(candidateOf(judged, {}, hour, 0n, rules), amount, rules.constants, policy);

/** Whether a chosen vault still takes an amount when the move is carried out. Funds may go to the lending vault although its history is short. */
export const stillTakes = (
  judged: JudgedVault,
  amount: bigint,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): boolean =>
  isIdle(judged.vault) ||
  failed(limitsOf(judged, amount, hour, rules, policy)).every((gate) => gate === 'history');

/** @param level of the market; promises alone depend on it */
function candidateOf(
  judged: JudgedVault,
  { held, own, hoursSinceLeft }: Pick<Funds, 'held' | 'own' | 'hoursSinceLeft'>,
  hour: Date,
  cost: bigint,
  rules: VaultRules,
  level = 1,
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
    currentRiskAdjustedApy: afterRisk(state.lastApy, judged, rules.haircut[vault.riskTier]),
    promisedApy: promisedApy(judged, rules, level, rules.constants.horizonDays),
    lastingApy: afterRisk(state.smoothed?.long ?? null, judged, rules.haircut[vault.riskTier]),
    promisedLastingApy: promisedApy(judged, rules, level, rules.constants.lastingHorizonDays),
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

/** undefined for a vault that is not followed by its share price. */
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
 * APY of a promise: the expectation over the horizon, starting from the last observation. The recent average that choices use lags a change by hours,
 * and a change is what triggers a move, so a promise based on it would miss much of the gain. The yield reverts to its long average at the market's
 * level.
 * @returns APY, a fraction; null: insufficient history
 */
function promisedApy(
  { vault, state, expectedApy: known }: JudgedVault,
  { returnHalfLifeHours }: VaultRules,
  level: number,
  horizonDays: number,
): number | null {
  const { lastApy, smoothed } = state;
  if (known === null || lastApy === null || smoothed === null) return null;
  const halfLife = vault.returnHalfLifeHours ?? returnHalfLifeHours;
  return expectedApy({ recent: lastApy, long: smoothed.long * level }, halfLife, horizonDays * 24);
}
