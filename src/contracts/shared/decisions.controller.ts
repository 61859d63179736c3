import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DecisionLog } from '../../domain/routing/allocation/decision-log.js';
import { defined } from '../../http/defined.js';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, Paging } from '../../http/request/paging.js';
import { DecisionDto, DecisionsQuery, decisionView } from './decision.dto.js';

@ApiTags('Analytics')
@Controller('analytics')
export class DecisionsController {
  constructor(
    private readonly decisions: DecisionLog,
    private readonly paging: Paging,
  ) {}

  @Get('decisions')
  @Operation({
    summary: 'List decisions',
    description:
      "Where your end-users' deposits went, when their funds were moved, and when a better vault was passed by; newest first. Each with its inputs, the " +
      "alternatives that lost and every gate's value: of gates on how full a vault is, to two significant digits. Funds of yours in one vault are judged together: a decision to hold them names no end-user, and is " +
      'listed where neither `user_id` nor `position_id` is given.',
    access: { scopes: ['partner:read'], partner: true },
    success: { object: 'list', data: DecisionDto, description: 'A page of decisions.' },
  })
  listDecisions(
    @PartnerId() partnerId: string,
    @Query() query: DecisionsQuery,
  ): Promise<Listed<DecisionDto>> {
    const { user_id: userId, position_id: positionId, asset, kind } = query;
    return this.paging.serve(
      ['decisions', partnerId, userId, positionId, asset, kind],
      query,
      (page) => this.decisions.list(partnerId, defined({ userId, positionId, asset, kind }), page),
      decisionView,
    );
  }
}
