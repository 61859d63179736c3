import { Injectable } from '@nestjs/common';
import type { PositionRecord } from '../../domain/books/positions/position-record.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Listed } from '../../http/request/paging.js';
import { Shown } from '../../http/answer/shown.js';
import { PartnerPosition, WithdrawnPosition } from '../shared/position.dto.js';
import { ShownSettlementDto, shownSettlementView } from './settlement.dto.js';

const SETTLEMENT =
  'What the chain says of its transfers: of the one that stops further transfers, until it is resolved, or else of the latest. null where nothing was transferred.';

export class SettledPosition extends PartnerPosition {
  @Shown.record(() => ShownSettlementDto, SETTLEMENT, { nullable: true })
  settlement: ShownSettlementDto | null;
}

export class SettledWithdrawnPosition extends WithdrawnPosition {
  @Shown.record(() => ShownSettlementDto, SETTLEMENT, { nullable: true })
  settlement: ShownSettlementDto | null;
}

/** Adds settlements to positions. */
@Injectable()
export class SettledPositions {
  constructor(private readonly settlements: SettlementService) {}

  async one<Position extends PositionRecord>(
    position: Position,
  ): Promise<Position & { settlement: ShownSettlementDto | null }> {
    const [settled] = await this.all([position]);
    return settled!;
  }

  async listed({ items, nextCursor }: Listed<PositionRecord>): Promise<Listed<SettledPosition>> {
    return new Listed(await this.all([...items]), nextCursor);
  }

  private async all<Position extends PositionRecord>(
    positions: readonly Position[],
  ): Promise<(Position & { settlement: ShownSettlementDto | null })[]> {
    const found = await this.settlements.ofPositions(positions.map(({ id }) => id));
    return positions.map((position) => {
      const settlement = found.get(position.id);
      return { ...position, settlement: settlement ? shownSettlementView(settlement) : null };
    });
  }
}
