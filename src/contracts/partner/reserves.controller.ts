import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Reserve } from '../../domain/reporting/reserves/reserve.js';
import { ReservesService, type ReservesViewer } from '../../domain/reporting/reserves/reserves.service.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { CurrentCaller } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import {
  ReserveReading,
  reserveReadingView,
  Reserves,
  reservesFilter,
  ReservesQuery,
  reserveView,
  type SeenAmounts,
} from './reserve.dto.js';

const access = { scopes: ['partner:admin', 'read', 'partner:read'] } as const;

/** What the custody accounts hold, against the books. */
@ApiTags('Reserves')
@Controller('reserves')
export class ReservesController {
  constructor(
    private readonly reserves: ReservesService,
    private readonly paging: Paginator,
  ) {}

  @Get()
  @Operation({
    summary: 'Read the reserves',
    description:
      "What the custody accounts hold of each vault and of each asset's cash, by the last hourly reading of the chains at a finalized block, against the books at the time of that block. An administrator sees all amounts, a partner's key its own part of the books and the coverage of the vaults that it is in, any other key the coverage alone. With separate custody each row is of one partner's accounts: an administrator sees all, a partner its own, any other key none.",
    access,
    success: { object: 'reserves', data: Reserves, description: 'The last reading.' },
    extension: true,
  })
  async readReserves(@CurrentCaller() caller: Caller): Promise<Reserves> {
    const { partnerId, isAdministrator } = viewerOf(caller);
    const seen =
      partnerId === null
        ? (await this.reserves.newest({ isAdministrator })).map((reserve) => ({
            reserve,
            ...amountsOf(reserve, isAdministrator),
          }))
        : (await this.reserves.newestOf(partnerId)).map(({ reserve, ownBooks }) => ({
            reserve,
            books: ownBooks,
            isAdministrator: false,
          }));
    return {
      object: 'reserves',
      as_of: seen[0]?.reserve.readAt.toISOString() ?? null,
      rows: seen.map(({ reserve, ...amounts }) => reserveView(reserve, amounts)),
    };
  }

  @Get('history')
  @Operation({
    summary: 'List past reserves',
    description:
      "Hourly readings, newest first. An administrator sees all amounts, a partner's key the coverage of the vaults that it is in, any other key the coverage alone. With separate custody as `GET /reserves`.",
    access,
    success: { object: 'list', data: ReserveReading, description: 'A page of readings.' },
    extension: true,
  })
  listReserves(@CurrentCaller() caller: Caller, @Query() query: ReservesQuery) {
    const viewer = viewerOf(caller);
    const { chain, asset, vault_id: vaultId, partner_id: ofPartner, from, to } = query;
    return this.paging.serve(
      ['reserves', viewer.partnerId ?? undefined, chain, asset, vaultId, ofPartner, from, to],
      query,
      (page) => this.reserves.list({ viewer, ...reservesFilter(query) }, page),
      (reserve) => reserveReadingView(reserve, amountsOf(reserve, viewer.isAdministrator)),
    );
  }
}

const viewerOf = ({ partnerId, scopes }: Caller): ReservesViewer => ({
  partnerId,
  isAdministrator: partnerId === null && scopes.includes('partner:admin'),
});

const amountsOf = ({ books }: Reserve, isAdministrator: boolean): SeenAmounts => ({
  books: isAdministrator ? books : null,
  isAdministrator,
});
