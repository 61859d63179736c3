import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PositionService } from '../../domain/positions/position.service.js';
import { defined } from '../../http/defined.js';
import { type List, resource, type Resource } from '../../http/envelope.js';
import { BoundPartnerId } from '../../http/exchange.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paging } from '../../http/paging.js';
import { PathId } from '../../http/path.js';
import { PartnerPosition, PositionsQuery } from './position.dto.js';

const access = { scopes: ['read', 'write', 'partner:read'] } as const;

@ApiTags('Positions')
@Controller('positions')
export class PositionsController {
  constructor(
    private readonly positions: PositionService,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Operation({
    summary: 'List positions',
    description:
      "Positions with what each is worth now, newest first. A key that is bound to a partner lists that partner's; another one lists all. " +
      'An unknown `user_id` has none.',
    access,
    success: { object: 'list', data: PartnerPosition, description: 'A page of positions.' },
    extension: true,
  })
  listPositions(
    @BoundPartnerId() partnerId: string | null,
    @Query() query: PositionsQuery,
  ): Promise<List<PartnerPosition>> {
    const { user_id: userId, asset, status } = query;
    return this.paging.serve(
      ['positions', partnerId ?? undefined, userId, asset, status],
      query,
      (page) => this.positions.list({ partnerId, ...defined({ userId, asset, status }) }, page),
      (position) => position,
    );
  }

  @Get(':id')
  @Operation({
    summary: 'Read a position',
    description: 'A position with what it is worth now.',
    access,
    success: { object: 'position', data: PartnerPosition, description: 'The position.' },
    extension: true,
  })
  async readPosition(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'position', 'The position.') id: string,
  ): Promise<Resource<PartnerPosition>> {
    return resource('position', await this.positions.get(id, partnerId));
  }
}
