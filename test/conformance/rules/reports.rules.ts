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
    'Each report names its kind in object, and the moment that it is of.',
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
    'The summary adds up: net deposits are deposits less withdrawals, net TVL is that and the yield, and totals are the sums of the assets.',
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
    'Deposits and withdrawals say the same as the summary, in all and by asset.',
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
    'A deposit raises the deposits of the reports by its amount and their count by one, a withdrawal the withdrawals by its own, at once and exactly.',
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
    'The net TVL is the sum of its assets, and of each asset that of its vaults, whose shares make one; it is that of the summary.',
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
    'The yield is what is posted to ledgers and what is pending, by asset and in all; it is that of the summary.',
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
    "The performance fee is shared between partner and protocol without a rest, at the partner's share, by asset and in all.",
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
    'The points are the sum over the campaigns, and those of the summary; what is deposited earns some.',
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
    'The history of the reports has a point for each day, in the order of time, and an asset that was asked for.',
    async (stage) => {
      const [asset] = stage.assets;
      const { answer, data } = await report(stage, `history?asset=${asset}`);
      const days = data.points.map(({ at }: any) => at);
      equals('the order', days, [...new Set(days)].sort(), answer);
      equals('asset', data.asset, asset, answer);
    },
  ],
  users: [
    'The summary counts the users and positions that the lists show, and its net TVL is that of the users.',
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
