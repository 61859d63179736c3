import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Settings } from '../../config/settings.js';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import { YieldHistoryService } from '../../domain/reporting/yield-history.service.js';
import { deprecation, Operation } from '../../http/openapi/operation.js';
import { BoundPartnerId, PartnerId } from '../../http/access/caller.js';
import { PathAsset } from '../../http/request/path.js';
import {
  requestedHistory,
  YieldHistoryDto,
  YieldHistoryQuery,
  yieldHistoryView,
} from './yield-history.dto.js';

const success = {
  object: 'yield_history',
  data: YieldHistoryDto,
  description: 'The series and its averages.',
};
/** The alias has been deprecated since the first version. */
const ALIAS_DEPRECATED = new Date('2026-11-01T00:00:00.000Z');
/** Date of the alias's removal; null: not set yet. */
const ALIAS_SUNSET: Date | null = null;

@ApiTags('Yields')
@Controller()
export class YieldHistoryController {
  constructor(
    private readonly histories: YieldHistoryService,
    private readonly market: MarketService,
    private readonly settings: Settings,
  ) {}

  @Get('yield/history/:asset')
  @Operation({
    summary: "Read an asset's yield history",
    description:
      "Blended yield of an asset's active vaults by hour or by day, weighted by their size in the market, not by funds held here. An unknown value is null or left out, never 0.",
    access: { scopes: ['read', 'partner:read'] },
    success,
    spans: true,
  })
  async readYieldHistory(
    @BoundPartnerId() partnerId: string | null,
    @PathAsset('The asset.') asset: string,
    @Query() query: YieldHistoryQuery,
  ) {
    const market = this.market.marketOf(partnerId);
    return yieldHistoryView(await this.histories.readAsset(market, asset, requestedHistory(query)));
  }

  @Get('partner/yield/history/:asset')
  @Operation({
    summary: "Read an asset's yield history (alias)",
    description:
      'Deprecated: use `GET /yield/history/{asset}`, which returns the same and accepts any reading key.',
    access: { scopes: ['partner:read'], partner: true },
    success,
    spans: true,
    deprecated: true,
  })
  async readPartnerYieldHistory(
    @Res({ passthrough: true }) response: Response,
    @PartnerId() partnerId: string,
    @PathAsset('The asset.') asset: string,
    @Query() query: YieldHistoryQuery,
  ) {
    const history = await this.readYieldHistory(partnerId, asset, query);
    const { publicUrl, apiRoot } = this.settings;
    const successor = `${publicUrl ?? ''}/${apiRoot}/yield/history/${asset}`;
    response.set(deprecation(ALIAS_DEPRECATED, successor, ALIAS_SUNSET));
    return history;
  }
}
