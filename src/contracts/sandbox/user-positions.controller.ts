import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PartnerId } from '../../http/request/caller.decorators.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Listed } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { AsOfPageQuery } from '../shared/as-of.js';
import { PartnerPosition, USER_POSITIONS_OPERATION } from '../shared/position.dto.js';
import { PositionReader } from '../shared/position-reader.js';

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
  ): Promise<Listed<PartnerPosition>> {
    return this.reader.listOfUser(partnerId, userId, query);
  }
}
