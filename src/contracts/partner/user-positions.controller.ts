import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Listed } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { AsOfPageQuery } from '../shared/as-of.js';
import { USER_POSITIONS_OPERATION } from '../shared/position.dto.js';
import { PositionReader } from '../shared/position-reader.js';
import { SettledPosition, SettledPositions } from './settled-position.js';

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
  ): Promise<Listed<SettledPosition>> {
    return this.settled.listed(await this.reader.listOfUser(partnerId, userId, query));
  }
}
