import { Injectable } from '@nestjs/common';
import { newId } from '../identifier.js';
import { Store } from '../store/store.js';
import type { Decision } from './choice.js';
import * as queries from './decision.queries.js';

/** A decision that is to be stored: whole, and for good. */
export interface NewDecision {
  id: string;
  marketId: string;
  partnerId: string;
  /** Of a deposit. */
  userId: string | null;
  positionId: string | null;
  /** How many positions it is about. */
  positions: number;
  record: Decision;
  at: Date;
}

/** What was decided on a partner's funds in a vault at an hour. */
export interface PastDecision {
  partnerId: string;
  asset: string;
  kind: 'rebalance' | 'hold';
  fromVaultId: string;
  toVaultId: string | null;
  hour: Date;
  /** JSON of the decision's `blocked`: equal texts are the same reason. */
  blocked: string | null;
}

/** Decisions, stored with their inputs, the alternatives that lost and every gate's value: enough to make each again. */
@Injectable()
export class DecisionLog {
  constructor(private readonly store: Store) {}

  newId(at: Date): string {
    return newId('decision', at);
  }

  /** One statement for any number. */
  async add(decisions: readonly NewDecision[]): Promise<void> {
    if (decisions.length > 0) await this.store.query(queries.INSERT_DECISIONS, [JSON.stringify(decisions)]);
  }

  /** Rebalances and holds of a market since an hour, oldest first. */
  since(marketId: string, hour: Date): Promise<PastDecision[]> {
    return this.store.query<PastDecision>(queries.FIND_RECENT, [marketId, hour]);
  }
}
