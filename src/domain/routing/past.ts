import { hourOf, hoursBetween } from '../vaults/hour.js';
import type { Policy } from '../policies/policy.js';
import type { Decision, DecisionKind } from './decision.js';

/** Funds of a partner in one vault: they are judged, and moved, together. */
export interface Group {
  partnerId: string;
  asset: string;
  vaultId: string;
  /** 18 decimals. */
  shares: string;
  positions: number;
  /** When the first of what is there now came. */
  since: Date;
  /** Of the partner; absent or null: it has none. */
  policy?: Policy | null;
}

/** What was decided on a partner's funds in a vault at an hour. */
export interface PastDecision {
  partnerId: string;
  asset: string;
  kind: Exclude<DecisionKind, 'route'>;
  fromVaultId: string;
  toVaultId: string | null;
  hour: Date;
  /** When its funds arrive; absent: with the decision. null: nobody has reported yet that they did, or they never will. */
  arrivesHour?: Date | null;
  /** The same of when they left their vault. */
  leftHour?: Date | null;
  /** JSON of the decision's `blocked`: equal texts are the same reason. */
  blocked: string | null;
}

/** A reason to hold is stored once in so many hours. */
export const SAME_REASON_HOURS = 24;

/** What the last hours' decisions mean for the next ones. */
export class Past {
  private readonly byPartner: Map<string, PastDecision[]>;

  /** @param decisions oldest first */
  constructor(
    decisions: readonly PastDecision[],
    private readonly hour: Date,
  ) {
    this.byPartner = Map.groupBy(decisions, ({ partnerId, asset }) => `${partnerId} ${asset}`);
  }

  /** Since funds were last moved in, or the first came. */
  hoursInVault({ since, ...group }: Group): number {
    const arrivals = this.ofPartner(group)
      .filter(({ toVaultId }) => toVaultId === group.vaultId)
      .map(({ arrivesHour, hour }) => (arrivesHour === undefined ? hour : arrivesHour))
      .filter((arrival): arrival is Date => arrival !== null && arrival <= this.hour);
    const entered = [hourOf(since), ...arrivals].reduce((last, one) => (one > last ? one : last));
    return Math.max(0, hoursBetween(entered, this.hour));
  }

  /** By vault, since funds of the partner and asset were last moved out of it. */
  hoursSinceLeft(group: Pick<Group, 'partnerId' | 'asset'>): Map<string, number> {
    const moves = this.ofPartner(group).filter(({ kind }) => kind === 'rebalance');
    return new Map(
      moves.flatMap(({ fromVaultId, hour, leftHour = hour }): [string, number][] =>
        leftHour === null ? [] : [[fromVaultId, hoursBetween(leftHour, this.hour)]],
      ),
    );
  }

  /** True where the same reason to hold was stored within a day. */
  heldFor(group: Pick<Group, 'partnerId' | 'asset' | 'vaultId'>, blocked: Decision['blocked']): boolean {
    const reason = JSON.stringify(blocked);
    return this.ofPartner(group).some(
      (past) =>
        past.kind === 'hold' &&
        past.fromVaultId === group.vaultId &&
        past.blocked === reason &&
        hoursBetween(past.hour, this.hour) < SAME_REASON_HOURS,
    );
  }

  private ofPartner({ partnerId, asset }: Pick<Group, 'partnerId' | 'asset'>): PastDecision[] {
    return this.byPartner.get(`${partnerId} ${asset}`) ?? [];
  }
}
