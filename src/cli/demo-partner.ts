import type { INestApplicationContext } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { KeyService } from '../domain/tenants/access/key.service.js';
import { PARTNER_KEY_SCOPES } from '../domain/tenants/access/scope.js';
import { DEMO_IDS } from '../domain/kernel/demo-ids.js';
import { Clock, addHours, hourOf } from '../domain/kernel/clock.js';
import { HourlyCycle } from '../domain/cycle/hourly-cycle.service.js';
import { LedgerPartitions } from '../domain/markets/hours/ledger-partitions.service.js';
import { MarketHours } from '../domain/markets/hours/market-hours.service.js';
import { BASE_MARKET, MarketService } from '../domain/markets/hours/market.service.js';
import { Store } from '../domain/kernel/store/store.js';
import { runWithIds } from '../domain/kernel/identifier.js';
import { UserWithdrawalService } from '../domain/routing/withdrawals/user-withdrawal.service.js';
import { UserService } from '../domain/tenants/users/user.service.js';
import { withDomain } from './context.js';
import {
  DEMO_USER,
  type DemoBook,
  callerOf,
  createDemoBook,
  createDemoPartnerRecord,
  excludeVault,
} from './demo-account.js';
import { withDemoRecords } from './demo-orders.js';
import { pauseEndpoints, sendEvents, withReceiver } from './demo-webhooks.js';

/** Age of the positions; all their hours are run except the last, with which the server or the demo orders begin. */
const DAYS = 90;
/** Days in one transaction. Daily updates leave dead row versions, which a longer transaction would read again and again. */
const DAYS_PER_TRANSACTION = 10;
const DAY_HOURS = 24;
/** Time of the withdrawal, in days after the first deposits. */
const WITHDRAWN_AFTER_DAYS = 60;
const EXECUTOR_LABEL = 'Demo executor';
const PARTNER_NAME = 'Demo partner';

export interface DemoPartner {
  /** Key bound to the demo partner: reads its reports. */
  account_key: string;
  /** Key without a partner: reports deposits and withdrawals. */
  executor_key: string;
}

/**
 * Creates the demo partner of the live contract on simulated yields: four users, three of them with positions that are 90 days old. Market and
 * engine run over the past hours one by one before the server starts; when a market already exists, the positions are new. The next
 * run completes an interrupted one, without the withdrawal.
 * @param earlierKeys keys from an earlier start, kept while both are valid
 * @param days age when the market begins with it, a multiple of ten
 */
export async function createDemoPartner(
  context: INestApplicationContext,
  earlierKeys: Partial<DemoPartner> = {},
  days = DAYS,
): Promise<DemoPartner> {
  const { account_key, executor_key } = earlierKeys;
  if ((await callerOf(context, account_key)) && (await callerOf(context, executor_key)))
    return { account_key: account_key!, executor_key: executor_key! };
  const { secret: executor } = await context
    .get(KeyService)
    .replace({ label: EXECUTOR_LABEL, scopes: ['write', 'read'] });
  return { account_key: await accountKey(context, days), executor_key: executor };
}

/** @returns another key of the partner of an earlier start, or the key of a new partner */
async function accountKey(context: INestApplicationContext, days: number): Promise<string> {
  // External ids are unique in the live contract, so the partner with this one is the demo partner.
  const [earlierUser] = await context.get(UserService).holders(DEMO_USER, 1);
  const { hour } = await context.get(MarketService).look(BASE_MARKET);
  const now = context.get(Clock).now();
  if (!earlierUser) return partnerWithHistory(context, hour === null ? days : 0, now);
  // Runs the hours that an interrupted run left undone.
  await context.get(HourlyCycle).advance(BASE_MARKET, addHours(hourOf(now), -1));
  const key = { label: PARTNER_NAME, scopes: [...PARTNER_KEY_SCOPES], partnerId: earlierUser.partnerId };
  return (await context.get(KeyService).replace(key)).secret;
}

/** @returns the key of a partner whose first deposits were that many days ago */
async function partnerWithHistory(
  context: INestApplicationContext,
  days: number,
  now: Date,
): Promise<string> {
  const clock = context.get(Clock);
  const start = days === 0 ? now : addHours(hourOf(now), -days * DAY_HOURS);
  // Outside the transactions, because it takes locks that others would wait for.
  for (const moment of [start, now]) await context.get(LedgerPartitions).prepare(moment);
  return withReceiver(async (receiver) => {
    const book = await clock.as(start, () =>
      context
        .get(Store)
        .transaction(() => withDemoRecords(context, receiver, () => openPartner(context, days))),
    );
    // With the months that it closes.
    const ids = book.partnerId === DEMO_IDS.partner ? { invoice: [DEMO_IDS.invoice] } : {};
    if (days > 0) await runWithIds(ids, () => runHistory(context, book, { start, days }));
    await sendEvents(context);
    await pauseEndpoints(context, book.partnerId);
    await context.get(UserWithdrawalService).request(book.withdrawal);
    return book.key;
  });
}

/**
 * Runs the hours up to the one before now. Twice the partner's policy excludes a vault while moves wait for an executor: ten days ago, that lapsed, and
 * an hour ago.
 */
async function runHistory(
  context: INestApplicationContext,
  book: DemoBook,
  { start, days }: { start: Date; days: number },
): Promise<void> {
  const at = <T>(running: INestApplicationContext, hour: number, work: () => Promise<T>): Promise<T> =>
    running.get(Clock).as(addHours(start, hour), work);
  const run = (hour: number): Promise<unknown> =>
    at(context, hour, () => context.get(HourlyCycle).advance(BASE_MARKET, addHours(start, hour)));
  const policyDay = days - DAYS_PER_TRANSACTION;
  const ids = book.partnerId === DEMO_IDS.partner ? { withdrawal: [DEMO_IDS.withdrawal] } : {};
  const withdraw = (): Promise<unknown> =>
    runWithIds(ids, () => context.get(UserWithdrawalService).request(book.withdrawal));
  await withDomain({ ...context.get(Settings), settlement: 'reported' }, async (reported) => {
    for (let day = DAYS_PER_TRANSACTION; day < days; day += DAYS_PER_TRANSACTION) {
      const hour = day * DAY_HOURS;
      await run(hour);
      if (day === Math.min(WITHDRAWN_AFTER_DAYS, policyDay)) await at(context, hour, withdraw);
      await at(context, hour, () => sendEvents(context));
    }
    for (const hour of [policyDay * DAY_HOURS, days * DAY_HOURS - 2]) {
      await run(hour);
      await at(context, hour, () => excludeVault(context, book));
      await at(reported, hour + 1, () => reported.get(HourlyCycle).run());
    }
  });
}

/** Creates the partner with its first deposits at the clock's now, and the market when there is none yet. */
async function openPartner(context: INestApplicationContext, days: number): Promise<DemoBook> {
  if (days > 0) await context.get(MarketHours).advance(BASE_MARKET, hourOf(context.get(Clock).now()));
  return createDemoBook(context, await createDemoPartnerRecord(context, PARTNER_NAME));
}
