import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type CustodyAccounts, inLowerCase } from '../../config/chains.js';
import { Settings } from '../../config/settings.js';
import { invalid } from '../../domain/kernel/domain-error.js';
import type { Partner } from '../../domain/tenants/partners/partner.entity.js';
import { PartnerService } from '../../domain/tenants/partners/partner.service.js';
import { TermsService } from '../../domain/tenants/partners/terms.service.js';
import { ReportService } from '../../domain/reporting/report.service.js';
import { defined } from '../../http/defined.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
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
import { TERMS_OPERATION, termsView } from './terms.dto.js';

const access = { scopes: ['partner:admin'] } as const;

@ApiTags('Partners')
@Controller('partners')
export class PartnersController {
  constructor(
    private readonly partners: PartnerService,
    private readonly terms: TermsService,
    private readonly reports: ReportService,
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
    liveErrors: ['custody_shared'],
  })
  createPartner(
    @Body() { key_label, ...body }: CreatePartnerInputDto,
    @Idempotent() once: Once<PartnerCreated>,
  ) {
    return once(async () => {
      const { partner, apiKey } = await this.partners.create({
        name: body.name,
        ...this.fields(body),
        ...defined({ keyLabel: key_label }),
      });
      return {
        object: 'partner_created',
        partner: this.view(partner, 0n),
        api_key: createdKeyView(apiKey, this.settings.environment),
      };
    });
  }

  @Get()
  @Operation({
    summary: 'List partners',
    description: 'All partners, newest first, with the value that each has now.',
    access,
    success: { object: 'list', data: PartnerDto, description: 'A page of partners.' },
  })
  listPartners(@Query() query: StatusQuery) {
    return this.paging.serve(
      ['partners', query.status],
      query,
      async (page) => {
        const { items, next } = await this.partners.list(page, query.status);
        const tvls = await this.reports.netTvls(items.map(({ id }) => id));
        return { items: items.map((partner) => ({ partner, netTvl: tvls.get(partner.id)! })), next };
      },
      ({ partner, netTvl }) => this.view(partner, netTvl),
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
    return this.valued(await this.partners.get(id));
  }

  @Get(':id/terms')
  @Operation({
    ...TERMS_OPERATION,
    summary: "List a partner's terms",
    description: TERMS_OPERATION.description("The partner's terms"),
    access,
  })
  listTermsOfPartner(@PathId('id', 'partner', 'The partner.') id: string, @Query() query: PageQuery) {
    return this.paging.serve(['terms of partner', id], query, (page) => this.terms.list(id, page), termsView);
  }

  @Patch(':id')
  @Operation({
    summary: 'Update a partner',
    description:
      'Changes the fields that are sent. `status: disabled` revokes all keys of the partner and stops its deliveries; its history stays. `status: active` enables it again but restores no key: create a new one.',
    access,
    success: { object: 'partner', data: PartnerDto, description: 'The updated partner.' },
    goesOn: true,
    liveErrors: ['custody_shared'],
  })
  async updatePartner(
    @PathId('id', 'partner', 'The partner.') id: string,
    @Body() body: UpdatePartnerInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    const change = { ...this.fields(body), ...defined({ name: body.name, status: body.status }) };
    return this.valued(await recorded(() => this.partners.update(id, change)));
  }

  private get isLive(): boolean {
    return this.settings.environment === 'live';
  }

  private async valued(partner: Partner): Promise<PartnerDto> {
    const tvls = await this.reports.netTvls([partner.id]);
    return this.view(partner, tvls.get(partner.id)!);
  }

  /** What is simulated is in nobody's custody. */
  private view({ custodyAccounts, ...partner }: Partner, netTvl: bigint): PartnerDto {
    return partnerView({ ...partner, netTvl, ...(this.isLive && { custodyAccounts }) });
  }

  private fields(body: Omit<UpdatePartnerInputDto, 'name' | 'status'>) {
    const accounts = body.custody_accounts;
    if (accounts && !this.isLive) throw invalid('custody_accounts', 'is not a known field');
    return defined({
      contactEmail: body.contact_email,
      performanceFeeBps: body.performance_fee_bps,
      revenueShareBps: body.revenue_share_bps,
      custodyAccounts: accounts && custodyAccountsOf(accounts),
      metadata: body.metadata,
    });
  }
}

const custodyAccountsOf = (accounts: Record<string, string[]>): CustodyAccounts =>
  Object.fromEntries(Object.entries(accounts).map(([chain, listed]) => [chain, inLowerCase(listed)]));
