import { advanceView, clockView } from './contracts/sandbox/simulation.view.js';
import type { MoveAnswers } from './domain/accounts/account-moves.js';
import { envelopeOf } from './http/answer/envelope.js';

/** Answers to moves of accounts: all that their thread knows of HTTP. */
export const ACCOUNT_ANSWERS: MoveAnswers = {
  advance: (advanced) => envelopeOf('simulation_advance', advanceView(advanced)),
  reset: (account) => envelopeOf('simulation_clock', clockView(account)),
};
