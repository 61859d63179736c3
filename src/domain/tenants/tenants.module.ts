import { Module } from '@nestjs/common';
import { KernelModule } from '../kernel/kernel.module.js';
import { Authenticator } from './access/authenticator.js';
import { KeySuspension } from './access/key-suspension.js';
import { KeyService } from './access/key.service.js';
import { SessionService } from './access/session.service.js';
import { SignInCodes } from './access/sign-in-code.service.js';
import { AuditChain } from './audit/audit-chain.js';
import { AuditedRecords } from './audit/audited-records.js';
import { AuditLog } from './audit/audit-log.js';
import { CampaignService } from './partners/campaign.service.js';
import { Custody } from './partners/custody.js';
import { PartnerService } from './partners/partner.service.js';
import { TermsService } from './partners/terms.service.js';
import { PolicyService } from './policies/policy.service.js';
import { UserService } from './users/user.service.js';

const OFFERED = [
  AuditChain,
  AuditedRecords,
  AuditLog,
  Authenticator,
  CampaignService,
  Custody,
  KeyService,
  KeySuspension,
  PartnerService,
  PolicyService,
  SessionService,
  SignInCodes,
  TermsService,
  UserService,
];

/** Partners with their keys, sessions, end-users, campaigns and policies. */
@Module({
  imports: [KernelModule],
  providers: OFFERED,
  exports: OFFERED,
})
export class TenantsModule {}
