import type { Held } from '../../markets/hours/market-view.js';
import { addHours } from '../../kernel/clock.js';
import type { Decision } from './decision.js';
import type { NewDecision } from './decision-log.js';
import type { Holding, PastDecision } from './decision-history.js';
import type { MoveOrder } from './move-order.js';
import type { RoutingRules } from './routing-constants.js';

export interface OpenLeg {
  partnerId: string;
  leg: 1 | 2;
  fromVaultId: string;
  toVaultId: string;
  evicts: boolean;
  /** True when an executor has taken it: the funds are leaving their vault, for whatever reason. */
  isTaken?: boolean;
}

/** Holdings of a market and earlier decisions: the inputs of evaluating an hour beside its yields. Valid for later hours until something else moves. */
export interface RoutingState {
  /** The market's newest hour when this was read. */
  hour: Date;
  groups: readonly Holding[];
  past: readonly PastDecision[];
  legs: readonly OpenLeg[];
  /** Open orders, when moves are orders; null: moves are executed at once. */
  orders: readonly MoveOrder[] | null;
  /** Of a market that advances; a live one reads them with its view. */
  held: Held;
  rules: RoutingRules;
  /** Hour of the next work on moves, an arrival or an outcome; null: none. */
  wakesAt: Date | null;
}

/** Whether moves need work at an hour. */
export const wakes = ({ wakesAt }: RoutingState, hour: Date): boolean => wakesAt !== null && wakesAt <= hour;

export function since(past: readonly PastDecision[], hour: Date, hours: number): PastDecision[] {
  const first = addHours(hour, -hours);
  return past.filter((one) => one.hour >= first);
}

/** Holds stored at an hour, as a later query would return them. */
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
