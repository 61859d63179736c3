import { Injectable } from '@nestjs/common';
import { bestCampaign, type CampaignOffer, CampaignTimes } from '../../books/positions/points.js';
import type { Flow } from '../../books/positions/position.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, notFound } from '../../kernel/domain-error.js';
import { instant, json, jsonb, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import type { Partner } from '../../tenants/partners/partner.entity.js';
import type { Policy } from '../../tenants/policies/policy.js';
import { policyOf } from '../../tenants/policies/policy.service.js';
import type { UserStatus } from '../../tenants/users/user.entity.js';

type OfferRow = Omit<CampaignOffer, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string | null };

/**
 * Status of a user and of its partner, and the partner's active campaigns for asset $2. $3: partner that the user must belong to, or null. $4: the wall
 * clock's now; a campaign that has ended by then has ended in every market, and is not read, because their number only grows. Share-locks the user
 * until commit, so that it is neither blocked nor deleted; a concurrent change is waited for.
 */
const FIND_DEPOSITOR = statement(
  'transfers.find_depositor',
  {
    values: [text(), text(), orNull(text()), time()],
    row: {
      userStatus: text<UserStatus>(),
      partnerId: text(),
      partnerStatus: text<Partner['status']>(),
      policy: orNull(jsonb<Policy>()),
      campaigns: json<OfferRow[]>(),
    },
  },
  `SELECT u.status AS "userStatus", p.id AS "partnerId", p.status AS "partnerStatus", ${policyOf('p.id')} AS policy,
          (SELECT coalesce(json_agg(json_build_object('id', c.id, 'asset', c.asset, 'multiplierHundredths', c.multiplier_hundredths,
                    'startsAt', c.starts_at, 'endsAt', c.ends_at)), '[]')
             FROM campaigns c WHERE c.partner_id = p.id AND c.status = 'active' AND (c.asset IS NULL OR c.asset = $2)
                AND (c.ends_at IS NULL OR c.ends_at > $4)) AS campaigns
     FROM users u JOIN partners p ON p.id = u.partner_id
    WHERE u.id = $1 AND ($3::text IS NULL OR u.partner_id = $3)
      FOR SHARE OF u`,
);

/** Who deposits: the user's partner, its policy and its campaigns for the asset. */
export interface Depositor {
  partnerId: string;
  policy: Policy | null;
  campaigns: CampaignOffer[];
}

/** End-users who may deposit. */
@Injectable()
export class Depositors {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly times: CampaignTimes,
  ) {}

  /** @throws DomainError `not_found` (user), `partner_disabled`, `user_blocked` */
  async find(userId: string, asset: string, partnerId: string | null): Promise<Depositor> {
    const [row] = await this.store.query(FIND_DEPOSITOR, [userId, asset, partnerId, this.clock.now()]);
    if (!row) throw notFound('user');
    if (row.partnerStatus === 'disabled')
      throw new DomainError('partner_disabled', 'The partner is disabled: its deposits are refused.');
    if (row.userStatus === 'blocked')
      throw new DomainError(
        'user_blocked',
        'The user is blocked: deposits are refused, withdrawals stay possible.',
      );
    const campaigns = row.campaigns.map(({ startsAt, endsAt, ...offer }) => ({
      ...offer,
      startsAt: instant(startsAt),
      endsAt: endsAt === null ? null : instant(endsAt),
    }));
    return { partnerId: row.partnerId, policy: row.policy, campaigns };
  }

  /** The campaign that a position opened at a moment joins, null: none, and the time by which it earns points. */
  async campaignAt(
    { campaigns }: Depositor,
    asset: string,
    at: Date,
  ): Promise<{ campaignId: string | null; time: Flow['time'] }> {
    const campaignId = bestCampaign(campaigns, asset, at)?.id ?? null;
    return { campaignId, time: await this.times.at(campaignId, at) };
  }
}
