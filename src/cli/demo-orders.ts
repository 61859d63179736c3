import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import type { PositionRecord } from '../domain/books/positions/quotes.js';
import { AlertService } from '../domain/cycle/alerts/alert.service.js';
import { HourlyCycle } from '../domain/cycle/hourly-cycle.service.js';
import { Catalogue, isIdle } from '../domain/kernel/catalogue/catalogue.js';
import { Clock } from '../domain/kernel/clock.js';
import { DEMO_IDS } from '../domain/kernel/demo-ids.js';
import { newId, runWithIds } from '../domain/kernel/identifier.js';
import { Store } from '../domain/kernel/store/store.js';
import { EVENT_TYPES } from '../domain/outbound/webhooks/event-type.js';
import { EndpointService } from '../domain/outbound/webhooks/endpoint.service.js';
import { MoveReportService } from '../domain/routing/orders/move-report.service.js';
import { STORE_FINDINGS as STORE_CHECKS } from '../domain/routing/move-checks/move-check.queries.js';
import { STORE_FINDINGS } from '../domain/routing/settlements/settlement.queries.js';
import { type Deposit, DepositService } from '../domain/routing/transfers/deposit.service.js';
import { UserWithdrawalService } from '../domain/routing/withdrawals/user-withdrawal.service.js';
import { Authenticator, type Caller } from '../domain/tenants/access/authenticator.js';
import { KeyService } from '../domain/tenants/access/key.service.js';
import { PartnerService } from '../domain/tenants/partners/partner.service.js';
import { NO_RULES, type PolicyRules } from '../domain/tenants/policies/policy.js';
import { PolicyService } from '../domain/tenants/policies/policy.service.js';
import { UserService } from '../domain/tenants/users/user.service.js';
import { withDomain } from './context.js';

/** Inactive, unless the demo has a receiver: this one does not exist, and the demo would begin with failures. */
const LEDGER = {
  url: 'https://hooks.acme.example/vaultline',
  description: 'Ledger service',
  events: EVENT_TYPES.filter((type) => type.startsWith('position.')),
  active: false,
};
const STATUS_PAGE = { ...LEDGER, description: 'Status page', events: ['system.status' as const] };

/**
 * Creates a demo partner with the ids, endpoints and keys that the documents' examples use. A second demo partner gets new ids, and none of these
 * records.
 * @param receiver URL of a receiver of the partner's events; null: there is none
 * @param create creates at least two users, the first of them without positions
 * @param otherIds ids of other records that it creates
 */
export async function withDemoRecords<T extends { partnerId: string }>(
  context: INestApplicationContext,
  receiver: string | null,
  create: () => Promise<T>,
  otherIds: Parameters<typeof runWithIds>[0] = {},
): Promise<T> {
  if (await partnerExists(context, DEMO_IDS.partner)) return create();
  const ids = {
    partner: [DEMO_IDS.partner],
    campaign: [DEMO_IDS.campaign],
    user: [DEMO_IDS.deletableUser, DEMO_IDS.user],
    position: [DEMO_IDS.position],
    ...otherIds,
  };
  const created = await runWithIds(ids, create);
  const recordIds = {
    apiKey: [DEMO_IDS.apiKey, DEMO_IDS.revocableKey],
    webhook: [
      DEMO_IDS.webhook,
      DEMO_IDS.deletableWebhook,
      DEMO_IDS.alertWebhook,
      DEMO_IDS.deletableAlertWebhook,
    ],
  };
  await runWithIds(recordIds, async () => {
    for (const label of ['Demo reader', 'Second demo reader'])
      await context.get(KeyService).create({ label });
    const ledger = receiver === null ? LEDGER : { ...LEDGER, url: receiver, active: true };
    for (const endpoint of [ledger, STATUS_PAGE])
      await context.get(EndpointService).register(created.partnerId, endpoint);
    for (let n = 0; n < 2; n++) await context.get(AlertService).register(STATUS_PAGE);
  });
  return created;
}

const partnerExists = (context: INestApplicationContext, partnerId: string): Promise<boolean> =>
  context
    .get(PartnerService)
    .get(partnerId)
    .then(
      () => true,
      () => false,
    );

const UNIT = 1_000_000n;
/** External ids of the partner's end-users; the second one withdraws. */
const USER = 'demo:eli';
const WITHDRAWING_USER = 'demo:finn';
const WITHDRAWALS = [DEMO_IDS.untakenWithdrawal, DEMO_IDS.payableWithdrawal, DEMO_IDS.failingWithdrawal];
const WITHDRAWN = 50n;

/** A deposit that was received and waits to be put into its vault, and the ids of what it creates. */
const RECEIVED = [
  { amount: 250n, ids: { position: [DEMO_IDS.receivedPosition] } },
  { amount: 9_990n, ids: { move: [DEMO_IDS.arrivingMove] } },
  { amount: 4_000n, ids: { move: [DEMO_IDS.untakenMove] } },
  { amount: 1_500n, ids: { move: [DEMO_IDS.failingMove] } },
  { amount: 2_000n, ids: { move: [DEMO_IDS.gainingMove] } },
  { amount: 3_000n, ids: { move: [DEMO_IDS.contradictedMove] } },
];
/** Reported amount of the gain: it needs a review, within the deviation that a report may have. */
const GAIN_AMOUNT = 2_016n;
/** What the chain moved of the last one. */
const FOUND_AMOUNT = 2_991n;

/**
 * Creates work for the demo executor, once, under a partner of its own: a move that the partner's policy requires, received deposits, withdrawals,
 * and a transfer and a report that their chains contradict. The server settles only its own moves, so an executor has to end these before they lapse.
 */
export async function createDemoOrders(
  context: INestApplicationContext,
  settings: Settings,
  executorKey: string,
): Promise<void> {
  if ((await context.get(UserService).holders(USER, 1)).length > 0) return;
  // Decisions are orders only where moves are reported.
  await withDomain({ ...settings, settlement: 'reported' }, async (reported) => {
    await reported.get(Store).transaction(() => create(reported, settings.constants.assets));
    await runWithIds({ move: [DEMO_IDS.move] }, () => reported.get(HourlyCycle).run());
    const { keyId } = (await reported.get(Authenticator).authenticate(executorKey)) as Caller;
    const arrival = { amount: GAIN_AMOUNT * UNIT, txHash: newTxHash(), keyId };
    const reports = reported.get(MoveReportService);
    await reports.settled({ id: DEMO_IDS.gainingMove, partnerId: null }, arrival);
    const now = reported.get(Clock).now();
    // Of an executor that is gone: the demo executor goes on reporting.
    const contradicted = { amount: 3_000n * UNIT, txHash: newTxHash(), keyId: newId('apiKey', now) };
    await reports.settled({ id: DEMO_IDS.contradictedMove, partnerId: null }, contradicted);
    const finding = {
      ...{ orderId: DEMO_IDS.contradictedMove, step: 'settled', status: 'mismatch', reason: 'wrong_amount' },
      ...{
        txHash: contradicted.txHash,
        block: 21_000_000,
        foundAmount: `${FOUND_AMOUNT * UNIT}`,
        dueAt: null,
      },
    };
    await reported.get(Store).query(STORE_CHECKS, [JSON.stringify([finding]), now]);
  });
}

async function create(context: INestApplicationContext, [asset, other]: readonly string[]): Promise<void> {
  const { partner } = await context.get(PartnerService).create({ name: 'Demo partner with open moves' });
  const user = await context.get(UserService).create(partner.id, { externalId: USER, label: 'Eli' });
  const deposit = (amount: bigint, more: Partial<Deposit> = {}): Promise<PositionRecord> =>
    context.get(DepositService).deposit({
      userId: user.id,
      asset: asset!,
      amount: amount * UNIT,
      txHash: null,
      partnerId: partner.id,
      ...more,
    });
  // Another asset, so that it is not part of the move below.
  await runWithIds({ settlement: [DEMO_IDS.settlement] }, () =>
    deposit(100n, { txHash: newTxHash(), asset: other! }),
  );
  const mismatch = {
    status: 'mismatch',
    reason: 'wrong_amount',
    block: 21_000_000,
    foundAmount: `${90n * UNIT}`,
  };
  const findings = JSON.stringify([{ id: DEMO_IDS.settlement, ...mismatch, dueAt: null }]);
  await context.get(Store).query(STORE_FINDINGS, [findings, context.get(Clock).now()]);
  const { vault_id: vaultId } = await deposit(10_000n);
  await context.get(PolicyService).set(partner.id, allBut(context, vaultId));
  // After the policy, so that it does not refuse their vaults.
  for (const { amount, ids } of RECEIVED) await runWithIds(ids, () => deposit(amount, { received: true }));
  const { id: userId } = await context
    .get(UserService)
    .create(partner.id, { externalId: WITHDRAWING_USER, label: 'Finn' });
  await deposit(WITHDRAWN * 10n, { userId });
  const request = { userId, partnerId: partner.id, asset: asset!, amount: WITHDRAWN * UNIT, wallet: null };
  await runWithIds({ withdrawal: [...WITHDRAWALS] }, async () => {
    for (let n = 0; n < WITHDRAWALS.length; n++) await context.get(UserWithdrawalService).request(request);
  });
}

/** Policy that allows all vaults but one. */
export const allBut = (context: INestApplicationContext, vaultId: string): PolicyRules => {
  const vaults = context.get(Catalogue).vaults.filter((vault) => !isIdle(vault) && vault.id !== vaultId);
  return { ...NO_RULES, allowedVaults: vaults.map(({ id }) => id) };
};

const newTxHash = (): string => `0x${randomBytes(32).toString('hex')}`;
