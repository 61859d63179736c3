import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountTime } from '../../domain/cycle/accounts/account-time.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { UserWithdrawalService } from '../../domain/routing/withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from '../../domain/routing/withdrawals/withdrawal-reader.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  CREATE_WITHDRAWAL,
  CREATION_ERRORS,
  CreateWithdrawalInputDto,
  LIST_WITHDRAWALS,
  READ_WITHDRAWAL,
  requestOf,
  WithdrawalDto,
  withdrawalsFilter,
  WithdrawalsQuery,
  withdrawalView,
} from '../shared/withdrawal.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

/** Withdrawals of an account, which the server pays at once. */
@ApiTags('Withdrawals')
@Controller()
export class SandboxWithdrawalsController {
  constructor(
    private readonly withdrawals: UserWithdrawalService,
    private readonly reader: WithdrawalReader,
    private readonly time: AccountTime,
    private readonly paging: Paginator,
  ) {}

  @Post('users/:id/withdrawals')
  @Operation({
    ...CREATE_WITHDRAWAL,
    description:
      "Pays an amount, or everything, out of the end-user's positions, at the time of your account. A blocked end-user may withdraw.",
    success: {
      status: 201,
      object: 'withdrawal',
      data: WithdrawalDto,
      description: 'The withdrawal: `paid`.',
    },
    errors: [...CREATION_ERRORS, 'advance_in_progress'],
  })
  createWithdrawal(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Body() body: CreateWithdrawalInputDto,
    @Idempotent() once: Once<WithdrawalDto>,
  ) {
    return once(() =>
      this.time.lockTime(partnerId, async () => {
        const id = await this.withdrawals.request(requestOf(partnerId, userId, body));
        return withdrawalView(await this.reader.get(id, partnerId));
      }),
    );
  }

  @Get('withdrawals')
  @Operation({
    ...LIST_WITHDRAWALS,
    description: "Withdrawals of your account's end-users, newest first.",
    access,
    success: { object: 'list', data: WithdrawalDto, description: 'A page of withdrawals.' },
  })
  listWithdrawals(@PartnerId() partnerId: string, @Query() query: WithdrawalsQuery) {
    return this.paging.serve(
      ['withdrawals', partnerId, query.status, query.user_id],
      query,
      (page) => this.reader.list({ partnerId, ...withdrawalsFilter(query) }, page),
      withdrawalView,
    );
  }

  @Get('withdrawals/:id')
  @Operation({
    ...READ_WITHDRAWAL,
    description: "One of your account's withdrawals.",
    access,
    success: { object: 'withdrawal', data: WithdrawalDto, description: 'The withdrawal.' },
  })
  async readWithdrawal(
    @PartnerId() partnerId: string,
    @PathId('id', 'withdrawal', 'The withdrawal.', DEMO_IDS.withdrawal) id: string,
  ) {
    return withdrawalView(await this.reader.get(id, partnerId));
  }
}
