import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { InsightService } from '../../domain/reporting/insight.service.js';
import { UpliftService } from '../../domain/reporting/uplift.service.js';
import { BoundPartnerId, PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import { REGIME_DESCRIPTION, RegimeQuery } from '../shared/regime.dto.js';
import { upliftAsked, UpliftQuery } from '../shared/uplift.dto.js';
import { RegimeDto, regimeView } from './regime.dto.js';
import { UpliftDto, upliftView } from './uplift.dto.js';

/** The contract's document has the literal kind `object` in both answers. */
const OBJECT = 'object';

@ApiTags('Analytics')
@Controller('analytics')
export class PartnerAnalyticsController {
  constructor(
    private readonly insights: InsightService,
    private readonly uplifts: UpliftService,
    private readonly market: MarketService,
  ) {}

  @Get('regime')
  @Operation({
    summary: 'Read the rate regime',
    description: `${REGIME_DESCRIPTION} With too little history it is \`unknown\`, at once: never guessed.`,
    access: { scopes: ['read', 'partner:read'] },
    success: { object: OBJECT, data: RegimeDto, description: 'The regime.' },
  })
  async readRegime(
    @BoundPartnerId() partnerId: string | null,
    @Query() { asset }: RegimeQuery,
  ): Promise<RegimeDto> {
    const report = await this.insights.regime(this.market.marketOf(partnerId), asset);
    return regimeView(report);
  }

  @Get('uplift')
  @Operation({
    summary: 'Read the uplift',
    description:
      "What routing brought your end-users over the lending vault of each asset, to which each deposit and withdrawal is applied as well; and what it would bring at today's rates.",
    access: { scopes: ['partner:read'], partner: true },
    success: { object: OBJECT, data: UpliftDto, description: 'The uplift.' },
  })
  async readUplift(@PartnerId() partnerId: string, @Query() query: UpliftQuery): Promise<UpliftDto> {
    const uplift = await this.uplifts.read(partnerId, upliftAsked(query));
    return upliftView(uplift);
  }
}
