import { dataOf, equals, holds, Skipped } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';

const micro = (amount: unknown): number => Math.round(Number(amount) * 1e6);
const sum = (rows: any[], field: string): number =>
  rows.reduce((total: number, row) => total + micro(row[field]), 0);
const MONEY = ['deposits', 'withdrawals', 'net_deposits', 'net_tvl', 'yield'];

/** A report of the partner, after a deposit and a withdrawal where the run makes any. */
async function report(stage: Stage, name: string): Promise<{ answer: Exchange; data: any }> {
  if (stage.options.deposits) await stage.position();
  const answer = await (await stage.partner()).caller.get(`/partner/${name}`);
  return { answer, data: dataOf(answer, 200) };
}

export const reportsRules = rulesOf('reports', {
  objects: [
    'Each report names its kind in object.',
    async (stage) => {
      const kinds = {
        summary: 'partner_summary',
        deposits: 'partner_deposits',
        withdrawals: 'partner_withdrawals',
        tvl: 'partner_tvl',
        yield: 'partner_yield',
        points: 'partner_points',
        revenue: 'revenue_share',
      };
      for (const [name, kind] of Object.entries(kinds)) {
        const { answer } = await report(stage, name);
        equals('object', answer.body.object, kind, answer);
      }
    },
  ],
  summary: [
    'The summary adds up: net deposits are deposits less withdrawals, net TVL is that and the yield, and totals are the sums of the assets.',
    async (stage) => {
      const { answer, data } = await report(stage, 'summary');
      for (const money of [data.totals, ...data.assets]) {
        equals(
          'net_deposits',
          micro(money.net_deposits),
          micro(money.deposits) - micro(money.withdrawals),
          answer,
        );
        equals('net_tvl', micro(money.net_tvl), micro(money.net_deposits) + micro(money.yield), answer);
      }
      for (const field of MONEY)
        equals(`totals.${field}`, micro(data.totals[field]), sum(data.assets, field), answer);
      equals('partner_id', data.partner_id, (await stage.partner()).id, answer);
    },
  ],
  flows: [
    'Deposits and withdrawals say the same as the summary, in all and by asset.',
    async (stage) => {
      const { data: summary } = await report(stage, 'summary');
      for (const name of ['deposits', 'withdrawals']) {
        const { answer, data } = await report(stage, name);
        equals('total', micro(data.total), micro(summary.totals[name]), answer);
        equals('the sum of the assets', sum(data.assets, 'amount'), micro(data.total), answer);
        equals(
          'count',
          data.assets.reduce((all: number, one: any) => all + one.count, 0),
          data.count,
          answer,
        );
      }
    },
  ],
  moved: [
    'A deposit raises the deposits of the reports by its amount, a withdrawal the withdrawals by its own, at once and exactly.',
    async (stage) => {
      const before = (await report(stage, 'summary')).data.totals;
      const { id } = dataOf(await stage.deposit(12.345678), 201);
      dataOf(await stage.withdraw(id, 2.000001), 201);
      const { answer, data } = await report(stage, 'summary');
      equals('deposits', micro(data.totals.deposits), micro(before.deposits) + 12_345_678, answer);
      equals('withdrawals', micro(data.totals.withdrawals), micro(before.withdrawals) + 2_000_001, answer);
    },
  ],
  tvl: [
    'The net TVL is the sum of its assets, and of each asset that of its vaults.',
    async (stage) => {
      const { answer, data } = await report(stage, 'tvl');
      equals('net_tvl', micro(data.net_tvl), sum(data.assets, 'net_tvl'), answer);
      for (const { net_tvl, vaults } of data.assets)
        equals('the vaults', sum(vaults, 'value'), micro(net_tvl), answer);
    },
  ],
  yield: [
    'The yield is what is posted to ledgers and what is pending, by asset and in all.',
    async (stage) => {
      const { answer, data } = await report(stage, 'yield');
      for (const { accrued, pending, total } of data.assets)
        equals('total', micro(total), micro(accrued) + micro(pending), answer);
      equals('total', micro(data.total), sum(data.assets, 'total'), answer);
    },
  ],
  revenue: [
    'The performance fee is shared between partner and protocol without a rest.',
    async (stage) => {
      const { answer, data } = await report(stage, 'revenue');
      for (const one of [data.totals, ...data.assets])
        equals(
          'performance_fee',
          micro(one.performance_fee),
          micro(one.partner_revenue) + micro(one.protocol_revenue),
          answer,
        );
      holds(
        data.revenue_share_bps >= 0 && data.revenue_share_bps <= 10_000,
        'revenue_share_bps is none',
        answer,
      );
    },
  ],
  users: [
    'The summary counts the users and positions that the lists show.',
    async (stage) => {
      const { data: summary } = await report(stage, 'summary');
      const { answer, data: users } = await report(stage, 'users?limit=500');
      if (answer.body.meta.has_more) throw new Skipped('the partner has more users than a page');
      equals('users', users.length, summary.users, answer);
      const open = users.reduce((all: number, one: any) => all + one.positions.open, 0);
      equals('open positions', open, summary.positions.open, answer);
    },
  ],
});
