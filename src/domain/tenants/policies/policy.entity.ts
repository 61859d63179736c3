import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PolicyRules, RulesInForce } from './policy.js';

/** Version of a partner's policy. It never changes. */
@Entity('partner_policies')
export class PolicyVersion {
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
