import { Injectable } from '@nestjs/common';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { DomainError } from '../../kernel/domain-error.js';
import { formatAmount } from '../../kernel/money.js';
import { Meter } from '../../kernel/meter.js';
import { Store } from '../../kernel/store/store.js';
import type { MarketView } from '../../markets/hours/market.service.js';
import { valueOf } from '../../markets/vaults/yield-index.js';
import { shownVault } from '../../books/positions/quotes.js';
import { divide, leavingOrder, totalOf } from './parts.js';
import * as queries from './reservation.queries.js';
import { availableIn } from './reservations.js';
import type { WithdrawalPart } from './withdrawal.js';

/** Positions that one withdrawal is paid from: one transaction books them. */
const MAX_PARTS = 1_000;

/** Positions that a withdrawal of a user is paid from. */
@Injectable()
export class WithdrawalSources {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly meter: Meter,
  ) {}

  /**
   * Open positions of a user with what is available in each, in the order in which they pay: cash, then the lowest expected risk-adjusted rate, then the
   * oldest. At most one more than a withdrawal may have.
   * @param at for values, by the market's clock
   */
  async find(view: MarketView, userId: string, asset: string, at: Date): Promise<WithdrawalPart[]> {
    const vaults = this.catalogue.vaults.filter((vault) => vault.asset === asset);
    const order = leavingOrder(
      vaults.map((vault) => ({
        vaultId: vault.id,
        isCash: isIdle(vault),
        rate: view.vaults.get(vault.id)?.riskAdjustedApy ?? null,
      })),
    );
    const rows = await this.store.query(queries.FIND_SOURCES, [userId, asset, order, MAX_PARTS + 1]);
    // All of them were sorted.
    this.meter.summed(rows[0]?.open ?? 0);
    return rows.map(({ id, vaultId, shares, reserved, isReservedWhole }) => {
      const value = valueOf(shares, shownVault(view, vaultId, at).index);
      const reservation = { amount: reserved, isWhole: isReservedWhole };
      return { positionId: id, vaultId, amount: availableIn(value, reservation) };
    });
  }

  /**
   * @param amount micro-units; null: everything
   * @throws DomainError `insufficient_balance`, `withdrawal_limit_reached` where it needs more positions than a withdrawal may have
   */
  partsOf(sources: readonly WithdrawalPart[], amount: bigint | null, asset: string): WithdrawalPart[] {
    const within = sources.slice(0, MAX_PARTS);
    const parts = divide(within, amount);
    const available = totalOf(within);
    if (sources.length > MAX_PARTS && (amount === null || parts === null))
      throw new DomainError(
        'withdrawal_limit_reached',
        `A withdrawal is paid from at most ${MAX_PARTS} positions, which have ${formatAmount(available)} ${asset}. Withdraw at most that, then the rest.`,
      );
    if (parts !== null) return parts;
    throw new DomainError(
      'insufficient_balance',
      available === 0n
        ? `The user has nothing available in ${asset}: no open position, or open withdrawals reserve all of it.`
        : `The user has ${formatAmount(available)} ${asset} available, less than ${formatAmount(amount!)}. Omit the amount to withdraw everything.`,
    );
  }
}
