import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { parseAmount } from '../../domain/kernel/money.js';
import { DecisionLog } from '../../domain/routing/allocation/decision-log.js';
import { DepositRouting, partsOf } from '../../domain/routing/allocation/deposit-routing.service.js';
import { defined } from '../../http/defined.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { AmountField, AssetField } from '../../http/request/fields.js';
import { ListPage, Paginator } from '../../http/request/paging.js';
import { requestedMoment } from './as-of.js';
import { SplitField } from './position.dto.js';
import {
  DecisionDto,
  DecisionPreview,
  DecisionsQuery,
  decisionView,
  previewView,
  summaryView,
} from './decision.dto.js';
import { queryTime } from '../../http/request/query-fields.js';

@ApiTags('Analytics')
@Controller('analytics')
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionLog,
    private readonly paging: Paginator,
  ) {}

  @Get('decisions')
  @Operation({
    summary: 'List decisions',
    description:
      "Every routing decision on your end-users' funds, newest first: deposits, moves, and holds despite a better vault. Each has its inputs, the rejected alternatives and the value of every gate; values of `capacity`, `size` and `share` have two significant digits. Your funds in one vault are evaluated together: a hold names no end-user and is listed only without `user_id` and `position_id`.",
    access: { scopes: ['partner:read'], partner: true },
    success: { object: 'list', data: DecisionDto, description: 'A page of decisions.' },
  })
  listDecisions(@PartnerId() partnerId: string, @Query() query: DecisionsQuery) {
    const { user_id: userId, position_id: positionId, asset, kind } = query;
    const from = query.from === undefined ? undefined : queryTime(query.from, 'start')!;
    const to = requestedMoment(query.to);
    const filter = defined({ userId, positionId, asset, kind, from, to });
    const identity = ['decisions', partnerId, userId, positionId, asset, kind, query.from, query.to] as const;
    return query.view === 'summary'
      ? this.paging.serve(
          identity,
          query,
          (page) => this.decisions.summaries(partnerId, filter, page),
          summaryView,
        )
      : this.paging.serve(
          identity,
          query,
          (page) => this.decisions.list(partnerId, filter, page),
          decisionView,
        );
  }
}

class PreviewPositionInputDto {
  @AssetField({ description: 'Asset of the deposit.' }) asset: string;
  @AmountField({ description: 'Amount of the deposit.', example: 250 }) amount: number;
  @SplitField() split?: boolean;
}

@ApiTags('Positions')
@Controller('positions')
export class PreviewController {
  constructor(private readonly routing: DepositRouting) {}

  @Post('preview')
  @Operation({
    summary: 'Preview a deposit',
    description:
      'The decision that a deposit of one of your end-users would get now: the vault, every alternative with its gates, and why. Nothing is stored, and an `Idempotency-Key` is ignored. ' +
      'A deposit right after it gets the same decision, unless the rounding of what others hold in a vault (two significant digits) changes it.',
    access: { scopes: ['partner:read'], partner: true },
    success: {
      status: 200,
      object: 'decision_preview',
      data: DecisionPreview,
      listed: true,
      description: 'The decision that the deposit would get.',
    },
    goesOn: true,
    changes: 'nothing',
    extension: true,
  })
  async previewPosition(
    @PartnerId() partnerId: string,
    @Body() { asset, amount, split = false }: PreviewPositionInputDto,
  ) {
    const previews = await this.routing.preview(partnerId, asset, partsOf(parseAmount(amount), split));
    return split ? new ListPage(previews.map(previewView), null) : previewView(previews[0]!);
  }
}
