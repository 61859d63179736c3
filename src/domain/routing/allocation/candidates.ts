import { median } from '../../markets/signals/statistics.js';
import { type Policy, policyFor } from '../../tenants/policies/policy.js';
import { afterRisk, expectedApy } from '../../markets/signals/signal.js';
import type { MarketVault, MarketView } from '../../markets/hours/market.service.js';
import { hoursBetween } from '../../kernel/clock.js';
import { RATE_SCALE, scaledRate } from '../../kernel/money.js';
import { moveCost, type RoutingRules, type VaultRules, type RoutingConstants } from './routing-constants.js';
import { pendingChange } from '../../markets/vaults/share-price.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import { isStale } from '../../markets/vaults/yield-index.js';
import type { DecisionInputs, Candidate, Micro } from './decision.js';
import { coarseAmount } from './coarse.js';
import { sizeOf, failedGates, stayGates, limitGates } from './gates.js';
import type { Gate } from './gate.js';

export interface Funds {
  asset: string;
  amount: bigint;
  /** All of the partner's funds in the vault; absent: the amount. */
  groupAmount?: bigint;
  positions?: number;
  shared?: DecisionInputs['shared'];
  drifted?: boolean;
  vaultId: string | null;
  hoursInVault: number;
  /** The service's holdings by vault after the hour's earlier decisions; absent: those of the view. */
  holdings?: ReadonlyMap<string, bigint>;
  /** Net flow of those decisions by vault. */
  inflows?: ReadonlyMap<string, bigint>;
  /** The partner's part of that flow. */
  ownInflows?: ReadonlyMap<string, bigint> | undefined;
  /** The partner's holdings by vault; absent: those of the view, which is then the partner's. */
  ownHoldings?: ReadonlyMap<string, bigint>;
  /** Hours since the funds were last moved out, by vault; absent: never. */
  hoursSinceLeft?: ReadonlyMap<string, number>;
  policy?: Policy | undefined;
}

export interface RoutingMarket {
  hour: MarketView['hour'];
  vaults: ReadonlyMap<string, RoutingVault>;
}

/** Market of an evaluated hour, with the index of each vault. */
export interface HourOfMarket {
  hour: Date;
  vaults: ReadonlyMap<string, RoutingVault & { state: Pick<MarketVault['state'], 'index'> }>;
}

export type RoutingVault = Omit<MarketVault, 'state'> & {
  state: Pick<
    MarketVault['state'],
    'lastApy' | 'lastTvl' | 'lastAssets' | 'lastLiquidity' | 'observedHour' | 'smoothed' | 'quarantine'
  > &
    Partial<Pick<MarketVault['state'], 'index' | 'price' | 'baseFees'>>;
  /** Newest reading of a source that is not read every hour. */
  reading?: { hours: number; step: number };
};

/**
 * Inputs of a decision: the rules, and the current state of the asset's vaults.
 * @param hour hour of the decision, against which observations become stale
 */
export function inputsOf(
  market: RoutingMarket,
  funds: Funds,
  hour: Date,
  rules: RoutingRules,
): DecisionInputs {
  const { constants, configVersion, bridgeCosts } = rules;
  const { asset, amount, vaultId, policy } = funds;
  const from = vaultId === null ? null : (market.vaults.get(vaultId)?.vault ?? null);
  const costTo = (to: Vault): bigint => (from === null || from === to ? 0n : moveCost(from, to, bridgeCosts));
  const idle = idleVaultIn(market, asset);
  const vaults = [...market.vaults.values()].filter(({ vault }) => vault.asset === asset && !isIdle(vault));
  const silent = isSilent(vaults, hour);
  const candidates = vaults.map((routingVault) =>
    candidateOf(routingVault, funds, hour, costTo(routingVault.vault), rules, silent),
  );
  const vaultIds = candidates.map((candidate) => candidate.vaultId);
  return {
    asset,
    amount: amount.toString(),
    groupAmount: (funds.groupAmount ?? amount).toString(),
    currentVaultId: vaultId,
    book: bookOf(market, funds).toString(),
    positions: funds.positions ?? 1,
    ...(funds.shared && { shared: coarseShared(funds.shared) }),
    ...(funds.drifted && { drifted: true }),
    hoursInVault: funds.hoursInVault,
    idle: { vaultId: idle.id, cost: costTo(idle).toString() },
    snapshotHour: market.hour!.toISOString(),
    configVersion,
    constants,
    ...(policy && { policy: policyFor(policy, vaultIds) }),
    candidates,
  };
}

/** The asset's cash vault, which every market has. */
export const idleVaultIn = ({ vaults }: RoutingMarket, asset: string): Vault =>
  [...vaults.values()].find(({ vault }) => vault.asset === asset && isIdle(vault))!.vault;

/** Rounds what others move to two digits, because these funds' share of the cost reveals it. */
function coarseShared({
  vaultId,
  amount,
  gain,
  promise,
}: NonNullable<Funds['shared']>): NonNullable<Funds['shared']> {
  const coarse = (micro: Micro): Micro => coarseMicro(BigInt(micro));
  return { vaultId, amount: coarse(amount), gain: coarse(gain), promise: coarse(promise) };
}

function bookOf({ vaults }: RoutingMarket, { asset, ownHoldings, amount, vaultId }: Funds): bigint {
  const book = [...vaults.values()]
    .filter(({ vault }) => vault.asset === asset)
    .reduce((sum, { vault, own }) => sum + (ownHoldings ? (ownHoldings.get(vault.id) ?? 0n) : own), 0n);
  return vaultId === null ? book + amount : book > amount ? book : amount;
}

export const stayGatesOf = (
  evaluated: RoutingVault,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): Gate[] => stayGates(candidateOf(evaluated, {}, hour, 0n, rules), rules.constants, policy);

/** Whether the chosen vault still takes an amount at execution. History is not required: the lending vault may take funds without it. */
export function stillTakes(
  evaluated: RoutingVault,
  amount: bigint,
  hour: Date,
  rules: VaultRules,
  policy?: Policy,
): boolean {
  if (isIdle(evaluated.vault)) return true;
  const gates = limitGates(candidateOf(evaluated, {}, hour, 0n, rules), amount, rules.constants, policy);
  return failedGates(gates).every((gate) => gate === 'history');
}

/** A vault that trailed the lending vault by more than this in each of the last 72 hours is rated by those hours alone: its earlier yield is gone. */
const BEHIND = -0.005;

/** Whether none of an asset's vaults was observed within a day. */
const isSilent = (vaults: readonly RoutingVault[], hour: Date): boolean =>
  vaults.every(({ state: { observedHour } }) => isStale({ observedHour }, hour));

function candidateOf(
  evaluated: RoutingVault,
  { holdings, ownHoldings, inflows, ownInflows, hoursSinceLeft }: Partial<Funds>,
  hour: Date,
  cost: bigint,
  rules: VaultRules,
  silentEverywhere = false,
): Candidate {
  const { vault, state, threeDayApy, threeDayLead, shortApy } = evaluated;
  const haircut = rules.haircut[vault.riskTier];
  const isBehind = threeDayLead !== null && threeDayLead < BEHIND && evaluated.expectedApy !== null;
  const expected = isBehind ? threeDayApy : evaluated.expectedApy;
  const long = isBehind ? threeDayApy : (state.smoothed?.long ?? null);
  const promised = (from: number | null, days: number): number | null =>
    evaluated.expectedApy === null || from === null || long === null
      ? null
      : expectedApy(
          { recent: from, long },
          vault.returnHalfLifeHours ?? rules.returnHalfLifeHours,
          days * 24,
        );
  const { horizonDays, lastingHorizonDays } = rules.constants;
  const [serviceHoldings, partnerHoldings] = [
    holdings?.get(vault.id) ?? evaluated.held,
    ownHoldings ? (ownHoldings.get(vault.id) ?? 0n) : evaluated.own,
  ];
  const inflow = inflows?.get(vault.id) ?? 0n;
  const othersInflow = inflow - (ownInflows?.get(vault.id) ?? 0n);
  return {
    vaultId: vault.id,
    active: vault.active,
    lendingBaseline: vault.lendingBaseline,
    riskTier: vault.riskTier,
    venue: vault.venue,
    apy: state.lastApy,
    expectedApy: expected,
    riskAdjustedApy: isBehind ? afterRisk(expected, evaluated, haircut) : evaluated.riskAdjustedApy,
    currentRiskAdjustedApy: afterRisk(state.lastApy, evaluated, haircut),
    promisedApy: promised(state.lastApy, horizonDays),
    promisedShortApy: promised(shortApy, horizonDays),
    lastingApy: afterRisk(long, evaluated, haircut),
    steadyApy: afterRisk(threeDayApy, evaluated, haircut),
    promisedLastingApy: promised(state.lastApy, lastingHorizonDays),
    promisedShortLastingApy: promised(shortApy, lastingHorizonDays),
    tvl: state.lastTvl?.toString() ?? null,
    assets: state.lastAssets?.toString() ?? null,
    liquidity: state.lastLiquidity?.toString() ?? null,
    highLiquidity: evaluated.highLiquidity?.toString() ?? null,
    inflow: coarseMicro(inflow),
    ...(othersInflow !== 0n && { inflowOfOthers: coarseMicro(othersInflow) }),
    dilution: vault.dilution,
    indexChange: evaluated.indexChange,
    assetsChange: evaluated.assetsChange,
    quarantineHours:
      state.quarantine && state.quarantine.until > hour ? hoursBetween(hour, state.quarantine.until) : null,
    capacity: vault.capacity?.toString() ?? null,
    held: serviceHoldings.toString(),
    own: partnerHoldings.toString(),
    ours: (
      partnerHoldings +
      coarseAmount(serviceHoldings > partnerHoldings ? serviceHoldings - partnerHoldings : 0n)
    ).toString(),
    cost: cost.toString(),
    ...(vault.gas && state.baseFees?.length && { baseFee: median(state.baseFees)! }),
    exitDelayHours: vault.exitDelayHours,
    hoursSinceObserved: state.observedHour && hoursBetween(state.observedHour, hour),
    silentEverywhere,
    ...(evaluated.reading && { reading: evaluated.reading }),
    hoursSinceLeft: hoursSinceLeft?.get(vault.id) ?? null,
    ...priceOf(evaluated, rules),
  };
}

/** Empty for a vault that is not tracked by its share price. */
function priceOf({ vault, state }: RoutingVault, rules: VaultRules): Pick<Candidate, 'price'> {
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

/** Rounds a signed amount to two significant digits. */
const coarseMicro = (micro: bigint): Micro =>
  (micro < 0n ? -coarseAmount(-micro) : coarseAmount(micro)).toString();

/** Remaining room under a vault's capacity and under the limit on the service's share of it. */
export function roomLeft(candidate: Candidate, constants: RoutingConstants): bigint {
  const { capacity, held } = candidate;
  const total = sizeOf(candidate);
  if (total === null) return 0n;
  const holdings = BigInt(held);
  const share = scaledRate(constants.maximumShare);
  const rooms = [
    // Solves (holdings + A) / (total + A) <= share for A.
    share >= RATE_SCALE ? total : (total * share - holdings * RATE_SCALE) / (RATE_SCALE - share),
    ...(capacity === null ? [] : [BigInt(capacity) - holdings]),
  ];
  return rooms.reduce((smallest, room) => (room < smallest ? room : smallest));
}
