import { createHash } from 'node:crypto';
import type { Constants } from '../../config/constants.js';
import type { Settings } from '../../config/settings.js';
import { MICRO_PER_UNIT } from '../positions/amount.js';
import { MAX_GAP_HOURS } from '../vaults/yield-index.js';
import type { RoutingConstants } from './gates.js';

/** The gates' thresholds as the configuration has them. */
export function routingConstants({ routing }: Pick<Constants, 'routing'>): RoutingConstants {
  return {
    minimumDelta: routing.min_delta,
    maximumBreakevenDays: routing.max_breakeven_days,
    minimumNetGain: Number(routing.min_net_gain) / Number(MICRO_PER_UNIT),
    minimumHoursInVault: routing.min_hours_in_vault,
    returnHours: routing.return_window_hours,
    returnDelta: routing.min_return_delta,
    minimumTvlMultiple: routing.min_tvl_multiple,
    maximumShare: routing.max_vault_share,
    maximumGapHours: MAX_GAP_HOURS,
    horizonDays: routing.horizon_days,
  };
}

/** Names all of the configuration that a decision depends on: the same text, the same decisions. 12 hexadecimal digits. */
export function configurationVersion({ constants, vaults, bridgeCosts }: Settings): string {
  const { routing, signals } = constants;
  const text = JSON.stringify({ routing, signals, vaults, bridgeCosts }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
