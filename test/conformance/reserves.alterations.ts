/* eslint-disable no-restricted-syntax -- Altered answers have any names: that is what the rules are to notice. */
import { type Alterations, type Change, data, each, ignoring, list, rows, scaled, set } from './altered.js';
import type { Alteration } from './altering-proxy.js';

const [READ, HISTORY] = ['GET /reserves', 'GET /reserves/history'];
const reserves = (change: Change): Alteration => data(READ, each('rows', change));
const ofUnknown =
  (values: object): Change =>
  (row) =>
    row.reason !== null && Object.assign(row, values);
const ofPartners =
  (change: (row: any) => unknown): Change =>
  (row) =>
    row.chain_holds === null && row.books !== null && row.in_flight === null && change(row);

/** Answers everybody as it answers the first caller, an administrator. */
const forAdministrators = (operation: string): Alteration => {
  let administrator: string | undefined;
  return {
    asked: (passing) => {
      if (passing.operation !== operation) return;
      administrator ??= passing.headers.authorization;
      passing.headers.authorization = administrator;
    },
  };
};

/** Of a deployment whose chain is read. */
export const OF_RESERVES: Alterations = {
  'reserves.read': {
    'coverage is a percentage': reserves(scaled(100, 'coverage')),
    'a difference is the books less the chain': reserves(scaled(-1, 'difference')),
    'the books are shown as the chain': reserves(
      (row) => row.reason === null && (row.chain_holds = row.books),
    ),
    'what is not known is 0': reserves(ofUnknown({ chain_holds: 0, difference: 0 })),
    'an unknown coverage is 0': reserves(ofUnknown({ coverage: 0 })),
    'nothing says why it is not known': reserves(ofUnknown({ reason: null })),
    'a known reserve has a reason': reserves(set({ reason: 'queue' })),
    'a row has no block': reserves(set({ block_at: null })),
    'cash has no row': data(READ, (of) => (of.rows = of.rows.filter((row: any) => row.vault_id !== null))),
    'a vault has two rows': data(READ, (of) => of.rows.push(of.rows[0])),
  },
  'reserves.reader': {
    'a reader sees all amounts': forAdministrators(READ),
    'a reader sees no coverage': reserves((row) => row.books === null && (row.coverage = null)),
    'a reader sees no unknown reserve': data(
      READ,
      (of) => (of.rows = of.rows.filter((row: any) => row.books !== null || row.reason === null)),
    ),
  },
  'reserves.partner': {
    'a partner sees all amounts': forAdministrators(READ),
    'a partner sees half of its part': reserves(ofPartners((row) => (row.books /= 2))),
    'a partner has no funds anywhere': data(READ, (of) => of.rows[0]?.in_flight === null && (of.rows = [])),
    'a partner sees a coverage of its own part': reserves(ofPartners((row) => (row.coverage = 1.5))),
  },
  'reserves.history': {
    'the oldest reading is first': list(HISTORY, (all) => all.reverse()),
    'the last reading is missing': list(HISTORY, (all) =>
      all.filter(({ as_of }) => as_of !== all[0].as_of || all.every((row) => row.as_of === as_of)),
    ),
    'past coverage is a percentage': rows(HISTORY, scaled(100, 'coverage')),
    'everybody sees past amounts': forAdministrators(HISTORY),
    ...Object.fromEntries(
      ['asset', 'chain', 'vault_id', 'from', 'to'].map((name) => [
        `readings are of any ${name}`,
        ignoring(HISTORY, name),
      ]),
    ),
  },
};
