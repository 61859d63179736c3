import { toUnits } from './amount.js';
import type { Position, PositionStatus } from './position.js';
import { roundRate, type RoundedRate } from '../rate.js';
import { valueOf } from '../vaults/shares.js';

/** A position as the API and webhooks show it: plain JSON. Amounts are whole asset units with up to 6 decimals, rates fractions, times ISO 8601. */
export interface PositionRecord {
  id: string;
  object: 'position';
  user_id: string;
  asset: string;
  /** Where it is now; of a pending position, the asset's idle vault. */
  vault_id: string;
  /** The first yield vault that it was in; null before that. */
  origin_vault_id: string | null;
  status: PositionStatus;
  /** Deposited less withdrawn: below 0 once more was withdrawn than was deposited. */
  principal: number;
  /** What it is worth: principal and yield. */
  value: number;
  /** Net of costs; below 0 where it lost. */
  yield: number;
  /** What its moves cost so far. */
  costs: number;
  /** Last observed of its vault; null where that is not known or too old, and once it is closed. */
  apy: RoundedRate | null;
  opened_at: string;
  /** When it came into its first yield vault; null before that. */
  active_at: string | null;
  closed_at: string | null;
}

/** A position after a withdrawal, and what that paid out. */
export interface WithdrawnRecord extends PositionRecord {
  amount: number;
}

type ShownPart =
  | 'id'
  | 'userId'
  | 'asset'
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
 * The one way in which a position is shown.
 *
 * @param vault where it is: its index (scale 1e18), and its last observed APY, null where there is none or the vault is stale
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
