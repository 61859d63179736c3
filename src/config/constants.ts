import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import {
  bridgeCost,
  type BridgeCostEntry,
  bridgeProblems,
  type TokenContract,
  tokenContract,
  tokenProblems,
} from './chains.js';
import { ConfigError } from './config-error.js';
import { ConfigFiles, type Problem, problemsOf } from './config-files.js';
import { type Contract, CONTRACTS } from './deployments.js';
import { withFixed } from './fixed-constants.js';
import { decimal, decimals, forms, inside, money, oneOf, section, sections, whole } from './setting-kinds.js';
import { meantBy } from './spelling.js';
import { catalogueProblems, toCatalogue, type Vault, vaultEntry } from './vault-catalogue.js';

export const CONFIG_FOLDER = fileURLToPath(new URL('../../config', import.meta.url));

const http = section({
  bodyLimitBytes: whole(1024, 10_485_760),
  sendTimeoutSeconds: whole(1, 600),
  connections: whole(10, 1_000_000),
  // Longer than the answer of a feed may take: FEED_TIMEOUT_MS.
  shutdownGraceSeconds: whole(21, 600),
});

const database = section({
  connectTimeoutMs: whole(100, 60_000),
  lockTimeoutMs: whole(100, 60_000),
  statementTimeoutMs: whole(100, 600_000),
});

const access = section({ requestsWaiting: whole(0, 10_000) });

const webhooks = section({
  endpointsPerPartner: whole(1, 1000),
  concurrency: whole(1, 20_000),
  concurrencyPerEndpoint: whole(1, 100),
  concurrencyPerHost: whole(1, 20_000),
  sendsPerSecondPerHost: whole(1, 100_000),
  concurrencyPerAllowedHost: whole(1, 20_000),
  sendsPerSecondPerAllowedHost: whole(1, 100_000),
  deliveriesKept: whole(1, 1_000_000),
  queuedPerPartner: whole(100, 10_000_000),
});

const idempotency = section({
  keptHours: whole(1, 720),
});

/** One setting with a value for each tier of risk. */
const byTier = () =>
  section({ low: decimal(0, 1), medium: decimal(0, 1), high: decimal(0, 1) }).meta({
    allowed: 'low, medium and high, each a number from 0 to 1',
  });

const routing = section({
  horizonDays: whole(1, 3650),
  lastingHorizonDays: whole(1, 3650),
  cashHorizonDays: whole(1, 3650),
  minDelta: decimal(0, 1),
  minGainMultiple: decimal(0, 1000),
  minNetGain: money(),
  minHoursInVault: whole(0, 8760),
  returnWindowHours: whole(0, 8760),
  returnGainMultiple: decimal(0, 1000),
  minSizeMultiple: decimal(0, 1_000_000),
  maxVaultShare: decimal(0, 1),
  maxVaultExposure: byTier(),
  maxTierExposure: byTier(),
  maxIndexLoss: inside(0, 1),
  maxAssetsLoss: inside(0, 1),
  custody: oneOf(['shared', 'separate']),
  orderExpiresHours: whole(1, 8760),
  maxReportDeviation: decimal(0, 1),
  maxDailyDeviation: decimal(0, 1),
  maxMonthlyDeviation: decimal(0, 1),
  maxUnreviewedGain: decimal(0, 1),
});

const signals = section({
  riskHaircut: byTier(),
});

const feeds = section({ maxAgeMinutes: whole(1, 10_080) });

const chain = section({ maxRise: decimal(0, 100), maxDivergence: decimal(0, 10) });

const settlements = section({ notFoundHours: whole(1, 720) });

/** A vault without an observation is left after 24 hours. */
const alerts = section({
  silentHours: whole(1, 24),
  lateHours: whole(1, 168),
  reportDeviation: decimal(0, 1),
});

const retention = section({ eventsDays: whole(1, 366), auditDays: whole(0, 36_600) });

const ledger = section({ nightlyEntries: whole(0, 1_000_000_000) });

/** A mebibyte is 1,048,576 bytes. */
const storage = section({
  recordsMibPerPartner: whole(1, 100_000_000),
  trafficMibPerPartner: whole(1, 100_000_000),
  bookMibPerPartner: whole(1, 100_000_000),
  leastFreeMib: whole(1, 100_000_000),
});

/** `historyHours`: hours that one transaction can add. */
const simulation = section({ historyHours: whole(1, 744) });

/** Sections of `config/*.yaml` beside the catalogue of vaults. Units are in the names or in default.yaml, whose comments are the reference. */
export const CONSTANTS = section({
  assets: forms(/^[A-Z0-9]{2,12}$/, 'a list of different assets, each of 2 to 12 capital letters and digits'),
  http,
  database,
  access,
  webhooks,
  idempotency,
  routing,
  signals,
  points: section({ perUsdDay: whole(0, 1_000_000) }),
  revenue: section({ performanceFeeBps: whole(0, 10_000), partnerShareBps: whole(0, 10_000) }),
  feeds,
  chain,
  settlements,
  alerts,
  yieldThresholds: section({ levels: decimals(0, 1, 20), rearm: decimal(0, 1) }),
  retention,
  ledger,
  storage,
  simulation,
});

const CONFIGURATION = section({
  ...CONSTANTS.shape,
  vaults: sections(vaultEntry),
  bridgeCosts: sections(bridgeCost),
  /** Empty when no transfers are checked. */
  tokens: sections(tokenContract).default([]),
});

/** Constants of `config/*.yaml`, and those that no deployment tunes. */
export type Constants = ReturnType<typeof withFixed<z.infer<typeof CONSTANTS>>>;
export type HttpConstants = Constants['http'];

/**
 * Reads `default.yaml` and the contract's file, which overrides it key by key.
 * @throws ConfigError with a line for each problem: file, key path, value and what is allowed.
 */
export function readConstants(
  contract: Contract,
  folder: string = CONFIG_FOLDER,
): {
  constants: Constants;
  vaults: Vault[];
  bridgeCosts: BridgeCostEntry[];
  tokens: TokenContract[];
} {
  const files = new ConfigFiles(folder, ['default.yaml', `${contract}.yaml`]);
  refuseMisspeltFiles(folder);
  const read = CONFIGURATION.safeParse(files.merged);
  if (!read.success) throw files.refusal(problemsOf(read.error, files.merged));
  const { vaults, bridgeCosts, tokens, ...constants } = read.data;
  const problems = [
    ...pairProblems(constants),
    ...catalogueProblems(vaults, constants.assets),
    ...bridgeProblems(bridgeCosts, vaults),
    ...tokenProblems(tokens, constants.assets),
  ];
  if (problems.length > 0) throw files.refusal(problems);
  return { constants: withFixed(constants), vaults: toCatalogue(vaults), bridgeCosts, tokens };
}

/** @throws ConfigError for a file such as `partner.yml`, whose settings would be ignored */
function refuseMisspeltFiles(folder: string): void {
  const names = ['default', ...CONTRACTS].map((name) => `${name}.yaml`);
  const problems = readdirSync(folder).flatMap((name) => {
    const meant = meantBy(name, names);
    return meant === undefined ? [] : [`config/${name} is not read; did you mean config/${meant}?`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Problems between constants that are each within their bounds. */
export function pairProblems(constants: z.infer<typeof CONSTANTS>): Problem[] {
  const { horizonDays, lastingHorizonDays } = constants.routing;
  const { low, medium, high } = constants.signals.riskHaircut;
  const { lockTimeoutMs, statementTimeoutMs } = constants.database;
  const { levels, rearm } = constants.yieldThresholds;
  const level = Math.min(...levels.filter((level) => level > 0));
  const unless = (holds: boolean, key: string, value: number, allowed: string, bound: number): Problem[] =>
    holds ? [] : [{ path: key.split('.'), value, reason: `it must be ${allowed}, which is ${bound}` }];
  const atMost = (key: string, value: number, other: string, bound: number): Problem[] =>
    unless(value <= bound, key, value, `at most ${other}`, bound);
  const isShorter = lockTimeoutMs < statementTimeoutMs;
  const longer = 'less than database.statement_timeout_ms';
  return [
    ...atMost('routing.horizonDays', horizonDays, 'routing.lasting_horizon_days', lastingHorizonDays),
    ...atMost('signals.riskHaircut.low', low, 'signals.risk_haircut.medium', medium),
    ...atMost('signals.riskHaircut.medium', medium, 'signals.risk_haircut.high', high),
    // PostgreSQL counts the wait for a lock as part of the statement, so a longer lock timeout never fires.
    ...unless(isShorter, 'database.lockTimeoutMs', lockTimeoutMs, longer, statementTimeoutMs),
    // A yield of 0 must arm each level again: with a larger distance a level would raise one event and then none.
    ...atMost('yieldThresholds.rearm', rearm, 'the least level above 0 of yield_thresholds.levels', level),
  ];
}
