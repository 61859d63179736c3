import { Injectable } from '@nestjs/common';
import { toUnits } from '../../kernel/money.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './routing.queries.js';

export interface Outcomes {
  moves: number;
  promised: number;
  realised: number;
}

export const NO_OUTCOMES: Outcomes = { moves: 0, promised: 0, realised: 0 };

/** Outcomes: the promise of each move against its actual gain at the end of its horizon. */
@Injectable()
export class OutcomeService {
  constructor(private readonly store: Store) {}

  /** Stores the outcomes of moves whose horizon has ended in a market, up to a thousand; the rest follow in the next hour. */
  async settle(marketId: string): Promise<Outcomes> {
    const [settled] = await this.store.query(queries.SETTLE_OUTCOMES, [marketId]);
    const { moves, promised, realised } = settled!;
    return { moves, promised: toUnits(BigInt(promised)), realised: toUnits(BigInt(realised)) };
  }
}
