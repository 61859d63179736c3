import type { Feed, Observation } from './feed.js';
import { JsonSource } from '../json-source.js';
import type { FeedSource, Vault } from './vault.js';
import { aprToApy } from './yield-index.js';

/** Percent a year. Above it a figure is a fault of the source or a yield that lasts for no hour: no data. */
const MAX_PERCENT = 1000;
/** USD; several times all stablecoins there are. */
const MAX_TVL_USD = 1e13;
/** How far ahead of ours the clock of the source may be. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Charts asked for at once. */
const CHARTS_AT_ONCE = 4;

export interface DefiLlamaFeedOptions {
  /** Of the yields API, without a slash at its end. */
  baseUrl: string;
  /** One deadline over the answer of `/pools`, and one over all charts that are asked for after it. */
  timeoutMs: number;
  /** Of one answer. `/pools` lists every pool that DefiLlama knows: about 15 MB. */
  maxBytes: number;
  /** What is older is no data. */
  maxAgeMs: number;
  /** Told of everything that kept a vault from its observation, a sentence each, for the log. Must not throw. */
  onTrouble: (message: string) => void;
}

/** A vault whose yield DefiLlama knows. */
type Listed = Vault & { feed: Extract<FeedSource, { kind: 'defillama' }> };
type Row = Record<string, unknown>;
type Seen = Pick<Observation, 'apy' | 'tvl'>;

/**
 * Yields of real vaults, from the DefiLlama yields API: one `/pools` for all of them; `/chart/<pool>` for a vault that `/pools`
 * lacks, or for all where `/pools` is unusable or old.
 *
 * What it sees is the present, whatever hour is asked for; `observedAt` says when that was. `/pools` names no time of a pool:
 * the answer's own stands for it, though DefiLlama keeps a pool that it can no longer read for up to 7 days. TVL of lending
 * markets is what is not lent out there, thus what could be withdrawn at once.
 */
export class DefiLlamaFeed implements Feed {
  private readonly source: JsonSource;

  constructor(private readonly options: DefiLlamaFeedOptions) {
    this.source = new JsonSource(options.maxBytes);
  }

  /** Never rejects: trouble goes to `onTrouble`, and vaults without usable data are absent. Vaults of other feeds are passed over. */
  async observe(vaults: readonly Vault[], _hour: Date): Promise<Map<string, Observation>> {
    const observations = new Map<string, Observation>();
    const listed = vaults.filter((vault): vault is Listed => vault.feed.kind === 'defillama');
    if (listed.length === 0) return observations;
    const { found, missing } = await this.fromPools(listed);
    for (const [id, observation] of found) observations.set(id, observation);
    for (const [id, observation] of await this.fromCharts(missing)) observations.set(id, observation);
    return observations;
  }

  /** Drops all connections; an observation under way ends with what it has. */
  async close(): Promise<void> {
    await this.source.close();
  }

  /** @returns what `/pools` says, and the vaults of which a chart may yet tell */
  private async fromPools(
    vaults: readonly Listed[],
  ): Promise<{ found: Map<string, Observation>; missing: readonly Listed[] }> {
    const found = new Map<string, Observation>();
    const answer = await this.get('/pools', this.deadline());
    if (!answer.ok) {
      this.trouble(`/pools: ${answer.trouble}`);
      return { found, missing: answer.refused ? [] : vaults };
    }
    const rows = dataOf(answer.value);
    if (rows === null || this.isOld(answer.asOf)) {
      this.trouble(
        `/pools: ${rows === null ? 'not of the expected shape' : `from ${answer.asOf.toISOString()}, too old`}`,
      );
      return { found, missing: vaults };
    }
    const missing: Listed[] = [];
    for (const vault of vaults) {
      const row = onlyRow(rows, vault.feed.pool);
      if (typeof row === 'string') {
        this.trouble(`${vault.id}: pool ${vault.feed.pool} ${row} /pools`);
        missing.push(vault);
      } else this.add(found, vault, row, answer.asOf);
    }
    return { found, missing };
  }

  private async fromCharts(vaults: readonly Listed[]): Promise<Map<string, Observation>> {
    const found = new Map<string, Observation>();
    const deadline = this.deadline();
    const waiting = [...vaults];
    const next = async (): Promise<void> => {
      for (let vault = waiting.shift(); vault !== undefined; vault = waiting.shift()) {
        if (await this.fromChart(vault, found, deadline)) continue;
        waiting.length = 0;
      }
    };
    await Promise.all(Array.from({ length: CHARTS_AT_ONCE }, next));
    return found;
  }

  /** @returns false where the source is to be left alone */
  private async fromChart(
    vault: Listed,
    found: Map<string, Observation>,
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
    } else this.add(found, vault, newest.row, newest.at);
    return true;
  }

  private add(found: Map<string, Observation>, vault: Listed, row: Row, observedAt: Date): void {
    const seen = read(row, vault.feed.apr);
    if (typeof seen === 'string') this.trouble(`${vault.id}: ${seen}`);
    else found.set(vault.id, { ...seen, observedAt });
  }

  private get(path: string, deadline: AbortSignal): ReturnType<JsonSource['get']> {
    return this.source.get(this.options.baseUrl + path, deadline);
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
 * The yield that accrues by itself: `apyBase`. `apy` adds `apyReward`, tokens that first have to be claimed and sold, which no
 * share price contains. Where a pool has no rewards, some projects give `apy` alone.
 *
 * @returns why there is no usable yield, in words
 */
function read(row: Row, isApr: boolean): Seen | string {
  const { apy, apyBase, apyReward } = row;
  const none = (value: unknown): boolean => value === null || value === undefined;
  if (none(apy)) return 'no APY';
  const accrues = none(apyBase) && (none(apyReward) || apyReward === 0) ? apy : apyBase;
  if (none(accrues)) return 'an APY of rewards alone';
  if (!isBetween(apy, 0, Infinity) || !isBetween(accrues, 0, MAX_PERCENT)) {
    return `an APY that is none (${String(accrues).slice(0, 40)} %)`;
  }
  const rate = accrues / 100;
  return { apy: isApr ? aprToApy(rate) : rate, tvl: microUsd(row['tvlUsd']) };
}

/** Micro-units, a stablecoin counting 1 USD; null where it is no amount. */
function microUsd(value: unknown): bigint | null {
  if (!isBetween(value, 0, MAX_TVL_USD)) return null;
  // The whole part apart: times a million it may have more digits than a double keeps.
  const whole = Math.floor(value);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((value - whole) * 1e6));
}

const isBetween = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max && Number.isFinite(value);

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** The rows of `{"status":"success","data":[...]}`, without what is no row; null where it is none of that. */
function dataOf(answer: unknown): Row[] | null {
  if (!isRow(answer) || answer['status'] !== 'success' || !Array.isArray(answer['data'])) return null;
  return answer['data'].filter(isRow);
}

/** @returns why there is no such row, in words: two that disagree are as good as none */
function onlyRow(rows: readonly Row[], pool: string): Row | 'is missing in' | 'is twice, differently, in' {
  const [row, ...others] = rows.filter((row) => row['pool'] === pool);
  if (row === undefined) return 'is missing in';
  const same = (other: Row): boolean =>
    ['apy', 'apyBase', 'apyReward', 'tvlUsd'].every((key) => other[key] === row[key]);
  return others.every(same) ? row : 'is twice, differently, in';
}

/** A chart has a point a day, and the newest is of the last hour; the order is not relied upon. Times after `latest` are none. */
function newestPoint(rows: readonly Row[], latest: number): { row: Row; at: Date } | null {
  let newest: { row: Row; at: Date } | null = null;
  for (const row of rows) {
    const at = new Date(typeof row['timestamp'] === 'string' ? row['timestamp'] : NaN);
    if (at.getTime() <= latest && !(newest && at <= newest.at)) newest = { row, at };
  }
  return newest;
}
