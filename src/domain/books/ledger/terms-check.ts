import { hourOf } from '../../kernel/clock.js';
import { integer, listOf, text, time, whole } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import type { Store } from '../../kernel/store/store.js';
import { indexWithin, valueOf } from '../../markets/vaults/yield-index.js';
import type { ReportDifference } from './verification.js';

const FIND_TERMS = statement(
  'ledger.find_terms',
  {
    values: [listOf(text())],
    row: { partnerId: text(), fromAt: time(), feeBps: integer(), shareBps: integer() },
  },
  `SELECT partner_id AS "partnerId", from_at AS "fromAt", performance_fee_bps AS "feeBps", revenue_share_bps AS "shareBps"
     FROM partner_terms WHERE partner_id = ANY($1) ORDER BY partner_id, from_at`,
);

/** Vaults $2 of markets $1 in their hours $3. */
const FIND_HOURS = statement(
  'ledger.find_hours',
  {
    values: [listOf(text()), listOf(text()), listOf(time())],
    row: { marketId: text(), vaultId: text(), hour: time(), index: whole(), factor: whole() },
  },
  `SELECT market_id AS "marketId", vault_id AS "vaultId", hour, share_index AS index, factor
     FROM snapshots JOIN unnest($1::text[], $2::text[], $3::timestamptz[]) AS asked(market, vault, at) ON market_id = market AND vault_id = vault AND hour = at`,
);

type Terms = RowFrom<typeof FIND_TERMS>;

/** Accrual over a change of its partner's terms, and what the position was worth in the books before it. */
export interface TermsSpan {
  positionId: string;
  entryId: string;
  marketId: string;
  vaultId: string;
  shares: bigint;
  inBooks: bigint;
  change: Date;
}

/** Terms of partners by the time from which they hold: a second implementation of the rule in `accruals.ts`. */
export class PartnerTermsOf {
  private constructor(private readonly terms: ReadonlyMap<string, readonly Terms[]>) {}

  static async read(store: Store, partnerIds: readonly string[]): Promise<PartnerTermsOf> {
    const rows = await store.query(FIND_TERMS, [[...new Set(partnerIds)]]);
    return new PartnerTermsOf(Map.groupBy(rows, ({ partnerId }) => partnerId));
  }

  /** Terms at which yield up to a moment is settled; null: the partner has none. */
  at(partnerId: string, moment: Date): Terms | null {
    const terms = this.terms.get(partnerId) ?? [];
    return terms.findLast(({ fromAt }) => fromAt < moment) ?? terms[0] ?? null;
  }

  /** Changes between two moments, at which yield is posted. */
  changesBetween(partnerId: string, after: Date, before: Date): Date[] {
    const terms = this.terms.get(partnerId) ?? [];
    if (terms.length < 2) return [];
    return terms.slice(1).flatMap(({ fromAt }) => (fromAt > after && fromAt < before ? [fromAt] : []));
  }
}

/** Yield is posted at each change of terms: an accrual spans one only if the position had earned less than a micro-unit. */
export async function checkSpanning(
  store: Store,
  spans: readonly TermsSpan[],
  differs: ReportDifference,
): Promise<void> {
  if (spans.length === 0) return;
  const keyOf = (marketId: string, vaultId: string, hour: Date): string =>
    `${marketId} ${vaultId} ${hour.getTime()}`;
  const requested = new Map(
    spans.map(({ marketId, vaultId, change }) => {
      const hour = hourOf(change);
      return [keyOf(marketId, vaultId, hour), { marketId, vaultId, hour }];
    }),
  );
  const wanted = [...requested.values()];
  const rows = await store.query(FIND_HOURS, [
    wanted.map(({ marketId }) => marketId),
    wanted.map(({ vaultId }) => vaultId),
    wanted.map(({ hour }) => hour),
  ]);
  const hours = new Map(rows.map((row) => [keyOf(row.marketId, row.vaultId, row.hour), row]));
  for (const { positionId, entryId, marketId, vaultId, shares, inBooks, change } of spans) {
    const at = change.toISOString();
    const hour = hours.get(keyOf(marketId, vaultId, hourOf(change)));
    if (!hour)
      differs(
        positionId,
        `entry ${entryId} spans the change of terms at ${at}, an hour that ${vaultId} does not have`,
      );
    else if (
      valueOf(shares, indexWithin(hour.index, hour.factor, change.getTime() - hour.hour.getTime())) !==
      inBooks
    )
      differs(
        positionId,
        `entry ${entryId} spans the change of terms at ${at}, but yield should have been posted there`,
      );
  }
}
