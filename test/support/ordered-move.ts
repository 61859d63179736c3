import { newId } from '../../src/domain/kernel/identifier.js';
import { DecisionLog, type NewDecision } from '../../src/domain/routing/allocation/decision-log.js';
import { MoveReportService } from '../../src/domain/routing/orders/move-report.service.js';
import { MoveOrderService } from '../../src/domain/routing/allocation/move-order.service.js';
import { Clock } from '../../src/domain/kernel/clock.js';
import { Store } from '../../src/domain/kernel/store/store.js';
import type { Api } from './api.js';
import type { TestApp } from './app.js';
import { contradictArrival } from './contradict.js';
import { dataOf } from './fields.js';
import { newTxHash } from './market.js';

const LIVE = 'live';

/** Reports only the receipt of a deposit. @returns ids of its position, and of the move that puts it into its vault */
export async function receiveDeposit(
  protocol: Api,
  userId: string,
  amount = 1_000,
): Promise<{ pos: string; mov: string }> {
  const input = { user_id: userId, asset: 'USDC', amount, tx_hash: newTxHash(), allocated: false };
  const { id: pos } = dataOf(await protocol.post('/positions', input), 201);
  const [move] = dataOf(await protocol.get(`/moves?position_id=${pos}`), 200);
  return { pos, mov: move.id };
}

/** Reports more of a received deposit than was received, so that the gain waits for a review. @returns ids as above */
export async function receiveGain(
  protocol: Api,
  userId: string,
  amount = 1_000,
): Promise<{ pos: string; mov: string }> {
  const ids = await receiveDeposit(protocol, userId, amount);
  const report = { tx_hash: newTxHash(), amount: Number((amount * 1.002).toFixed(6)) };
  dataOf(await protocol.post(`/positions/${ids.pos}/allocated`, report), 201);
  return ids;
}

/** Reports that a received deposit arrived, by a key of its own, and makes the chain contradict the report. @returns ids as above */
export async function receiveContradicted(
  app: TestApp,
  userId: string,
  amount = 1_000,
): Promise<{ pos: string; mov: string }> {
  const { secret } = dataOf(await app.admin.post('/keys', { label: 'executor', scopes: ['write'] }), 201);
  const executor = app.admin.as(secret);
  const ids = await receiveDeposit(executor, userId, amount);
  dataOf(await executor.post(`/positions/${ids.pos}/allocated`, { tx_hash: newTxHash() }), 201);
  await contradictArrival(app, ids.mov);
  return ids;
}

/**
 * Orders that a position, or another one as large, leaves its vault, as if that were decided now, for tests that need a move without a market. An
 * earlier order for its group is recorded as failed.
 *
 * @returns the id of the move
 */
export async function orderMove(
  { application, database, settings }: TestApp,
  positionId: string,
): Promise<string> {
  const open = await database.query<{ id: string }>(
    LIVE,
    `SELECT o.id FROM move_orders o JOIN positions p USING (partner_id) WHERE p.id = $1 AND o.ended_at IS NULL AND o.position_id IS NULL`,
    [positionId],
  );
  for (const { id } of open)
    await application.get(MoveReportService).failed({ id, partnerId: null }, 'another one is made');
  const [position] = await database.query<{ vaultId: string; shares: string; decisionId: string }>(
    LIVE,
    `SELECT p.vault_id AS "vaultId", p.shares, e.decision_id AS "decisionId" FROM positions p JOIN ledger_entries e ON e.position_id = p.id AND e.type = 'deposit' WHERE p.id = $1`,
    [positionId],
  );
  const log = application.get(DecisionLog);
  const route = await log.find(position!.decisionId);
  const at = application.get(Clock).now();
  const { asset } = route.record;
  const target = settings.vaults.find((vault) => vault.asset === asset && vault.id !== position!.vaultId)!.id;
  const record = {
    ...route.record,
    kind: 'rebalance' as const,
    fromVaultId: position!.vaultId,
    toVaultId: target,
  };
  const decision: NewDecision = {
    ...route,
    id: newId('decision', at),
    userId: null,
    positionId: null,
    record,
    at,
  };
  const order = { decision, batchId: null, room: BigInt(position!.shares) };
  await application.get(Store).transaction(async () => {
    await log.add([decision]);
    await application.get(MoveOrderService).add([order]);
  });
  const [made] = await database.query<{ id: string }>(
    LIVE,
    'SELECT id FROM move_orders WHERE decision_id = $1',
    [decision.id],
  );
  return made!.id;
}
