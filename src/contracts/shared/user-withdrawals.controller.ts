import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { totalOf } from '../../domain/routing/withdrawals/parts.js';
import { UserWithdrawalService } from '../../domain/routing/withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from '../../domain/routing/withdrawals/withdrawal-reader.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  CREATION_ERRORS,
  CreateWithdrawalInputDto,
  requestOf,
  WithdrawalDto,
  WithdrawalPreview,
  withdrawalPreviewView,
  WithdrawalsOfUserQuery,
  withdrawalView,
} from './withdrawal.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

/** Withdrawals of one end-user. Each contract requests them in its own way. */
@ApiTags('Withdrawals')
@Controller('users/:id/withdrawals')
export class UserWithdrawalsController {
  constructor(
    private readonly withdrawals: UserWithdrawalService,
    private readonly reader: WithdrawalReader,
    private readonly paging: Paginator,
  ) {}

  @Post('preview')
  @Operation({
    summary: 'Preview a withdrawal',
    description:
      'The parts that a withdrawal would have now. Nothing is stored, and an `Idempotency-Key` is ignored.',
    access,
    success: {
      status: 200,
      object: 'withdrawal_preview',
      data: WithdrawalPreview,
      description: 'The parts that the withdrawal would have.',
    },
    errors: CREATION_ERRORS,
    goesOn: true,
    changes: 'nothing',
    extension: true,
  })
  async previewWithdrawal(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Body() body: CreateWithdrawalInputDto,
  ) {
    const preview = await this.withdrawals.preview(requestOf(partnerId, userId, body));
    const amount = totalOf(preview.parts);
    return withdrawalPreviewView({ ...preview, userId, asset: body.asset, amount });
  }

  @Get()
  @Operation({
    summary: "List an end-user's withdrawals",
    description: 'Withdrawals of one of your end-users, newest first.',
    access,
    success: { object: 'list', data: WithdrawalDto, description: 'A page of withdrawals.' },
    extension: true,
  })
  listUserWithdrawals(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: WithdrawalsOfUserQuery,
  ) {
    const { status } = query;
    return this.paging.serve(
      ['withdrawals', partnerId, userId, status],
      query,
      (page) => this.reader.list({ partnerId, userId, ...(status && { status }) }, page),
      withdrawalView,
    );
  }
}
