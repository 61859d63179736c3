import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { MoveOrderService } from '../../domain/routing/allocation/move-order.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  LIST_MOVES,
  MoveOrderDto,
  movesFilter,
  movesIdentity,
  MovesQuery,
  moveView,
  READ_MOVE,
} from '../shared/move.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

/** Moves of an account, which the server executes: scenarios decide when, and how they end. */
@ApiTags('Moves')
@Controller('moves')
export class SandboxMovesController {
  constructor(
    private readonly orders: MoveOrderService,
    private readonly paging: Paginator,
  ) {}

  @Get()
  @Operation({
    ...LIST_MOVES,
    description:
      "Your account's moves and their state, newest first. A simulated executor carries them out within the hour; scenarios delay and refuse them.",
    access,
    success: { object: 'list', data: MoveOrderDto, description: 'A page of moves.' },
  })
  listMoves(@PartnerId() partnerId: string, @Query() query: MovesQuery) {
    return this.paging.serve(
      ['moves', partnerId, ...movesIdentity(query)],
      query,
      (page) => this.orders.list({ partnerId, ...movesFilter(query) }, page),
      moveView,
    );
  }

  @Get(':id')
  @Operation({
    ...READ_MOVE,
    description: "One of your account's moves, with the current value of its funds.",
    access,
    success: { object: 'move_order', data: MoveOrderDto, description: 'The move.' },
  })
  async readMove(@PartnerId() partnerId: string, @PathId('id', 'move', 'The move.') id: string) {
    return moveView(await this.orders.get(id, partnerId));
  }
}
