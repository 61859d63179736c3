import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PolicyService } from '../../domain/tenants/policies/policy.service.js';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { Recorded, type Recording } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/request/path.js';
import { PartnerPolicyDto, PolicyInputDto, PolicyQuery, policyView, rulesOf } from './policy.dto.js';

const versionOf = ({ version }: PolicyQuery): number | undefined =>
  version === undefined ? undefined : Number(version);

const own = { scopes: ['partner:read'], partner: true } as const;
const administration = { scopes: ['partner:admin'] } as const;

/** Policies for a partner's funds: its own rules, and an administrator's bounds. */
@ApiTags('Policies')
@Controller()
export class PoliciesController {
  constructor(private readonly policies: PolicyService) {}

  @Get('partner/policy')
  @Operation({
    summary: 'Read your policy',
    description:
      'What you ask of where your funds go, what an administrator bounds it by, and what is in force. Each decision names the version that it was made by.',
    access: own,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy.' },
    errors: ['not_found'],
    extension: true,
  })
  async readPolicy(@PartnerId() partnerId: string, @Query() query: PolicyQuery): Promise<PartnerPolicyDto> {
    return policyView(await this.policies.read(partnerId, versionOf(query)));
  }

  @Put('partner/policy')
  @Operation({
    summary: 'Replace your policy',
    description:
      "Replaces what you ask for, whole. Deposits follow it from now on; funds in a vault that it does not allow leave it in the next hour, the largest positions first, for the best vault that it does or for cash, and pay for the move. A rule that is wider than an administrator's bound is refused with that bound; null stands for the bound itself. The same once more changes nothing.",
    access: own,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy as it is now.' },
    errors: ['policy_out_of_bounds'],
    goesOn: true,
    changes: 'policy',
    extension: true,
  })
  async replacePolicy(
    @PartnerId() partnerId: string,
    @Body() body: PolicyInputDto,
    @Recorded() recorded: Recording,
  ): Promise<PartnerPolicyDto> {
    return policyView(await recorded(() => this.policies.set(partnerId, rulesOf(body))));
  }

  @Get('partners/:id/policy')
  @Operation({
    summary: "Read a partner's policy",
    description: 'What the partner asks for, its bounds, and what is in force.',
    access: administration,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy.' },
    extension: true,
  })
  async readPartnerPolicy(
    @PathId('id', 'partner', 'The partner.') id: string,
    @Query() query: PolicyQuery,
  ): Promise<PartnerPolicyDto> {
    return policyView(await this.policies.read(id, versionOf(query)));
  }

  @Put('partners/:id/policy')
  @Operation({
    summary: "Bound a partner's policy",
    description:
      "Replaces the bounds of a partner's policy, whole: the partner can ask for less, and for nothing wider. What it asks for stays as it is and holds as far as the bounds let it; `in_force` shows both together. The same once more changes nothing.",
    access: administration,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy as it is now.' },
    goesOn: true,
    changes: 'policy',
    extension: true,
  })
  async boundPartnerPolicy(
    @PathId('id', 'partner', 'The partner.') id: string,
    @Body() body: PolicyInputDto,
    @Recorded() recorded: Recording,
  ): Promise<PartnerPolicyDto> {
    return policyView(await recorded(() => this.policies.bound(id, rulesOf(body))));
  }
}
