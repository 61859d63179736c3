import type { Caller } from '../caller.js';
import { column, dataOf, equals, holds, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import { deviation, downside, isShort, mannKendall, mean, medians, theilSen } from './statistics.js';
import { close } from './figures.js';

const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 168;
const DOWNSIDE_WEIGHT = 0.1;
const PERCENTAGE_POINT = 0.01;
const READ_WITHIN_MS = 2 * HOUR_MS;
/** More than what twelve decimals of an hour's figures sum up to. */
const RATE = 1e-9;
/** The same of what is weighted by TVLs, which are shown in whole units. */
const BLENDED = 1e-6;

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

/** Whether routing lets funds into a vault by what is shown of it; null: not known, as of a share price, by which it may be refused. */
function takesFunds(vault: any, points: ReadonlyMap<number, any>, at: string): boolean | null {
  const last = Date.parse(at);
  const shown = (name: string, hours: number): number[] =>
    Array.from({ length: hours }, (_, n) => points.get(last - n * HOUR_MS)?.[name]).filter(Number.isFinite);
  const [indexes, assets] = [shown('index', 24), shown('assets', WINDOW_HOURS)];
  const isClosed = !vault.active || vault.stale || vault.quarantined_until !== null;
  if (isClosed || (vault.assets === null && vault.liquidity === null)) return false;
  const isLate = last - Date.parse(vault.observed_at) > READ_WITHIN_MS;
  const isLess = assets[0]! < 0.8 * Math.max(...assets) || indexes[0]! < 0.999 * Math.max(...indexes);
  return isLate || isLess || vault.source === 'chain' ? null : true;
}

export const marketRules = rulesOf('market', {
  blended: [
    'The yield history of an asset is the mean of its vaults by their TVL, of the market and not of a holder, with the number of vaults.',
    async (stage) => {
      const { caller, series } = await stage.market();
      for (const asset of stage.assets) {
        const { answer, data, points } = await historyOf(caller, asset);
        const vaults = (await series.list()).filter((one) => one.asset === asset && one.active);
        for (const hour of [...points.keys()].slice(-3)) {
          const known: any[] = [];
          for (const { id } of vaults) known.push((await series.of(id)).get(hour) ?? {});
          const of = known.filter(({ apy }) => typeof apy === 'number');
          const whole = of.reduce((all, { tvl }) => all + tvl, 0);
          // A vault of which no TVL is known has no weight among others.
          if (!(whole > 0) || of.some(({ tvl }) => tvl === null)) continue;
          const { apy, tvl, vaults: count } = points.get(hour);
          equals('vaults', count, of.length, answer);
          close('tvl', tvl, whole, count, answer);
          close('apy', apy, of.reduce((all, one) => all + one.tvl * one.apy, 0) / whole, BLENDED, answer);
        }
        const all = column(data.points, 'apy').filter((apy) => apy !== null);
        close('average_apy', data.average_apy, mean(all), RATE, answer);
        close('apy', data.apy, data.points.at(-1)?.apy ?? null, RATE, answer);
      }
    },
  ],
  spans: [
    'from, to and interval of a history leave out what is outside, and a day is the mean of its hours.',
    async (stage) => {
      const { caller, series } = await stage.market();
      const vaults = await series.list();
      const observed = vaults.find((one) => one.observed_at !== null);
      if (observed === undefined) throw new SkippedRule('no vault was observed yet');
      const { id, asset } = observed;
      for (const path of [
        `/yield/history/${asset}`,
        `/partner/yield/history/${asset}`,
        `/vaults/${id}/history`,
      ]) {
        const points = dataOf(await caller.get(path), 200).points as any[];
        const [from, to] = [30, 3].map((hours) => points.at(-Math.min(points.length, hours)).at);
        const span = await caller.get(`${path}?from=${from}&to=${to}`);
        const expected = points.filter(({ at }) => at >= from && at <= to);
        equals('the points of a span', dataOf(span, 200).points, expected, span);
        const daily = await caller.get(`${path}?interval=day&from=${from}&to=${to}`);
        const { interval, points: shown } = dataOf(daily, 200);
        equals('interval', interval, 'day', daily);
        const days = Object.groupBy(expected, ({ at }) => at.slice(0, 10));
        equals('the number of days', shown.length, Object.keys(days).length, daily);
        for (const { at, apy } of shown) {
          const known = column(days[at.slice(0, 10)] ?? [], 'apy').filter((one) => one !== null);
          close(`the mean of ${at}`, apy, mean(known), RATE, daily);
        }
      }
    },
  ],
  vaults: [
    "A vault shows the newest point of its history, and its index grows by each hour's APY.",
    async (stage) => {
      const { caller, series } = await stage.market();
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
          const isNext = Date.parse(at) - Date.parse(before.at) === HOUR_MS && before.apy !== null;
          // A scenario of the sandbox may take a part of it.
          if (!isNext || index < before.index * 0.99) continue;
          const grown = before.index * (1 + Math.expm1(Math.log1p(before.apy) / 8760));
          close(`the index of ${vault.id} at ${at}`, index, grown, 1e-10, answer);
        }
      }
    },
  ],
  signals: [
    "A signal has the mean, volatility, trend and forecast of its vault's last 168 hours, and is null with short history.",
    async (stage) => {
      const { caller, series } = await stage.market();
      const answer = await caller.get('/analytics/signals?limit=500');
      for (const { vault_id: id, as_of, ...shown } of rowsOf(answer)) {
        const [points, last] = [await series.of(id), Date.parse(as_of)];
        const hours = rates(points, last, 8 * 24 + 1);
        const window = hours.slice(-WINDOW_HOURS).filter((one) => one !== null);
        const short = isShort(points, last, window.length);
        const days = short ? null : medians(hours, last);
        const [apy, trend] = [window.at(-1) ?? null, days && theilSen(days)];
        const figures = {
          apy,
          mean_apy: mean(window),
          volatility: short ? null : deviation(window),
          trend,
          forecast_apy: apy === null || trend === null ? null : Math.max(0, apy + trend / 2),
        };
        for (const [name, value] of Object.entries(figures))
          close(`${name} of ${id}`, shown[name], value, RATE, answer);
        const rest = { observations: window.length, insufficient_history: short || days === null };
        shows(id, shown, rest, answer);
        const { expected_apy: expected, risk_adjusted_apy, expected_risk_adjusted_apy: ranked } = shown;
        if (apy === null || expected === null || expected < 0.001) continue;
        // The haircut of its tier is a setting; both rates have the same.
        const down = DOWNSIDE_WEIGHT * downside(window)!;
        const kept = (ranked + down) / expected;
        holds(kept <= 1 + RATE, `${id} is ranked above what is expected of it`, answer);
        close(
          `risk_adjusted_apy of ${id}`,
          risk_adjusted_apy,
          Math.min(apy, apy * kept) - down,
          1e-7,
          answer,
        );
      }
    },
  ],
  recommended: [
    'increase is the best vault of its asset that takes funds, reduce is one percentage point or more behind it, and the rest is hold.',
    async (stage) => {
      const { caller, series } = await stage.market();
      const answer = await caller.get('/analytics/signals?limit=500');
      const vaults = await series.list();
      const signals = rowsOf(answer);
      for (const asset of stage.assets) {
        const own = signals.filter((one) => one.asset === asset);
        const rateOf = (one: any): number | null =>
          one.insufficient_history ? null : one.expected_risk_adjusted_apy;
        const best = own.find((one) => one.recommendation === 'increase');
        for (const one of own.slice(0, best ? own.indexOf(best) + 1 : own.length)) {
          const vault = vaults.find(({ id }) => id === one.vault_id);
          const takes = takesFunds(vault, await series.of(vault.id), one.as_of);
          if (takes === null) continue;
          equals(`whether ${vault.id} is recommended`, one === best, takes && rateOf(one) !== null, answer);
        }
        for (const one of own.filter((row) => row !== best)) {
          const [rate, target] = [rateOf(one), best && rateOf(best)];
          const behind = rate === null || !target ? 0 : target - rate;
          if (Math.abs(behind - PERCENTAGE_POINT) < RATE) continue;
          const said = behind > PERCENTAGE_POINT ? 'reduce' : 'hold';
          equals(`what is said of ${one.vault_id}`, one.recommendation, said, answer);
        }
      }
    },
  ],
  regimes: [
    "A regime is what the asset's history says in two hours in a row, with its trend, volatility and newest APY; unknown, or null in the sandbox, with short history.",
    async (stage) => {
      const { caller } = await stage.market();
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
        const slack = points === whole ? BLENDED : RATE;
        close(`apy of ${asset}`, apy, now.apy, slack, answer);
        close(`trend of ${asset}`, trend, now.trend, slack, answer);
        close(`volatility of ${asset}`, volatility, now.volatility, slack, answer);
        // Until two hours agree, the label of before stands.
        const isPlain = now.label === before.label && !now.isClose && !before.isClose;
        if (isPlain) equals(`the regime of ${asset}`, regime, now.label, answer);
      }
    },
  ],
});
