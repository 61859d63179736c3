import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { TrialBalances } from '../../domain/reporting/trial-balance.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { queryTime } from '../../http/request/query-fields.js';
import { requestedMoment } from './as-of.js';
import { TrialBalanceDto, TrialBalanceQuery, trialBalanceView } from './trial-balance.dto.js';

@ApiTags('Reports')
@Controller('partner')
export class TrialBalanceController {
  constructor(private readonly balances: TrialBalances) {}

  @Get('trial-balance')
  @Operation({
    summary: 'Read the trial balance',
    description:
      'Accounts of the journal at a closing, by asset: opening balance, debits and credits of the period, closing balance. Debits equal credits. `vaults` closes at the closing value of the statement. It never changes.',
    access: { scopes: ['partner:read'], partner: true },
    success: {
      object: 'trial_balance',
      data: TrialBalanceDto,
      lines: 'accounts',
      description: 'The trial balance.',
    },
    extension: true,
  })
  async readPartnerTrialBalance(@PartnerId() partnerId: string, @Query() { as_of, from }: TrialBalanceQuery) {
    const start = from === undefined ? undefined : queryTime(from)!;
    return trialBalanceView(await this.balances.readAt(partnerId, requestedMoment(as_of), start));
  }
}
