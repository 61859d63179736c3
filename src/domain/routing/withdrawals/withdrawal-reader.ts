import { Injectable } from '@nestjs/common';
import { vaultsAt } from '../../books/positions/quotes.js';
import { notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { Meter } from '../../kernel/meter.js';
import { rowsText } from '../../kernel/store/column.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { UserService } from '../../tenants/users/user.service.js';
import { totalOf } from './parts.js';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.js';
import * as queries from './withdrawal.queries.js';

export interface WithdrawalFilter {
  /** null: of any partner. */
  partnerId: string | null;
  userId?: string;
  status?: WithdrawalStatus;
}

/** Reads withdrawals, open ones with the present value and vault of their funds. */
@Injectable()
export class WithdrawalReader {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly users: UserService,
    private readonly meter: Meter,
  ) {}

  /** @throws DomainError `not_found` */
  async get(id: string, partnerId: string | null): Promise<Withdrawal> {
    const [row] = isId('withdrawal', id)
      ? await this.store.query(queries.FIND, [await this.currentIndexes(partnerId), id, partnerId])
      : [];
    if (!row) throw notFound('withdrawal');
    return this.toWithdrawal(row);
  }

  /** Newest first. @throws DomainError `not_found` for a user that is unknown or not the partner's */
  async list(
    { partnerId, userId, status }: WithdrawalFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<Withdrawal>> {
    if (userId !== undefined) await this.users.check(partnerId, userId);
    const rows = await this.store.query(queries.LIST, [
      await this.currentIndexes(partnerId),
      ...([after?.at ?? 'infinity', after?.id ?? '', partnerId, limit + 1] as const),
      ...([status ?? null, userId ?? null] as const),
    ]);
    const withdrawals = rows.map((row) => this.toWithdrawal(row));
    return toPage(withdrawals, limit, ({ requestedAt, id }) => ({ at: requestedAt, id }), rows[0]?.found);
  }

  /** Number of open ones, by status, and when the oldest was requested; null: there is none. */
  async counts() {
    const rows = await this.store.query(queries.COUNT, []);
    const of = (status: WithdrawalStatus) => rows.find((row) => row.status === status);
    return {
      requested: of('requested')?.count ?? 0,
      taken: of('taken')?.count ?? 0,
      oldestRequestedAt: of('requested')?.oldest ?? null,
    };
  }

  private toWithdrawal(row: RowFrom<typeof queries.FIND>): Withdrawal {
    const parts = row.parts.map((part) => ({ ...part, amount: BigInt(part.amount) }));
    this.meter.summed(parts.length);
    const cost = BigInt(row.cost);
    const isOpen = row.endedAt === null;
    const amount = isOpen ? totalOf(parts) : BigInt(row.amount);
    return {
      ...row,
      parts,
      amount,
      cost,
      paidAmount: row.paidAt === null || row.failure !== null ? null : amount - cost,
    };
  }

  /** Current index of every vault in the market of a partner's positions, as a parameter; null: the shared market. */
  private async currentIndexes(partnerId: string | null): Promise<string> {
    const view = await this.market.look(this.market.marketOf(partnerId));
    return rowsText(
      [...vaultsAt(view, view.now)].map(([vaultId, { state }]) => ({ vaultId, index: state.index })),
    );
  }
}
