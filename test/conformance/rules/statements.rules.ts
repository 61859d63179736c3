import { sumsOf } from '../book.js';
import { dataOf, equals, rowsOf, Skipped } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { alike } from './figures.js';

interface Closed {
  caller: Stage['admin'];
  /** Oldest first. */
  days: any[];
  entries: any[];
}

/** @throws Skipped where no day of the partner is closed */
async function closed(stage: Stage): Promise<Closed> {
  const { caller } = await stage.life();
  const answer = await caller.get('/partner/statements?interval=day&limit=500');
  const days = dataOf(answer, 200).toReversed();
  if (stage.contract === 'sandbox') rowsOf(answer);
  if (days.length === 0) throw new Skipped('no day ended while the run lasted, so that none is closed');
  return { caller, days, entries: rowsOf(await caller.get('/partner/ledger?limit=500')) };
}

/** Entries before a midnight, and the accruals of that moment. */
const until = (entries: any[], to: string): any[] =>
  entries.filter(({ at, type }) => at < to || (at === to && type === 'yield_accrual'));

/** What a statement must show of entries. */
function figures(entries: any[], { from, to }: any) {
  const [before, all] = [until(entries, from), until(entries, to)];
  const { deposits, withdrawals, gross, costs, ...fees } = sumsOf(all.filter((one) => !before.includes(one)));
  return {
    opening_value: sumsOf(before).booked,
    closing_value: sumsOf(all).booked,
    ...{ deposits, withdrawals, yield: gross, costs },
    ...{ performance_fee: fees.performance_fee, partner_revenue: fees.partner_revenue },
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
        const { assets, totals, ...head } = dataOf(answer, 200);
        equals('the period', head, day, answer);
        const users = await caller.get(`/partner/statements/${day.period}/users?limit=500`);
        for (const row of assets)
          expectFigures(
            `${row.asset} on ${day.period}`,
            row,
            figures(
              entries.filter(({ asset }) => asset === row.asset),
              day,
            ),
            answer,
          );
        expectFigures(`the totals of ${day.period}`, totals, figures(entries, day), answer);
        for (const { user_id, assets: rows } of rowsOf(users))
          for (const row of rows) {
            const own = entries.filter((one) => one.asset === row.asset && one.user_id === user_id);
            expectFigures(`${user_id} on ${day.period}`, row, figures(own, day), users);
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
      equals(
        'the months',
        months.map(({ period }) => period).sort(),
        [...new Set(days.map(({ period }) => period.slice(0, 7)))].sort(),
        answer,
      );
      for (const month of months) {
        const statement = await caller.get(`/partner/statements/${month.period}`);
        expectFigures(month.period, dataOf(statement, 200).totals, figures(entries, month), statement);
        const last = days.findLast(({ period }) => period.startsWith(month.period));
        equals('its end', [month.to, month.closed], [last.to, /-01T/.test(last.to)], answer);
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
        equals(
          'the days',
          points.map(({ at }: any) => at),
          days.map(({ from }) => from),
          answer,
        );
        for (const [
          place,
          { net_tvl, deposits, withdrawals, yield: gain, costs, revenue, as_of },
        ] of points.entries()) {
          const sums = sumsOf(
            until(
              entries.filter((one) => one.asset === asset),
              days[place].to,
            ),
          );
          const shown = { as_of, net_tvl, deposits, withdrawals, yield: gain, costs, revenue };
          const expected = {
            as_of: days[place].to,
            net_tvl: sums.booked,
            deposits: sums.deposits,
            withdrawals: sums.withdrawals,
            yield: sums.accrued,
            costs: sums.costs,
            revenue: sums.partner_revenue,
          };
          alike(`${asset} at ${as_of}`, shown, expected, answer);
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
        for (const [place, { period }] of days.entries()) {
          const answer = await caller.get(`/partner/statements/${period}`);
          const { uplift } = dataOf(answer, 200).assets.find((one: any) => one.asset === asset);
          const [now, before] = [points[place].uplift, points[place - 1]?.uplift ?? { lending: 0, hold: 0 }];
          const expected = { lending: now.lending - before.lending, hold: now.hold - before.hold };
          alike(`uplift of ${asset} on ${period}`, uplift, expected, answer);
          const { net_tvl, baselines, settled_uplift: settled } = points[place];
          const gained = {
            lending: net_tvl - baselines.lending_value + settled.lending,
            hold: net_tvl - baselines.hold_value + settled.hold,
          };
          alike(`uplift of ${asset} by ${period}`, now, gained, answer);
        }
      }
    },
  ],
});
