import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type LedgerEntry, LedgerService } from '../../domain/books/ledger/ledger.service.js';
import type { ShownSettlement } from '../../domain/routing/settlements/settlement.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { ShownOrNull } from '../../http/answer/shown.js';
import {
  LEDGER_OPERATION,
  ledgerFilter,
  ledgerIdentity,
  LedgerQuery,
  ledgerView,
  UserLedgerEvent,
} from '../shared/ledger.dto.js';
import { ShownSettlementDto, shownSettlementView } from './settlement.dto.js';

export class SettledLedgerEvent extends UserLedgerEvent {
  @ShownOrNull.record(
    () => ShownSettlementDto,
    'Status on the chain of a reported deposit or withdrawal; null for other entries.',
  )
  settlement: ShownSettlementDto | null;
}

interface Row {
  entry: LedgerEntry;
  settlement: ShownSettlement | undefined;
}

@ApiTags('End-users')
@Controller('users')
export class PartnerLedgerController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly settlements: SettlementService,
    private readonly paging: Paginator,
  ) {}

  @Get(':id/ledger')
  @Operation({
    ...LEDGER_OPERATION,
    success: { object: 'list', data: SettledLedgerEvent, description: 'A page of the ledger.' },
  })
  listUserLedger(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: LedgerQuery,
  ) {
    return this.paging.serve(
      ['ledger', partnerId, userId, ...ledgerIdentity(query)],
      query,
      async (request) => {
        const { items, next } = await this.ledger.list(partnerId, ledgerFilter(query, userId), request);
        const settlements = await this.settlements.findByEntries(items);
        return { items: items.map((entry): Row => ({ entry, settlement: settlements.get(entry.id) })), next };
      },
      ({ entry, settlement }) => ({
        ...ledgerView(entry, settlement?.chain),
        settlement: settlement ? shownSettlementView(settlement) : null,
      }),
    );
  }
}
