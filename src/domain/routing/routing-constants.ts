import { createHash } from 'node:crypto';
import type { Constants } from '../../config/constants.js';
import type { DomainSettings } from '../../config/domain-settings.js';
import type { SignalConstants } from '../analytics/signal.js';
import { MICRO_PER_UNIT } from '../positions/amount.js';
import type { BridgeCost } from '../vaults/move-cost.js';
import { MAX_GAP_HOURS } from '../vaults/yield-index.js';
import type { RoutingConstants } from './gates.js';

/** Thresholds of the gates from the configuration. */
export function routingConstants({ routing }: Pick<Constants, 'routing'>): RoutingConstants {
  return {
    horizonDays: routing.horizon_days,
    lastingHorizonDays: routing.lasting_horizon_days,
    cashHorizonDays: routing.cash_horizon_days,
    minimumDelta: routing.min_delta,
    minimumGainMultiple: routing.min_gain_multiple,
    minimumPromiseMultiple: routing.min_promise_multiple,
    minimumNetGain: Number(routing.min_net_gain) / Number(MICRO_PER_UNIT),
    minimumHoursInVault: routing.min_hours_in_vault,
    returnHours: routing.return_window_hours,
    returnGainMultiple: routing.return_gain_multiple,
    minimumTvlMultiple: routing.min_tvl_multiple,
    maximumShare: routing.max_vault_share,
    maximumGapHours: MAX_GAP_HOURS,
    maximumIndexLoss: routing.max_index_loss,
    maximumTvlLoss: routing.max_tvl_loss,
  };
}

/** Rules by which vaults are judged. */
export interface VaultRules {
  constants: RoutingConstants;
  /** Half-life of mean reversion in hours, for vaults without one of their own. */
  returnHalfLifeHours: number;
  /** Discount on an expected yield, by tier. */
  haircut: SignalConstants['haircut'];
  /** Limits for vaults followed by share price, fractions: on a step that the index has yet to take, and on a difference of APYs. */
  maximumStep: number;
  maximumDivergence: number;
}

/** Everything that decisions depend on besides the market. */
export interface RoutingRules extends VaultRules {
  /** Version of the configuration. */
  configVersion: string;
  bridgeCosts: readonly BridgeCost[];
}

export const vaultRules = ({ constants }: Pick<DomainSettings, 'constants'>): VaultRules => ({
  constants: routingConstants(constants),
  returnHalfLifeHours: constants.signals.return_half_life_hours,
  haircut: constants.signals.risk_haircut,
  maximumStep: constants.chain.max_step,
  maximumDivergence: constants.chain.max_divergence,
});

export const routingRules = (settings: DomainSettings): RoutingRules => ({
  ...vaultRules(settings),
  configVersion: configurationVersion(settings),
  bridgeCosts: settings.bridgeCosts,
});

/** Digest of the whole configuration that decisions depend on: equal digests mean equal decisions. 12 hexadecimal digits. */
function configurationVersion({ constants, vaults, bridgeCosts }: DomainSettings): string {
  // DomainSettings of how moves are carried out do not affect decisions.
  const { settlement: _, order_expires_hours: __, max_report_deviation: ___, ...routing } = constants.routing;
  const { signals } = constants;
  const text = JSON.stringify({ routing, signals, vaults, bridgeCosts }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
