import { inputsOf } from '../../../src/domain/routing/allocation/candidates.js';
import { decide } from '../../../src/domain/routing/allocation/choice.js';
import type { Decision } from '../../../src/domain/routing/allocation/decision.js';
import {
  type FindPart,
  type HourOfMarket,
  judgeHour,
  type Verdict,
} from '../../../src/domain/routing/allocation/judgement.js';
import {
  type Group,
  Past,
  type PastDecision,
  SAME_REASON_HOURS,
} from '../../../src/domain/routing/allocation/past.js';
import type { RoutingRules } from '../../../src/domain/routing/allocation/routing-constants.js';
import { addHours } from '../../../src/domain/kernel/catalogue/hour.js';
import { valueOf } from '../../../src/domain/markets/vaults/shares.js';
import type { Year } from './year.js';

const PARTNER = 'partner';
const SHARE_SCALE = 10n ** 30n;

interface Holding {
  vaultId: string;
  shares: bigint;
}

/** A move, as a fraction of the vault it leaves. Places are indexes of the year's vaults; the last place is cash. */
export interface Step {
  /** Hours since the beginning. */
  at: number;
  from: number;
  to: number;
  /** Fraction of the funds in the vault that is left. */
  fraction: number;
  positions: number;
  /** Whole units. */
  cost: number;
  record: Decision;
}

export interface Routed {
  /** The place of each deposit at the beginning. */
  first: number[];
  steps: Step[];
}

/**
 * Runs the router in memory: the deposits of one partner at the beginning of a year, judged every hour by the functions that the engine uses.
 * @param amounts micro-units
 */
export async function route(year: Year, amounts: readonly bigint[], rules: RoutingRules): Promise<Routed> {
  const places = new Map([...year.vaults, year.idle].map(({ id }, place) => [id, place]));
  const { asset } = year.idle;
  const positions: Holding[] = [];
  const since = new Map<string, Date>();
  let past: PastDecision[] = [];
  const steps: Step[] = [];
  const first: number[] = [];
  const shares = (vaultId: string): bigint =>
    positions.reduce((sum, one) => (one.vaultId === vaultId ? sum + one.shares : sum), 0n);
  const marketAt = (at: number): HourOfMarket => {
    const { hour, vaults } = year.hours[at]!;
    const seen = [...vaults].map(([id, vault]) => {
      const held = valueOf(shares(id), vault.state.index);
      return [id, { ...vault, held, own: held }] as const;
    });
    return { hour, vaults: new Map(seen) };
  };
  for (const amount of amounts) {
    const market = marketAt(0);
    const { toVaultId } = decide(
      inputsOf(market, { asset, amount, vaultId: null, hoursInVault: 0 }, market.hour, rules),
    );
    const vaultId = toVaultId!;
    const { index } = market.vaults.get(vaultId)!.state;
    positions.push({ vaultId, shares: (amount * SHARE_SCALE) / index });
    since.set(vaultId, market.hour);
    first.push(places.get(vaultId)!);
  }
  const remembered = Math.max(
    rules.constants.returnHours,
    rules.constants.minimumHoursInVault,
    SAME_REASON_HOURS,
  );
  for (let at = 1; at < year.hours.length; at++) {
    const market = marketAt(at);
    const { hour } = market;
    const forgotten = addHours(hour, -remembered);
    past = past.filter((one) => one.hour >= forgotten);
    const ids = [...new Set(positions.map(({ vaultId }) => vaultId))];
    const groups = ids.map((vaultId): Group => {
      const own = positions.filter((one) => one.vaultId === vaultId);
      return {
        partnerId: PARTNER,
        asset,
        vaultId,
        shares: shares(vaultId).toString(),
        positions: own.length,
        since: since.get(vaultId)!,
      };
    });
    const findPart: FindPart = async ({ vaultId }, most) => {
      const fitting = largestFirst(positions, vaultId, most);
      return { positions: fitting.length, shares: fitting.reduce((sum, one) => sum + one.shares, 0n) };
    };
    const verdicts: Verdict[] = [];
    for await (const one of judgeHour(market, groups, new Past(past, hour), new Set(), rules, findPart))
      verdicts.push(one);
    for (const { group, record, part } of verdicts) {
      const { fromVaultId, toVaultId, kind, blocked } = record;
      past.push({
        partnerId: PARTNER,
        asset,
        kind: kind === 'hold' ? 'hold' : 'rebalance',
        fromVaultId: fromVaultId!,
        toVaultId,
        hour,
        blocked: blocked && JSON.stringify(blocked),
      });
      if (toVaultId === null) continue;
      const [from, to] = [market.vaults.get(fromVaultId!)!, market.vaults.get(toVaultId)!];
      const cost = BigInt(record.expectedUplift.cost);
      const amount = BigInt(record.inputs.amount);
      const before = BigInt(group.shares);
      const moving = largestFirst(positions, fromVaultId!, part?.shares ?? before);
      const moved = moving.reduce((sum, one) => sum + one.shares, 0n);
      if (!ids.includes(toVaultId) || shares(toVaultId) === 0n) since.set(toVaultId, hour);
      for (const one of moving) {
        const value = valueOf(one.shares, from.state.index);
        one.shares = ((value - (cost * value) / amount) * SHARE_SCALE) / to.state.index;
        one.vaultId = toVaultId;
      }
      steps.push({
        at,
        from: places.get(fromVaultId!)!,
        to: places.get(toVaultId)!,
        fraction: Number(moved) / Number(before),
        positions: moving.length,
        cost: Number(cost) / 1e6,
        record,
      });
    }
  }
  return { first, steps };
}

/** Positions of a vault that together fit into the given number of shares, largest first. */
function largestFirst(positions: readonly Holding[], vaultId: string, most: bigint): Holding[] {
  let together = 0n;
  return positions
    .filter((one) => one.vaultId === vaultId && one.shares <= most)
    .toSorted((a, b) => Number(b.shares - a.shares))
    .filter(({ shares }) => (together += shares) <= most);
}
