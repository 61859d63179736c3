import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MarketService } from '../../domain/markets/market.service.js';
import { BoundPartnerId } from '../../http/exchange.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, PageQuery, Paging } from '../../http/paging.js';
import { Vault, vaultView } from './vault.dto.js';

@ApiTags('Vaults')
@Controller('vaults')
export class VaultsController {
  constructor(
    private readonly market: MarketService,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Operation({
    summary: 'List vaults',
    description:
      'The vaults that deposits are routed between, by id, each with its last observed yield. A yield that is not known is null, never 0.',
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'list', data: Vault, description: 'A page of vaults.' },
    extension: true,
  })
  listVaults(@BoundPartnerId() partnerId: string | null, @Query() query: PageQuery): Promise<Listed<Vault>> {
    const marketId = this.market.marketOf(partnerId);
    return this.paging.serve(
      ['vaults', marketId],
      query,
      (page) => this.market.list(page, marketId),
      vaultView,
    );
  }
}
