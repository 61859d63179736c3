import { Injectable } from '@nestjs/common';
import { integer, moment, orNull, rowCount, type RowOf, text, time } from '../../kernel/store/column.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import type { ActiveOrDisabled } from './partner.entity.js';
import { PartnerService } from './partner.service.js';

const TERMS = {
  /** The partner, or its campaign. */
  id: text(),
  fromAt: time(),
  /** When the next ones of the partner, or of the campaign, began; null: they hold. */
  untilAt: orNull(time()),
  performanceFeeBps: orNull(integer()),
  revenueShareBps: orNull(integer()),
  campaignId: orNull(text()),
  status: orNull(text<ActiveOrDisabled>()),
  /** null of a campaign: every asset. */
  asset: orNull(text()),
  multiplierHundredths: orNull(integer()),
  startsAt: orNull(time()),
  endsAt: orNull(time()),
};
/** Terms of a partner's fee, or of one of its campaigns: the fields of the other are null. */
export type Terms = RowOf<typeof TERMS>;

/** Terms of partner $1 that began before $2, newest first. $3/$4 keyset position (time, id), $5 rows. */
const LIST = statement(
  'terms.list',
  { values: [text(), moment(), moment(), text(), rowCount()], row: TERMS },
  `SELECT * FROM (
     SELECT partner_id AS id, from_at AS "fromAt", lead(from_at) OVER (ORDER BY from_at) AS "untilAt",
            performance_fee_bps AS "performanceFeeBps", revenue_share_bps AS "revenueShareBps", NULL AS "campaignId", NULL AS status,
            NULL AS asset, NULL::int AS "multiplierHundredths", NULL::timestamptz AS "startsAt", NULL::timestamptz AS "endsAt"
       FROM partner_terms WHERE partner_id = $1 AND from_at < $2
     UNION ALL
     SELECT t.campaign_id, t.from_at, lead(t.from_at) OVER (PARTITION BY t.campaign_id ORDER BY t.from_at), NULL, NULL, t.campaign_id, t.status,
            t.asset, t.multiplier_hundredths, t.starts_at, t.ends_at
       FROM campaigns c JOIN campaign_terms t ON t.campaign_id = c.id WHERE c.partner_id = $1 AND t.from_at < $2) AS terms
    WHERE ("fromAt", id) < ($3, $4) ORDER BY "fromAt" DESC, id DESC LIMIT $5`,
);

/** Terms of partners with the times from which they hold, all past ones included. */
@Injectable()
export class TermsService {
  constructor(
    private readonly store: Store,
    private readonly partners: PartnerService,
  ) {}

  /**
   * Newest first. @param before as they were known then: without later ones, which would end them
   * @throws DomainError `not_found` (partner)
   */
  async list(partnerId: string, { limit, after }: PageRequest, before?: Date): Promise<Page<Terms>> {
    await this.partners.get(partnerId);
    const rows = await this.store.query(LIST, [
      ...([partnerId, before ?? 'infinity'] as const),
      ...([after?.at ?? 'infinity', after?.id ?? '', limit + 1] as const),
    ]);
    return toPage(rows, limit, ({ fromAt, id }) => ({ at: fromAt, id }));
  }
}
