import { newId } from '../../kernel/identifier.js';
import type { EventType } from '../../outbound/webhooks/event-type.js';

/** Inputs of a synthetic event. */
export interface Setting {
  at: Date;
  asset: string;
  vaultId: string;
  otherVaultId: string;
}

/**
 * Data in the shape of a real event, about a position that does not exist.
 * @returns JSON for the event's `data`
 */
export function syntheticData(
  type: EventType,
  { at, asset, vaultId, otherVaultId }: Setting,
): Record<string, unknown> {
  const time = at.toISOString();
  const position = {
    id: newId('position', at),
    object: 'position',
    user_id: newId('user', at),
    asset,
    vault_id: vaultId,
    origin_vault_id: vaultId,
    status: 'active',
    principal: 250,
    value: 250.4123,
    yield: 0.4123,
    costs: 0,
    apy: 0.0523,
    opened_at: time,
    active_at: time,
    closed_at: null,
  };
  const decisionId = newId('decision', at);
  switch (type) {
    case 'position.opened':
    case 'position.active':
      return { ...position, value: 250, yield: 0, decision_id: decisionId };
    case 'position.rebalanced':
      return {
        ...position,
        vault_id: otherVaultId,
        value: 250.4023,
        yield: 0.4023,
        costs: 0.01,
        decision_id: decisionId,
        amount: 250.4023,
        cost: 0.01,
      };
    case 'position.withdrawn':
      return { ...position, principal: 150, value: 150.4123, decision_id: null, amount: 100 };
    case 'position.closed':
      return {
        ...position,
        status: 'closed',
        principal: -0.4123,
        value: 0,
        apy: null,
        closed_at: time,
        decision_id: null,
      };
    case 'yield.threshold':
      return { asset, threshold: 0.05, direction: 'above', apy: 0.0512, previous_apy: 0.0497, at: time };
    case 'system.status':
      return { message: 'Simulated event from Vaultline.', requested_at: time };
  }
}
