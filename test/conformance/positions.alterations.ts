import { accepting, type Alterations, data, ignoring, rows, scaled, set, withoutHeader } from './altered.js';

const [DEPOSIT, LIST, WITHDRAW] = ['POST /positions', 'GET /positions', 'POST /positions/{id}/withdrawals'];
const [MOVES, MOVE, EVENTS] = ['GET /moves', 'GET /moves/{id}', 'GET /events'];
const [SETTLED, FAILED, TAKEN] = ['settled', 'failed', 'taken'].map((step) => `POST /moves/{id}/${step}`) as [
  string,
  string,
  string,
];
const ALLOCATED = 'POST /positions/{id}/allocated';

export const OF_POSITIONS: Alterations = {
  'positions.deposited': {
    'a new position is closed': data(DEPOSIT, set({ status: 'closed' })),
    'the list has another value': rows(LIST, scaled(2, 'value')),
    'a principal is rounded': data(DEPOSIT, (row) => (row.principal = Math.round(row.principal))),
  },
  'positions.deposit-input': {
    'any amount or asset is deposited': accepting(DEPOSIT, 'validation_failed'),
    'anybody deposits': accepting(DEPOSIT, 'not_found'),
    'a position of nobody pays': accepting(WITHDRAW, 'not_found'),
  },
  'positions.once': { 'a repeated deposit is another one': withoutHeader(DEPOSIT, 'idempotency-key') },
  'positions.withdrawn': {
    'more than its value is withdrawn': accepting(WITHDRAW, 'insufficient_balance'),
    'another amount is paid': data(WITHDRAW, set({ amount: 1 })),
    'a part closes a position': data(WITHDRAW, set({ status: 'closed' })),
  },
  'positions.closed': {
    'a closed position pays': accepting(WITHDRAW, 'position_closed'),
    'a closed position is worth something': data(WITHDRAW, set({ value: 1 })),
  },
  'events.data': {
    'an event is of another user': rows(EVENTS, ({ data: of }) => of.user_id && (of.user_id = 'usr_any')),
  },
};

export const OF_LIVE_POSITIONS: Alterations = {
  'positions.reported-once': {
    'a transfer opens two positions': accepting(DEPOSIT, 'settlement_already_recorded'),
    'a transfer is paid in and out': accepting(WITHDRAW, 'settlement_already_recorded'),
  },
};

/** Of accounts, whose funds move with their clock. */
export const OF_MOVES: Alterations = {
  'moves.read': {
    'a move is another by id': data(MOVE, set({ amount: 1 })),
    'a move is of another decision': rows(MOVES, set({ decision_id: 'dec_any' })),
    'another partner reads it': accepting(MOVE, 'not_found'),
  },
};

/** Of a deployment with executors. */
export const OF_RECEIVED: Alterations = {
  'moves.received': {
    'what was received is active': data(
      DEPOSIT,
      (row) => row.vault_id.includes('idle') && (row.status = 'active'),
    ),
    'any amount arrives': accepting(ALLOCATED, 'amount_out_of_bounds'),
    'it arrives twice': accepting(ALLOCATED, 'move_already_reported'),
    'what arrived is pending': data(ALLOCATED, set({ status: 'pending' })),
  },
  'moves.settled': {
    'a move is settled twice': accepting(SETTLED, 'move_already_reported'),
    'what was settled has failed': accepting(FAILED, 'move_not_open'),
    'a list has moves of any status': ignoring(MOVES, 'status'),
    'what did not arrive costs nothing': data('GET /positions/{id}', set({ costs: 0 })),
  },
  'moves.failed': {
    'what failed is settled': accepting(SETTLED, 'move_not_open'),
    'what failed is taken': accepting(TAKEN, 'move_not_open'),
    'a failure has no note': data(FAILED, set({ note: null })),
    'its funds have left cash': data('GET /positions/{id}', set({ vault_id: 'vlt_any' })),
  },
  'moves.superseded': {
    'a move goes on': data(MOVE, set({ status: 'arriving', failure: null })),
    'what is withdrawn is settled': accepting(SETTLED, 'move_not_open'),
  },
};
