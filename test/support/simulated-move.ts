import { isIdle } from '../../src/domain/kernel/catalogue/catalogue.js';
import type { Api } from './api.js';
import type { TestApp } from './app.js';
import { dataOf } from './fields.js';

/** A policy that forbids one vault, so that the next hour moves what is in it. */
export const forbidding = ({ settings }: Pick<TestApp, 'settings'>, vaultId: string): object => ({
  allowed_vaults: settings.vaults.flatMap((vault) => (isIdle(vault) || vault.id === vaultId ? [] : vault.id)),
  max_risk_tier: null,
  min_gain: null,
  paused: false,
});

/** Has the next hour of an account move what is in a position's vault. @returns the id of the move */
export async function simulateMove(app: TestApp, api: Api, positionId: string): Promise<string> {
  const { vault_id: sourceVaultId } = dataOf(await api.get(`/positions/${positionId}`), 200);
  dataOf(await api.put('/partner/policy', forbidding(app, sourceVaultId)), 200);
  dataOf(await api.post('/simulation/clock/advance', { hours: 1 }), 200);
  const [move] = dataOf(await api.get('/moves?limit=1'), 200);
  return move.id;
}
