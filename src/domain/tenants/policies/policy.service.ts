import { Injectable } from '@nestjs/common';
import { Column, Entity, LessThanOrEqual, PrimaryColumn } from 'typeorm';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, invalid, notFound } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { Store } from '../../kernel/store/store.js';
import {
  digestOf,
  loosened,
  narrow,
  NO_RULES,
  type Policy,
  type PolicyRules,
  type RulesInForce,
} from './policy.js';
import {
  exposureDefaults,
  exposureLimits,
  type ExposureLimits,
  type ExposureRules,
} from './exposure-limits.js';
import { Partner } from '../partners/partner.entity.js';

/** Version of a partner's policy. It never changes. */
@Entity('partner_policies')
class PolicyVersion {
  @PrimaryColumn('text') partnerId: string;
  @PrimaryColumn('int') version: number;
  @Column('timestamptz') at: Date;
  /** The partner's own rules, and the administrator's bounds: both apply. */
  @Column('jsonb') own: PolicyRules;
  @Column('jsonb') bounds: PolicyRules;
  @Column('jsonb') inForce: RulesInForce;
  @Column('text') digest: string;
}

/** SQL expression for a partner's newest policy: a `Policy`, or null. @param partner column with its id */
export const policyOf = (partner: string): string =>
  `(SELECT jsonb_build_object('version', pp.version, 'digest', pp.digest) || pp.in_force FROM partner_policies pp
     WHERE pp.partner_id = ${partner} ORDER BY pp.version DESC LIMIT 1)`;

export type PartnerPolicy = Omit<PolicyVersion, 'partnerId' | 'at'> & {
  at: Date | null;
  limits: ExposureLimits;
};

/** Rules of a request: limits on exposure that it leaves out stay as they are. */
export type GivenRules = Omit<PolicyRules, 'exposure'> & { exposure: Partial<ExposureRules> };

const completed = (request: GivenRules, current: PolicyRules): PolicyRules => ({
  ...request,
  exposure: { ...current.exposure, ...request.exposure },
});

const MAX_VERSIONS = 1_000;

type StoredVersion = Omit<PartnerPolicy, 'limits'>;

const NONE: StoredVersion = {
  version: 0,
  own: NO_RULES,
  bounds: NO_RULES,
  inForce: narrow(NO_RULES, NO_RULES),
  digest: digestOf(NO_RULES),
  at: null,
};

/** Policies: a partner's own rules for its funds, within an administrator's bounds. Each change creates an immutable version. */
@Injectable()
export class PolicyService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly settings: DomainSettings,
  ) {}

  /** The newest version of a partner's policy, or the given one. @throws DomainError `not_found` (partner, or a version that is no longer stored) */
  async read(partnerId: string, version?: number): Promise<PartnerPolicy> {
    const policy =
      version === undefined
        ? await this.newest(partnerId)
        : await this.store.repository(PolicyVersion).findOneBy({ partnerId, version });
    if (policy) return this.addLimits(policy);
    if (version !== undefined) throw notFound('policy version');
    // An unknown partner has no rules.
    const partner =
      isId('partner', partnerId) && (await this.store.repository(Partner).existsBy({ id: partnerId }));
    if (!partner) throw notFound('partner');
    return this.addLimits(NONE);
  }

  /** Rules in force for decisions on a partner's funds; undefined: only the service's own. */
  async findInForce(partnerId: string): Promise<Policy | undefined> {
    const policy = await this.newest(partnerId);
    return policy ? { version: policy.version, digest: policy.digest, ...policy.inForce } : undefined;
  }

  /** Replaces a partner's own rules as a whole; none may be wider than its bound. @throws DomainError `validation_failed`, `policy_out_of_bounds` */
  set(partnerId: string, request: GivenRules): Promise<PartnerPolicy> {
    return this.change(partnerId, request, (current) => {
      const { bounds } = current;
      const ownRules = completed(request, current.own);
      const wider = loosened(ownRules, bounds, exposureDefaults(this.settings));
      if (wider)
        throw new DomainError(
          'policy_out_of_bounds',
          `The policy is wider than its bound: ${wider.field} ${wider.message}. Nothing was changed.`,
          [wider],
        );
      return { own: ownRules, bounds };
    });
  }

  /**
   * Replaces a policy's bounds as a whole. Own rules stay stored and apply as far as these allow.
   * @throws DomainError `not_found`, `validation_failed`
   */
  bound(partnerId: string, request: GivenRules): Promise<PartnerPolicy> {
    return this.change(partnerId, request, ({ own, bounds }) => ({
      own,
      bounds: completed(request, bounds),
    }));
  }

  private async change(
    partnerId: string,
    request: GivenRules,
    next: (current: StoredVersion) => Pick<PartnerPolicy, 'own' | 'bounds'>,
  ): Promise<PartnerPolicy> {
    if (!isId('partner', partnerId)) throw notFound('partner');
    return this.store.transaction(async () => {
      // The lock serialises new versions of one partner.
      const partner = await this.store
        .repository(Partner)
        .findOne({ where: { id: partnerId }, lock: { mode: 'for_no_key_update' } });
      if (!partner) throw notFound('partner');
      this.checkVaults(request.allowedVaults ?? []);
      this.checkVenues(Object.keys(request.exposure.venue ?? {}));
      const current = (await this.newest(partnerId)) ?? NONE;
      const { own: ownRules, bounds } = next(current);
      const inForce = narrow(ownRules, bounds);
      // Unchanged rules create no version.
      if (digestOf(ownRules) === digestOf(current.own) && digestOf(bounds) === digestOf(current.bounds))
        return this.addLimits(current);
      const [version, at] = [current.version + 1, this.clock.now()];
      const policy: PolicyVersion = {
        partnerId,
        version,
        at,
        own: ownRules,
        bounds,
        inForce,
        digest: digestOf(inForce),
      };
      const versions = this.store.repository(PolicyVersion);
      await versions.insert(policy);
      // Decisions store a copy of the rules that they were made by.
      if (version > MAX_VERSIONS)
        await versions.delete({ partnerId, version: LessThanOrEqual(version - MAX_VERSIONS) });
      return this.addLimits(policy);
    });
  }

  private newest(partnerId: string): Promise<PolicyVersion | null> {
    return this.store.repository(PolicyVersion).findOne({ where: { partnerId }, order: { version: 'DESC' } });
  }

  private addLimits(version: StoredVersion): PartnerPolicy {
    const { exposure, exposureBounds } = version.inForce;
    return { ...version, limits: exposureLimits(exposureDefaults(this.settings), exposure, exposureBounds) };
  }

  private checkVaults(ids: readonly string[]): void {
    const vaultIds = this.catalogue.vaults.filter((vault) => !isIdle(vault)).map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      const field = `allowed_vaults[${index}]`;
      if (!vaultIds.includes(id))
        throw invalid(
          field,
          `must be a vault that GET /vaults lists; ${id} is not among them. Cash is always allowed`,
        );
      if (ids.indexOf(id) !== index) throw invalid(field, 'is named twice');
    }
  }

  private checkVenues(venues: readonly string[]): void {
    const listed = new Set(this.catalogue.vaults.filter((vault) => !isIdle(vault)).map(({ venue }) => venue));
    const unknown = venues.find((venue) => !listed.has(venue));
    if (unknown !== undefined)
      throw invalid(
        'max_venue_exposure',
        `must name venues of the vaults that GET /vaults lists: ${[...listed].join(', ')}. ${unknown} is not among them`,
      );
  }
}
