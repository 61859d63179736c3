import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseAmount } from '../../domain/positions/amount.js';
import { TransferService } from '../../domain/transfers/transfer.service.js';
import { resource } from '../../http/envelope.js';
import { BoundPartnerId, CurrentExchange, type Exchange } from '../../http/exchange.js';
import { AmountField, AssetField, IdField, TransactionHashField } from '../../http/fields.js';
import { Once } from '../../http/once.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/path.js';
import { PartnerPosition, WithdrawnPosition } from '../shared/position.dto.js';

const HASH = { description: 'Hash of the settled transfer, in either letter case: each is recorded once.' };

export class CreatePositionInputDto {
  @IdField({ description: 'End-user who deposited.', prefix: 'usr' }) user_id: string;
  @AssetField({ description: 'Asset that was deposited.' }) asset: string;
  @AmountField({ description: 'How much was deposited.', example: 250 }) amount: number;
  @TransactionHashField(HASH) tx_hash: string;
}

export class WithdrawPositionInputDto {
  @AmountField({
    description: 'How much was withdrawn. Absent: everything that the position is worth.',
    optional: true,
    example: 100,
  })
  amount?: number;

  @TransactionHashField(HASH) tx_hash: string;
}

const access = { scopes: ['write'] } as const;

/** What the protocol reports of transfers that settled on their chain. */
@ApiTags('Positions')
@Controller('positions')
export class PartnerPositionsController {
  constructor(
    private readonly transfers: TransferService,
    private readonly once: Once,
  ) {}

  @Post()
  @Operation({
    summary: 'Record a settled deposit',
    description:
      'Opens a position with a deposit that settled on its chain, in the vault that the routing chooses for it. Each deposit is a position of its own.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: PartnerPosition,
      description: 'The position. Its value may be a millionth below the deposit: shares are rounded down.',
    },
    errors: [
      'not_found',
      'partner_disabled',
      'user_blocked',
      'no_vault_available',
      'settlement_already_recorded',
    ],
    extension: true,
  })
  async createPosition(
    @CurrentExchange() exchange: Exchange,
    @BoundPartnerId() partnerId: string | null,
    @Body() { user_id: userId, asset, amount, tx_hash: txHash }: CreatePositionInputDto,
  ): Promise<string> {
    const deposit = { userId, asset, amount: parseAmount(amount), txHash, partnerId };
    return this.once.run(exchange, async () => resource('position', await this.transfers.deposit(deposit)));
  }

  @Post(':id/withdrawals')
  @Operation({
    summary: 'Record a settled withdrawal',
    description:
      'Takes an amount that settled on its chain out of a position, or everything. The position is closed when nothing is left. ' +
      'Withdrawals go on for a blocked end-user and a disabled partner.',
    access,
    success: {
      status: 201,
      object: 'position',
      data: WithdrawnPosition,
      description: 'The position as it is now, and the `amount` that was paid out.',
    },
    errors: ['position_closed', 'insufficient_balance', 'settlement_already_recorded'],
    extension: true,
  })
  async withdrawPosition(
    @CurrentExchange() exchange: Exchange,
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'position', 'The position.') positionId: string,
    @Body() { amount, tx_hash: txHash }: WithdrawPositionInputDto,
  ): Promise<string> {
    const micro = amount === undefined ? null : parseAmount(amount);
    const withdrawal = { positionId, amount: micro, txHash, partnerId };
    return this.once.run(exchange, async () =>
      resource('position', await this.transfers.withdraw(withdrawal)),
    );
  }
}
