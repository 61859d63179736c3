import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { InsightService } from '../../domain/reporting/insight.service.js';
import { BoundPartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { SignalDto, SignalsQuery, signalView } from './insight.dto.js';

@ApiTags('Analytics')
@Controller('analytics')
export class SignalsController {
  constructor(
    private readonly insights: InsightService,
    private readonly market: MarketService,
    private readonly paging: Paginator,
  ) {}

  @Get('signals')
  @Operation({
    summary: 'List signals',
    description:
      'Every vault, ranked each hour by `expected_risk_adjusted_apy`: the yield expected over the next 10 days, discounted for risk. `risk_adjusted_apy` discounts the current yield. Figures that need more history are null.',
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'list', data: SignalDto, description: 'A page of signals, best first.' },
  })
  listSignals(@BoundPartnerId() partnerId: string | null, @Query() query: SignalsQuery) {
    const market = this.market.marketOf(partnerId);
    return this.paging.serve(
      ['signals', market, query.asset],
      query,
      (page) => this.insights.signalPage(market, query.asset, page),
      signalView,
    );
  }
}
