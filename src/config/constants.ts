import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { BridgeCostEntry, bridgeProblems } from './bridge-costs.js';
import { ConfigFiles, problemsOf } from './config-files.js';
import { pairProblems } from './constant-pairs.js';
import { type Contract, type SettlementMode, SETTLEMENTS } from './environment.js';
import {
  Decimal,
  Decimals,
  Forms,
  Inside,
  Money,
  OneOf,
  Section,
  Sections,
  WebAddress,
  Whole,
} from './field-rules.js';
import { TokenContract, tokenProblems } from './token-contracts.js';
import { catalogueProblems, toCatalogue, type Vault, VaultEntry } from './vault-catalogue.js';

const CONFIG_FOLDER = fileURLToPath(new URL('../../config', import.meta.url));

export class HttpConstants {
  @Whole(1024, 10_485_760) bodyLimitBytes: number;
  @Whole(4096, 131_072) headersLimitBytes: number;
  @Whole(1, 300) requestTimeoutSeconds: number;
  @Whole(1, 600) sendTimeoutSeconds: number;
  @Whole(1, 1000) requestsAhead: number;
  @Whole(8_388_608, 17_179_869_184) unsentBytes: number;
  @Whole(10, 1_000_000) connections: number;
  @Whole(1, 1_000_000) connectionsPerAddress: number;
  @Whole(1, 600) shutdownGraceSeconds: number;
}

class LogConstants {
  @Whole(65_536, 1_073_741_824) heldBytes: number;
}

class DatabaseConstants {
  @Whole(100, 60_000) connectTimeoutMs: number;
  @Whole(100, 60_000) lockTimeoutMs: number;
  @Whole(100, 600_000) statementTimeoutMs: number;
  @Whole(100, 600_000) replicaLagMs: number;
  @Whole(100, 600_000) replicaTimeoutMs: number;
  @Whole(100, 60_000) answerGraceMs: number;
}

class AccessConstants {
  @Whole(1, 14) lastUsedFlushSeconds: number;
  @Whole(0, 10_000) requestsWaiting: number;
  @Whole(0, 60_000) waitMs: number;
}

class WebhookConstants {
  @Whole(1, 1000) endpointsPerPartner: number;
  @Whole(1, 20_000) concurrency: number;
  @Whole(1, 100) concurrencyPerEndpoint: number;
  @Whole(1, 20_000) concurrencyPerHost: number;
  @Whole(1, 100_000) sendsPerSecondPerHost: number;
  @Whole(1, 1000) testSendsPerPartner: number;
  @Whole(1, 600) interruptedGraceSeconds: number;
  @Whole(1, 1_000_000) deliveriesKept: number;
  @Whole(100, 10_000_000) queuedPerPartner: number;
}

class IdempotencyConstants {
  @Whole(1, 720) keptHours: number;
  @Whole(0, 10_000) waitMs: number;
  @Whole(0, 100) waitingPerKey: number;
  @Whole(0, 1000) waitingPerCaller: number;
}

class AccountsConstants {
  @Whole(1, 100) movesAtOnce: number;
  @Whole(0, 1000) line: number;
  @Whole(0, 60_000) waitMs: number;
}

class RoutingConstants {
  @Whole(1, 3650) horizonDays: number;
  @Whole(1, 3650) lastingHorizonDays: number;
  @Whole(1, 3650) cashHorizonDays: number;
  @Decimal(0, 1) minDelta: number;
  @Decimal(0, 1000) minGainMultiple: number;
  @Decimal(0, 1000) minPromiseMultiple: number;
  /** Micro-units. */
  @Money() minNetGain: bigint;
  @Whole(0, 8760) minHoursInVault: number;
  @Whole(0, 8760) returnWindowHours: number;
  @Decimal(0, 1000) returnGainMultiple: number;
  @Decimal(0, 1_000_000) minTvlMultiple: number;
  @Decimal(0, 1) maxVaultShare: number;
  @Inside(0, 1) maxIndexLoss: number;
  @Inside(0, 1) maxTvlLoss: number;
  @OneOf(SETTLEMENTS) settlement: SettlementMode;
  @Whole(1, 8760) orderExpiresHours: number;
  @Decimal(0, 1) maxReportDeviation: number;
  @Decimal(0, 1) maxDailyDeviation: number;
  @Decimal(0, 1) maxUnreviewedGain: number;
}

class RiskHaircut {
  @Decimal(0, 1) low: number;
  @Decimal(0, 1) medium: number;
  @Decimal(0, 1) high: number;
}

/** Windows are limited to eight weeks, in hours and in days, because every tick reads them in full. */
class SignalConstants {
  @Whole(2, 1344) windowHours: number;
  @Whole(2, 1344) minSnapshots: number;
  @Decimal(0, 1) minCoverage: number;
  @Whole(2, 56) trendDays: number;
  @Decimal(0, 10) trendWeight: number;
  @Whole(1, 8760) recentHalfLifeHours: number;
  @Whole(1, 8760) longHalfLifeHours: number;
  @Whole(1, 8760) returnHalfLifeHours: number;
  @Whole(1, 3650) expectedDays: number;
  @Decimal(0, 10) downsideWeight: number;
  @Section(() => RiskHaircut) riskHaircut: RiskHaircut;
  @Decimal(0, 1) reduceDelta: number;
}

class RegimeConstants {
  @Whole(1, 1344) maxAgeHours: number;
  @Whole(2, 1344) volatileWindowHours: number;
  @Whole(2, 1344) referenceWindowHours: number;
  @Decimal(1, 1000) volatileRatio: number;
  @Decimal(0, 10) trendZ: number;
  @Decimal(0, 1) minSlopePerDay: number;
  @Whole(1, 168) agreeingHours: number;
}

class PointsConstants {
  @Whole(0, 1_000_000) perUsdDay: number;
}

class RevenueConstants {
  @Whole(0, 10_000) performanceFeeBps: number;
  @Whole(0, 10_000) partnerShareBps: number;
}

class FeedConstants {
  @WebAddress() defillamaBaseUrl: string;
  @Whole(100, 600_000) timeoutMs: number;
  @Whole(1024, 1_000_000_000) maxBytes: number;
  @Whole(1, 10_080) maxAgeMinutes: number;
}

/** Constants of reading chains that have RPC URLs. */
export class ChainConstants {
  @Whole(100, 600_000) timeoutMs: number;
  @Whole(1024, 1_000_000_000) maxBytes: number;
  @Whole(1, 1000) batchCalls: number;
  @Whole(1, 86_400) maxLagSeconds: number;
  @Whole(1, 10_080) maxAgeMinutes: number;
  @Decimal(0, 1) maxStep: number;
  @Decimal(0, 100) maxRise: number;
  @Decimal(0, 10) maxDivergence: number;
  @Whole(0, 2160) historyHours: number;
  @Whole(1, 86_400) historySeconds: number;
}

/** Constants of checking reported transfers on their chain. */
class SettlementConstants {
  @Whole(1, 3600) checkSeconds: number;
  @Whole(1, 720) notFoundHours: number;
  @Whole(1, 10_000) checksAPass: number;
  @Whole(1, 10_000) checksAPassPerPartner: number;
}

/** Thresholds of alerts; a vault without an observation is left after 24 hours. */
class AlertConstants {
  @Whole(1, 24) silentHours: number;
  @Whole(1, 168) lateHours: number;
  @Decimal(0, 1) reportDeviation: number;
}

class YieldThresholds {
  @Decimals(0, 1, 20) levels: number[];
  @Decimal(0, 1) rearm: number;
}

/** A market needs at most its last eight weeks: the minimum retention leaves room beyond that. */
class RetentionConstants {
  @Whole(1, 366) eventsDays: number;
  @Whole(1, 8760) failedJobsHours: number;
  @Whole(2160, 100_000) ownMarketHours: number;
}

/** A mebibyte is 1,048,576 bytes. */
class StorageConstants {
  @Whole(1, 100_000_000) recordsMibPerPartner: number;
  @Whole(1, 100_000_000) trafficMibPerPartner: number;
  @Whole(1, 100_000_000) bookMibPerPartner: number;
  @Whole(1, 100_000_000) leastFreeMib: number;
  @Whole(1, 3600) checkSeconds: number;
}

class SimulationConstants {
  /** Hours that one transaction can add. */
  @Whole(1, 744) historyHours: number;
  @Whole(1, 10_000_000) sendsPerMinute: number;
}

/**
 * Content of `config/default.yaml` and the contract's own file, except vaults and the sections about them. Units are in the names or in default.yaml.
 */
export class Constants {
  @Forms(/^[A-Z0-9]{2,12}$/, 'a list of different assets, each of 2 to 12 capital letters and digits')
  assets: string[];

  @Section(() => HttpConstants) http: HttpConstants;
  @Section(() => LogConstants) log: LogConstants;
  @Section(() => DatabaseConstants) database: DatabaseConstants;
  @Section(() => AccessConstants) access: AccessConstants;
  @Section(() => WebhookConstants) webhooks: WebhookConstants;
  @Section(() => IdempotencyConstants) idempotency: IdempotencyConstants;
  @Section(() => AccountsConstants) accounts: AccountsConstants;
  @Section(() => RoutingConstants) routing: RoutingConstants;
  @Section(() => SignalConstants) signals: SignalConstants;
  @Section(() => RegimeConstants) regime: RegimeConstants;
  @Section(() => PointsConstants) points: PointsConstants;
  @Section(() => RevenueConstants) revenue: RevenueConstants;
  @Section(() => FeedConstants) feeds: FeedConstants;
  @Section(() => ChainConstants) chain: ChainConstants;
  @Section(() => SettlementConstants) settlements: SettlementConstants;
  @Section(() => AlertConstants) alerts: AlertConstants;
  @Section(() => YieldThresholds) yieldThresholds: YieldThresholds;
  @Section(() => RetentionConstants) retention: RetentionConstants;
  @Section(() => StorageConstants) storage: StorageConstants;
  @Section(() => SimulationConstants) simulation: SimulationConstants;
}

class Configuration extends Constants {
  @Sections(() => VaultEntry) vaults: VaultEntry[];
  @Sections(() => BridgeCostEntry) bridgeCosts: BridgeCostEntry[];
  /** Empty when no transfers are checked. */
  @Sections(() => TokenContract) tokens: TokenContract[] = [];
}

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
  const configuration = plainToInstance(Configuration, files.merged);
  files.refuse(problemsOf(validateSync(configuration, { whitelist: true, forbidNonWhitelisted: true })));
  const { vaults, bridgeCosts, tokens, ...constants } = configuration;
  files.refuse([
    ...pairProblems(constants),
    ...catalogueProblems(vaults, constants.assets),
    ...bridgeProblems(bridgeCosts, vaults),
    ...tokenProblems(tokens, constants.assets),
  ]);
  return { constants, vaults: toCatalogue(vaults), bridgeCosts, tokens };
}
