import { micro, sum, sumsOf } from '../book.js';
import { column, dataOf, equals, holds, refused, rowsOf, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { alike, near } from './figures.js';

interface ClosedPeriod {
  caller: Stage['admin'];
  /** Oldest first. */
  days: any[];
  entries: any[];
}

/** @throws Skipped where no day of the partner is closed */
async function closed(stage: Stage): Promise<ClosedPeriod> {
  const { caller } = await stage.life();
  const answer = await caller.get('/partner/statements?interval=day&limit=500');
  const days = dataOf(answer, 200).toReversed();
  if (stage.contract === 'sandbox') rowsOf(answer);
  if (days.length === 0) throw new SkippedRule('no day ended while the run lasted, so that none is closed');
  return { caller, days, entries: rowsOf(await caller.get('/partner/ledger?limit=500')) };
}

/** Entries before a midnight, and the accruals of that moment. */
const until = (entries: any[], to: string): any[] =>
  entries.filter(({ at, type }) => at < to || (at === to && type === 'yield_accrual'));

const ofAsset = (entries: any[], asset: string): any[] => entries.filter((entry) => entry.asset === asset);

/** What a statement must show of entries. */
function figures(entries: any[], { from, to }: any) {
  const [before, all] = [until(entries, from), until(entries, to)];
  const { deposits, withdrawals, gross, costs, ...fees } = sumsOf(
    all.filter((text) => !before.includes(text)),
  );
  return {
    opening_value: sumsOf(before).booked,
    closing_value: sumsOf(all).booked,
    deposits,
    withdrawals,
    yield: gross,
    costs,
    performance_fee: fees.performance_fee,
    partner_revenue: fees.partner_revenue,
    protocol_revenue: fees.protocol_revenue,
    carried_loss: sumsOf(all).carried_loss,
  };
}

function expectFigures(what: string, shown: any, expected: object, answer: Exchange): void {
  const same = Object.fromEntries(Object.keys(expected).map((field) => [field, shown[field]]));
  alike(what, same, expected, answer);
}

export const statementsRules = rulesOf('statements', {
  days: [
    'The statement of a closed day is the entries of that day, by asset, in total and by user, from its opening to its closing value.',
    async (stage) => {
      const { caller, days, entries } = await closed(stage);
      for (const day of days) {
        const answer = await caller.get(`/partner/statements/${day.period}`);
        // Reserves are those of a chain.
        const { assets, totals, reserves: _, ...head } = dataOf(answer, 200);
        const { assets: listed, totals: listedTotals, ...period } = day;
        equals('the period', head, period, answer);
        const shown = ({ expected_costs: __, ...row }: any) => row;
        equals('its figures in the list', [listed, listedTotals], [assets.map(shown), shown(totals)], answer);
        const users = await caller.get(`/partner/statements/${day.period}/users?limit=500`);
        for (const row of assets)
          expectFigures(
            `${row.asset} on ${day.period}`,
            row,
            figures(ofAsset(entries, row.asset), day),
            answer,
          );
        expectFigures(`the totals of ${day.period}`, totals, figures(entries, day), answer);
        const shownUsers = rowsOf(await caller.get('/partner/users'));
        for (const { user_id, external_id, assets: rows } of rowsOf(users)) {
          equals('external_id', external_id, shownUsers.find(({ id }) => id === user_id)?.external_id, users);
          for (const row of rows) {
            const userEntries = ofAsset(entries, row.asset).filter((row) => row.user_id === user_id);
            expectFigures(`${user_id} on ${day.period}`, row, figures(userEntries, day), users);
          }
        }
        const parts = users.body.data.flatMap((row: any) => row.assets);
        for (const { asset, uplift, ...row } of assets) {
          const assetParts = ofAsset(parts, asset);
          for (const name of ['closing_value', 'expected_costs'])
            equals(`the users' ${name} of ${asset}`, sum(assetParts, name), micro(row[name]), users);
          for (const name of ['lending', 'hold']) {
            near(`the users' ${name}`, sum(column(assetParts, 'uplift'), name) / 1e6, uplift[name], users);
            near(
              `the total of ${name}`,
              totals.uplift[name],
              sum(column(assets, 'uplift'), name) / 1e6,
              answer,
            );
          }
        }
      }
    },
  ],
  months: [
    'A month is the sum of its days; its statement is open until it ends, and the list has months by default.',
    async (stage) => {
      const { caller, days, entries } = await closed(stage);
      const answer = await caller.get('/partner/statements?limit=500');
      const months = rowsOf(answer);
      const expected = new Set(column(days, 'period').map((day) => day.slice(0, 7)));
      equals('the months', column(months, 'period').sort(), [...expected].sort(), answer);
      for (const month of months) {
        const statement = await caller.get(`/partner/statements/${month.period}`);
        expectFigures(month.period, dataOf(statement, 200).totals, figures(entries, month), statement);
        const last = days.findLast(({ period }) => period.startsWith(month.period));
        equals('its end', [month.to, month.closed], [last.to, /-01T/.test(last.to)], answer);
      }
    },
  ],
  'trial-balance': [
    'The trial balance of a closed day has the debits and credits of its journal by account, which are equal in each asset, and leads to the closing value of the statement.',
    async (stage) => {
      const { caller, days } = await closed(stage);
      for (const { period, from, to } of days) {
        const answer = await caller.get(`/partner/trial-balance?as_of=${period}&from=${period}`);
        const { accounts, ...bounds } = dataOf(answer, 200);
        equals('the period', bounds, { from, as_of: to }, answer);
        const journal = await caller.get(`/partner/journal?from=${from}&to=${to}&limit=500`);
        const { assets } = dataOf(await caller.get(`/partner/statements/${period}`), 200);
        for (const { asset, closing_value } of assets) {
          const rows = ofAsset(accounts, asset);
          equals(`the debits of ${asset}`, sum(rows, 'debits'), sum(rows, 'credits'), answer);
          const lines = ofAsset(dataOf(journal, 200), asset).flatMap((entry) => entry.lines);
          for (const { account, opening, debits, credits, closing } of rows) {
            const booked = lines.filter((line) => line.account === account);
            const expected = [sum(booked, 'debit'), sum(booked, 'credit')];
            equals(`${account} of ${asset}`, [micro(debits), micro(credits)], expected, answer);
            equals(`its balance`, micro(closing), micro(opening) + micro(debits) - micro(credits), answer);
          }
          const { closing } = rows.find(({ account }) => account === 'vaults');
          equals(`the value of ${asset}`, closing, closing_value, answer);
        }
      }
    },
  ],
  years: [
    'A year is the sum of its days, also by user, in each asset and at par; it is open until it ends.',
    async (stage) => {
      const { caller, days, entries } = await closed(stage);
      const answer = await caller.get('/partner/statements?interval=year');
      for (const { period, totals, to, closed: isClosed, ...year } of dataOf(answer, 200)) {
        const last = days.findLast((day) => day.period.startsWith(period));
        equals('its end', [to, isClosed], [last.to, /-01-01T/.test(last.to)], answer);
        expectFigures(`the totals of ${period}`, totals, figures(entries, { ...year, to }), answer);
        const users = await caller.get(`/partner/statements/${period}/users?limit=500`);
        for (const { user_id, assets, totals: userTotals } of rowsOf(users)) {
          const userEntries = entries.filter((entry) => entry.user_id === user_id);
          for (const row of assets)
            expectFigures(
              `${row.asset} of ${user_id} in ${period}`,
              row,
              figures(ofAsset(userEntries, row.asset), { ...year, to }),
              users,
            );
          expectFigures(`${user_id} in ${period}`, userTotals, figures(userEntries, { ...year, to }), users);
        }
      }
    },
  ],
  packages: [
    'The closing package of a closed month is a ZIP of the same bytes each time, with its manifest; an open month has none.',
    async (stage) => {
      const { caller } = await closed(stage);
      for (const month of rowsOf(await caller.get('/partner/statements?limit=500'))) {
        const path = `/partner/statements/${month.period}/package`;
        const answer = await caller.get(path);
        if (!month.closed) {
          refused(answer, 409, 'month_open');
          continue;
        }
        dataOf(answer, 200);
        equals('the type', answer.headers.get('content-type'), 'application/zip', answer);
        // The files are stored, so that the texts of a ZIP can be read in it: the name of each stands at its beginning and in the directory.
        for (const name of ['statement.csv', 'ledger.csv', 'manifest.json'])
          holds(answer.text.split(name).length > 2, `${name} is not in the ZIP`, answer);
        const again = await caller.get(path);
        holds(again.text === answer.text, `${month.period} has other bytes the second time`, again);
      }
    },
  ],
  invoices: [
    'The invoices of a partner are the fees of its closed months, by asset, as its statements have them; only an administrator settles one.',
    async (stage) => {
      const { caller, partner } = await stage.life();
      const months = dataOf(await caller.get('/partner/statements?limit=500'), 200);
      const expected: unknown[] = [];
      for (const { period } of months.filter((month: any) => month.closed)) {
        const { assets } = dataOf(await caller.get(`/partner/statements/${period}`), 200);
        for (const { asset, performance_fee: fee, ...parts } of assets)
          if (fee !== 0 || parts.partner_revenue !== 0)
            expected.push([period, asset, fee, parts.partner_revenue, parts.protocol_revenue]);
      }
      const answer = await caller.get('/partner/invoices?limit=500');
      const invoices: any[] = dataOf(answer, 200);
      const figures = invoices.map((row) => [
        ...[row.period, row.asset, row.fee, row.partner_revenue, row.protocol_revenue],
      ]);
      equals('the invoices', figures.map(String).sort(), expected.map(String).sort(), answer);
      const listed = await stage.admin.get(`/partners/${partner.id}/invoices?limit=500`);
      equals('what an administrator reads', dataOf(listed, 200), invoices, listed);
      const id = invoices[0]?.id ?? `inv_${'0'.repeat(26)}`;
      const settled = { status: 'paid', reference: 'conformance' };
      refused(
        await caller.post(`/partners/${partner.id}/invoices/${id}/settle`, settled),
        403,
        'insufficient_scope',
      );
      const unknown = `/partners/${partner.id}/invoices/inv_${'0'.repeat(26)}/settle`;
      refused(await stage.admin.post(unknown, settled), 404, 'not_found');
    },
  ],
  terms: [
    'Each accrual of the ledger is settled at the terms that held, by the list of terms, before its value date.',
    async (stage) => {
      const { caller, partner } = await stage.life();
      const listed = await caller.get('/partner/terms?limit=500');
      const terms = rowsOf(listed);
      equals(
        'the terms by administrators',
        dataOf(await stage.admin.get(`/partners/${partner.id}/terms?limit=500`), 200),
        terms,
        listed,
      );
      const ofFee = terms.filter(({ kind }) => kind === 'fee').toReversed();
      equals('when each ended', column(ofFee, 'until'), [...column(ofFee.slice(1), 'from'), null], listed);
      const ledger = await caller.get('/partner/ledger?limit=500&type=yield_accrual');
      const accruals: any[] = dataOf(ledger, 200);
      if (accruals.length === 0) throw new SkippedRule('no yield accrued while the run lasted');
      for (const { id, at, performance_fee_bps, revenue_share_bps } of accruals) {
        const held = ofFee.findLast(({ from }) => from < at) ?? ofFee[0];
        equals(
          `the terms of ${id}`,
          [performance_fee_bps, revenue_share_bps],
          [held?.performance_fee_bps, held?.revenue_share_bps],
          ledger,
        );
      }
    },
  ],
  history: [
    'The history of reports has a point for each closed day of an asset: the worth, flows, yield and costs of the ledger by then.',
    async (stage) => {
      const { caller, days, entries } = await closed(stage);
      for (const asset of stage.assets) {
        const answer = await caller.get(`/partner/history?asset=${asset}`);
        const { points } = dataOf(answer, 200);
        const { from } = days.at(-1)!;
        const part = await caller.get(`/partner/history?asset=${asset}&from=${from}`);
        equals('the points from a day on', dataOf(part, 200).points, points.slice(-1), part);
        const older = await caller.get(`/partner/history?asset=${asset}&to=${days[0]!.from}`);
        equals('the points up to a day', dataOf(older, 200).points, points.slice(0, 1), older);
        equals('the days', column(points, 'at'), column(days, 'from'), answer);
        equals('their ends', column(points, 'as_of'), column(days, 'to'), answer);
        for (const point of points) {
          const { booked, deposits, withdrawals, costs, ...sums } = sumsOf(
            until(ofAsset(entries, asset), point.as_of),
          );
          const expected = {
            net_tvl: booked,
            deposits,
            withdrawals,
            costs,
            yield: sums.accrued,
            revenue: sums.partner_revenue,
          };
          expectFigures(`${asset} at ${point.as_of}`, point, expected, answer);
        }
      }
    },
  ],
  uplift: [
    'The uplift of a statement is what the history of reports gained in the period, against both baselines.',
    async (stage) => {
      const { caller, days } = await closed(stage);
      for (const asset of stage.assets) {
        const { points } = dataOf(await caller.get(`/partner/history?asset=${asset}`), 200);
        for (const [index, { period }] of days.entries()) {
          const answer = await caller.get(`/partner/statements/${period}`);
          const { uplift } = dataOf(answer, 200).assets.find((row: any) => row.asset === asset);
          for (const name of ['lending', 'hold']) {
            const { uplift: gained, net_tvl, baselines, settled_uplift: settled } = points[index];
            const before = points[index - 1]?.uplift[name] ?? 0;
            near(`${name} of ${asset} on ${period}`, uplift[name], gained[name] - before, answer);
            const sum = net_tvl - baselines[`${name}_value`] + settled[name];
            near(`${name} of ${asset} by ${period}`, gained[name], sum, answer);
          }
        }
      }
    },
  ],
});
