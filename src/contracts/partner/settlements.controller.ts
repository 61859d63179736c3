import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PositionService } from '../../domain/books/positions/position.service.js';
import { SettlementResolver } from '../../domain/routing/settlements/settlement-resolver.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { defined } from '../../http/defined.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { BoundPartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  ResolveSettlementInputDto,
  SettlementDto,
  SettlementsQuery,
  settlementView,
} from './settlement.dto.js';

const access = { scopes: ['write'] } as const;
/** Partners read the chain's view of their own transfers. */
const READ_ACCESS = { scopes: ['write', 'partner:read'] } as const;

/** Settlements of reported transfers, and executors' decisions on contradicted ones. */
@ApiTags('Settlements')
@Controller('settlements')
export class SettlementsController {
  constructor(
    private readonly settlements: SettlementService,
    private readonly resolver: SettlementResolver,
    private readonly positions: PositionService,
    private readonly paging: Paginator,
  ) {}

  @Get()
  @Operation({
    summary: 'List settlements',
    description:
      'Reported transfers, newest first, each with its status on the chain. `status=mismatch&resolution=open` lists the ones to resolve.',
    access: READ_ACCESS,
    success: { object: 'list', data: SettlementDto, description: 'A page of settlements.' },
    errors: ['not_found'],
    extension: true,
  })
  listSettlements(@BoundPartnerId() partnerId: string | null, @Query() query: SettlementsQuery) {
    const { status, position_id: positionId, resolution } = query;
    const filter = { partnerId, open: resolution === 'open', ...defined({ status, positionId }) };
    return this.paging.serve(
      ['settlements', partnerId ?? undefined, status, positionId, resolution],
      query,
      async (page) => {
        if (positionId !== undefined) await this.positions.get(positionId, partnerId);
        return this.settlements.list(filter, page);
      },
      settlementView,
    );
  }

  @Post(':id/resolve')
  @Operation({
    summary: 'Resolve a settlement',
    description:
      'Accepts or voids a transfer that the chain contradicts (`mismatch`, `not_found`); until then no further transfer of its position is recorded. ' +
      'Voiding a deposit reverses its yield, withdraws the rest without a payment, and closes the position. ' +
      'Voiding a withdrawal returns its amount by a `deposit` entry, and reopens a closed position.',
    access,
    success: { object: 'settlement', data: SettlementDto, description: 'The updated settlement.' },
    errors: ['settlement_resolved', 'position_closed', 'insufficient_balance'],
    extension: true,
  })
  resolveSettlement(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'settlement', 'The settlement.') id: string,
    @Body() { action, note }: ResolveSettlementInputDto,
    @Idempotent() once: Once<SettlementDto>,
  ) {
    return once(async () => settlementView(await this.resolver.resolve({ id, action, note, partnerId })));
  }
}
