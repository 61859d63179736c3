import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { InsightService } from '../../domain/reporting/insight.service.js';
import { BoundPartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, Paging } from '../../http/request/paging.js';
import { SignalDto, SignalsQuery, signalView } from './insight.dto.js';

@ApiTags('Analytics')
@Controller('analytics')
export class SignalsController {
  constructor(
    private readonly insights: InsightService,
    private readonly market: MarketService,
    private readonly paging: Paging,
  ) {}

  @Get('signals')
  @Operation({
    summary: 'List signals',
    description:
      'Every vault with what the last week of hourly snapshots says of its yield, ranked by `expected_risk_adjusted_apy`: the yield to expect over the ' +
      'next 10 days, discounted by risk. `risk_adjusted_apy` is the same of the yield of now. With too little history, what it takes is null: nothing is ' +
      'guessed. `insufficient_history` is true exactly when `volatility` or `trend` is. The ranking is made anew each hour.',
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'list', data: SignalDto, description: 'A page of signals, best first.' },
  })
  listSignals(
    @BoundPartnerId() partnerId: string | null,
    @Query() query: SignalsQuery,
  ): Promise<Listed<SignalDto>> {
    const market = this.market.marketOf(partnerId);
    return this.paging.serve(
      ['signals', market, query.asset],
      query,
      (page) => this.insights.signalPage(market, query.asset, page),
      signalView,
    );
  }
}
