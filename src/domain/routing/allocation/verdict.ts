import type { Decision } from './decision.js';
import type { FindPartialMove, PartialMove } from './partial-move.js';
import type { Choice, DecisionChoice } from './rating.js';
import type { RoutingRules } from './routing-constants.js';
import type { DecisionHistory, VaultHolding, PlannedMove } from './routing-state.js';

export interface Verdict {
  group: VaultHolding;
  positions: number;
  record: Decision;
  /** The positions that move; null: all of them. */
  part: PartialMove | null;
}

/** Verdict whose decision is made once the verdict is admitted. */
export type Draft = Omit<Verdict, 'record'> & { ruling: DecisionChoice };

/** What the evaluation of an hour needs besides its market and holdings. */
export interface HourContext {
  past: DecisionHistory;
  rules: RoutingRules;
  findPart: FindPartialMove;
  /** Holdings (`holdingKey`) that open moves leave or join. */
  inTransit?: ReadonlySet<string>;
  /** Holdings that open moves are evicting. */
  evicted?: ReadonlySet<string>;
  /** Open moves, which count like those of the hour. */
  open?: readonly PlannedMove[];
}

/**
 * Verdict on a whole holding. If a policy forbids the vault, the largest positions go first, because they lose most by waiting; evictions go in the
 * order of ids.
 */
export const wholeDraft = (group: VaultHolding, ruling: DecisionChoice): Draft => ({
  group,
  positions: group.positions,
  ruling,
  part:
    ruling.choice.reason === 'policy' ? { positions: group.positions, shares: BigInt(group.shares) } : null,
});

export const bringsMore = (part: Choice, whole: Choice): boolean =>
  whole.kind === 'hold' || BigInt(part.expectedUplift.npv ?? 0) > BigInt(whole.expectedUplift.npv ?? 0);
