/**
 * Constants that no deployment tunes, and that tests shorten: they travel in `settings.constants` beside those of `config/*.yaml`. A constant that no
 * test changes stands beside its algorithm.
 */
export const FIXED = {
  http: {
    /** Time to receive a whole request, then 408. */
    requestTimeoutSeconds: 30,
  },
  database: {
    /** Time beyond a statement's timeout without any answer, after which its connection is stale: several round trips around the world. */
    answerGraceMs: 5000,
  },
  access: {
    /** Time that a queued request waits for its turn, then 429: within what common HTTP clients wait. */
    waitMs: 5000,
    /** Interval at which `last_used_at` of keys is written in one statement: a use is shown within 15 seconds, as the contracts promise. */
    lastUsedFlushSeconds: 10,
  },
  webhooks: {
    /** Time after a send's timeout before its record is closed as interrupted: the sender's own record takes milliseconds. */
    interruptedGraceSeconds: 5,
  },
  accounts: {
    /** Accounts that one process advances at once, and as many that it catches up; fewer than the pool has connections. */
    movesAtOnce: 3,
    /** Accounts that wait for a turn; the next is answered 503. */
    queueLength: 20,
    /** Time that an account waits for its turn, within the 15 seconds that common HTTP clients wait. */
    waitMs: 10_000,
  },
  settlements: {
    /** Interval at which a reported transfer that is in a block is checked: five blocks of Ethereum. Others wait a quarter of their age, a day at most. */
    checkSeconds: 60,
    /** Transfers that are checked on each chain each minute: five messages of 40 calls to a provider. */
    checksPerPass: 200,
    /** Maximum of one partner, so that at least four busy partners share a pass. */
    checksPerPassPerPartner: 50,
  },
  storage: {
    /** Interval at which a process checks the size of the database, and the disk of an embedded one. */
    checkSeconds: 5,
  },
  retention: {
    /** Newest hours that are kept of an account's own market, by its own clock: a year. A market needs its last eight weeks at most. */
    ownMarketHours: 8784,
  },
  routing: {
    /** Least promise of a move less its cost, in multiples of the cost. */
    minPromiseMultiple: 1,
  },
  /** Signals by which vaults are evaluated; the values were found by `npm run bench:routing`, see docs/routing.md. */
  signals: {
    /** A week has each hour of the day seven times. */
    windowHours: 168,
    /** Two days; fewer snapshots say nothing about volatility. */
    minSnapshots: 48,
    /** Least share of the window's hours with a snapshot. */
    minCoverage: 0.8,
    /** Complete UTC days of the trend, one median each, because hourly points are serially correlated. */
    trendDays: 7,
    /** Weight of a day's trend in the forecast; trends of yields fade. */
    trendWeight: 0.5,
    /** Half-life of the short average, which says what a vault yields now: a spike of an hour moves it by a ninth. */
    recentHalfLifeHours: 6,
    /** Half-life of the long average, to which yields return: 7 days forecast the differences between real vaults better than 30 (decision 62). */
    longHalfLifeHours: 168,
    /** Time in which half of the distance between the two averages is gone; a vault of the catalogue may have its own (decision 88). */
    returnHalfLifeHours: 72,
    /** Days over which a yield is forecast: funds are seldom held until the yield has returned to its average. */
    expectedDays: 10,
    /** Downside deviations deducted from the forecast. */
    downsideWeight: 0.1,
    /** Yield a year by which the best vault must exceed a vault for the signal to reduce it. */
    reduceDelta: 0.01,
  },
  /** Behaviour of an asset's yields. */
  regime: {
    /** Age of the newest snapshot, beyond which the regime is unknown. */
    maxAgeHours: 3,
    /** Hours of the recent standard deviation of hourly changes: a day has each hour once. */
    volatileWindowHours: 24,
    /** Hours of the reference that it is compared with: a week. */
    referenceWindowHours: 168,
    /** Ratio of the two from which on the regime is volatile. */
    volatileRatio: 2,
    /** Threshold of the absolute z of the Mann-Kendall test: two-sided 5 %. */
    trendZ: 1.96,
    /** Least slope of a trend: 0.10 percentage points a day; a slower one is stable, even if significant. */
    minSlopePerDay: 0.001,
    /** Consecutive hours with the same label before it is published, so that one odd hour changes nothing. */
    agreeingHours: 2,
  },
};

type FixedConstants = typeof FIXED;

/** @returns the constants of the files with the fixed ones beside them, a copy of each */
export function withFixed<T extends object>(
  constants: T,
): { [K in keyof T | keyof FixedConstants]: Section<T, K> } {
  const own = constants as Record<string, object>;
  const fixed = Object.entries(structuredClone(FIXED)).map(([name, section]) => [
    name,
    { ...section, ...own[name] },
  ]);
  return { ...constants, ...Object.fromEntries(fixed) } as ReturnType<typeof withFixed<T>>;
}

type Section<T, K> = (K extends keyof T ? T[K] : unknown) &
  (K extends keyof FixedConstants ? FixedConstants[K] : unknown);
