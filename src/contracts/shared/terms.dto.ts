import type { Terms } from '../../domain/tenants/partners/terms.service.js';
import { ACTIVE_OR_DISABLED, type ActiveOrDisabled } from '../../domain/tenants/partners/partner.entity.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

const KINDS = ['fee', 'campaign'] as const;
type Kind = (typeof KINDS)[number];

export class PartnerTerms {
  @Shown.kind('partner_terms') object: 'partner_terms';
  @Shown.choice(KINDS, "`fee`: of the performance fee. `campaign`: of a campaign's points.", 'fee')
  kind: Kind;
  @Shown.time('From when they hold. An accrual dated exactly then is settled at the terms before.')
  from: string;
  @ShownOrNull.time('When the next ones began; null: they hold.', { example: null }) until: string | null;
  @ShownOrNull.integer('Performance fee, in basis points of yield beyond carried losses.', 1000)
  performance_fee_bps: number | null;
  @ShownOrNull.integer("The partner's share of the fee, in basis points.", 4000)
  revenue_share_bps: number | null;
  @ShownOrNull.id('cmp', 'The campaign; null for a fee, as are all fields below.')
  campaign_id: string | null;
  @ShownOrNull.choice(ACTIVE_OR_DISABLED, 'A disabled campaign multiplies no points.', null)
  status: ActiveOrDisabled | null;
  @ShownOrNull.asset('Only positions of this asset join it; null: of every asset.') asset: string | null;
  @ShownOrNull.number('Multiplier of points while the campaign runs, at most two decimals.', null)
  points_multiplier: number | null;
  @ShownOrNull.time('When the campaign begins.', { example: null }) starts_at: string | null;
  @ShownOrNull.time('When it ends; null: open end.', { example: null }) ends_at: string | null;
}

const kindOf = (campaignId: string | null): Kind => (campaignId === null ? 'fee' : 'campaign');

export const termsView = viewOf(
  PartnerTerms,
  ({ campaignId, fromAt, untilAt, multiplierHundredths }: Terms) => ({
    kind: kindOf(campaignId),
    from: fromAt.toISOString(),
    until: untilAt?.toISOString() ?? null,
    points_multiplier: multiplierHundredths === null ? null : multiplierHundredths / 100,
  }),
);

const DESCRIPTION =
  'with the times from which they held, newest first: the performance fee and its share, and of each campaign what its points depend on. Terms that ended stay. Each accrual of the ledger has the fee and share at which it is settled; points follow from the ledger and the terms of campaigns.';

export const TERMS_OPERATION = {
  description: (whose: string): string => `${whose} ${DESCRIPTION}`,
  success: { object: 'list', data: PartnerTerms, description: 'A page of terms.' },
  extension: true,
} as const;
