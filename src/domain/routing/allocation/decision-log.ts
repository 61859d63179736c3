import { Injectable } from '@nestjs/common';
import { checkPeriod, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { PositionService } from '../../books/positions/position.service.js';
import { type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import type { Decision, DecisionKind } from './decision.js';
import * as queries from './decision.queries.js';
import type { PastDecision } from './routing-state.js';
import { disclosed } from './disclosure.js';

export interface NewDecision {
  id: string;
  marketId: string;
  partnerId: string;
  userId: string | null;
  positionId: string | null;
  positions: number;
  record: Decision;
  at: Date;
}

export type ShownDecision = Awaited<ReturnType<DecisionLog['list']>>['items'][number];

export interface DecisionFilter {
  asset?: string;
  kind?: DecisionKind;
  from?: Date;
  to?: Date;
  userId?: string;
  positionId?: string;
}

/** Log of decisions, stored with their inputs, rejected alternatives and every gate's value: enough to repeat each. */
@Injectable()
export class DecisionLog {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly positions: PositionService,
  ) {}

  /** Makes it cheaper to store many decisions in this transaction, where the server can. */
  async prepareForMany(): Promise<void> {
    await this.store.query(queries.COMPRESS_BY_LZ4, []);
  }

  /** Stores decisions in one statement, of some 40 KB each in a catalogue of 50 vaults. */
  async add(decisions: readonly NewDecision[]): Promise<void> {
    const columns = JSON.stringify(decisions.map(columnsOf));
    const records = decisions.map(({ record }) => JSON.stringify(record)).join(queries.RECORD_SEPARATOR);
    await this.store.query(queries.INSERT_DECISIONS, [columns, records]);
  }

  /** Rebalances and holds of a market since an hour, oldest first. */
  since(marketId: string, hour: Date): Promise<PastDecision[]> {
    return this.store.query(queries.FIND_RECENT, [marketId, hour]);
  }

  /** Complete decision as stored, for the operator: it contains what all partners held. @throws DomainError `not_found` */
  async find(id: string): Promise<NewDecision> {
    const [found] = isId('decision', id) ? await this.store.query(queries.FIND_DECISION, [id]) : [];
    if (!found) throw notFound('decision');
    return found;
  }

  /**
   * A partner's decisions, newest first. A hold concerns all of a partner's funds in a vault, so it is listed only without a filter by user or
   * position. Holdings of others are never included.
   * @throws DomainError `validation_failed` (asset, from), `not_found` (user or position that is not the partner's, or position that is not the user's)
   */
  async list(
    partnerId: string,
    { asset, kind, from, to, userId, positionId }: DecisionFilter,
    { limit, after }: PageRequest,
  ) {
    if (asset !== undefined) this.catalogue.requireAsset(asset);
    checkPeriod(from, to);
    const rows = await this.store.query(queries.LIST, [
      partnerId,
      after?.at ?? to ?? 'infinity',
      after?.id ?? '',
      asset ?? null,
      kind ?? null,
      limit + 1,
      from ?? '-infinity',
      userId ?? null,
      positionId ?? null,
    ]);
    // Any decision proves that the user or position belongs to the partner; without one, it is looked up.
    if (rows.length === 0) await this.positions.checkOwner(partnerId, { userId, positionId });
    const shown = rows.map(({ record, ...rest }) => ({
      ...rest,
      record: disclosed(record, rest.order === null || rest.order.state === 'arrived'),
    }));
    return toPage(shown, limit, ({ at, id }) => ({ at, id }), rows[0]?.found);
  }
}

function columnsOf({ record, ...decision }: NewDecision): object {
  const { kind, asset, fromVaultId, toVaultId, snapshotHour, blocked } = record;
  return { ...decision, kind, asset, fromVaultId, toVaultId, snapshotHour, blocked };
}
