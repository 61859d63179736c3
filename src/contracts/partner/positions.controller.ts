import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseAmount } from '../../domain/kernel/money.js';
import { type ReportedTransactionInput, TransactionsField, transferOf } from './reported-transactions.js';
import { PositionService } from '../../domain/books/positions/position.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { MoveReportService } from '../../domain/routing/orders/move-report.service.js';
import { DepositService } from '../../domain/routing/transfers/deposit.service.js';
import { WithdrawalService } from '../../domain/routing/transfers/withdrawal.service.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { Operation } from '../../http/openapi/operation.js';
import { BoundPartnerId, CurrentCaller, PartnerId } from '../../http/access/caller.js';
import {
  AmountField,
  AssetField,
  ChainField,
  FlagField,
  IdField,
  TransactionHashField,
} from '../../http/request/fields.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { ListPage } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { AsOfPageQuery } from '../shared/as-of.js';
import { PositionReader } from '../shared/position-reader.js';
import { PositionsQuery, SplitField, USER_POSITIONS_OPERATION } from '../shared/position.dto.js';
import { SettledPosition, SettledPositions, SettledWithdrawnPosition } from './settlement.dto.js';

const CHAIN = {
  description:
    'Chain on which it settled, such as `ethereum`. Optional for an asset on one chain; for an asset on several chains, a transfer without it stays unchecked.',
  optional: true,
  example: 'ethereum',
} as const;
const HASH = { description: 'Hash of the settled transfer, in either letter case: each is recorded once.' };

class CreatePositionInputDto {
  @IdField({ description: 'End-user who deposited.', prefix: 'usr' }) user_id: string;
  @AssetField({ description: 'Asset that was deposited.' }) asset: string;
  @AmountField({ description: 'Deposited amount.', example: 250 }) amount: number;
  @TransactionHashField(HASH) tx_hash: string;
  @ChainField(CHAIN) chain?: string;

  @FlagField({
    description:
      '`false`: the funds were received but are not in a vault yet. The position is pending and in cash until `POST /positions/{id}/allocated` reports that the decided vault has the funds; `GET /moves` lists the move. Only in deployments whose moves are reported.',
    optional: true,
    default: true,
    example: true,
  })
  allocated?: boolean;
  @SplitField() split?: boolean;
}

class AllocatePositionInputDto {
  @TransactionHashField({
    description:
      'Hash of the transfer into the vault, in either letter case. Required without `transactions`.',
    optional: true,
  })
  tx_hash?: string;

  @AmountField({
    description:
      "Amount that arrived in the vault; default: the position's value. Less is a cost, more is principal.",
    optional: true,
    example: 249.95,
  })
  amount?: number;

  @TransactionsField() transactions?: ReportedTransactionInput[];
}

class WithdrawPositionInputDto {
  @AmountField({
    description: 'Withdrawn amount. Absent: the whole value of the position.',
    optional: true,
    example: 100,
  })
  amount?: number;

  @TransactionHashField({ ...HASH, example: `0x${'6f'.repeat(32)}` }) tx_hash: string;
  @ChainField(CHAIN) chain?: string;
}

const access = { scopes: ['write'] } as const;
/** The protocol reads all positions, a partner its own. `read` alone admits to neither; a key with `write` is never bound to a partner. */
const READ_ACCESS = { scopes: ['write', 'partner:read'] } as const;

/** The protocol's reports of transfers that settled on their chain. */
@ApiTags('Positions')
@Controller('positions')
export class PartnerPositionsController {
  constructor(
    private readonly deposits: DepositService,
    private readonly withdrawals: WithdrawalService,
    private readonly reader: PositionReader,
    private readonly settled: SettledPositions,
    private readonly reports: MoveReportService,
    private readonly positions: PositionService,
  ) {}

  @Get()
  @Operation({
    summary: 'List positions',
    description:
      "Positions with their current value, newest first. A partner's key lists that partner's positions; a key with `write` lists all.",
    access: READ_ACCESS,
    success: { object: 'list', data: SettledPosition, description: 'A page of positions.' },
    extension: true,
  })
  async listPositions(@BoundPartnerId() partnerId: string | null, @Query() query: PositionsQuery) {
    return this.settled.attachToPage(await this.reader.list(partnerId, query));
  }

  @Get(':id')
  @Operation({
    summary: 'Read a position',
    description: 'A position with its current value.',
    access: READ_ACCESS,
    success: { object: 'position', data: SettledPosition, description: 'The position.' },
    extension: true,
  })
  async readPosition(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'position', 'The position.') id: string,
  ) {
    return this.settled.attach(await this.positions.get(id, partnerId));
  }

  @Post()
  @Operation({
    summary: 'Record a settled deposit',
    description:
      'Opens a position with a deposit that settled on its chain, in the vault that the routing chooses for it. Each deposit is a position of its own.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: SettledPosition,
      listed: true,
      description:
        'The position, or with `split: true` the list of positions. It earns from this moment on, to the millisecond.',
    },
    errors: ['not_found', 'partner_disabled', 'user_blocked', 'settlement_already_recorded'],
    extension: true,
  })
  createPosition(
    @CurrentCaller() { partnerId, keyId }: Caller,
    @Body()
    { user_id: userId, asset, amount, tx_hash: txHash, chain, allocated, split }: CreatePositionInputDto,
    @Idempotent() once: Once<SettledPosition | ListPage<SettledPosition>>,
  ) {
    const deposit = {
      userId,
      asset,
      amount: parseAmount(amount),
      txHash,
      chain: chain ?? null,
      keyId,
      partnerId,
      received: allocated === false,
    };
    return once(async () =>
      split
        ? this.settled.attachToPage(new ListPage(await this.deposits.split(deposit), null))
        : this.settled.attach(await this.deposits.deposit(deposit)),
    );
  }

  @Post(':id/allocated')
  @Operation({
    summary: 'Report that a deposit is in its vault',
    description:
      'Reports that the decided vault has the funds of a deposit that was only received (`allocated: false`). The limits of the vault and the policy are checked again: `vault_refused` says what to do with the funds. ' +
      'Repeating the report changes nothing.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: SettledPosition,
      description: 'The position: `active`, with the amount that arrived.',
    },
    errors: [
      'move_not_open',
      'move_already_reported',
      'report_unresolved',
      'vault_refused',
      'amount_out_of_bounds',
    ],
    extension: true,
  })
  allocatePosition(
    @CurrentCaller() { partnerId, keyId }: Caller,
    @PathId('id', 'position', 'The position.', DEMO_IDS.receivedPosition) positionId: string,
    @Body() body: AllocatePositionInputDto,
    @Idempotent() once: Once<SettledPosition>,
  ) {
    const report = { ...transferOf(body, { hasAmount: false }), keyId };
    return once(async () => {
      await this.reports.allocated(positionId, partnerId, report);
      return this.settled.attach(await this.positions.get(positionId, partnerId));
    });
  }

  @Post(':id/withdrawals')
  @Operation({
    summary: 'Record a settled withdrawal',
    description:
      'Records a withdrawal that settled on its chain: an amount, or everything, which closes the position. Withdrawals stay possible for a blocked end-user and a disabled partner.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: SettledWithdrawnPosition,
      description: 'The position after the withdrawal, and the `amount` that was paid out.',
    },
    errors: [
      'position_closed',
      'insufficient_balance',
      'settlement_already_recorded',
      'settlement_unresolved',
    ],
    extension: true,
  })
  withdrawPosition(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'position', 'The position.') positionId: string,
    @Body() { amount, tx_hash: txHash, chain }: WithdrawPositionInputDto,
    @Idempotent() once: Once<SettledWithdrawnPosition>,
  ) {
    const micro = amount === undefined ? null : parseAmount(amount);
    const withdrawal = { positionId, amount: micro, txHash, chain: chain ?? null, partnerId };
    return once(async () => this.settled.attach(await this.withdrawals.withdraw(withdrawal)));
  }
}

@ApiTags('Reports')
@Controller('partner/user/:id/positions')
export class PartnerUserPositionsController {
  constructor(
    private readonly reader: PositionReader,
    private readonly settled: SettledPositions,
  ) {}

  @Get()
  @Operation({
    ...USER_POSITIONS_OPERATION,
    success: { object: 'list', data: SettledPosition, description: 'A page of positions.' },
  })
  async listUserPositions(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Query() query: AsOfPageQuery,
  ) {
    return this.settled.attachToPage(await this.reader.listOfUser(partnerId, userId, query));
  }
}
