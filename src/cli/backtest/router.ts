import { type HourOfMarket, inputsOf, stillTakes } from '../../domain/routing/allocation/candidates.js';
import { decide } from '../../domain/routing/allocation/choice.js';
import { promiseOf } from '../../domain/routing/allocation/estimate.js';
import { type Decision, exitDelayHoursOf } from '../../domain/routing/allocation/decision.js';
import { HourEvaluation } from '../../domain/routing/allocation/evaluation.js';
import type { Verdict } from '../../domain/routing/allocation/verdict.js';
import type { FindPartialMove } from '../../domain/routing/allocation/partial-move.js';
import {
  DecisionHistory,
  type VaultHolding,
  type PastDecision,
  pastDecision,
  recentDecisions,
} from '../../domain/routing/allocation/routing-state.js';
import type { RoutingRules } from '../../domain/routing/allocation/routing-constants.js';
import { addHours } from '../../domain/kernel/clock.js';
import { valueOf } from '../../domain/markets/vaults/yield-index.js';
import type { RecordedMarket } from './recorded-market.js';
import { grow, type Growth, type Outcomes, type Step } from './growth.js';

const PARTNER = 'partner';
const SHARE_SCALE = 10n ** 30n;

interface HeldPosition {
  /** null: in transit. */
  vaultId: string | null;
  shares: bigint;
  value: bigint;
}

interface Transit {
  holding: HeldPosition;
  value: bigint;
  step: RoutedStep;
}

/** A move that the router decided. */
export interface RoutedStep extends Step {
  positions: number;
  record: Decision;
}

export type RouterResult = Awaited<ReturnType<typeof route>>;

/**
 * Runs the router in memory: the deposits of one partner at the beginning of a market, evaluated every hour by the functions that the engine uses.
 * @param amounts micro-units
 */
export async function route(recording: RecordedMarket, amounts: readonly bigint[], rules: RoutingRules) {
  const { vaults: catalogue, idle } = recording;
  const vaultIndexes = new Map([...catalogue, idle].map(({ id }, index) => [id, index]));
  const { asset } = idle;
  const positions: HeldPosition[] = [];
  const entered = new Map<string, Date>();
  let past: PastDecision[] = [];
  const steps: RoutedStep[] = [];
  let transits: Transit[] = [];
  /** Index of each deposit's first vault. */
  const first: number[] = [];
  const shares = (vaultId: string): bigint =>
    positions.reduce((sum, position) => (position.vaultId === vaultId ? sum + position.shares : sum), 0n);
  const marketAt = (at: number): HourOfMarket => {
    const { hour, vaults } = recording.at(at, shares);
    const ownVaults = [...vaults].map(([id, vault]) => {
      const ownValue = valueOf(shares(id), vault.state.index);
      return [id, { ...vault, held: ownValue, own: ownValue }] as const;
    });
    return { hour, vaults: new Map(ownVaults) };
  };
  const inflows = new Map<string, bigint>();
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  for (const amount of amounts) {
    const market = marketAt(0);
    // All parts count in the exposure from the beginning: those not placed yet are cash.
    const waiting = total - positions.reduce((sum, position) => sum + position.value, 0n) - amount;
    const ownByVault = new Map([...market.vaults].map(([id, vault]) => [id, vault.own]));
    ownByVault.set(idle.id, waiting);
    const funds = { asset, amount, vaultId: null, hoursInVault: 0, inflows, own: ownByVault };
    const { toVaultId } = decide(inputsOf(market, funds, market.hour, rules));
    const vaultId = toVaultId!;
    inflows.set(vaultId, (inflows.get(vaultId) ?? 0n) + amount);
    const { index } = market.vaults.get(vaultId)!.state;
    positions.push({ vaultId, shares: (amount * SHARE_SCALE) / index, value: amount });
    entered.set(vaultId, market.hour);
    first.push(vaultIndexes.get(vaultId)!);
  }
  for (let at = 1; at < recording.hours; at++) {
    const market = marketAt(at);
    const { hour } = market;
    for (const { holding, value, step } of transits.filter(({ step: { arrives } }) => arrives === at)) {
      const target = market.vaults.get(catalogue[step.to]?.id ?? idle.id)!;
      const { vault, state } = stillTakes(target, value, hour, rules) ? target : market.vaults.get(idle.id)!;
      step.to = vaultIndexes.get(vault.id)!;
      if (shares(vault.id) === 0n) entered.set(vault.id, hour);
      holding.vaultId = vault.id;
      holding.shares = (value * SHARE_SCALE) / state.index;
    }
    transits = transits.filter(({ step: { arrives } }) => arrives > at);
    const inTransit = new Set(
      transits.map(({ step: { to } }) => `${PARTNER} ${catalogue[to]?.id ?? idle.id}`),
    );
    past = recentDecisions(past, hour, rules);
    const ids = [...new Set(positions.flatMap(({ vaultId }) => vaultId ?? []))];
    const groups = ids.map((vaultId): VaultHolding => {
      const vaultPositions = positions.filter((position) => position.vaultId === vaultId);
      return {
        partnerId: PARTNER,
        asset,
        vaultId,
        shares: shares(vaultId).toString(),
        positions: vaultPositions.length,
        since: entered.get(vaultId)!,
      };
    });
    const findPart: FindPartialMove = async ({ vaultId }, maxShares) => {
      const fitting = largestFirst(positions, vaultId, maxShares);
      return {
        positions: fitting.length,
        shares: fitting.reduce((sum, position) => sum + position.shares, 0n),
      };
    };
    const history = new DecisionHistory(past, hour);
    const verdicts: Verdict[] = [];
    const evaluation = new HourEvaluation(market, groups, { past: history, inTransit, rules, findPart });
    for await (const verdict of evaluation.verdicts()) verdicts.push(verdict);
    for (const { group, record, part } of verdicts) {
      const { fromVaultId, toVaultId } = record;
      const arrives = at + exitDelayHoursOf(record);
      past.push({ ...pastDecision(PARTNER, record, hour), arrivesHour: addHours(hour, arrives - at) });
      if (toVaultId === null) continue;
      const [from, to] = [market.vaults.get(fromVaultId!)!, market.vaults.get(toVaultId)!];
      const cost = BigInt(record.expectedUplift.cost);
      const amount = BigInt(record.inputs.amount);
      const groupShares = BigInt(group.shares);
      const moving = largestFirst(positions, fromVaultId!, part?.shares ?? groupShares);
      const moved = moving.reduce((sum, position) => sum + position.shares, 0n);
      const step: RoutedStep = {
        at,
        arrives,
        from: vaultIndexes.get(fromVaultId!)!,
        to: vaultIndexes.get(toVaultId)!,
        fraction: Number(moved) / Number(groupShares),
        positions: moving.length,
        cost: Number(cost) / 1e6,
        record,
      };
      steps.push(step);
      if (arrives === at && shares(toVaultId) === 0n) entered.set(toVaultId, hour);
      for (const holding of moving) {
        const worth = valueOf(holding.shares, from.state.index);
        const value = worth - (cost * worth) / amount;
        if (arrives > at) transits.push({ holding, value, step });
        holding.vaultId = arrives > at ? null : toVaultId;
        holding.shares = arrives > at ? 0n : (value * SHARE_SCALE) / to.state.index;
      }
    }
  }
  return { first, steps };
}

/** Positions of a vault that together fit into the given number of shares, largest first. */
function largestFirst(
  positions: readonly HeldPosition[],
  vaultId: string,
  maxShares: bigint,
): HeldPosition[] {
  let sum = 0n;
  return positions
    .filter((position) => position.vaultId === vaultId && position.shares <= maxShares)
    .toSorted((a, b) => Number(b.shares - a.shares))
    .filter(({ shares }) => (sum += shares) <= maxShares);
}

/** Promised and realised gains over staying, net of cost, of moves whose horizon has passed, whether or not the funds have moved again. */
export function outcomesOf(growth: Growth, { steps }: RouterResult): Outcomes {
  const sums = { promised: 0, realised: 0 };
  for (const { at, arrives, from, to, cost, record } of steps) {
    const amount = Number(record.inputs.amount) / 1e6;
    const promise = promiseOf(record);
    const end = arrives + record.expectedUplift.horizonDays * 24;
    if (promise === null || end > growth.hours) continue;
    const growFrom = (vaultIndex: number, begin: number, value: number): number => {
      let grownValue = value;
      for (let hour = begin; hour < end; hour++) grownValue = grow(growth, vaultIndex, hour, grownValue);
      return grownValue;
    };
    sums.promised += Number(promise) / 1e6;
    sums.realised += growFrom(to, arrives, amount) - growFrom(from, at, amount) - cost;
  }
  return sums;
}
