import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LedgerService } from '../../domain/books/ledger/ledger.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  LEDGER_OPERATION,
  ledgerFilter,
  ledgerIdentity,
  LedgerQuery,
  ledgerView,
  UserLedgerEvent,
} from '../shared/ledger.dto.js';

@ApiTags('End-users')
@Controller('users')
export class SandboxLedgerController {
  constructor(
    private readonly ledger: LedgerService,
    private readonly paging: Paginator,
  ) {}

  @Get(':id/ledger')
  @Operation({
    ...LEDGER_OPERATION,
    success: { object: 'list', data: UserLedgerEvent, description: 'A page of the ledger.' },
  })
  listUserLedger(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: LedgerQuery,
  ) {
    return this.paging.serve(
      ['ledger', partnerId, userId, ...ledgerIdentity(query)],
      query,
      (page) => this.ledger.list(partnerId, ledgerFilter(query, userId), page),
      ledgerView,
    );
  }
}
