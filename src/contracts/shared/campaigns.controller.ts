import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CampaignService } from '../../domain/tenants/partners/campaign.service.js';
import { defined } from '../../http/defined.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { CampaignDto, campaignView, CreateCampaignInputDto, UpdateCampaignInputDto } from './campaign.dto.js';
import { StatusQuery } from './partner.dto.js';

const access = { scopes: ['partner:admin'] } as const;

@ApiTags('Campaigns')
@Controller('partners/:id/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly paging: Paginator,
  ) {}

  @Post()
  @Operation({
    summary: 'Create a campaign',
    description: "Creates a campaign: a period in which the partner's deposits earn more points.",
    access,
    success: { status: 201, object: 'campaign', data: CampaignDto, description: 'The campaign.' },
  })
  createCampaign(
    @PathId('id', 'partner', 'The partner.') partnerId: string,
    @Body() body: CreateCampaignInputDto,
    @Idempotent() once: Once<CampaignDto>,
  ) {
    return once(async () => {
      const campaign = await this.campaigns.create(partnerId, { name: body.name, ...terms(body) });
      return campaignView(campaign);
    });
  }

  @Get()
  @Operation({
    summary: 'List campaigns',
    description: 'All campaigns of the partner, newest first.',
    access,
    success: { object: 'list', data: CampaignDto, description: 'A page of campaigns.' },
  })
  listCampaigns(@PathId('id', 'partner', 'The partner.') partnerId: string, @Query() query: StatusQuery) {
    return this.paging.serve(
      ['campaigns', partnerId, query.status],
      query,
      (page) => this.campaigns.list(partnerId, page, query.status),
      campaignView,
    );
  }

  @Patch(':campaignId')
  @Operation({
    summary: 'Update a campaign',
    description: 'Changes the fields that are sent. Disabling a campaign does not delete it.',
    access,
    success: { object: 'campaign', data: CampaignDto, description: 'The updated campaign.' },
    errors: ['quota_exceeded'],
  })
  async updateCampaign(
    @PathId('id', 'partner', 'The partner.') partnerId: string,
    @PathId('campaignId', 'campaign', 'The campaign.') id: string,
    @Body() body: UpdateCampaignInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    const change = { ...terms(body), ...defined({ name: body.name, status: body.status }) };
    return campaignView(await recorded(() => this.campaigns.update(partnerId, id, change)));
  }
}

const terms = (body: Omit<CreateCampaignInputDto, 'name'>) =>
  defined({
    asset: body.asset,
    multiplierHundredths:
      body.points_multiplier === undefined ? undefined : Math.round(body.points_multiplier * 100),
    startsAt: body.starts_at === undefined ? undefined : new Date(body.starts_at),
    endsAt: body.ends_at == null ? body.ends_at : new Date(body.ends_at),
    metadata: body.metadata,
  });
