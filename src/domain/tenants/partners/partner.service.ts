import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { ApiKey } from '../access/api-key.entity.js';
import { type CreatedKey, KeyService } from '../access/key.service.js';
import { PARTNER_KEY_SCOPES } from '../access/scope.js';
import { Clock } from '../../kernel/clock.js';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { notFound } from '../../kernel/domain-error.js';
import { isId, newId } from '../../kernel/identifier.js';
import { differs } from '../../kernel/store/changes.js';
import { columnsOf, integer, moment, orNull, recordOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { newestFirst, type Page, type PageRequest } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import { Custody } from './custody.js';
import { type ActiveOrDisabled, Partner } from './partner.entity.js';

type PartnerFields = Pick<
  Partner,
  'name' | 'contactEmail' | 'performanceFeeBps' | 'revenueShareBps' | 'custodyAccounts' | 'metadata'
>;

/** `keyLabel`: of the key that comes with the partner. */
type NewPartner = Pick<Partner, 'name'> & Partial<PartnerFields> & { keyLabel?: string };

type PartnerChange = Partial<PartnerFields & Pick<Partner, 'status'>>;

/** Terms from a moment on: earlier yield is settled at the earlier ones. */
const SET_TERMS = statement(
  'partners.set_terms',
  { values: [text(), time(), integer(), integer()], row: {} },
  `INSERT INTO partner_terms (partner_id, from_at, performance_fee_bps, revenue_share_bps) VALUES ($1, $2, $3, $4)
   ON CONFLICT (partner_id, from_at) DO UPDATE
      SET performance_fee_bps = excluded.performance_fee_bps, revenue_share_bps = excluded.revenue_share_bps`,
);

const PARTNER = recordOf(Partner);

/** $1/$2 keyset position (time, id), $3 rows, $4 status or null; the row of the deployment itself is left out. */
const LIST = statement(
  'partners.list',
  { values: [moment(), text(), integer(), orNull(text())], row: PARTNER },
  `SELECT ${columnsOf(PARTNER)} FROM partners
    WHERE (created_at, id) < ($1, $2) AND ($4::text IS NULL OR status = $4) AND id <> '${DEPLOYMENT}'
    ORDER BY created_at DESC, id DESC LIMIT $3::int`,
);

@Injectable()
export class PartnerService {
  /** Posts the yield of all of a partner's positions, before its terms change. Returns the moment from which the new ones hold. */
  postYieldAtOldTerms: (partnerId: string) => Promise<Date> = () => Promise.resolve(this.clock.now());

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly keys: KeyService,
    private readonly custody: Custody,
    private readonly settings: DomainSettings,
  ) {}

  /**
   * Creates a partner and a key bound to it (`partner:read`, `read`), both or neither.
   * @throws DomainError `custody_shared`, `validation_failed` (accounts)
   */
  async create(input: NewPartner): Promise<{ partner: Partner; apiKey: CreatedKey }> {
    return this.store.transaction(async () => {
      const now = this.clock.now();
      const partner: Partner = {
        id: newId('partner', now),
        name: input.name,
        status: 'active',
        contactEmail: input.contactEmail ?? null,
        performanceFeeBps: input.performanceFeeBps ?? this.settings.constants.revenue.performanceFeeBps,
        revenueShareBps: input.revenueShareBps ?? this.settings.constants.revenue.partnerShareBps,
        custodyAccounts: input.custodyAccounts ?? {},
        metadata: input.metadata ?? {},
        createdAt: now,
        updatedAt: now,
        disabledAt: null,
      };
      await this.custody.requireFree(partner.id, partner.custodyAccounts);
      await this.store.repository(Partner).insert(partner);
      await this.setTerms(partner, now);
      const apiKey = await this.keys.create({
        label: input.keyLabel ?? `${[...input.name].slice(0, 100).join('')} default key`,
        scopes: [...PARTNER_KEY_SCOPES],
        partnerId: partner.id,
      });
      return { partner, apiKey };
    });
  }

  async list(page: PageRequest, status?: ActiveOrDisabled): Promise<Page<Partner>> {
    return newestFirst((...after) => this.store.query(LIST, [...after, status ?? null]), page);
  }

  async get(id: string): Promise<Partner> {
    const partner = isId('partner', id) ? await this.store.repository(Partner).findOneBy({ id }) : null;
    if (!partner) throw notFound('partner');
    return partner;
  }

  /**
   * Disabling revokes every key of the partner and stops its deliveries; enabling restores no key.
   * @throws DomainError `not_found`, `custody_shared`, `validation_failed` (accounts)
   */
  async update(id: string, change: PartnerChange): Promise<Partner> {
    if (!isId('partner', id)) throw notFound('partner');
    return this.store.transaction(async () => {
      // The row lock serialises this with the creation of a key for the partner, so that the later one sees the earlier.
      const partners = this.store.repository(Partner);
      const partner = await partners.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!partner) throw notFound('partner');
      if (!differs(partner, change)) return partner;
      if (change.custodyAccounts) await this.custody.requireFree(id, change.custodyAccounts);
      const now = this.clock.now();
      const changed = { ...partner, ...change, updatedAt: now };
      if (change.status === 'active') changed.disabledAt = null;
      if (change.status === 'disabled') {
        changed.disabledAt = partner.disabledAt ?? now;
        await this.store
          .repository(ApiKey)
          .update({ partnerId: id, revokedAt: IsNull() }, { revokedAt: now });
      }
      await partners.update({ id }, changed);
      if (
        changed.performanceFeeBps !== partner.performanceFeeBps ||
        changed.revenueShareBps !== partner.revenueShareBps
      )
        await this.setTerms(changed, await this.postYieldAtOldTerms(id));
      return changed;
    });
  }

  private async setTerms({ id, performanceFeeBps, revenueShareBps }: Partner, from: Date): Promise<void> {
    await this.store.query(SET_TERMS, [id, from, performanceFeeBps, revenueShareBps]);
  }
}
