import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerService } from '../../domain/positions/ledger.service.js';
import { PartnerId } from '../../http/exchange.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, Paging } from '../../http/paging.js';
import { PathId } from '../../http/path.js';
import { LedgerQuery, ledgerView, UserLedgerEvent } from './ledger.dto.js';

@ApiTags('End-users')
@Controller('users')
export class LedgerController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly paging: Paging,
  ) {}

  @Get(':id/ledger')
  @Operation({
    summary: "Read an end-user's ledger",
    description:
      'Deposits, withdrawals, rebalances and accruals of yield over all positions of one of your end-users, newest first. Entries never change. ' +
      'Yield is posted before each movement, and at the end of each UTC day.',
    access: { scopes: ['partner:read'], partner: true },
    success: { object: 'list', data: UserLedgerEvent, description: 'A page of the ledger.' },
  })
  listUserLedger(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: LedgerQuery,
  ): Promise<Listed<UserLedgerEvent>> {
    return this.paging.serve(
      ['ledger', partnerId, userId],
      query,
      (page) => this.ledger.ofUser(partnerId, userId, page),
      ledgerView,
    );
  }
}
