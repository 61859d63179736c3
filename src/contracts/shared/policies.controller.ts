import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PolicyService } from '../../domain/tenants/policies/policy.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/request/path.js';
import { PartnerPolicyDto, PolicyInputDto, PolicyQuery, policyView, rulesOf } from './policy.dto.js';

const versionOf = ({ version }: PolicyQuery): number | undefined =>
  version === undefined ? undefined : Number(version);

const partnerAccess = { scopes: ['partner:read'], partner: true } as const;
const administratorAccess = { scopes: ['partner:admin'] } as const;

@ApiTags('Policies')
@Controller()
export class PoliciesController {
  constructor(private readonly policies: PolicyService) {}

  @Get('partner/policy')
  @Operation({
    summary: 'Read your policy',
    description:
      "Your rules for where funds may go, the administrator's bounds, and the rules in force. Each decision names the policy version that applied.",
    access: partnerAccess,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy.' },
    errors: ['not_found'],
    extension: true,
  })
  async readPolicy(@PartnerId() partnerId: string, @Query() query: PolicyQuery) {
    return policyView(await this.policies.read(partnerId, versionOf(query)));
  }

  @Put('partner/policy')
  @Operation({
    summary: 'Replace your policy',
    description:
      "Replaces your policy; omitted exposure limits stay. New deposits follow it at once; funds in a vault that it forbids leave in the next hour, largest positions first, for the best allowed vault or cash, and pay for the move. A rule wider than the administrator's bound is refused; null means the bound.",
    access: partnerAccess,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The updated policy.' },
    errors: ['policy_out_of_bounds'],
    goesOn: true,
    changes: 'policy',
    extension: true,
  })
  async replacePolicy(
    @PartnerId() partnerId: string,
    @Body() body: PolicyInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    return policyView(await recorded(() => this.policies.set(partnerId, rulesOf(body))));
  }

  @Get('partners/:id/policy')
  @Operation({
    summary: "Read a partner's policy",
    description: "The partner's policy, its bounds, and the rules in force.",
    access: administratorAccess,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The policy.' },
    extension: true,
  })
  async readPartnerPolicy(@PathId('id', 'partner', 'The partner.') id: string, @Query() query: PolicyQuery) {
    return policyView(await this.policies.read(id, versionOf(query)));
  }

  @Put('partners/:id/policy')
  @Operation({
    summary: "Bound a partner's policy",
    description:
      "Replaces the bounds of a partner's policy; omitted exposure limits stay. The partner may set narrower rules, never wider ones. Its policy stays as it is and applies within the bounds: see `in_force`.",
    access: administratorAccess,
    success: { object: 'partner_policy', data: PartnerPolicyDto, description: 'The updated policy.' },
    goesOn: true,
    changes: 'policy',
    extension: true,
  })
  async boundPartnerPolicy(
    @PathId('id', 'partner', 'The partner.') id: string,
    @Body() body: PolicyInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    return policyView(await recorded(() => this.policies.bound(id, rulesOf(body))));
  }
}
