import type { INestApplicationContext } from '@nestjs/common';
import { Authenticator } from '../domain/access/authenticator.js';
import { KeyService } from '../domain/access/key.service.js';
import { PARTNER_KEY_SCOPES } from '../domain/access/scope.js';
import { Clock } from '../domain/clock.js';
import { HourlyCycle } from '../domain/cycle/hourly-cycle.service.js';
import { LedgerPartitions } from '../domain/markets/ledger-partitions.service.js';
import { MarketHours } from '../domain/markets/market-hours.service.js';
import { BASE_MARKET, MarketService } from '../domain/markets/market.service.js';
import { CatalogueCheck } from '../domain/positions/catalogue-check.js';
import { text } from '../domain/store/column.js';
import { statement } from '../domain/store/statement.js';
import { Store } from '../domain/store/store.js';
import { TransferService } from '../domain/transfers/transfer.service.js';
import { addHours, hourOf } from '../domain/vaults/hour.js';
import { DEMO_USER, demoDeposits, partnerWithCampaign } from './demo-account.js';

/** Each of their hours is run. */
const DAYS = 90;
/** Days that one transaction runs: rows that it updates each day leave dead versions, which it reads over each time. */
const DAYS_AT_ONCE = 10;
const DAY_HOURS = 24;
/** Of money that goes in and out on its way. Whole units, and days after the first deposits. */
const WITHDRAWN = { amount: 250_000_000n, afterDays: 60 };
const EXECUTOR_LABEL = 'Demo executor';
const PARTNER_NAME = 'Demo partner';

/** Names of end-users are unique in the live contract: whoever has this one is the demo partner. */
const FIND_PARTNER = statement(
  'cli.find_demo_partner',
  { values: [text()], row: { partnerId: text() } },
  'SELECT partner_id AS "partnerId" FROM users WHERE external_id = $1',
);

/** Keys to look at the live contract with. */
export interface DemoPartner {
  /** Bound to the demo partner: reads its reports. */
  account_key: string;
  /** Bound to none: reports deposits and withdrawals. */
  executor_key: string;
}

/**
 * A partner of the live contract on simulated yields: three users with four positions that are 90 days old. The market and the engine run over the past hours
 * one by one, as they would have, before the server starts; where a market has begun already, the positions are new. One that was broken off is younger.
 *
 * @param known the keys of an earlier start, which are kept while both are valid
 * @param days how old it is where the market begins with it, whole tens
 * @throws ConfigError for a database of live yields: nothing was written
 */
export async function demoPartner(
  context: INestApplicationContext,
  known: Partial<DemoPartner> = {},
  days = DAYS,
): Promise<DemoPartner> {
  // As the server does, before anything is written: a database of live yields takes no demo.
  await context.get(CatalogueCheck).run();
  const { account_key, executor_key } = known;
  if ((await isValid(context, account_key)) && (await isValid(context, executor_key)))
    return { account_key: account_key!, executor_key: executor_key! };
  const { secret: executor } = await context
    .get(KeyService)
    .replace({ label: EXECUTOR_LABEL, scopes: ['write', 'read'] });
  return { account_key: await accountKey(context, days), executor_key: executor };
}

async function isValid(context: INestApplicationContext, secret: string | undefined): Promise<boolean> {
  return secret !== undefined && typeof (await context.get(Authenticator).authenticate(secret)) === 'object';
}

/** @returns another key of the partner of an earlier start, or that of a new one */
async function accountKey(context: INestApplicationContext, days: number): Promise<string> {
  const [former] = await context.get(Store).query(FIND_PARTNER, [DEMO_USER]);
  if (former) {
    const key = { label: PARTNER_NAME, scopes: [...PARTNER_KEY_SCOPES], partnerId: former.partnerId };
    return (await context.get(KeyService).replace(key)).secret;
  }
  const { hour } = await context.get(MarketService).look(BASE_MARKET);
  return grownUp(context, hour === null ? days : 0, context.get(Clock).now());
}

/** @returns the key of a partner whose first deposits were so many days ago */
async function grownUp(context: INestApplicationContext, days: number, now: Date): Promise<string> {
  const clock = context.get(Clock);
  const after = (passed: number): Date => addHours(hourOf(now), (passed - days) * DAY_HOURS);
  // Outside the transactions: others would wait for its locks.
  for (const day of [0, days]) await context.get(LedgerPartitions).prepare(after(day));
  const { key, partnerId, opened } = await clock.as(days === 0 ? now : after(0), () =>
    context.get(Store).transaction(() => opening(context, days)),
  );
  const withdrawal = { positionId: opened[0]!, amount: WITHDRAWN.amount, txHash: null, partnerId };
  for (let day = DAYS_AT_ONCE; day <= days; day += DAYS_AT_ONCE) {
    await clock.as(after(day), async () => {
      await context.get(HourlyCycle).runTo(BASE_MARKET, after(day));
      if (day === WITHDRAWN.afterDays) await context.get(TransferService).withdraw(withdrawal);
    });
  }
  return key;
}

/** The partner, and its first deposits, at the clock's now; of a market that begins with them where it has to. */
async function opening(
  context: INestApplicationContext,
  days: number,
): Promise<{ key: string; partnerId: string; opened: string[] }> {
  if (days > 0) await context.get(MarketHours).catchUp(BASE_MARKET, hourOf(context.get(Clock).now()));
  const { partner, apiKey } = await partnerWithCampaign(context, PARTNER_NAME);
  return { key: apiKey.secret, partnerId: partner.id, opened: await demoDeposits(context, partner.id) };
}
