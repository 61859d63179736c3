import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseAmount } from '../../domain/kernel/money.js';
import { PositionService } from '../../domain/books/positions/position.service.js';
import { AccountTime } from '../../domain/cycle/accounts/account-time.service.js';
import { DepositService } from '../../domain/routing/transfers/deposit.service.js';
import { WithdrawalService } from '../../domain/routing/transfers/withdrawal.service.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { AmountField, AssetField, IdField } from '../../http/request/fields.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { ListPage } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { AsOfPageQuery } from '../shared/as-of.js';
import { PositionReader } from '../shared/position-reader.js';
import {
  PartnerPosition,
  PositionsQuery,
  SplitField,
  USER_POSITIONS_OPERATION,
  WithdrawnPosition,
} from '../shared/position.dto.js';

class CreatePositionRequest {
  @IdField({ description: 'End-user who deposits.', prefix: 'usr' }) user_id: string;
  @AssetField({ description: 'Asset that is deposited.' }) asset: string;
  @AmountField({ description: 'Amount to deposit.', example: 250 }) amount: number;
  @SplitField() split?: boolean;
}

class WithdrawPositionRequest {
  @AmountField({
    description: 'Amount to withdraw. Absent: the whole value of the position.',
    optional: true,
    example: 100,
  })
  amount?: number;
}

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Positions')
@Controller('positions')
export class SandboxPositionsController {
  constructor(
    private readonly time: AccountTime,
    private readonly deposits: DepositService,
    private readonly withdrawals: WithdrawalService,
    private readonly reader: PositionReader,
    private readonly positions: PositionService,
  ) {}

  @Get()
  @Operation({
    summary: 'List positions',
    description: "Your account's positions with their current value, newest first.",
    access,
    success: { object: 'list', data: PartnerPosition, description: 'A page of positions.' },
    extension: true,
  })
  listPositions(@PartnerId() partnerId: string, @Query() query: PositionsQuery) {
    return this.reader.list(partnerId, query);
  }

  @Get(':id')
  @Operation({
    summary: 'Read a position',
    description: 'A position with its current value.',
    access,
    success: { object: 'position', data: PartnerPosition, description: 'The position.' },
    extension: true,
  })
  readPosition(@PartnerId() partnerId: string, @PathId('id', 'position', 'The position.') id: string) {
    return this.positions.get(id, partnerId);
  }

  @Post()
  @Operation({
    summary: 'Open a position',
    description:
      'Simulates a deposit: opens a position in the vault that the routing chooses for it, at the time of your account. Each deposit is a position of its own.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: PartnerPosition,
      listed: true,
      description:
        'The position, or with `split: true` the list of positions. It earns from this moment on, to the millisecond.',
    },
    errors: ['not_found', 'user_blocked', 'advance_in_progress'],
    extension: true,
  })
  createPosition(
    @PartnerId() partnerId: string,
    @Body() { user_id: userId, asset, amount, split }: CreatePositionRequest,
    @Idempotent() once: Once<PartnerPosition | ListPage<PartnerPosition>>,
  ) {
    const deposit = { userId, asset, amount: parseAmount(amount), txHash: null, partnerId };
    return this.transfer(partnerId, once, async () =>
      split ? new ListPage(await this.deposits.split(deposit), null) : this.deposits.deposit(deposit),
    );
  }

  @Post(':id/withdrawals')
  @Operation({
    summary: 'Withdraw from a position',
    description:
      'Simulates a withdrawal of an amount, or of everything, which closes the position; no body means `{}`.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: WithdrawnPosition,
      description: 'The position after the withdrawal, and the `amount` that was paid out.',
    },
    errors: ['position_closed', 'insufficient_balance', 'advance_in_progress'],
    extension: true,
  })
  withdrawPosition(
    @PartnerId() partnerId: string,
    @PathId('id', 'position', 'The position.') positionId: string,
    @Body() { amount }: WithdrawPositionRequest,
    @Idempotent() once: Once<WithdrawnPosition>,
  ) {
    const micro = amount === undefined ? null : parseAmount(amount);
    const withdrawal = { positionId, amount: micro, txHash: null, partnerId };
    return this.transfer(partnerId, once, () => this.withdrawals.withdraw(withdrawal));
  }

  /** Locks the account's clock for the transfer. */
  private transfer<T extends object>(
    partnerId: string,
    once: Once<T>,
    transfer: () => Promise<T>,
  ): Promise<T> {
    return once(() => this.time.lockTime(partnerId, transfer));
  }
}

@ApiTags('Reports')
@Controller('partner/user/:id/positions')
export class SandboxUserPositionsController {
  constructor(private readonly reader: PositionReader) {}

  @Get()
  @Operation({
    ...USER_POSITIONS_OPERATION,
    success: { object: 'list', data: PartnerPosition, description: 'A page of positions.' },
  })
  listUserPositions(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: AsOfPageQuery,
  ) {
    return this.reader.listOfUser(partnerId, userId, query);
  }
}
