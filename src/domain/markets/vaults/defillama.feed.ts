import type { VaultFeed, Observation } from './feed.js';
import { JsonSource } from '../../kernel/json-source.js';
import type { FeedSource, Vault } from '../../kernel/catalogue/catalogue.js';
import { aprToApy } from './yield-index.js';

/** Percent a year. A higher yield is an error of the source, or too short-lived: it counts as no data. */
const MAX_PERCENT = 1000;
/** USD; several times the supply of all stablecoins. */
const MAX_TVL_USD = 1e13;
/** How far the source's clock may be ahead of this machine's. */
const CLOCK_SKEW_MS = 5 * 60_000;
const CHARTS_AT_ONCE = 4;

/** Deadline of a whole answer, shorter than the shutdown grace; /pools is about 15 MB. */
export const FEED_TIMEOUT_MS = 20_000;
/** Largest answer: more than twice the usual /pools. */
export const FEED_MAX_BYTES = 40_000_000;

export interface DefiLlamaFeedOptions {
  baseUrl: string;
  /** Deadline of the answer of `/pools`; a second one covers all charts requested after it. */
  timeoutMs: number;
  maxBytes: number;
  /** Older data count as none. */
  maxAgeMs: number;
  /** Receives a sentence for the log for every missing observation. Must not throw. */
  onTrouble: (message: string) => void;
}

type LlamaVault = Vault & { feed: Extract<FeedSource, { kind: 'defillama' }> };
type Row = Record<string, unknown>;
type PoolObservation = Omit<Observation, 'observedAt'>;

/**
 * Feed of real vaults from the DefiLlama yields API: one `/pools` request for all; `/chart/<pool>` for a vault that `/pools` lacks, or for all when
 * `/pools` is unusable or old. `/pools` has no timestamps, so the time of the answer is used, although DefiLlama keeps an unreadable pool for up to 7
 * days. Assets and liquidity are those of `/lendBorrow`.
 */
export class DefiLlamaFeed implements VaultFeed {
  private readonly source: JsonSource;

  constructor(private readonly options: DefiLlamaFeedOptions) {
    this.source = new JsonSource(options.maxBytes);
  }

  /** Never rejects: trouble goes to `onTrouble`, and vaults without usable data are absent. Vaults of other feeds are ignored. */
  async observe(vaults: readonly Vault[], _hour: Date): Promise<Map<string, Observation>> {
    const observations = new Map<string, Observation>();
    const listed = vaults.filter((vault): vault is LlamaVault => vault.feed.kind === 'defillama');
    if (listed.length === 0) return observations;
    const observePools = await this.observePools(listed);
    for (const [id, observation] of observePools.observations) observations.set(id, observation);
    for (const [id, observation] of await this.observeCharts(observePools.missing))
      observations.set(id, observation);
    const lending = Map.groupBy(observations.size === 0 ? [] : await this.lending(), (row) => row['pool']);
    for (const { id, feed } of listed) {
      const observation = observations.get(id);
      if (observation)
        observations.set(id, { ...observation, ...depthOf(observation, feed, lending.get(feed.pool) ?? []) });
    }
    return observations;
  }

  /** Rows of `/lendBorrow`; none when it is unusable. */
  private async lending(): Promise<readonly Row[]> {
    const answer = await this.get('/lendBorrow', this.deadline());
    if (answer.ok && !this.isOld(answer.asOf)) {
      const rows = Array.isArray(answer.value) ? answer.value.filter(isRow) : dataOf(answer.value);
      if (rows !== null) return rows;
    }
    this.trouble(`/lendBorrow: ${answer.ok ? 'too old, or not of the expected shape' : answer.trouble}`);
    return [];
  }

  async close(): Promise<void> {
    await this.source.close();
  }

  /** @returns observations from `/pools`, and the vaults for which a chart may still help */
  private async observePools(
    vaults: readonly LlamaVault[],
  ): Promise<{ observations: Map<string, Observation>; missing: readonly LlamaVault[] }> {
    const observations = new Map<string, Observation>();
    const answer = await this.get('/pools', this.deadline());
    if (!answer.ok) {
      this.trouble(`/pools: ${answer.trouble}`);
      return { observations, missing: answer.refused ? [] : vaults };
    }
    const rows = dataOf(answer.value);
    if (rows === null || this.isOld(answer.asOf)) {
      this.trouble(
        `/pools: ${rows === null ? 'not of the expected shape' : `from ${answer.asOf.toISOString()}, too old`}`,
      );
      return { observations, missing: vaults };
    }
    const missing: LlamaVault[] = [];
    const byPool = Map.groupBy(rows, (row) => row['pool']);
    for (const vault of vaults) {
      const row = onlyRow(byPool.get(vault.feed.pool) ?? []);
      if (typeof row === 'string') {
        this.trouble(`${vault.id}: pool ${vault.feed.pool} ${row} /pools`);
        missing.push(vault);
      } else this.add(observations, vault, row, answer.asOf);
    }
    return { observations, missing };
  }

  private async observeCharts(vaults: readonly LlamaVault[]): Promise<Map<string, Observation>> {
    const observations = new Map<string, Observation>();
    const deadline = this.deadline();
    const waiting = [...vaults];
    const next = async (): Promise<void> => {
      for (let vault = waiting.shift(); vault !== undefined; vault = waiting.shift()) {
        if (await this.observeChart(vault, observations, deadline)) continue;
        waiting.length = 0;
      }
    };
    await Promise.all(Array.from({ length: CHARTS_AT_ONCE }, next));
    return observations;
  }

  /** @returns false when the source refuses further requests */
  private async observeChart(
    vault: LlamaVault,
    observations: Map<string, Observation>,
    deadline: AbortSignal,
  ): Promise<boolean> {
    const answer = await this.get(`/chart/${vault.feed.pool}`, deadline);
    if (!answer.ok) {
      this.trouble(`${vault.id}: its chart: ${answer.trouble}`);
      return !answer.refused;
    }
    const newest = newestPoint(dataOf(answer.value) ?? [], Date.now() + CLOCK_SKEW_MS);
    if (newest === null || this.isOld(newest.at)) {
      const age = newest === null ? 'has no point' : `ends at ${newest.at.toISOString()}, too old`;
      this.trouble(`${vault.id}: its chart ${age}`);
    } else this.add(observations, vault, newest.row, newest.at);
    return true;
  }

  private add(observations: Map<string, Observation>, vault: LlamaVault, row: Row, observedAt: Date): void {
    const reading = read(row, vault.feed.apr);
    if (typeof reading === 'string') this.trouble(`${vault.id}: ${reading}`);
    else observations.set(vault.id, { ...reading, observedAt });
  }

  private get(path: string, deadline: AbortSignal): ReturnType<JsonSource['request']> {
    return this.source.request(this.options.baseUrl + path, deadline);
  }

  private deadline(): AbortSignal {
    return AbortSignal.timeout(this.options.timeoutMs);
  }

  private isOld(at: Date): boolean {
    return Date.now() - at.getTime() > this.options.maxAgeMs;
  }

  private trouble(message: string): void {
    this.options.onTrouble(`DefiLlama: ${message}.`);
  }
}

/**
 * Yield that accrues by itself: `apyBase`. `apy` adds `apyReward`, tokens that must be claimed and sold and are not in the share price. Some projects
 * give `apy` alone for pools without rewards.
 * @returns the reason as text, when there is no usable yield
 */
function read(row: Row, isApr: boolean): PoolObservation | string {
  const { apy, apyBase, apyReward } = row;
  const none = (value: unknown): boolean => value === null || value === undefined;
  if (none(apy)) return 'no APY';
  const accrues = none(apyBase) && (none(apyReward) || apyReward === 0) ? apy : apyBase;
  if (none(accrues)) return 'an APY from rewards alone';
  if (accrues === 0 && none(apyBase) && none(apyReward)) return 'an APY of 0 without base and rewards';
  // Rewards are never negative: a loss in total beside a gain is an error of the source.
  if (!isRate(apy) || !isRate(accrues) || accrues > MAX_PERCENT || (apy < 0 && accrues >= 0)) {
    const isShort = typeof accrues === 'number' || typeof accrues === 'string';
    return `an invalid APY (${isShort ? `${String(accrues).slice(0, 40)} %` : 'no number'})`;
  }
  const rate = accrues / 100;
  const rewards = none(apyReward) ? Number((apy - accrues).toFixed(6)) : apyReward;
  return {
    apy: isApr ? aprToApy(rate) : rate,
    ...(isBetween(rewards, 0, MAX_PERCENT) && { rewardApy: rewards / 100 }),
    tvl: microUsd(row['tvlUsd']),
    assets: null,
    liquidity: null,
  };
}

/** Deposits of a pool, and the part of them that is not lent out. @param rows of the pool, in `/lendBorrow` */
function depthOf(
  { tvl }: Observation,
  feed: LlamaVault['feed'],
  rows: readonly Row[],
): Pick<Observation, 'assets' | 'liquidity'> {
  const supplied = rows.length === 1 ? microUsd(rows[0]!['totalSupplyUsd']) : null;
  const borrowed = rows.length === 1 ? microUsd(rows[0]!['totalBorrowUsd']) : null;
  if (supplied !== null && borrowed !== null)
    return { assets: supplied, liquidity: supplied > borrowed ? supplied - borrowed : 0n };
  return {
    assets: feed.tvl === 'assets' ? tvl : null,
    liquidity: feed.tvl === 'liquidity' ? tvl : null,
  };
}

/** Micro-units, a stablecoin counting 1 USD; null for an invalid amount. */
function microUsd(value: unknown): bigint | null {
  if (!isBetween(value, 0, MAX_TVL_USD)) return null;
  // The whole part is converted separately: times a million it may exceed the digits of a double.
  const whole = Math.floor(value);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((value - whole) * 1e6));
}

/** Percent a year; a loss is one, but of less than everything. */
const isRate = (value: unknown): value is number => isBetween(value, -100, Infinity) && value > -100;

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max && Number.isFinite(value);

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** Rows of `{"status":"success","data":[...]}`, without malformed ones; null for any other shape. */
function dataOf(answer: unknown): Row[] | null {
  if (!isRow(answer) || answer['status'] !== 'success' || !Array.isArray(answer['data'])) return null;
  return answer['data'].filter(isRow);
}

/** @param rows of one pool @returns the only row, or why there is none; two contradicting rows count as none */
function onlyRow([row, ...otherRows]: readonly Row[]):
  Row | 'is missing in' | 'is listed twice, with different figures, in' {
  if (row === undefined) return 'is missing in';
  const same = (other: Row): boolean =>
    ['apy', 'apyBase', 'apyReward', 'tvlUsd'].every((key) => other[key] === row[key]);
  return otherRows.every(same) ? row : 'is listed twice, with different figures, in';
}

/** A chart has a point a day, and the newest is of the last hour; order is not assumed. Points after `latest` are ignored. */
function newestPoint(rows: readonly Row[], latest: number): { row: Row; at: Date } | null {
  let newest: { row: Row; at: Date } | null = null;
  for (const row of rows) {
    const at = new Date(typeof row['timestamp'] === 'string' ? row['timestamp'] : NaN);
    if (at.getTime() <= latest && !(newest && at <= newest.at)) newest = { row, at };
  }
  return newest;
}
