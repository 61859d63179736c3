import { Injectable } from '@nestjs/common';
import type { PositionRecord } from '../../domain/books/positions/position-record.js';
import { PositionService } from '../../domain/books/positions/position.service.js';
import { defined } from '../../http/defined.js';
import { type Listed, type PageQuery, Paging } from '../../http/request/paging.js';
import type { PositionsQuery } from './position.dto.js';

/** Reading positions; the contracts admit different keys. */
@Injectable()
export class PositionReader {
  constructor(
    private readonly positions: PositionService,
    private readonly paging: Paging,
  ) {}

  /** @param partnerId only this partner's; null: all */
  list(partnerId: string | null, query: PositionsQuery): Promise<Listed<PositionRecord>> {
    const { user_id: userId, asset, status } = query;
    return this.paging.serve(
      ['positions', partnerId ?? undefined, userId, asset, status],
      query,
      (page) => this.positions.list({ partnerId, ...defined({ userId, asset, status }) }, page),
      (position) => position,
    );
  }

  /** Positions of one of a partner's end-users. */
  listOfUser(partnerId: string, userId: string, query: PageQuery): Promise<Listed<PositionRecord>> {
    return this.paging.serve(
      ['user positions', partnerId, userId],
      query,
      (page) => this.positions.list({ partnerId, userId }, page),
      (position) => position,
    );
  }

  /** @throws DomainError `not_found` */
  async read(partnerId: string | null, id: string): Promise<PositionRecord> {
    return await this.positions.get(id, partnerId);
  }
}
