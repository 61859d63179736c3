import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Settings } from '../../config/settings.js';
import { PartnerService } from '../../domain/tenants/partners/partner.service.js';
import { defined } from '../../http/defined.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { createdKeyView } from './key.dto.js';
import {
  CreatePartnerInputDto,
  PartnerCreated,
  PartnerDto,
  partnerView,
  StatusQuery,
  UpdatePartnerInputDto,
} from './partner.dto.js';

const access = { scopes: ['partner:admin'] } as const;

@ApiTags('Partners')
@Controller('partners')
export class PartnersController {
  constructor(
    private readonly partners: PartnerService,
    private readonly paging: Paginator,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Operation({
    summary: 'Create a partner',
    description:
      'Creates a partner and its first key. Only this answer shows the full `secret` of that key. A session cannot create keys, so it cannot create partners.',
    access: { ...access, session: false },
    success: {
      status: 201,
      object: 'partner_created',
      data: PartnerCreated,
      description: 'The partner and its first key.',
    },
  })
  createPartner(
    @Body() { key_label, ...body }: CreatePartnerInputDto,
    @Idempotent() once: Once<PartnerCreated>,
  ) {
    return once(async () => {
      const { partner, apiKey } = await this.partners.create({
        name: body.name,
        ...fields(body),
        ...defined({ keyLabel: key_label }),
      });
      return {
        object: 'partner_created',
        partner: partnerView(partner),
        api_key: createdKeyView(apiKey, this.settings.environment),
      };
    });
  }

  @Get()
  @Operation({
    summary: 'List partners',
    description: 'All partners, newest first.',
    access,
    success: { object: 'list', data: PartnerDto, description: 'A page of partners.' },
  })
  listPartners(@Query() query: StatusQuery) {
    return this.paging.serve(
      ['partners', query.status],
      query,
      (page) => this.partners.list(page, query.status),
      partnerView,
    );
  }

  @Get(':id')
  @Operation({
    summary: 'Get a partner',
    description: 'One partner, active or disabled.',
    access,
    success: { object: 'partner', data: PartnerDto, description: 'The partner.' },
  })
  async getPartner(@PathId('id', 'partner', 'The partner.') id: string) {
    return partnerView(await this.partners.get(id));
  }

  @Patch(':id')
  @Operation({
    summary: 'Update a partner',
    description:
      'Changes the fields that are sent. `status: disabled` revokes all keys of the partner and stops its deliveries; its history stays. `status: active` enables it again but restores no key: create a new one.',
    access,
    success: { object: 'partner', data: PartnerDto, description: 'The updated partner.' },
    goesOn: true,
  })
  async updatePartner(
    @PathId('id', 'partner', 'The partner.') id: string,
    @Body() body: UpdatePartnerInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    const change = { ...fields(body), ...defined({ name: body.name, status: body.status }) };
    return partnerView(await recorded(() => this.partners.update(id, change)));
  }
}

const fields = (body: Omit<UpdatePartnerInputDto, 'name' | 'status'>) =>
  defined({
    contactEmail: body.contact_email,
    performanceFeeBps: body.performance_fee_bps,
    revenueShareBps: body.revenue_share_bps,
    metadata: body.metadata,
  });
