import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BASE_MARKET, MarketService } from '../../domain/markets/hours/market.service.js';
import { YieldHistoryService } from '../../domain/reporting/yield-history.service.js';
import { BoundPartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
import { PathVault } from '../../http/request/path.js';
import { VaultDto, VaultHistoryDto, vaultHistoryView, vaultView } from './vault.dto.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { requestedHistory, YieldHistoryQuery } from './yield-history.dto.js';

@ApiTags('Vaults')
@Controller('vaults')
export class VaultsController {
  constructor(
    private readonly market: MarketService,
    private readonly histories: YieldHistoryService,
    private readonly paging: Paginator,
  ) {}

  @Get()
  @Operation({
    summary: 'List vaults',
    description:
      'The vaults that deposits are routed between, ordered by id, with their last observed yield; null where unknown.',
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'list', data: VaultDto, description: 'A page of vaults.' },
    extension: true,
  })
  listVaults(@BoundPartnerId() partnerId: string | null, @Query() query: PageQuery) {
    const marketId = this.market.marketOf(partnerId);
    return this.paging.serve(
      ['vaults', marketId],
      query,
      (page) => this.market.list(page, marketId),
      vaultView,
    );
  }

  @Get(':id/history')
  @Operation({
    summary: "Read a vault's history",
    description:
      'Observed yield and assets of a vault by hour or by day, with its signal and share index. A sandbox account reads its own market.',
    access: { scopes: ['read', 'partner:read'] },
    success: { object: 'vault_history', data: VaultHistoryDto, description: 'The series.' },
    spans: true,
    errors: ['not_found'],
    extension: true,
  })
  async readVaultHistory(
    @BoundPartnerId() partnerId: string | null,
    @PathVault('The vault.') id: string,
    @Query() query: YieldHistoryQuery,
  ) {
    const market = this.market.marketOf(partnerId);
    return vaultHistoryView(await this.histories.readVault(market, id, requestedHistory(query)));
  }
}

/** The shared market's quarantines. */
@ApiTags('Vaults')
@Controller('vaults')
export class QuarantineController {
  constructor(private readonly market: MarketService) {}

  @Delete(':id/quarantine')
  @Operation({
    summary: "End a vault's quarantine",
    description:
      "Ends the vault's quarantine: it may take new funds again. If it is still in distress, the next hour quarantines it again.",
    access: { scopes: ['partner:admin'] },
    success: { object: 'vault', data: VaultDto, description: 'The updated vault.' },
    errors: ['not_found'],
    extension: true,
  })
  async endQuarantine(@PathVault('The vault.') id: string, @Recorded() recorded: RecordedWork) {
    return vaultView(await recorded(() => this.market.endQuarantine(BASE_MARKET, id)));
  }
}
