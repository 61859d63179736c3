import { Injectable } from '@nestjs/common';
import { addHours, Clock } from '../../kernel/clock.js';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { advanceOf, toState, vaultStateAt } from '../../markets/hours/market-view.js';
import { findFitting, type Page, type PageRequest, toPage, TRIED, tried } from '../../kernel/store/page.js';
import { Meter } from '../../kernel/meter.js';
import { mapInTurns } from '../../kernel/slices.js';
import { Store } from '../../kernel/store/store.js';
import { UserService } from '../../tenants/users/user.service.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { PastPositions } from '../ledger/past-positions.js';
import type { Position, PositionStatus } from './position.js';
import {
  type PositionRecord,
  positionRecord,
  type Quotes,
  SHOWN_POSITION,
  shownState,
  type ShownVault,
} from './quotes.js';
import { VAULT_IN_MARKET, VAULT_IN_MARKET_COLUMNS } from '../../markets/hours/market.queries.js';
import {
  columnsOf,
  integer,
  moment,
  orNull,
  rowCount,
  type RowOf,
  text,
  time,
} from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';

const { vaultId: _vaultId, ...SHOWN_ALONE } = SHOWN_POSITION;
const POSITION_COLUMNS = { marketId: text(), ...SHOWN_ALONE };
const MARKET = { tickedHour: time(), hoursAhead: integer() };
const LISTED_COLUMNS = { ...POSITION_COLUMNS, ...MARKET, ...VAULT_IN_MARKET };
type ShownPositionRow = RowOf<typeof LISTED_COLUMNS>;
const COLUMNS = `${columnsOf(POSITION_COLUMNS, 'p')}, ${columnsOf(MARKET, 'market')}, ${VAULT_IN_MARKET_COLUMNS}`;

/** The market's state decides what a position is worth. */
const IN_ITS_MARKET = `JOIN markets market ON market.id = p.market_id
     JOIN vault_states state ON state.market_id = p.market_id AND state.vault_id = p.vault_id`;

const FIND_POSITION = statement(
  'positions.find_position',
  { values: [text(), orNull(text())], row: LISTED_COLUMNS },
  `SELECT ${COLUMNS}
     FROM positions p
     ${IN_ITS_MARKET}
    WHERE p.id = $1 AND ($2::text IS NULL OR p.partner_id = $2)`,
);

const FIND_USER_OF = statement(
  'positions.find_user_of',
  { values: [text(), text()], row: { userId: text() } },
  `SELECT user_id AS "userId" FROM positions WHERE id = $1 AND partner_id = $2`,
);

/**
 * Page, newest first, planned for its filters, each of which walks an index of its own; null: any. $1/$2 keyset position (time, id; infinity for the
 * first page), $3 asset, $4 status, $5 rows, $6 partner, $7 user. For another partner's user no position is read, so the timing is that of an unknown one.
 */
const LIST = statement(
  'positions.list',
  {
    values: [
      moment(),
      text(),
      orNull(text()),
      orNull(text<PositionStatus>()),
      rowCount(),
      orNull(text()),
      orNull(text()),
    ],
    row: { ...LISTED_COLUMNS, ...TRIED },
    isPlannedAnew: true,
  },
  `SELECT ${COLUMNS}, ${columnsOf(TRIED, 'p')}
     FROM (${tried(
       `SELECT * FROM positions
            WHERE (opened_at, id) < ($1, $2)
              AND ($6::text IS NULL OR $7::text IS NOT NULL OR partner_id = $6)
              AND ($7::text IS NULL OR (user_id = $7 AND ($6::text IS NULL OR EXISTS (SELECT FROM users WHERE id = $7 AND partner_id = $6))))
            ORDER BY opened_at DESC, id DESC`,
       'opened_at DESC, id DESC',
       '($3::text IS NULL OR asset = $3) AND ($4::text IS NULL OR status = $4)',
     )}
            LIMIT $5) AS p
     ${IN_ITS_MARKET}
    ORDER BY p.opened_at DESC, p.id DESC`,
);

export interface PositionFilter {
  partnerId: string | null;
  userId?: string;
  asset?: string;
  status?: PositionStatus;
}

@Injectable()
export class PositionService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly users: UserService,
    private readonly past: PastPositions,
    private readonly meter: Meter,
  ) {}

  /** @param partnerId null: a position of any partner @throws DomainError `not_found` */
  async get(id: string, partnerId: string | null): Promise<PositionRecord> {
    const [row] = isId('position', id) ? await this.store.query(FIND_POSITION, [id, partnerId]) : [];
    if (!row) throw notFound('position');
    return (await this.show([row]))[0]!;
  }

  /** Checks that a user and a position belong to the partner, and to each other. @throws DomainError `not_found` */
  async checkOwner(
    partnerId: string,
    { userId, positionId }: { userId?: string | undefined; positionId?: string | undefined },
  ): Promise<void> {
    if (userId !== undefined) await this.users.check(partnerId, userId);
    if (positionId === undefined) return;
    const [position] = isId('position', positionId)
      ? await this.store.query(FIND_USER_OF, [positionId, partnerId])
      : [];
    if (!position || (userId !== undefined && position.userId !== userId)) throw notFound('position');
  }

  /**
   * Newest first.
   * @param asOf as they were at the moment of these quotes; their page may be shorter, where a status is asked for
   * @throws DomainError `validation_failed` (asset), `not_found` (user)
   */
  async list(
    filter: PositionFilter,
    { limit, after }: PageRequest,
    asOf: Quotes | null = null,
  ): Promise<Page<PositionRecord>> {
    const { partnerId, userId, asset, status } = filter;
    if (asset !== undefined) this.catalogue.requireAsset(asset);
    if (userId !== undefined && !isId('user', userId)) throw notFound('user');
    const rows = await findFitting(
      (last: RowFrom<typeof LIST> | undefined, wanted) =>
        this.store.query(LIST, [
          last?.openedAt ?? after?.at ?? asOf?.now ?? 'infinity',
          last?.id ?? after?.id ?? '',
          asset ?? null,
          asOf ? null : (status ?? null),
          wanted,
          partnerId,
          userId ?? null,
        ]),
      limit + 1,
      (tried) => this.meter.summed(tried),
    );
    // Any position proves that the user belongs to the partner; without one, the user is looked up.
    if (userId !== undefined && rows.length === 0) await this.users.check(partnerId, userId);
    const { items, next } = toPage(rows, limit, ({ openedAt, id }) => ({ at: openedAt, id }));
    if (!asOf) return { items: await this.show(items), next };
    const ids = items.map(({ id }) => id);
    const past = new Map<string, Position | null>();
    await this.past.runInTurn(partnerId, async () => {
      for await (const positions of this.past.at(ids, asOf))
        for (const { now, then } of positions) past.set(now.id, then);
    });
    const pastPositions = ids.flatMap((id) => past.get(id) ?? []);
    const filtered = pastPositions.filter((row) => status === undefined || row.status === status);
    return { items: await mapInTurns(filtered, (row) => positionRecord(row, quoteOf(asOf, row))), next };
  }

  /** Renders positions as of one moment. An APY that is too old to accrue is not shown, nor one of a market without ticks. */
  private show(rows: readonly ShownPositionRow[]): Promise<PositionRecord[]> {
    const wall = this.clock.now();
    const vaults = new Map<string, ShownVault>();
    return mapInTurns(rows, (row) => {
      const key = `${row.marketId} ${row.vaultId}`;
      const vault = vaults.get(key) ?? this.vaultOf(row, addHours(wall, row.hoursAhead));
      vaults.set(key, vault);
      return positionRecord(row, vault);
    });
  }

  private vaultOf(row: ShownPositionRow, now: Date): ShownVault {
    const { marketId, vaultId, tickedHour } = row;
    const vault = this.catalogue.vault(vaultId);
    const advance = advanceOf(marketId, row, tickedHour, this.catalogue.vaults);
    return shownState(vaultStateAt(vault, toState(row), tickedHour, now, advance), now);
  }
}

/** A closed position has no shares, and its vault may have no quote. */
const quoteOf = (
  { quoteOf: of }: Quotes,
  { shares, vaultId }: Pick<Position, 'shares' | 'vaultId'>,
): ShownVault => (shares === 0n ? { index: 0n, apy: null } : of(vaultId));
