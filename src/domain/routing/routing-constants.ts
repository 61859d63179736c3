import { createHash } from 'node:crypto';
import type { Constants } from '../../config/constants.js';
import type { Settings } from '../../config/settings.js';
import type { SignalConstants } from '../analytics/signal.js';
import { MICRO_PER_UNIT } from '../positions/amount.js';
import type { BridgeCost } from '../vaults/move-cost.js';
import { MAX_GAP_HOURS } from '../vaults/yield-index.js';
import type { RoutingConstants } from './gates.js';

/** The gates' thresholds as the configuration has them. */
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

/** What vaults are judged by. */
export interface VaultRules {
  constants: RoutingConstants;
  /** Hours in which half of a yield's distance from its long average is gone, where its vault does not say otherwise. */
  returnHalfLifeHours: number;
  /** Share of an expected yield that is taken off, by tier. */
  haircut: SignalConstants['haircut'];
  /** Of vaults that are followed by their share price, fractions: of a change that the index has yet to take, and of a difference of yields. */
  maximumStep: number;
  maximumDivergence: number;
}

/** All that decisions depend on beside the market. */
export interface RoutingRules extends VaultRules {
  /** Names the configuration. */
  configVersion: string;
  bridgeCosts: readonly BridgeCost[];
}

export const vaultRules = ({ constants }: Pick<Settings, 'constants'>): VaultRules => ({
  constants: routingConstants(constants),
  returnHalfLifeHours: constants.signals.return_half_life_hours,
  haircut: constants.signals.risk_haircut,
  maximumStep: constants.chain.max_step,
  maximumDivergence: constants.chain.max_divergence,
});

export const routingRules = (settings: Settings): RoutingRules => ({
  ...vaultRules(settings),
  configVersion: configurationVersion(settings),
  bridgeCosts: settings.bridgeCosts,
});

/** Names all of the configuration that a decision depends on: the same text, the same decisions. 12 hexadecimal digits. */
function configurationVersion({ constants, vaults, bridgeCosts }: Settings): string {
  // How a move is carried out decides nothing.
  const { settlement: _, order_expires_hours: __, max_report_deviation: ___, ...routing } = constants.routing;
  const { signals } = constants;
  const text = JSON.stringify({ routing, signals, vaults, bridgeCosts }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
