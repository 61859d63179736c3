import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { AdvisorService } from '../../domain/reporting/advisor.service.js';
import { InsightService } from '../../domain/reporting/insight.service.js';
import { UpliftService } from '../../domain/reporting/uplift.service.js';
import { BoundPartnerId, PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import { REGIME_DESCRIPTION, RegimeQuery } from '../shared/regime.dto.js';
import { upliftAsked, UpliftQuery } from '../shared/uplift.dto.js';
import { Advisor, advisorView } from './advisor.dto.js';
import { SandboxRegime, regimeView } from './regime.dto.js';
import { UpliftReport, upliftView } from './uplift.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Analytics')
@Controller('analytics')
export class SandboxAnalyticsController {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly advisor: AdvisorService,
    private readonly market: MarketService,
  ) {}

  @Get('regime')
  @Operation({
    summary: 'Read the rate regime',
    description: `${REGIME_DESCRIPTION} With too little history it is null, at once: never guessed.`,
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'regime', data: SandboxRegime, description: 'The regime.' },
  })
  async readRegime(
    @BoundPartnerId() partnerId: string | null,
    @Query() { asset }: RegimeQuery,
  ): Promise<SandboxRegime> {
    const report = await this.insights.regime(this.market.marketOf(partnerId), asset);
    return regimeView(report);
  }

  @Get('uplift')
  @Operation({
    summary: 'Read the uplift',
    description:
      "What routing brought your end-users over two passive baselines, to which each deposit and withdrawal is applied as well: the lending vault of each asset, and the vault that each position began in. And what it would bring at today's rates.",
    access,
    success: { object: 'uplift', data: UpliftReport, description: 'The uplift.' },
  })
  async readUplift(@PartnerId() partnerId: string, @Query() query: UpliftQuery): Promise<UpliftReport> {
    const uplift = await this.uplifts.read(partnerId, upliftAsked(query));
    return upliftView(uplift);
  }

  @Get('advisor')
  @Operation({
    summary: 'Read the strategy summary',
    description:
      'How yields behave, the best vaults after risk, and what routing brought, in figures and in sentences made from templates: they say nothing that the figures do not.',
    access,
    success: { object: 'advisor', data: Advisor, description: 'The summary.' },
  })
  async readAdvice(@PartnerId() partnerId: string): Promise<Advisor> {
    return advisorView(await this.advisor.advise(partnerId));
  }
}
