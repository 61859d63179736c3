import { dataOf, equals, holds, matches, Skipped } from '../check.js';
import { rulesOf } from '../rule.js';

const REGIMES = ['rising', 'falling', 'stable', 'volatile'];

export const analyticsRules = rulesOf('analytics', {
  signals: [
    'Signals are ranked from 1 on; with too little history their volatility and trend are null and insufficient_history is true.',
    async (stage) => {
      const { caller } = await stage.partner();
      const answer = await caller.get('/analytics/signals?limit=500');
      const signals = dataOf(answer, 200) as any[];
      equals(
        'the ranks',
        signals.map(({ rank }) => rank),
        signals.map((_, index) => index + 1),
        answer,
      );
      for (const { insufficient_history: short, volatility, trend } of signals)
        holds(
          !short || (volatility === null && trend === null),
          'a figure is made of too little history',
          answer,
        );
      for (const asset of stage.assets) {
        const one = await caller.get(`/analytics/signals?asset=${asset}`);
        holds(
          dataOf(one, 200).every((signal: any) => signal.asset === asset),
          'the filter does not hold',
          one,
        );
      }
    },
  ],
  regime: [
    'The regime is one of rising, falling, stable and volatile, or not known, with the reason: `unknown` in the partner contract, null in the sandbox.',
    async (stage) => {
      const answer = await (await stage.partner()).caller.get('/analytics/regime');
      const { regime, reason, assets } = dataOf(answer, 200);
      equals('object', answer.body.object, stage.contract === 'partner' ? 'object' : 'regime', answer);
      const none = stage.contract === 'partner' ? 'unknown' : null;
      for (const one of [{ regime, reason }, ...assets]) {
        holds(one.regime === none || REGIMES.includes(one.regime), `the regime is ${one.regime}`, answer);
        holds(one.regime !== none || typeof one.reason === 'string', 'no reason is given', answer);
      }
    },
  ],
  uplift: [
    'Uplift compares what was routed with the passive baselines of the contract.',
    async (stage) => {
      const answer = await (await stage.partner()).caller.get('/analytics/uplift');
      const data = dataOf(answer, 200);
      equals('object', answer.body.object, stage.contract === 'partner' ? 'object' : 'uplift', answer);
      const parts = stage.contract === 'partner' ? ['realized', 'projected'] : ['baselines'];
      for (const part of parts) holds(typeof data[part] === 'object', `${part} is missing`, answer);
      if (stage.contract === 'sandbox')
        equals('baselines', Object.keys(data.baselines).sort(), ['hold', 'lending'], answer);
    },
  ],
  decisions: [
    'Decisions are of the kinds route, rebalance and hold, newest first.',
    async (stage) => {
      if (stage.options.deposits) await stage.position();
      const answer = await (await stage.partner()).caller.get('/analytics/decisions?limit=500');
      const decisions = dataOf(answer, 200) as any[];
      for (const { kind } of decisions)
        holds(['route', 'rebalance', 'hold'].includes(kind), `a kind is ${kind}`, answer);
      const times = decisions.map(({ at }) => at);
      equals('the order', times, [...times].sort().reverse(), answer);
    },
  ],
  advisor: [
    'The summary in words is made from a template, with the regime, the best three signals at most that are not to be reduced, and the uplift.',
    async (stage) => {
      const { caller } = await stage.stranger();
      const answer = await caller.get('/analytics/advisor');
      const { generator, opportunities, headline, rationale, regime, uplift } = dataOf(answer, 200);
      equals('object', [answer.body.object, generator], ['advisor', 'template'], answer);
      holds(Array.isArray(rationale), 'it has not that form', answer);
      matches('headline', headline, /\S/, answer);
      equals('the regime', regime, dataOf(await caller.get('/analytics/regime'), 200), answer);
      equals('the positions that its uplift is of', uplift.positions, 0, answer);
      const signals = dataOf(await caller.get('/analytics/signals'), 200) as any[];
      const best = signals.filter(({ recommendation }) => recommendation !== 'reduce').slice(0, 3);
      const vaults = (of: any[]): string[] => of.map(({ vault_id }) => vault_id);
      equals('the opportunities', vaults(opportunities), vaults(best), answer);
    },
    'sandbox',
  ],
  month: [
    'A new account finds a month of its market behind it, so that every signal can be told.',
    async (stage) => {
      const { caller } = await stage.stranger();
      const answer = await caller.get('/analytics/signals?limit=500');
      const signals = dataOf(answer, 200) as any[];
      holds(signals.length > 0, 'there are no signals', answer);
      for (const { insufficient_history: short, risk_adjusted_apy: apy } of signals)
        equals('whether a history is too short', [short, apy === null], [false, false], answer);
      const history = await caller.get(`/yield/history/${stage.assets[1]}?interval=day`);
      holds(dataOf(history, 200).points.length >= 30, 'it has less than 30 days', history);
    },
    'sandbox',
  ],
  'yield-history': [
    'The yield history of an asset is of points in the order of time, at most 2,000, and no time before its end is after it.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const asset of stage.assets) {
        const answer = await caller.get(`/yield/history/${asset}?interval=day`);
        const data = dataOf(answer, 200);
        equals(
          'object',
          [answer.body.object, data.asset, data.interval],
          ['yield_history', asset, 'day'],
          answer,
        );
        const times = data.points.map(({ at }: any) => at);
        equals('the order', times, [...times].sort(), answer);
        holds(times.length <= 2000, 'it has more than 2,000 points', answer);
      }
    },
  ],
  alias: [
    'The deprecated /partner/yield/history/{asset} answers the same as /yield/history/{asset}, and says so in Deprecation and Link.',
    async (stage) => {
      const { caller } = await stage.partner();
      const [asset] = stage.assets;
      const range = '?from=2026-01-01T00:00:00.000Z&to=2026-01-03T00:00:00.000Z';
      const [old, successor] = [
        await caller.get(`/partner/yield/history/${asset}${range}`),
        await caller.get(`/yield/history/${asset}${range}`),
      ];
      if (successor.status === 400)
        throw new Skipped(`the range is refused: ${successor.body.error.message}`);
      equals('the answer', dataOf(old, 200), dataOf(successor, 200), old);
      matches('Deprecation', old.headers.get('deprecation'), /^@\d+$/, old);
      matches('Link', old.headers.get('link'), /rel="successor-version"/, old);
    },
  ],
});
