import type { Caller } from '../caller.js';
import { dataOf, equals, holds, matches, refusedField, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import { within } from './figures.js';

const REGIMES = ['rising', 'falling', 'stable', 'volatile'];

const withoutRank = ({ rank: _, ...signal }: any): object => signal;

const expectRanks = (signals: any[], answer: Exchange): void =>
  signals.forEach(({ rank, vault_id }, place) => equals(`the rank of ${vault_id}`, rank, place + 1, answer));

/** The yield history of an asset. @throws Skipped where no vault of it was observed yet */
async function historyOf(
  caller: Caller,
  asset: string,
  query = '',
): Promise<{ answer: Exchange; data: any }> {
  const answer = await caller.get(`/yield/history/${asset}${query}`);
  const data = dataOf(answer, 200);
  if (data.points.length > 0) return { answer, data };
  const vaults = rowsOf(await caller.get('/vaults?limit=500'));
  const isObserved = vaults.some((vault) => vault.asset === asset && vault.observed_at !== null);
  holds(!isObserved, `it has no point, and vaults of ${asset} were observed`, answer);
  throw new SkippedRule(`no vault of ${asset} was observed yet`);
}

export const analyticsRules = rulesOf('analytics', {
  signals: [
    'Signals rank each vault once by expected_risk_adjusted_apy, at the hour of the regime; asset leaves out the others.',
    async (stage) => {
      const { caller } = await stage.partner();
      const answer = await caller.get('/analytics/signals?limit=500');
      const signals = rowsOf(answer);
      expectRanks(signals, answer);
      const figures = signals.map(({ expected_risk_adjusted_apy: rate }) => rate ?? -Infinity);
      const falling = figures.toSorted((a, b) => b - a);
      equals('the order', figures, falling, answer);
      const vaults = rowsOf(await caller.get('/vaults?limit=500'));
      const byId = (rows: any[]): any[] => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const known = (rows: any[]): any[] =>
        byId(rows.map(({ id, name, asset, risk_tier, apy }) => ({ id, name, asset, risk_tier, apy })));
      const shown = signals.map(({ vault_id, ...signal }) => ({ ...signal, id: vault_id }));
      equals('the vaults', known(shown), known(vaults), answer);
      const { as_of: hour } = dataOf(await caller.get('/analytics/regime'), 200);
      for (const { as_of } of signals) equals('the hour', as_of, hour, answer);
      for (const asset of stage.assets) {
        const one = await caller.get(`/analytics/signals?asset=${asset}`);
        const own = signals.filter((signal) => signal.asset === asset);
        equals('the signals of an asset', rowsOf(one).map(withoutRank), own.map(withoutRank), one);
        expectRanks(one.body.data, one);
      }
    },
  ],
  regime: [
    'The regime is rising, falling, stable or volatile; else `unknown` (partner contract) or null (sandbox), with a reason.',
    async (stage) => {
      const answer = await (await stage.partner()).caller.get('/analytics/regime');
      const { regime, reason, assets, as_of } = dataOf(answer, 200);
      equals('object', answer.body.object, stage.contract === 'partner' ? 'object' : 'regime', answer);
      const none = stage.contract === 'partner' ? 'unknown' : null;
      const named = assets.map(({ asset }: any) => asset);
      equals('the assets', named.toSorted(), [...stage.assets].toSorted(), answer);
      const { caller } = await stage.partner();
      for (const { asset, apy } of assets)
        equals(`apy of ${asset}`, apy, dataOf(await caller.get(`/yield/history/${asset}`), 200).apy, answer);
      for (const one of [{ regime, reason }, ...assets]) {
        holds(one.regime === none || REGIMES.includes(one.regime), `the regime is ${one.regime}`, answer);
        holds(one.regime !== none || typeof one.reason === 'string', 'no reason is given', answer);
      }
      for (const { asset, ...series } of assets) {
        const one = await caller.get(`/analytics/regime?asset=${asset}`);
        const { observations: _, ...whole } = series;
        const expected = { ...whole, as_of, assets: [{ asset, ...series }] };
        equals('the regime of an asset', dataOf(one, 200), expected, one);
      }
    },
  ],
  advisor: [
    'The advisor shows the regime, the uplift and up to three best signals without the recommendation reduce.',
    async (stage) => {
      await stage.position();
      const { caller } = await stage.partner();
      const upliftNow = async (): Promise<any> => dataOf(await caller.get('/analytics/uplift'), 200);
      const before = await upliftNow();
      const answer = await caller.get('/analytics/advisor');
      const { generator, opportunities, headline, rationale, regime, uplift } = dataOf(answer, 200);
      equals('object', [answer.body.object, generator], ['advisor', 'template'], answer);
      equals('the regime', regime, dataOf(await caller.get('/analytics/regime'), 200), answer);
      for (const word of [regime.regime ?? '', opportunities[0].name])
        holds(headline.includes(word), `the headline does not name ${word}`, answer);
      for (const { name } of opportunities)
        holds(
          rationale.some((one: string) => one.includes(name)),
          `it gives no reason for ${name}`,
          answer,
        );
      equals('as_of', uplift.as_of, answer.body.data.as_of, answer);
      holds(uplift.positions > 0, 'its uplift is of no position', answer);
      within('its uplift', uplift, [before, await upliftNow()], answer);
      const signals = rowsOf(await caller.get('/analytics/signals'));
      const best = signals.filter(({ recommendation }) => recommendation !== 'reduce').slice(0, 3);
      equals('the opportunities', opportunities.map(withoutRank), best.map(withoutRank), answer);
      expectRanks(opportunities, answer);
    },
    'sandbox',
  ],
  month: [
    'A new account has a month of market history and a complete signal for every vault.',
    async (stage) => {
      const { caller } = await stage.newPartner('newcomer');
      const answer = await caller.get('/analytics/signals?limit=500');
      const signals = rowsOf(answer);
      for (const {
        insufficient_history,
        risk_adjusted_apy: now,
        expected_risk_adjusted_apy: later,
      } of signals)
        holds(!insufficient_history && now !== null && later !== null, 'a signal lacks history', answer);
      const history = await caller.get(`/yield/history/${stage.assets[1]}?interval=day`);
      holds(dataOf(history, 200).points.length >= 30, 'it has less than 30 days', history);
    },
    'sandbox',
  ],
  'yield-history': [
    'The yield history of an asset has at most 2,000 points, oldest first.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const asset of stage.assets) {
        const { answer, data } = await historyOf(caller, asset, '?interval=day');
        equals('object', answer.body.object, 'yield_history', answer);
        shows('the history', data, { asset, interval: 'day' }, answer);
        const times = data.points.map(({ at }: any) => at);
        equals('the order', times, [...times].sort(), answer);
        holds(times.length <= 2000, 'it has more than 2,000 points', answer);
      }
    },
  ],
  'query-times': [
    'A time in a query is an ISO 8601 UTC date or a time with offset; `from` alone returns up to 2,000 points and has_more.',
    async (stage) => {
      const { caller } = await stage.partner();
      const path = `/yield/history/${stage.assets[0]}`;
      const read = async (query: string): Promise<any> => dataOf(await caller.get(`${path}?${query}`), 200);
      const newest = (await read('')).points.at(-1)?.at;
      if (newest === undefined) throw new SkippedRule('the market has no point yet');
      const day = newest.slice(0, 10);
      const whole = await read(`from=${day}T00:00:00.000Z&to=${day}T23:59:59.999Z`);
      holds(whole.points.length > 0, 'the day of the newest point has none');
      equals('the day by its date', (await read(`from=${day}&to=${day}`)).points, whole.points);
      const ahead = `from=${day}T02:00:00%2B02:00&to=${day}T18:59:59-05:00`;
      equals('the day by offsets', (await read(ahead)).points, whole.points);
      const old = await caller.get(`${path}?from=2021-01-01`);
      holds(dataOf(old, 200).points.length <= 2000, 'it has more than 2,000 points', old);
      const { has_more: more, next_from: next } = old.body.meta ?? {};
      equals('whether meta says where to go on', [typeof more, next !== undefined], ['boolean', more], old);
      refusedField(await caller.get(`${path}?from=${day}T00:00:00`), 'from');
    },
  ],
  alias: [
    'The deprecated /partner/yield/history/{asset} equals /yield/history/{asset}, and has the headers Deprecation and Link.',
    async (stage) => {
      const { caller } = await stage.partner();
      const [asset] = stage.assets;
      const { points } = (await historyOf(caller, asset)).data;
      // Hours that are over, so that both answers are of the same.
      const range = `?from=${points[0].at}&to=${points.at(-1).at}`;
      const { data } = await historyOf(caller, asset, range);
      const old = await caller.get(`/partner/yield/history/${asset}${range}`);
      equals('the answer', dataOf(old, 200), data, old);
      matches('Deprecation', old.headers.get('deprecation'), /^@\d+$/, old);
      matches('Link', old.headers.get('link'), /rel="successor-version"/, old);
    },
  ],
});
