import { column, dataOf, equals, rowsOf, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { alike, close, near } from './figures.js';
import { isIdle } from './series.js';

const MINUTE_MS = 60_000;
const SUMS = ['routed_value', 'baseline_value', 'settled_uplift', 'costs', 'gross_uplift', 'uplift'];

interface Uplift {
  answer: Exchange;
  data: any;
  /** Against each baseline of the contract. */
  against: Record<string, { realized: any; projected: any }>;
}

async function upliftOf(stage: Stage, query: string): Promise<Uplift> {
  const answer = await (await stage.life()).caller.get(`/analytics/uplift?${query}`);
  const data = dataOf(answer, 200);
  return { answer, data, against: data.baselines ?? { lending: data } };
}

/** Positions of which nothing was withdrawn, as they are now, with their uplift alone. */
async function whole(stage: Stage): Promise<[position: any, uplift: Uplift][]> {
  const { caller, risky, waiting } = await stage.life();
  const pairs: [any, Uplift][] = [];
  for (const { id } of [risky, waiting]) {
    const uplift = await upliftOf(stage, `position_id=${id}`);
    pairs.push([dataOf(await caller.get(`/positions/${id}`), 200), uplift]);
  }
  return pairs;
}

/** The vault that a baseline of a position stays in. */
const baselineOf = (name: string, position: any, vaults: any[]): string | undefined =>
  name === 'hold'
    ? (position.origin_vault_id ?? position.vault_id)
    : vaults.find((one) => one.asset === position.asset && one.lending_baseline)?.id;

export const upliftRules = rulesOf('uplift', {
  adds: [
    'Uplift is the routed value less the baseline and what was settled, net of costs, over all positions, against the baselines of the contract.',
    async (stage) => {
      const { answer, data, against } = await upliftOf(stage, '');
      equals('object', answer.body.object, stage.contract === 'partner' ? 'object' : 'uplift', answer);
      const names = stage.contract === 'partner' ? ['lending'] : ['hold', 'lending'];
      equals('the baselines', Object.keys(against).sort(), names, answer);
      const summary = await (await stage.life()).caller.get('/partner/summary');
      const { positions, totals, as_of } = dataOf(summary, 200);
      equals('positions', data.positions, positions.open + positions.closed, answer);
      close('as_of', Date.parse(data.as_of), Date.parse(as_of), MINUTE_MS, answer);
      for (const { realized: of, projected } of Object.values(against)) {
        near('routed_value', of.routed_value, totals.net_tvl, answer);
        near('uplift', of.uplift, of.routed_value - of.baseline_value + of.settled_uplift, answer);
        near('gross_uplift', of.gross_uplift, of.uplift + of.costs, answer);
        const { routed_apy: routed, baseline_apy: baseline, horizon_days: days } = projected;
        const more = (of.routed_value * (routed - baseline) * days) / 365;
        if (projected.uplift !== null) near('projected.uplift', projected.uplift, more, answer);
      }
    },
  ],
  filters: [
    'Uplift by asset, user and position has that part alone: the parts add up to the whole; from and to split its time.',
    async (stage) => {
      const { caller, users, turned } = await stage.life();
      const to = dataOf(await caller.get('/partner/summary'), 200).as_of;
      const total = await upliftOf(stage, `to=${to}`);
      const positions = column(rowsOf(await caller.get('/positions?limit=500')), 'id');
      const filters = { asset: stage.assets, user_id: users, position_id: positions };
      for (const [filter, values] of Object.entries(filters)) {
        const parts: Uplift[] = [];
        for (const value of values) parts.push(await upliftOf(stage, `${filter}=${value}&to=${to}`));
        const { answer } = parts[0]!;
        const shown = column(parts, 'data');
        const count = shown.reduce((all, one) => all + one.positions, 0);
        equals(`positions by ${filter}`, count, total.data.positions, answer);
        if (filter === 'asset') equals('the assets', column(shown, 'asset'), values, answer);
        for (const [name, { realized }] of Object.entries(total.against))
          for (const field of SUMS) {
            const sum = parts.reduce((all, { against }) => all + against[name]!.realized[field], 0);
            near(`${field} by ${filter}`, sum, realized[field], answer);
          }
      }
      const before = await upliftOf(stage, `to=${turned}`);
      const after = await upliftOf(stage, `from=${turned}&to=${to}`);
      equals('from', after.data.from, turned, after.answer);
      equals('as_of', before.data.as_of, turned, before.answer);
      for (const [name, { realized }] of Object.entries(total.against)) {
        const sum = before.against[name]!.realized.uplift + after.against[name]!.realized.uplift;
        near('uplift of both spans', sum, realized.uplift, after.answer);
      }
    },
  ],
  baselines: [
    'The lending baseline grew as the lending vault did, and hold as the first vault of the position.',
    async (stage) => {
      const { series } = await stage.market();
      for (const [position, { answer, data, against }] of await whole(stage))
        for (const [name, { realized: of }] of Object.entries(against)) {
          near('routed_value', of.routed_value, position.value, answer);
          near('costs', of.costs, position.costs, answer);
          if (of.uplift_pct !== null)
            near('uplift_pct', of.uplift_pct * position.principal, of.uplift, answer);
          const vault = baselineOf(name, position, await series.list());
          const grown = vault && (await series.growth(vault, position.opened_at, data.as_of));
          if (typeof grown !== 'number') continue;
          const expected = position.principal * grown;
          const slack = 0.0001 + Math.abs(expected - position.principal) / 100;
          close(`${name} of ${position.id}`, of.baseline_value, expected, slack, answer);
        }
    },
  ],
  projected: [
    'The projection is at the expected APYs of the signals: that of the vault of a position against that of each baseline.',
    async (stage) => {
      const { caller } = await stage.life();
      const signals = rowsOf(await caller.get('/analytics/signals?limit=500'));
      const vaults = await (await stage.market()).series.list();
      const expected = (id: string): number | null =>
        isIdle(id) ? 0 : (signals.find(({ vault_id }) => vault_id === id)?.expected_apy ?? null);
      let known = 0;
      for (const [position, { answer, against }] of await whole(stage))
        for (const [name, { projected }] of Object.entries(against)) {
          const routed = expected(position.vault_id);
          const baseline = expected(baselineOf(name, position, vaults)!);
          const isKnown = routed !== null && baseline !== null;
          equals('whether there is a projection', projected.uplift !== null, isKnown, answer);
          if (!isKnown) continue;
          known++;
          const { routed_apy, baseline_apy, basis } = projected;
          alike(
            'the rates',
            { routed_apy, baseline_apy },
            { routed_apy: routed, baseline_apy: baseline },
            answer,
          );
          equals('basis', basis, 'current_rates', answer);
        }
      if (known === 0) throw new SkippedRule('no vault has enough history for a projection');
    },
  ],
});
