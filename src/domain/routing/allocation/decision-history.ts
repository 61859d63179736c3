import { hourOf, hoursBetween } from '../../kernel/clock.js';
import type { Policy } from '../../tenants/policies/policy.js';
import type { Decision, DecisionKind } from './decision.js';

/** A partner's funds in one vault, which are evaluated and moved together. */
export interface Holding {
  partnerId: string;
  asset: string;
  vaultId: string;
  /** 18 decimals. */
  shares: string;
  positions: number;
  /** Since when anything has been held. */
  since: Date;
  /** Policy of the partner; absent or null: none. */
  policy?: Policy | null;
}

export interface PastDecision {
  partnerId: string;
  asset: string;
  kind: Exclude<DecisionKind, 'route'>;
  fromVaultId: string;
  toVaultId: string | null;
  hour: Date;
  /** Hour of arrival; absent: that of the decision. null: not reported yet, or it never arrives. */
  arrivesHour?: Date | null;
  /** Hour of departure, likewise. */
  leftHour?: Date | null;
  /** JSON of the decision's `blocked`: equal texts are the same reason. */
  blocked: string | null;
}

/** Decision on held funds, as a later hour finds it. */
export const pastDecision = (partnerId: string, record: Decision, hour: Date): PastDecision => ({
  ...{ partnerId, hour, asset: record.asset, toVaultId: record.toVaultId },
  kind: record.kind === 'hold' ? 'hold' : 'rebalance',
  fromVaultId: record.fromVaultId!,
  blocked: record.blocked && JSON.stringify(record.blocked),
});

/** Hours in which an unchanged reason to hold is stored once. */
export const SAME_REASON_HOURS = 24;

/** Recent decisions, as far as they affect the next ones. */
export class DecisionHistory {
  private readonly byPartner: Map<string, PastDecision[]>;

  /** @param decisions oldest first */
  constructor(
    decisions: readonly PastDecision[],
    private readonly hour: Date,
  ) {
    this.byPartner = Map.groupBy(decisions, ({ partnerId, asset }) => `${partnerId} ${asset}`);
  }

  /** Hours since funds were last moved in, or first arrived. */
  hoursInVault({ since, ...group }: Holding): number {
    const arrivals = this.ofPartner(group)
      .filter(({ toVaultId }) => toVaultId === group.vaultId)
      .map(({ arrivesHour, hour }) => (arrivesHour === undefined ? hour : arrivesHour))
      .filter((arrival): arrival is Date => arrival !== null && arrival <= this.hour);
    const entered = [hourOf(since), ...arrivals].reduce((last, one) => (one > last ? one : last));
    return Math.max(0, hoursBetween(entered, this.hour));
  }

  /** Hours since funds of the partner and asset were last moved out, by vault. */
  hoursSinceLeft(group: Pick<Holding, 'partnerId' | 'asset'>): Map<string, number> {
    const moves = this.ofPartner(group).filter(({ kind }) => kind === 'rebalance');
    return new Map(
      moves.flatMap(({ fromVaultId, hour, leftHour = hour }): [string, number][] =>
        leftHour === null ? [] : [[fromVaultId, hoursBetween(leftHour, this.hour)]],
      ),
    );
  }

  /** Whether funds of the partner and asset have left a vault and not arrived in another. */
  isInTransit(group: Pick<Holding, 'partnerId' | 'asset'>): boolean {
    return this.ofPartner(group).some(({ arrivesHour }) => arrivesHour != null && arrivesHour > this.hour);
  }

  /** True when the same reason to hold was stored within a day. */
  heldFor(group: Pick<Holding, 'partnerId' | 'asset' | 'vaultId'>, blocked: Decision['blocked']): boolean {
    const reason = JSON.stringify(blocked);
    return this.ofPartner(group).some(
      (past) =>
        past.kind === 'hold' &&
        past.fromVaultId === group.vaultId &&
        past.blocked === reason &&
        hoursBetween(past.hour, this.hour) < SAME_REASON_HOURS,
    );
  }

  private ofPartner({ partnerId, asset }: Pick<Holding, 'partnerId' | 'asset'>): PastDecision[] {
    return this.byPartner.get(`${partnerId} ${asset}`) ?? [];
  }
}
