import { dataOf, equals, holds, rowsOf, Skipped } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { near, within } from './figures.js';

const micro = (amount: unknown): number => Math.round(Number(amount) * 1e6);
const sum = (rows: any[], field: string): number =>
  rows.reduce((total: number, row) => total + micro(row[field]), 0);
const MONEY = ['deposits', 'withdrawals', 'net_deposits', 'net_tvl', 'yield'];

/** A report of the partner, after a deposit where the run makes any. Where it has rows of assets, each asset has one. */
async function report(stage: Stage, name: string): Promise<{ answer: Exchange; data: any }> {
  if (stage.options.deposits) await stage.position();
  const answer = await (await stage.partner()).caller.get(`/partner/${name}`);
  const data = dataOf(answer, 200);
  const named = data.assets?.map(({ asset }: any) => asset).sort();
  if (named) equals('the assets', named, [...stage.assets].sort(), answer);
  return { answer, data };
}

/** A report, between two summaries: `beside` expects a figure of it between theirs, because what is deposited earns meanwhile. */
async function besideSummary(stage: Stage, name: string) {
  const { data: before } = await report(stage, 'summary');
  const { answer, data } = await report(stage, name);
  const { data: after } = await report(stage, 'summary');
  const beside = (what: string, value: unknown, of: (summary: any) => unknown): void =>
    within(what, value, [of(before), of(after)], answer);
  return { answer, data, before, beside };
}

export const reportsRules = rulesOf('reports', {
  objects: [
    'Each report has its kind in object, and its time in as_of.',
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
        const { answer, data, beside } = await besideSummary(stage, name);
        equals('object', answer.body.object, kind, answer);
        beside('as_of', Date.parse(data.as_of), (one) => Date.parse(one.as_of));
      }
    },
  ],
  summary: [
    'The summary adds up: net TVL is deposits less withdrawals plus yield, and totals are the sums of the assets.',
    async (stage) => {
      const { answer, data } = await report(stage, 'summary');
      for (const money of [data.totals, ...data.assets]) {
        const net = micro(money.deposits) - micro(money.withdrawals);
        equals('net_deposits', micro(money.net_deposits), net, answer);
        equals('net_tvl', micro(money.net_tvl), micro(money.net_deposits) + micro(money.yield), answer);
      }
      for (const field of MONEY)
        equals(`totals.${field}`, micro(data.totals[field]), sum(data.assets, field), answer);
      equals('partner_id', data.partner_id, (await stage.partner()).id, answer);
    },
  ],
  flows: [
    'The reports of deposits and withdrawals equal the summary in total, and their assets add up.',
    async (stage) => {
      const { data: summary } = await report(stage, 'summary');
      for (const name of ['deposits', 'withdrawals']) {
        const { answer, data } = await report(stage, name);
        equals('total', micro(data.total), micro(summary.totals[name]), answer);
        equals('the sum of the assets', sum(data.assets, 'amount'), micro(data.total), answer);
        const count = data.assets.reduce((all: number, one: any) => all + one.count, 0);
        equals('count', count, data.count, answer);
      }
    },
  ],
  moved: [
    'A deposit or withdrawal raises the reported amount and count exactly, at once.',
    async (stage) => {
      const before = (await report(stage, 'summary')).data.totals;
      const counts = async (): Promise<number[]> => [
        (await report(stage, 'deposits')).data.count,
        (await report(stage, 'withdrawals')).data.count,
      ];
      const [deposits, withdrawals] = await counts();
      const { id } = dataOf(await stage.deposit(12.345678), 201);
      dataOf(await stage.withdraw(id, 2.000001), 201);
      const { answer, data } = await report(stage, 'summary');
      equals('deposits', micro(data.totals.deposits), micro(before.deposits) + 12_345_678, answer);
      equals('withdrawals', micro(data.totals.withdrawals), micro(before.withdrawals) + 2_000_001, answer);
      equals('the counts', await counts(), [deposits! + 1, withdrawals! + 1]);
    },
  ],
  tvl: [
    'Net TVL is the sum of assets and of vaults, whose shares add up to 1, and equals the summary.',
    async (stage) => {
      const { answer, data, beside } = await besideSummary(stage, 'tvl');
      beside('net_tvl', data.net_tvl, ({ totals }) => totals.net_tvl);
      const open = await (await stage.partner()).caller.get('/positions?limit=500');
      const held = dataOf(open, 200).filter((one: any) => one.value > 0);
      const vaultsOf = (rows: any[]): string[] => [...new Set(rows.map((one) => one.vault_id))].sort();
      const shown = vaultsOf(data.assets.flatMap(({ vaults }: any) => vaults));
      if (!open.body.meta.has_more) equals('the vaults that hold something', shown, vaultsOf(held), answer);
      equals('net_tvl', micro(data.net_tvl), sum(data.assets, 'net_tvl'), answer);
      for (const { net_tvl, vaults } of data.assets)
        equals('the vaults', sum(vaults, 'value'), micro(net_tvl), answer);
      for (const { vaults } of data.assets.filter(({ net_tvl }: any) => net_tvl > 0))
        near('the sum of the shares', sum(vaults, 'share') / 1e6, 1, answer);
    },
  ],
  yield: [
    'Yield is accrued plus pending, by asset and in total, and equals the summary.',
    async (stage) => {
      const { answer, data, beside } = await besideSummary(stage, 'yield');
      beside('total', data.total, ({ totals }) => totals.yield);
      const apys = (rows: any[]): object => Object.fromEntries(rows.map(({ asset, apy }) => [asset, apy]));
      beside('the APYs', apys(data.assets), ({ assets }) => apys(assets));
      for (const { accrued, pending, total } of data.assets)
        equals('total', micro(total), micro(accrued) + micro(pending), answer);
      equals('total', micro(data.total), sum(data.assets, 'total'), answer);
    },
  ],
  revenue: [
    'The performance fee is split between partner and protocol without a rest, by asset and in total.',
    async (stage) => {
      const { answer, data, beside } = await besideSummary(stage, 'revenue');
      beside('partner_revenue', data.totals.partner_revenue, (one) => one.revenue);
      for (const one of [data.totals, ...data.assets])
        equals(
          'the fee',
          micro(one.performance_fee),
          micro(one.partner_revenue) + micro(one.protocol_revenue),
          answer,
        );
      for (const field of ['yield', 'accrued', 'performance_fee', 'partner_revenue', 'protocol_revenue'])
        equals(`totals.${field}`, micro(data.totals[field]), sum(data.assets, field), answer);
      const partner = await stage.admin.get(`/partners/${(await stage.partner()).id}`);
      equals('revenue_share_bps', data.revenue_share_bps, dataOf(partner, 200).revenue_share_bps, answer);
    },
  ],
  points: [
    'Points are the sum over campaigns and equal the summary; deposits earn points.',
    async (stage) => {
      const { answer, data, before, beside } = await besideSummary(stage, 'points');
      near('total', data.total, sum(data.campaigns, 'points') / 1e6, answer);
      beside('total', data.total, ({ points }) => points);
      const campaigns = await stage.admin.get(`/partners/${(await stage.partner()).id}/campaigns?limit=500`);
      for (const { campaign_id: id, multiplier } of data.campaigns) {
        const campaign = dataOf(campaigns, 200).find((one: any) => one.id === id);
        equals('the multiplier', multiplier, id === null ? 1 : campaign?.points_multiplier, answer);
      }
      holds(data.total > 0 || before.totals.net_deposits <= 0, 'the deposits earned none', answer);
    },
  ],
  history: [
    'The history of reports has one point per day for the requested asset, oldest first.',
    async (stage) => {
      const [asset] = stage.assets;
      const { answer, data } = await report(stage, `history?asset=${asset}`);
      const days = data.points.map(({ at }: any) => at);
      equals('the order', days, [...new Set(days)].sort(), answer);
      equals('asset', data.asset, asset, answer);
    },
  ],
  users: [
    'The summary has the number of users, their open positions and their net TVL, as in the list of users.',
    async (stage) => {
      await stage.user();
      const { answer, before: summary, beside } = await besideSummary(stage, 'users?limit=500');
      const users = rowsOf(answer);
      if (answer.body.meta.has_more) throw new Skipped('the partner has more users than a page');
      equals('users', users.length, summary.users, answer);
      const open = users.reduce((all: number, one: any) => all + one.positions.open, 0);
      equals('open positions', open, summary.positions.open, answer);
      beside('the net TVL', sum(users, 'net_tvl') / 1e6, ({ totals }) => totals.net_tvl);
    },
  ],
});
