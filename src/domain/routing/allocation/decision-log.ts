import { Injectable } from '@nestjs/common';
import { checkPeriod, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { PositionService } from '../../books/positions/position.service.js';
import { type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import type { Decision, DecisionKind } from './decision.js';
import * as queries from './decision.queries.js';
import { type DecisionMarket, fits, parseMarket, marketOf } from './decision-market.js';
import { compactRecord, type StoredRecord, expandRecord } from './decision-record.js';
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
export type DecisionSummary = Awaited<ReturnType<DecisionLog['summaries']>>['items'][number];

/** Decisions with the markets that they refer to, in the same order. */
type DecisionsWithMarkets = readonly { decision: NewDecision; market: DecisionMarket }[];

export interface DecisionFilter {
  asset?: string;
  kind?: DecisionKind;
  from?: Date;
  to?: Date;
  userId?: string;
  positionId?: string;
}

/** Log of decisions with their inputs, rejected alternatives and gate values: enough to repeat each. */
@Injectable()
export class DecisionLog {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly positions: PositionService,
  ) {}

  /** Makes it cheaper to store many decisions in this transaction, if the database server can. */
  async prepareForMany(): Promise<void> {
    await this.store.query(queries.COMPRESS_BY_LZ4, []);
  }

  /** Stores decisions of one market in one statement. */
  async add(decisions: readonly NewDecision[]): Promise<void> {
    await this.insert(await this.withMarkets(decisions));
  }

  /** Finds the stored market of each decision, and stores missing ones: one for each hour and asset, unless deposits coincide. */
  async withMarkets(decisions: readonly NewDecision[]): Promise<DecisionsWithMarkets> {
    const [first] = decisions;
    if (!first) return [];
    const { marketId, record } = first;
    const hour = new Date(record.snapshotHour);
    const stored = await this.store.query(queries.FIND_MARKETS, [marketId, hour]);
    const markets = stored.map(({ id, record: text }) => parseMarket(id, text));
    const added: object[] = [];
    const result = decisions.map((decision) => {
      const existing = markets.find((market) => fits(market, decision.record));
      if (existing) return { decision, market: existing };
      const { market, text } = marketOf(decision.record, decision.id);
      const wholeBytes = Buffer.byteLength(JSON.stringify(decision.record));
      markets.push(market);
      added.push({ id: market.id, marketId, hour: decision.record.snapshotHour, record: text, wholeBytes });
      return { decision, market };
    });
    if (added.length > 0) await this.store.query(queries.INSERT_MARKETS, [JSON.stringify(added)]);
    return result;
  }

  /** Stores decisions in one statement. */
  async insert(decisions: DecisionsWithMarkets): Promise<void> {
    const columns = JSON.stringify(decisions.map(columnsOf));
    const records = decisions
      .map(({ decision, market }) => JSON.stringify(compactRecord(decision.record, market)))
      .join(queries.RECORD_SEPARATOR);
    await this.store.query(queries.INSERT_DECISIONS, [columns, records]);
  }

  /** Rebalances and holds of a market since an hour, oldest first. */
  since(marketId: string, hour: Date): Promise<PastDecision[]> {
    return this.store.query(queries.FIND_RECENT, [marketId, hour]);
  }

  /** Complete decision as it was made. Only for the operator: it contains all partners' holdings. @throws DomainError `not_found` */
  async find(id: string): Promise<NewDecision> {
    const [row] = isId('decision', id) ? await this.store.query(queries.FIND_DECISION, [id]) : [];
    if (!row) throw notFound('decision');
    return new RecordExpander().expand(row);
  }

  /**
   * A partner's decisions, newest first. A hold concerns all of a partner's funds in a vault, so it is listed only without a filter by user or
   * position. Other partners' holdings are never included.
   * @throws DomainError `validation_failed` (asset, from), `not_found` (user or position that is not the partner's, or position that is not the
   * user's)
   */
  async list(partnerId: string, filter: DecisionFilter, page: PageRequest) {
    const rows = await this.store.query(queries.LIST, this.valuesOf(partnerId, filter, page));
    await this.checkOwner(rows, partnerId, filter);
    const expander = new RecordExpander();
    const shown = rows.map((row) => {
      const { record, ...rest } = expander.expand(row);
      return { ...rest, record: disclosed(record, rest.order === null || rest.order.state === 'arrived') };
    });
    return toPage(shown, page.limit, ({ at, id }) => ({ at, id }), rows[0]?.found);
  }

  /** Lists decisions without their inputs and the figures that follow from these. @throws DomainError as `list` */
  async summaries(partnerId: string, filter: DecisionFilter, page: PageRequest) {
    const rows = await this.store.query(queries.LIST_SUMMARIES, this.valuesOf(partnerId, filter, page));
    await this.checkOwner(rows, partnerId, filter);
    return toPage(rows, page.limit, ({ at, id }) => ({ at, id }));
  }

  private valuesOf(
    partnerId: string,
    { asset, kind, from, to, userId, positionId }: DecisionFilter,
    { limit, after }: PageRequest,
  ) {
    if (asset !== undefined) this.catalogue.requireAsset(asset);
    checkPeriod(from, to);
    return [
      partnerId,
      after?.at ?? to ?? 'infinity',
      after?.id ?? '',
      asset ?? null,
      kind ?? null,
      limit + 1,
      from ?? '-infinity',
      userId ?? null,
      positionId ?? null,
    ] as const;
  }

  /** Any decision proves that the user or position belongs to the partner; without one, it is looked up. */
  private async checkOwner(
    rows: readonly unknown[],
    partnerId: string,
    { userId, positionId }: DecisionFilter,
  ): Promise<void> {
    if (rows.length === 0) await this.positions.checkOwner(partnerId, { userId, positionId });
  }
}

interface DecisionRow {
  record: StoredRecord;
  decisionMarketId: string | null;
  market: string | null;
}

/** Expands stored records. Consecutive records of a market parse it once. */
export class RecordExpander {
  private market: DecisionMarket | null = null;

  /** @throws Error when the decision's market is missing, or has other vaults */
  expand<Row extends DecisionRow>(row: Row): Omit<Row, keyof DecisionRow> & { record: Decision } {
    const { record, decisionMarketId: id, market: text, ...rest } = row;
    if (id === null) return { ...rest, record: expandRecord(record, null) };
    if (text === null) throw new Error(`The market ${id} does not exist.`);
    if (this.market?.id !== id) this.market = parseMarket(id, text);
    return { ...rest, record: expandRecord(record, this.market) };
  }
}

function columnsOf({ decision: { record, ...decision }, market }: DecisionsWithMarkets[number]): object {
  const { kind, asset, fromVaultId, toVaultId, snapshotHour, blocked } = record;
  const decisionMarketId = market.id;
  return { ...decision, kind, asset, fromVaultId, toVaultId, snapshotHour, blocked, decisionMarketId };
}
