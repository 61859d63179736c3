import type { Caller } from '../caller.js';
import { dataOf, equals, holds, rowsOf, shows, Skipped } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import { deviation, downside, isShort, mannKendall, mean, medians, theilSen } from './statistics.js';
import { VaultSeries } from './series.js';

const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 168;
const HAIRCUT_WEIGHT = 0.1;
const PERCENTAGE_POINT = 0.01;
/** More than what twelve decimals of an hour's figures sum up to. */
const RATE = 1e-9;
/** The same of what is weighted by TVLs, which are shown in whole units. */
const BLENDED = 1e-6;

function nearRate(
  what: string,
  actual: number | null,
  expected: number | null,
  answer: Exchange,
  slack = RATE,
): void {
  const isNear =
    actual === null || expected === null ? actual === expected : Math.abs(actual - expected) <= slack;
  holds(isNear, `${what} is ${actual}, and must be ${expected}`, answer);
}

/** Rates of the hours up to `last`, oldest first; null where none was observed. */
function rates(points: ReadonlyMap<number, any>, last: number, hours: number): (number | null)[] {
  return Array.from({ length: hours }, (_, n) => points.get(last - (hours - 1 - n) * HOUR_MS)?.apy ?? null);
}

async function historyOf(
  caller: Caller,
  asset: string,
): Promise<{ answer: Exchange; data: any; points: Map<number, any> }> {
  const answer = await caller.get(`/yield/history/${asset}`);
  const data = dataOf(answer, 200);
  return { answer, data, points: new Map(data.points.map((one: any) => [Date.parse(one.at), one])) };
}

/** The series over all assets, by their TVL. */
function blended(assets: readonly ReadonlyMap<number, any>[]): Map<number, any> {
  const hours = [...new Set(assets.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  return new Map(
    hours.map((hour) => {
      const known = assets.map((points) => points.get(hour)).filter((one) => typeof one?.apy === 'number');
      const weighted = known.every(({ tvl }) => tvl > 0);
      const tvl = known.reduce((all, one) => all + (weighted ? one.tvl : 1), 0);
      const apy = known.reduce((all, one) => all + (weighted ? one.tvl : 1) * one.apy, 0) / tvl;
      return [hour, { apy: known.length > 0 ? apy : null, tvl }];
    }),
  );
}

/** The label of one hour, and what it was read from. */
function reading(points: ReadonlyMap<number, any>, last: number) {
  const series = rates(points, last, 8 * 24 + 1);
  const window = series.slice(-WINDOW_HOURS).filter((one) => one !== null);
  const days = isShort(points, last, window.length) ? null : medians(series, last);
  const apy = series.slice(-4).findLast((one) => one !== null) ?? null;
  if (days === null || apy === null)
    return { label: null, apy, trend: null, volatility: null, isClose: false };
  const changes = (hours: number): number[] =>
    series.slice(-hours - 1).flatMap((value, place, all) => {
      const before = place === 0 ? null : all[place - 1]!;
      return value === null || before === null ? [] : [value - before];
    });
  const [day, week] = [deviation(changes(24)), deviation(changes(WINDOW_HOURS))];
  const [trend, z] = [theilSen(days), mannKendall(days)];
  const ratio = day !== null && week !== null && week > 0 ? day / week : 0;
  const isVolatile = ratio >= 2;
  const isClose = Math.abs(ratio - 2) < 0.001 || Math.abs(Math.abs(trend) - 0.001) < BLENDED;
  const isSteep = Math.abs(z) >= 1.96 && Math.abs(trend) >= 0.001;
  const label = isVolatile ? 'volatile' : !isSteep ? 'stable' : trend > 0 ? 'rising' : 'falling';
  return { label, apy, trend, volatility: deviation(window), isClose };
}

export const marketRules = rulesOf('market', {
  blended: [
    'The yield history of an asset is the mean of its vaults by their TVL, of the market and not of a holder, with the number of vaults.',
    async (stage) => {
      const { caller } = await stage.partner();
      const series = new VaultSeries(caller);
      for (const asset of stage.assets) {
        const { answer, data, points } = await historyOf(caller, asset);
        const vaults = (await series.list()).filter((one) => one.asset === asset && one.active);
        for (const hour of [...points.keys()].slice(-3)) {
          const known: any[] = [];
          for (const { id } of vaults) {
            const point = (await series.of(id)).get(hour);
            if (typeof point?.apy === 'number') known.push(point);
          }
          const { apy, tvl, vaults: count } = points.get(hour);
          const of = known.filter((one) => typeof one.tvl === 'number');
          const whole = of.reduce((all, one) => all + one.tvl, 0);
          // A vault of which no TVL is known has no weight among others.
          if (known.length === 0 || of.length !== known.length || whole === 0) continue;
          equals('vaults', count, known.length, answer);
          holds(Math.abs(tvl - whole) <= known.length, `tvl is ${tvl}, and must be ${whole}`, answer);
          const blended = of.reduce((all, one) => all + one.tvl * one.apy, 0) / whole;
          holds(Math.abs(apy - blended) < 1e-6, `apy is ${apy}, and must be ${blended}`, answer);
        }
        const all = data.points.map((one: any) => one.apy).filter((one: any) => one !== null);
        nearRate('average_apy', data.average_apy, mean(all), answer);
        nearRate('apy', data.apy, data.points.at(-1)?.apy ?? null, answer);
      }
    },
  ],
  spans: [
    'from, to and interval of a history leave out what is outside, and a day is the mean of its hours.',
    async (stage) => {
      const { caller } = await stage.partner();
      const vaults = await new VaultSeries(caller).list();
      const observed = vaults.find((one) => one.observed_at !== null);
      if (observed === undefined) throw new Skipped('no vault was observed yet');
      for (const path of [
        `/yield/history/${observed.asset}`,
        `/partner/yield/history/${observed.asset}`,
        `/vaults/${observed.id}/history`,
      ]) {
        const points = dataOf(await caller.get(path), 200).points as any[];
        const [from, to] = [
          points.at(-Math.min(points.length, 30))!.at,
          points.at(-Math.min(points.length, 3))!.at,
        ];
        const span = await caller.get(`${path}?from=${from}&to=${to}`);
        const expected = points.filter(({ at }) => at >= from && at <= to);
        equals('the points of a span', dataOf(span, 200).points, expected, span);
        const daily = await caller.get(`${path}?interval=day&from=${from}&to=${to}`);
        equals('interval', dataOf(daily, 200).interval, 'day', daily);
        const days = Object.entries(Object.groupBy(expected, ({ at }) => at.slice(0, 10)));
        equals(
          'the days',
          daily.body.data.points.map(({ at }: any) => at.slice(0, 10)),
          days.map(([day]) => day),
          daily,
        );
        for (const [place, [, hours]] of days.entries()) {
          const known = hours!.map(({ apy }) => apy).filter((apy) => apy !== null);
          nearRate('the mean of a day', daily.body.data.points[place].apy, mean(known), daily);
        }
      }
    },
  ],
  vaults: [
    "A vault shows the newest point of its history, and its index grows by each hour's APY.",
    async (stage) => {
      const { caller } = await stage.partner();
      const series = new VaultSeries(caller);
      const answer = await caller.get('/vaults?limit=500');
      for (const vault of rowsOf(answer).filter((one) => one.observed_at !== null)) {
        const points = await series.of(vault.id);
        const newest = [...points.values()].findLast((one) => one.apy !== null);
        if (newest === undefined) continue;
        const { apy, tvl, assets, liquidity } = newest;
        if (!vault.stale) shows(vault.id, vault, { apy, tvl, assets, liquidity }, answer);
        if (vault.source !== 'simulated') continue;
        const hours = [...points.values()].slice(-24);
        for (const [place, { at, index }] of hours.slice(1).entries()) {
          const before = hours[place];
          // A scenario of the sandbox may take a part of it.
          if (
            Date.parse(at) - Date.parse(before.at) !== HOUR_MS ||
            before.apy === null ||
            index < before.index * 0.99
          )
            continue;
          const grown = before.index * (1 + Math.expm1(Math.log1p(before.apy) / 8760));
          holds(
            Math.abs(index - grown) < 1e-10,
            `the index of ${vault.id} at ${at} is ${index}, and must be ${grown}`,
            answer,
          );
        }
      }
    },
  ],
  signals: [
    "A signal has the mean, volatility, trend and forecast of its vault's last 168 hours, and is null with short history.",
    async (stage) => {
      const { caller } = await stage.partner();
      const series = new VaultSeries(caller);
      const answer = await caller.get('/analytics/signals?limit=500');
      for (const signal of rowsOf(answer)) {
        const {
          vault_id: id,
          as_of,
          expected_apy,
          risk_adjusted_apy,
          expected_risk_adjusted_apy,
          ...shown
        } = signal;
        const [points, last] = [await series.of(id), Date.parse(as_of)];
        const hours = rates(points, last, 8 * 24 + 1);
        const window = hours.slice(-WINDOW_HOURS).filter((one) => one !== null);
        const short = isShort(points, last, window.length);
        const days = short ? null : medians(hours, last);
        const [apy, trend] = [window.at(-1) ?? null, days && theilSen(days)];
        nearRate(`apy of ${id}`, shown.apy, apy, answer);
        nearRate(`mean_apy of ${id}`, shown.mean_apy, mean(window), answer);
        nearRate(`volatility of ${id}`, shown.volatility, short ? null : deviation(window), answer);
        nearRate(`trend of ${id}`, shown.trend, trend, answer);
        const forecast = apy === null || trend === null ? null : Math.max(0, apy + trend / 2);
        nearRate(`forecast_apy of ${id}`, shown.forecast_apy, forecast, answer);
        equals(`observations of ${id}`, shown.observations, window.length, answer);
        equals(`insufficient_history of ${id}`, shown.insufficient_history, short || days === null, answer);
        if (apy === null || expected_apy === null) continue;
        // The haircut of its tier is a setting; both rates have the same.
        const down = HAIRCUT_WEIGHT * downside(window)!;
        const kept = (expected_risk_adjusted_apy + down) / expected_apy;
        holds(expected_apy <= 0 || kept <= 1 + RATE, `${id} is ranked above what is expected of it`, answer);
        const discounted = Math.min(apy, apy * kept) - down;
        if (expected_apy > 0.001)
          holds(
            Math.abs(risk_adjusted_apy - discounted) < 1e-7,
            `risk_adjusted_apy of ${id} is ${risk_adjusted_apy}, and must be ${discounted}`,
            answer,
          );
      }
    },
  ],
  recommended: [
    'increase is the best vault of its asset that takes deposits, reduce is one percentage point or more behind it, and the rest is hold.',
    async (stage) => {
      const { caller } = await stage.partner();
      const answer = await caller.get('/analytics/signals?limit=500');
      const vaults = await new VaultSeries(caller).list();
      const signals = rowsOf(answer);
      for (const asset of stage.assets) {
        const known = signals.filter(
          (one) =>
            one.asset === asset && !one.insufficient_history && one.expected_risk_adjusted_apy !== null,
        );
        const open = vaults.filter((one) => one.active && !one.stale);
        // A vault in quarantine takes no deposits: the first one besides those may be the best, too.
        const firsts = [open, open.filter((one) => one.quarantined_until === null)].map(
          (of) => known.find(({ vault_id }) => of.some(({ id }) => id === vault_id)) ?? null,
        );
        const best = signals.find((one) => one.asset === asset && one.recommendation === 'increase') ?? null;
        holds(firsts.includes(best), `${best?.vault_id} of ${asset} is recommended`, answer);
        for (const one of signals.filter((row) => row.asset === asset && row !== best)) {
          const behind =
            best && known.includes(one)
              ? best.expected_risk_adjusted_apy - one.expected_risk_adjusted_apy
              : 0;
          if (Math.abs(behind - PERCENTAGE_POINT) < RATE) continue;
          equals(
            `what is said of ${one.vault_id}`,
            one.recommendation,
            behind > PERCENTAGE_POINT ? 'reduce' : 'hold',
            answer,
          );
        }
      }
    },
  ],
  regimes: [
    "A regime is what the asset's history says in two hours in a row, with its trend, volatility and newest APY; unknown, or null in the sandbox, with short history.",
    async (stage) => {
      const { caller } = await stage.partner();
      const answer = await caller.get('/analytics/regime');
      const { as_of, ...all } = dataOf(answer, 200);
      const none = stage.contract === 'partner' ? 'unknown' : null;
      const last = Date.parse(as_of);
      const series = new Map<string, ReadonlyMap<number, any>>();
      for (const asset of stage.assets) series.set(asset, (await historyOf(caller, asset)).points);
      const whole = blended([...series.values()]);
      for (const { asset = 'all assets', regime, reason, apy, trend, volatility } of [all, ...all.assets]) {
        const points = series.get(asset) ?? whole;
        const [now, before] = [reading(points, last), reading(points, last - HOUR_MS)];
        equals(`whether ${asset} has a regime`, regime === none, now.label === null, answer);
        equals(`whether ${asset} has a reason`, reason !== null, now.label === null, answer);
        if (now.label === null) continue;
        nearRate(`apy of ${asset}`, apy, now.apy, answer, points === whole ? BLENDED : RATE);
        nearRate(`trend of ${asset}`, trend, now.trend, answer, points === whole ? BLENDED : RATE);
        nearRate(
          `volatility of ${asset}`,
          volatility,
          now.volatility,
          answer,
          points === whole ? BLENDED : RATE,
        );
        // Until two hours agree, the label of before stands.
        const isPlain = now.label === before.label && !now.isClose && !before.isClose;
        if (isPlain) equals(`the regime of ${asset}`, regime, now.label, answer);
      }
    },
  ],
});
