import type { Decision } from './decision.js';
import type { FindPartialMove, PartialMove } from './partial-move.js';
import type { RoutingRules } from './routing-constants.js';
import type { DecisionHistory, Holding, PlannedMove } from './routing-state.js';

export interface Verdict {
  group: Holding;
  positions: number;
  record: Decision;
  /** The positions that move; null: all of them. */
  part: PartialMove | null;
}

/** What an hour is evaluated from, beside its market and holdings. */
export interface HourContext {
  past: DecisionHistory;
  rules: RoutingRules;
  findPart: FindPartialMove;
  /** Places (`placeOf`) that open moves leave or join. */
  inTransit?: ReadonlySet<string>;
  /** Places that open moves are evicting. */
  evicted?: ReadonlySet<string>;
  /** Open moves, which count like those of the hour. */
  open?: readonly PlannedMove[];
}

/**
 * Verdict on a whole holding. Where a policy forbids the vault, the largest positions go first, because they lose most by waiting; evictions go in the
 * order of ids.
 */
export const wholeVerdict = (group: Holding, record: Decision): Verdict => ({
  group,
  positions: group.positions,
  record,
  part: record.reason === 'policy' ? { positions: group.positions, shares: BigInt(group.shares) } : null,
});

export const bringsMore = (part: Decision, whole: Decision): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);
