import { toUnits } from './amount.js';
import type { Position, PositionStatus } from './position.js';
import { roundRate, type RoundedRate } from '../../kernel/rate.js';
import { valueOf } from '../../markets/vaults/yield-index.js';

/** Position as the API and webhooks show it: plain JSON. Amounts are whole asset units with up to 6 decimals, rates are fractions, times ISO 8601. */
export interface PositionRecord {
  id: string;
  object: 'position';
  user_id: string;
  asset: string;
  /** Deposit that was split into several positions; null: this one alone. */
  deposit_id: string | null;
  vault_id: string;
  /** First yield vault of the position; null before it entered one. */
  origin_vault_id: string | null;
  status: PositionStatus;
  /** Deposited less withdrawn: negative once more was withdrawn than deposited. */
  principal: number;
  /** Current value: principal and yield. */
  value: number;
  /** Yield net of costs; negative after a loss. */
  yield: number;
  costs: number;
  /** Last observed APY of its vault; null when unknown or too old, and once the position is closed. */
  apy: RoundedRate | null;
  opened_at: string;
  /** Time of entry into its first yield vault; null before that. */
  active_at: string | null;
  closed_at: string | null;
}

export interface WithdrawnRecord extends PositionRecord {
  amount: number;
}

type ShownPart =
  | 'id'
  | 'userId'
  | 'asset'
  | 'depositId'
  | 'vaultId'
  | 'originVaultId'
  | 'status'
  | 'shares'
  | 'deposited'
  | 'withdrawn'
  | 'costs'
  | 'openedAt'
  | 'activeAt'
  | 'closedAt';

/**
 * The only rendering of a position.
 * @param vault its vault: index (scale 1e18) and last observed APY, null when there is none or the vault is stale
 */
export function positionRecord(
  position: Pick<Position, ShownPart>,
  vault: { index: bigint; apy: number | null },
): PositionRecord {
  const value = valueOf(position.shares, vault.index);
  const principal = position.deposited - position.withdrawn;
  return {
    id: position.id,
    object: 'position',
    user_id: position.userId,
    asset: position.asset,
    deposit_id: position.depositId,
    vault_id: position.vaultId,
    origin_vault_id: position.originVaultId,
    status: position.status,
    principal: toUnits(principal),
    value: toUnits(value),
    yield: toUnits(value - principal),
    costs: toUnits(position.costs),
    apy: position.status === 'closed' ? null : roundRate(vault.apy),
    opened_at: position.openedAt.toISOString(),
    active_at: position.activeAt?.toISOString() ?? null,
    closed_at: position.closedAt?.toISOString() ?? null,
  };
}
