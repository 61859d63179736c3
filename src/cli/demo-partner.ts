import type { INestApplicationContext } from '@nestjs/common';
import { Authenticator } from '../domain/access/authenticator.js';
import { KeyService } from '../domain/access/key.service.js';
import { Clock } from '../domain/clock.js';
import { HourlyCycle } from '../domain/cycle/hourly-cycle.service.js';
import { LedgerPartitions } from '../domain/markets/ledger-partitions.service.js';
import { MarketHours } from '../domain/markets/market-hours.service.js';
import { BASE_MARKET, MarketService } from '../domain/markets/market.service.js';
import { CampaignService } from '../domain/partners/campaign.service.js';
import { PartnerService } from '../domain/partners/partner.service.js';
import { Store } from '../domain/store/store.js';
import { TransferService } from '../domain/transfers/transfer.service.js';
import { addHours, hourOf } from '../domain/vaults/hour.js';
import { demoDeposits } from './demo-account.js';

/** As many as a first start has time for: each of their hours is run. */
const DAYS = 21;
const DAY_HOURS = 24;
/** Of money that goes in and out on its way. Whole units, and days after the first deposits. */
const WITHDRAWN = { amount: 250_000_000n, afterDays: 14 };
const EXECUTOR_LABEL = 'Demo executor';

/** Keys to look at the live contract with. */
export interface DemoPartner {
  /** Bound to the demo partner: reads its reports. */
  account_key: string;
  /** Bound to none: reports deposits and withdrawals. */
  executor_key: string;
}

/**
 * A partner of the live contract on simulated yields: three users with four positions that are three weeks old. The market and the engine run over the past hours
 * one by one, as they would have, before the server starts; where a market has begun already, the positions are new. Made whole or not at all.
 *
 * @param known the keys of an earlier start, which are kept while both are valid
 */
export async function demoPartner(
  context: INestApplicationContext,
  known: Partial<DemoPartner> = {},
): Promise<DemoPartner> {
  const { account_key, executor_key } = known;
  if ((await isValid(context, account_key)) && (await isValid(context, executor_key)))
    return { account_key: account_key!, executor_key: executor_key! };
  const { secret: executor } = await context
    .get(KeyService)
    .replace({ label: EXECUTOR_LABEL, scopes: ['write', 'read'] });
  const { hour } = await context.get(MarketService).look(BASE_MARKET);
  const now = context.get(Clock).now();
  return { account_key: await grownUp(context, hour === null ? DAYS : 0, now), executor_key: executor };
}

async function isValid(context: INestApplicationContext, secret: string | undefined): Promise<boolean> {
  return secret !== undefined && typeof (await context.get(Authenticator).authenticate(secret)) === 'object';
}

/** @returns the key of a partner whose first deposits were so many days ago */
async function grownUp(context: INestApplicationContext, days: number, now: Date): Promise<string> {
  const clock = context.get(Clock);
  const after = (passed: number): Date => addHours(hourOf(now), (passed - days) * DAY_HOURS);
  // Outside the transaction: others would wait for its locks.
  for (const day of [0, days]) await context.get(LedgerPartitions).prepare(after(day));
  return context.get(Store).transaction(async () => {
    const { key, partnerId, opened } = await clock.as(days === 0 ? now : after(0), () =>
      opening(context, days),
    );
    const runTo = (at: Date): Promise<unknown> =>
      clock.as(at, () => context.get(HourlyCycle).runTo(BASE_MARKET, at));
    if (days > 0) {
      const half = after(WITHDRAWN.afterDays);
      await runTo(half);
      await clock.as(half, () =>
        context
          .get(TransferService)
          .withdraw({ positionId: opened[0]!, amount: WITHDRAWN.amount, txHash: null, partnerId }),
      );
      await runTo(after(days));
    }
    return key;
  });
}

/** The partner, and its first deposits, at the clock's now; of a market that begins with them where it has to. */
async function opening(
  context: INestApplicationContext,
  days: number,
): Promise<{ key: string; partnerId: string; opened: string[] }> {
  if (days > 0) await context.get(MarketHours).catchUp(BASE_MARKET, hourOf(context.get(Clock).now()));
  const { partner, apiKey } = await context.get(PartnerService).create({ name: 'Demo partner' });
  await context
    .get(CampaignService)
    .create(partner.id, { name: 'Opening campaign', multiplierHundredths: 150 });
  return { key: apiKey.secret, partnerId: partner.id, opened: await demoDeposits(context, partner.id) };
}
