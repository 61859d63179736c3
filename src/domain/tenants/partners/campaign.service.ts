import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { invalid, notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import { differs } from '../../kernel/store/changes.js';
import { columnsOf, integer, moment, orNull, recordOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { newestFirst, type Page, type PageRequest } from '../../kernel/store/page.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import type { ActiveOrDisabled, Metadata } from './partner.entity.js';
import { PartnerService } from './partner.service.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Period in which a partner's deposits earn more points. A disabled campaign stays stored. */
@Entity('campaigns')
export class Campaign {
  @PrimaryColumn('text') id: string;
  @Column('text') partnerId: string;
  @Column('text') name: string;
  @Column('text') status: ActiveOrDisabled;
  /** null: every asset of the deployment. */
  @Column('text', { nullable: true }) asset: string | null;
  /** 100..1000: 150 is a multiplier of 1.5. */
  @Column('int') multiplierHundredths: number;
  @Column('timestamptz') startsAt: Date;
  @Column('timestamptz', { nullable: true }) endsAt: Date | null;
  @Column('jsonb') metadata: Metadata;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
}

/** Terms of a campaign from a moment on, by its partner's market clock: points earned before stay unchanged. */
const SET_TERMS = statement(
  'campaigns.set_terms',
  {
    values: [
      text(),
      time(),
      text<ActiveOrDisabled>(),
      integer(),
      time(),
      orNull(time()),
      text(),
      orNull(text()),
    ],
    row: {},
  },
  `INSERT INTO campaign_terms (campaign_id, from_at, status, multiplier_hundredths, starts_at, ends_at, asset)
   SELECT $1, $2::timestamptz + coalesce((SELECT max(hours_ahead) FROM markets WHERE owner_id = $7), 0) * interval '1 hour', $3, $4::int,
          $5::timestamptz, $6::timestamptz, $8
   ON CONFLICT (campaign_id, from_at) DO UPDATE
      SET status = excluded.status, multiplier_hundredths = excluded.multiplier_hundredths, starts_at = excluded.starts_at,
          ends_at = excluded.ends_at, asset = excluded.asset`,
);

const CAMPAIGN = recordOf(Campaign);

/** $1 partner, $2/$3 keyset position (time, id), $4 rows, $5 status or null. */
const LIST = statement(
  'campaigns.list',
  { values: [text(), moment(), text(), integer(), orNull(text())], row: CAMPAIGN },
  `SELECT ${columnsOf(CAMPAIGN)} FROM campaigns
    WHERE partner_id = $1 AND (created_at, id) < ($2, $3) AND ($5::text IS NULL OR status = $5)
    ORDER BY created_at DESC, id DESC LIMIT $4::int`,
);

/** Fields that points depend on. A new name or note is no new version of the terms, all of which every transfer reads. */
const TERMS = ['status', 'asset', 'multiplierHundredths', 'startsAt', 'endsAt'] as const;

type CampaignFields = Pick<
  Campaign,
  'name' | 'asset' | 'multiplierHundredths' | 'startsAt' | 'endsAt' | 'metadata'
>;
type NewCampaign = Pick<Campaign, 'name'> & Partial<CampaignFields>;
type CampaignChange = Partial<CampaignFields & Pick<Campaign, 'status'>>;

@Injectable()
export class CampaignService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly partners: PartnerService,
    private readonly storageLimit: StorageLimit,
  ) {}

  /** @throws DomainError `not_found` (partner), `validation_failed` (asset, times), `quota_exceeded` */
  async create(partnerId: string, input: NewCampaign): Promise<Campaign> {
    await this.partners.get(partnerId);
    const now = this.clock.now();
    const campaign: Campaign = {
      id: newId('campaign', now),
      partnerId,
      name: input.name,
      status: 'active',
      asset: input.asset ?? null,
      multiplierHundredths: input.multiplierHundredths ?? 100,
      startsAt: input.startsAt ?? now,
      endsAt: input.endsAt ?? null,
      metadata: input.metadata ?? {},
      createdAt: now,
      updatedAt: now,
    };
    this.check(campaign);
    return this.store.transaction(async () => {
      this.storageLimit.requireRoom(partnerId, ['records']);
      await this.store.repository(Campaign).insert(campaign);
      await this.setTerms(campaign);
      return campaign;
    });
  }

  /** Newest first. @throws DomainError `not_found` (partner) */
  async list(partnerId: string, page: PageRequest, status?: ActiveOrDisabled): Promise<Page<Campaign>> {
    await this.partners.get(partnerId);
    return newestFirst((...after) => this.store.query(LIST, [partnerId, ...after, status ?? null]), page);
  }

  /** Changes the given fields. @throws DomainError `not_found`, `validation_failed` (asset, times), `quota_exceeded` */
  async update(partnerId: string, id: string, change: CampaignChange): Promise<Campaign> {
    if (!isId('partner', partnerId) || !isId('campaign', id)) throw notFound('campaign');
    return this.store.transaction(async () => {
      const campaigns = this.store.repository(Campaign);
      const campaign = await campaigns.findOne({
        where: { id, partnerId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!campaign) throw notFound('campaign');
      if (!differs(campaign, change)) return campaign;
      // No limit on other fields, so that a campaign can always be ended.
      if (change.metadata !== undefined) this.storageLimit.requireRoom(partnerId, ['records']);
      const changed: Campaign = { ...campaign, ...change, updatedAt: this.clock.now() };
      this.check(changed);
      await campaigns.update({ id }, changed);
      if (TERMS.some((name) => changed[name]?.valueOf() !== campaign[name]?.valueOf()))
        await this.setTerms(changed);
      return changed;
    });
  }

  private async setTerms(campaign: Campaign): Promise<void> {
    const { id, partnerId, updatedAt, status, asset, multiplierHundredths, startsAt, endsAt } = campaign;
    const terms = [id, updatedAt, status, multiplierHundredths, startsAt, endsAt] as const;
    await this.store.query(SET_TERMS, [...terms, partnerId, asset]);
  }

  private check({ asset, startsAt, endsAt }: Campaign): void {
    if (asset !== null) this.catalogue.requireAsset(asset);
    if (endsAt !== null && endsAt <= startsAt) throw invalid('ends_at', 'must be after starts_at');
  }
}
