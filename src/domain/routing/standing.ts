import { addHours } from '../vaults/hour.js';
import type { Decision } from './decision.js';
import type { NewDecision } from './decision-log.js';
import type { Group, PastDecision } from './past.js';
import type { RoutingRules } from './routing-constants.js';

/** A leg of a move that is under way. */
export interface OpenLeg {
  partnerId: string;
  leg: 1 | 2;
  fromVaultId: string;
  toVaultId: string;
  evicts: boolean;
  /** True where others are carrying it out: what leaves its vault so leaves it, whatever for. */
  isTaken?: boolean;
}

/** What is held in a market and what was decided on it: all that judging an hour takes beside the hour's yields. */
export interface Standing {
  groups: readonly Group[];
  /** Oldest first. */
  past: readonly PastDecision[];
  legs: readonly OpenLeg[];
  rules: RoutingRules;
}

/** The same for a walk, in which nothing changes but what the walk does itself. */
export interface WalkStanding extends Standing {
  /** Shares by vault id, of all partners. */
  held: ReadonlyMap<string, bigint>;
  /** The hour at which moves have something to be done next, an arrival or an outcome; null: none has. */
  wakesAt: Date | null;
}

/** Whether moves have something to be done at an hour. */
export const wakes = ({ wakesAt }: WalkStanding, hour: Date): boolean => wakesAt !== null && wakesAt <= hour;

/** What was decided within so many hours before an hour. */
export function since(past: readonly PastDecision[], hour: Date, hours: number): PastDecision[] {
  const first = addHours(hour, -hours);
  return past.filter((one) => one.hour >= first);
}

/** Holds that were stored at an hour, as a later look at the decisions would find them. */
export const holdsOf = (made: readonly NewDecision[], hour: Date): PastDecision[] =>
  made.flatMap(({ partnerId, record }) =>
    record.kind === 'hold' ? [{ ...placeOf(record), partnerId, kind: record.kind, hour }] : [],
  );

const placeOf = ({ asset, fromVaultId, blocked }: Decision) => ({
  asset,
  fromVaultId: fromVaultId!,
  toVaultId: null,
  blocked: blocked === null ? null : JSON.stringify(blocked),
});
