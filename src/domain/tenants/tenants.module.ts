import { Module } from '@nestjs/common';
import { KernelModule } from '../kernel/kernel.module.js';
import { Authenticator } from './access/authenticator.js';
import { KeyService } from './access/key.service.js';
import { SessionService } from './access/session.service.js';
import { SignInCodes } from './access/sign-in-code.service.js';
import { CampaignService } from './partners/campaign.service.js';
import { PartnerService } from './partners/partner.service.js';
import { PolicyService } from './policies/policy.service.js';
import { UserService } from './users/user.service.js';

/** Partners with their keys, sessions, end-users, campaigns and policies. */
@Module({
  imports: [KernelModule],
  providers: [
    Authenticator,
    CampaignService,
    KeyService,
    PartnerService,
    PolicyService,
    SessionService,
    SignInCodes,
    UserService,
  ],
  exports: [
    Authenticator,
    CampaignService,
    KeyService,
    PartnerService,
    PolicyService,
    SessionService,
    SignInCodes,
    UserService,
  ],
})
export class TenantsModule {}
