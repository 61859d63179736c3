import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseAmount } from '../../domain/books/positions/amount.js';
import { DepositRouting } from '../../domain/routing/allocation/deposit-routing.service.js';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { AmountField, AssetField } from '../../http/request/fields.js';
import { Operation } from '../../http/openapi/operation.js';
import { DecisionPreview, previewView } from './decision.dto.js';

export class PreviewPositionInputDto {
  @AssetField({ description: 'Asset of the deposit.' }) asset: string;
  @AmountField({ description: 'How much would be deposited.', example: 250 }) amount: number;
}

/** Previews of deposits. */
@ApiTags('Positions')
@Controller('positions')
export class PreviewController {
  constructor(private readonly routing: DepositRouting) {}

  @Post('preview')
  @Operation({
    summary: 'Preview a deposit',
    description:
      'The decision that a deposit of one of your end-users would get now: the vault, every alternative with its gates, and why. Nothing is stored, so it ignores an `Idempotency-Key`, and it ' +
      'costs what a read does. A deposit right after it gets the same decision, but where the amount comes within the rounding of how full a vault is: what others hold there is judged here as you are shown it, to two significant digits.',
    access: { scopes: ['partner:read'], partner: true },
    success: {
      status: 200,
      object: 'decision_preview',
      data: DecisionPreview,
      description: 'The decision, which was not made.',
    },
    goesOn: true,
    changes: 'nothing',
    extension: true,
  })
  async previewPosition(
    @PartnerId() partnerId: string,
    @Body() { asset, amount }: PreviewPositionInputDto,
  ): Promise<DecisionPreview> {
    return previewView(await this.routing.preview(partnerId, asset, parseAmount(amount)));
  }
}
