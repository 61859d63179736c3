import { Book } from '../book.js';
import { dataOf, equals, holds } from '../check.js';
import type { Exchange } from '../exchange.js';
import type { Life } from '../life.js';
import { type Rule, rulesOf } from '../rule.js';
import { alike } from './figures.js';

/** What a report must show of a book. */
type Expected = (book: Book, life: Life) => object;

const flows =
  (amount: 'deposits' | 'withdrawals', count: 'deposit_count' | 'withdrawal_count'): Expected =>
  (book) => ({
    total: book.sums[amount],
    count: book.sums[count],
    assets: book.byAsset(({ sums }) => ({ amount: sums[amount], count: sums[count] })),
  });

const money = ({ sums, value, yield: gain }: Book) => ({
  deposits: sums.deposits,
  withdrawals: sums.withdrawals,
  net_deposits: sums.net_deposits,
  net_tvl: value,
  yield: gain,
});

const revenue = ({ sums, yield: gain }: Book) => ({
  yield: gain,
  accrued: sums.accrued,
  performance_fee: sums.performance_fee,
  partner_revenue: sums.partner_revenue,
  protocol_revenue: sums.protocol_revenue,
});

function vaultsOf({ positions, value: whole }: Book): object[] {
  const values = new Map<string, number>();
  for (const { vault_id, value } of positions)
    if (value > 0) values.set(vault_id, (values.get(vault_id) ?? 0) + value);
  return [...values].map(([vault_id, value]) => ({ vault_id, value, share: value / whole }));
}

const REPORTS: Record<string, [kind: string, says: string, expected: Expected]> = {
  summary: [
    'partner_summary',
    'The summary equals the ledger, the positions and the users, by asset and in total.',
    (book, { partner, users }) => ({
      partner_id: partner.id,
      users: users.length,
      positions: book.counts,
      assets: book.byAsset((row) => ({ ...money(row), apy: row.apy })),
      totals: money(book),
      points: book.points,
      revenue: book.sums.partner_revenue,
    }),
  ],
  deposits: [
    'partner_deposits',
    'Deposits are the deposit entries of the ledger, with their number.',
    flows('deposits', 'deposit_count'),
  ],
  withdrawals: [
    'partner_withdrawals',
    'Withdrawals are the withdrawal entries of the ledger, with their number.',
    flows('withdrawals', 'withdrawal_count'),
  ],
  tvl: [
    'partner_tvl',
    'Net TVL is the worth of the positions, by asset and vault, and the shares of the vaults are fractions of it.',
    (book) => ({
      net_tvl: book.value,
      assets: book.byAsset((row) => ({ net_tvl: row.value, vaults: vaultsOf(row) })),
    }),
  ],
  yield: [
    'partner_yield',
    'Yield is the accruals of the ledger less its costs, and what is pending since, at the APY of the vaults.',
    (book) => ({
      total: book.yield,
      assets: book.byAsset(({ sums, yield: gain, apy }) => ({
        accrued: sums.accrued,
        pending: gain - sums.accrued,
        total: gain,
        costs: sums.costs,
        apy,
      })),
    }),
  ],
  points: [
    'partner_points',
    'Points are one a day for each unit of net principal, exact in time.',
    (book) => ({
      total: book.points,
      per_usd_day: 1,
      campaigns: [{ campaign_id: null, multiplier: 1, points: book.points }],
    }),
  ],
  revenue: [
    'revenue_share',
    "The performance fee and its parts are those of the ledger's entries, at the partner's terms.",
    (book, { terms }) => ({
      ...terms,
      assets: book.byAsset(revenue),
      totals: revenue(book),
    }),
  ],
};

/** Rows of vaults and assets have no order of their own. */
function ordered(node: any): any {
  if (Array.isArray(node)) {
    const nameOf = (row: any): string => String(row?.asset ?? row?.vault_id ?? row?.id);
    return node.map(ordered).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof node !== 'object' || node === null) return node;
  const fields = Object.entries(node).filter(([name]) => name !== 'as_of');
  return Object.fromEntries(fields.map(([name, value]) => [name, ordered(value)]));
}

const expectReport = (answer: Exchange, expected: object): void =>
  alike('the report', ordered(dataOf(answer, 200)), ordered(expected), answer);

const asRule = ([kind, says, expected]: (typeof REPORTS)[string], name: string): [string, Rule['run']] => [
  `${says} \`as_of\` shows the books before that moment.`,
  async (stage) => {
    const life = await stage.life();
    const { caller, turned } = life;
    const now = await caller.get(`/partner/${name}`);
    equals('object', now.body.object, kind, now);
    for (const moment of [dataOf(now, 200).as_of, turned]) {
      const book = await Book.read(caller, stage.assets, moment);
      const answer = await caller.get(`/partner/${name}?as_of=${moment}`);
      equals('as_of', dataOf(answer, 200).as_of, moment, answer);
      expectReport(answer, expected(book, life));
      if (moment !== turned) expectReport(now, expected(book, life));
    }
  },
];

export const reportsRules = rulesOf('reports', {
  ...Object.fromEntries(Object.entries(REPORTS).map(([name, report]) => [name, asRule(report, name)])),
  users: [
    'The list of users has the positions and the worth of each, now and as of a moment.',
    async (stage) => {
      const { caller, turned, users } = await stage.life();
      for (const moment of [turned, null]) {
        const query = moment === null ? '' : `?as_of=${moment}`;
        const answer = await caller.get(`/partner/users${query}`);
        const rows = dataOf(answer, 200) as any[];
        equals('the users', rows.map(({ id }) => id).toSorted(), [...users].sort(), answer);
        const at = moment ?? dataOf(await caller.get('/partner/summary'), 200).as_of;
        const book = await Book.read(caller, stage.assets, at);
        for (const { id, positions, net_tvl } of rows) {
          const { counts, value } = book.only('user_id', id);
          alike(`what ${id} has`, { positions, net_tvl }, { positions: counts, net_tvl: value }, answer);
        }
      }
    },
  ],
  positions: [
    'The positions as of a moment are those that the ledger has opened by then, with their principal and status of then.',
    async (stage) => {
      const { caller, turned, users } = await stage.life();
      for (const path of ['/positions?', `/partner/user/${users[1]}/positions?`]) {
        const answer = await caller.get(`${path}limit=500&as_of=${turned}`);
        const book = await Book.read(caller, stage.assets, turned);
        const of = path.includes(users[1]) ? book.only('user_id', users[1]) : book;
        const opened = new Set(of.entries.map((entry) => entry.position_id));
        const shown = dataOf(answer, 200) as any[];
        equals('the positions', shown.map(({ id }) => id).sort(), [...opened].sort(), answer);
        for (const position of shown) {
          const { net_deposits: principal, costs } = of.only('position_id', position.id).sums;
          const { value, closed_at } = position;
          alike(position.id, position, { ...position, principal, costs, yield: value - principal }, answer);
          holds(closed_at === null && position.status !== 'closed', 'it is closed before it was', answer);
        }
      }
    },
  ],
});
