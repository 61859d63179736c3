import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { BridgeCostEntry, bridgeProblems } from './bridge-costs.js';
import { ConfigFiles, problemsOf } from './config-files.js';
import { type Contract, type SettlementMode, SETTLEMENTS } from './environment.js';
import {
  Decimal,
  Decimals,
  Forms,
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
  @Whole(1024, 10_485_760) body_limit_bytes: number;
  @Whole(4096, 131_072) headers_limit_bytes: number;
  @Whole(1, 300) request_timeout_seconds: number;
  @Whole(1, 600) send_timeout_seconds: number;
  @Whole(1, 1000) requests_ahead: number;
  @Whole(8_388_608, 17_179_869_184) unsent_bytes: number;
  @Whole(10, 1_000_000) connections: number;
  @Whole(1, 1_000_000) connections_per_address: number;
  @Whole(1, 600) shutdown_grace_seconds: number;
}

class LogConstants {
  @Whole(65_536, 1_073_741_824) held_bytes: number;
}

class DatabaseConstants {
  @Whole(100, 60_000) connect_timeout_ms: number;
  @Whole(100, 60_000) lock_timeout_ms: number;
  @Whole(100, 600_000) statement_timeout_ms: number;
  @Whole(100, 600_000) replica_lag_ms: number;
  @Whole(100, 600_000) replica_timeout_ms: number;
  @Whole(100, 60_000) answer_grace_ms: number;
}

class AccessConstants {
  @Whole(1, 14) last_used_flush_seconds: number;
  @Whole(0, 10_000) requests_waiting: number;
  @Whole(0, 60_000) wait_ms: number;
}

class WebhookConstants {
  @Whole(1, 1000) endpoints_per_partner: number;
  @Whole(1, 20_000) concurrency: number;
  @Whole(1, 100) concurrency_per_endpoint: number;
  @Whole(1, 1000) test_sends_per_partner: number;
  @Whole(1, 600) interrupted_grace_seconds: number;
  @Whole(1, 1_000_000) deliveries_kept: number;
  @Whole(100, 10_000_000) queued_per_partner: number;
}

class IdempotencyConstants {
  @Whole(1, 720) kept_hours: number;
  @Whole(0, 10_000) wait_ms: number;
  @Whole(0, 100) waiting_per_key: number;
  @Whole(0, 1000) waiting_per_caller: number;
}

class AccountsConstants {
  @Whole(1, 100) moves_at_once: number;
  @Whole(0, 1000) line: number;
  @Whole(0, 60_000) wait_ms: number;
}

class RoutingConstants {
  @Whole(1, 3650) horizon_days: number;
  @Whole(1, 3650) lasting_horizon_days: number;
  @Whole(1, 3650) cash_horizon_days: number;
  @Decimal(0, 1) min_delta: number;
  @Decimal(0, 1000) min_gain_multiple: number;
  @Decimal(0, 1000) min_promise_multiple: number;
  /** Micro-units. */
  @Money() min_net_gain: bigint;
  @Whole(0, 8760) min_hours_in_vault: number;
  @Whole(0, 8760) return_window_hours: number;
  @Decimal(0, 1000) return_gain_multiple: number;
  @Decimal(0, 1_000_000) min_tvl_multiple: number;
  @Decimal(0, 1) max_vault_share: number;
  @Decimal(0, 1) max_index_loss: number;
  @Decimal(0, 1) max_tvl_loss: number;
  @OneOf(SETTLEMENTS) settlement: SettlementMode;
  @Whole(1, 8760) order_expires_hours: number;
  @Decimal(0, 1) max_report_deviation: number;
}

class RiskHaircut {
  @Decimal(0, 1) low: number;
  @Decimal(0, 1) medium: number;
  @Decimal(0, 1) high: number;
}

/** Windows are limited to eight weeks, in hours and in days, because every tick reads them in full. */
class SignalConstants {
  @Whole(2, 1344) window_hours: number;
  @Whole(2, 1344) min_snapshots: number;
  @Decimal(0, 1) min_coverage: number;
  @Whole(2, 56) trend_days: number;
  @Decimal(0, 10) trend_weight: number;
  @Whole(1, 8760) recent_half_life_hours: number;
  @Whole(1, 8760) long_half_life_hours: number;
  @Whole(1, 8760) return_half_life_hours: number;
  @Whole(1, 3650) expected_days: number;
  @Decimal(0, 10) downside_weight: number;
  @Section(() => RiskHaircut) risk_haircut: RiskHaircut;
  @Decimal(0, 1) reduce_delta: number;
}

class RegimeConstants {
  @Whole(1, 1344) max_age_hours: number;
  @Whole(2, 1344) volatile_window_hours: number;
  @Whole(2, 1344) reference_window_hours: number;
  @Decimal(1, 1000) volatile_ratio: number;
  @Decimal(0, 10) trend_z: number;
  @Decimal(0, 1) min_slope_per_day: number;
  @Whole(1, 168) agreeing_hours: number;
}

class PointsConstants {
  @Whole(0, 1_000_000) per_usd_day: number;
}

class RevenueConstants {
  @Whole(0, 10_000) performance_fee_bps: number;
  @Whole(0, 10_000) partner_share_bps: number;
}

class FeedConstants {
  @WebAddress() defillama_base_url: string;
  @Whole(100, 600_000) timeout_ms: number;
  @Whole(1024, 1_000_000_000) max_bytes: number;
  @Whole(1, 10_080) max_age_minutes: number;
}

/** Constants of reading chains that have RPC URLs. */
export class ChainConstants {
  @Whole(100, 600_000) timeout_ms: number;
  @Whole(1024, 1_000_000_000) max_bytes: number;
  @Whole(1, 1000) batch_calls: number;
  @Whole(1, 86_400) max_lag_seconds: number;
  @Whole(1, 10_080) max_age_minutes: number;
  @Decimal(0, 1) max_step: number;
  @Decimal(0, 100) max_rise: number;
  @Decimal(0, 10) max_divergence: number;
  @Whole(0, 2160) history_hours: number;
  @Whole(1, 86_400) history_seconds: number;
}

/** Constants of checking reported transfers on their chain. */
class SettlementConstants {
  @Whole(1, 3600) check_seconds: number;
  @Whole(1, 720) not_found_hours: number;
  @Whole(1, 10_000) checks_a_pass: number;
  @Whole(1, 10_000) checks_a_pass_per_partner: number;
}

/** Thresholds of alerts; a vault without an observation is left after 24 hours. */
class AlertConstants {
  @Whole(1, 24) silent_hours: number;
  @Whole(1, 168) late_hours: number;
}

class YieldThresholds {
  @Decimals(0, 10, 20) levels: number[];
  @Decimal(0, 1) rearm: number;
}

/** A market needs at most its last eight weeks: the minimum retention leaves room beyond that. */
class RetentionConstants {
  @Whole(1, 366) events_days: number;
  @Whole(1, 8760) failed_jobs_hours: number;
  @Whole(2160, 100_000) own_market_hours: number;
}

/** A mebibyte is 1,048,576 bytes. */
class StorageConstants {
  @Whole(1, 100_000_000) records_mib_per_partner: number;
  @Whole(1, 100_000_000) traffic_mib_per_partner: number;
  @Whole(1, 100_000_000) book_mib_per_partner: number;
  @Whole(1, 100_000_000) least_free_mib: number;
  @Whole(1, 3600) check_seconds: number;
}

class SimulationConstants {
  @Whole(1, 10_000_000) sends_per_minute: number;
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
  @Section(() => YieldThresholds) yield_thresholds: YieldThresholds;
  @Section(() => RetentionConstants) retention: RetentionConstants;
  @Section(() => StorageConstants) storage: StorageConstants;
  @Section(() => SimulationConstants) simulation: SimulationConstants;
}

class Configuration extends Constants {
  @Sections(() => VaultEntry) vaults: VaultEntry[];
  @Sections(() => BridgeCostEntry) bridge_costs: BridgeCostEntry[];
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
  const { vaults, bridge_costs: bridgeCosts, tokens, ...constants } = configuration;
  files.refuse([
    ...catalogueProblems(vaults, constants.assets),
    ...bridgeProblems(bridgeCosts, vaults),
    ...tokenProblems(tokens, constants.assets),
  ]);
  return { constants, vaults: toCatalogue(vaults), bridgeCosts, tokens };
}
