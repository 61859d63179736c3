import { Injectable } from '@nestjs/common';
import { type Answered, type Claim, IdempotencyService } from '../idempotency/idempotency.service.js';
import { Store } from '../store/store.js';
import { type Account, AccountService, type Advanced } from './account.service.js';

/** Advance or reset of an account, as plain data for another thread. */
export type AccountMove =
  | { kind: 'advance'; partnerId: string; hours: number }
  | { kind: 'reset'; partnerId: string; seed: string | null };

/** Move with the claim of its `Idempotency-Key`; null: the request had none. */
export interface ClaimedMove {
  move: AccountMove;
  claim: Claim | null;
}

/** Answers to moves, as text: the transaction of a move stores its answer, in whichever thread it runs. */
export abstract class MoveAnswers {
  abstract advance(advanced: Advanced): string;
  abstract reset(account: Account): string;
}

/** Long work of accounts: hours of market, routing and statements take a core for seconds. */
@Injectable()
export class AccountMoves {
  /** Another thread that carries moves out; null: this one does. */
  elsewhere: ((claimed: ClaimedMove) => Promise<Answered | null>) | null = null;

  constructor(
    private readonly accounts: AccountService,
    private readonly idempotency: IdempotencyService,
    private readonly answers: MoveAnswers,
    private readonly store: Store,
  ) {}

  /**
   * Claim, move and stored answer in one transaction. To be called within the account's turn.
   * @returns null when another transaction holds the claim
   * @throws DomainError as `AccountService` does; `service_unavailable` when the other thread ends before the move does
   */
  async carryOut(claimed: ClaimedMove): Promise<Answered | null> {
    if (this.elsewhere === null) return this.carryOutHere(claimed);
    try {
      return await this.elsewhere(claimed);
    } finally {
      // Recent writes are remembered by thread.
      this.store.changes(claimed.move.partnerId);
    }
  }

  /** The same, always in this thread. */
  async carryOutHere({ move, claim }: ClaimedMove): Promise<Answered | null> {
    const effect = (): Promise<string> => this.move(move);
    if (!claim) return { text: await effect(), replayed: false };
    return this.idempotency.once(claim, move.partnerId, effect);
  }

  private async move(move: AccountMove): Promise<string> {
    switch (move.kind) {
      case 'advance':
        return this.answers.advance(await this.accounts.advance(move.partnerId, move.hours));
      case 'reset':
        return this.answers.reset(await this.accounts.reset(move.partnerId, move.seed));
    }
  }
}
