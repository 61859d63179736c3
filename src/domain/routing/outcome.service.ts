import { Injectable } from '@nestjs/common';
import { toUnits } from '../positions/amount.js';
import { Store } from '../store/store.js';
import * as queries from './routing.queries.js';

/** What moves came to, together; whole units. */
export interface Outcomes {
  moves: number;
  promised: number;
  realised: number;
}

export const NO_OUTCOMES: Outcomes = { moves: 0, promised: 0, realised: 0 };

/** Promise and outcome: what a move was to bring, against what it brought when its horizon has passed. */
@Injectable()
export class OutcomeService {
  constructor(private readonly store: Store) {}

  /** Stores the outcome of moves whose horizon has passed in a market, up to a thousand: more follow with the next hour. */
  async settle(marketId: string): Promise<Outcomes> {
    const [settled] = await this.store.query(queries.SETTLE_OUTCOMES, [marketId]);
    const { moves, promised, realised } = settled!;
    return { moves, promised: toUnits(BigInt(promised)), realised: toUnits(BigInt(realised)) };
  }
}
