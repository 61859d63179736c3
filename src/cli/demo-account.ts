import type { INestApplicationContext } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Authenticator, type Caller } from '../domain/tenants/access/authenticator.js';
import { AccountService } from '../domain/cycle/accounts/account.service.js';
import { Clock, hoursBetween } from '../domain/kernel/clock.js';
import { DEMO_IDS } from '../domain/kernel/demo-ids.js';
import { LedgerPartitions } from '../domain/markets/hours/ledger-partitions.service.js';
import { CampaignService } from '../domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../domain/tenants/partners/partner.service.js';
import { Store } from '../domain/kernel/store/store.js';
import { DepositService } from '../domain/routing/transfers/deposit.service.js';
import {
  UserWithdrawalService,
  type WithdrawalRequest,
} from '../domain/routing/withdrawals/user-withdrawal.service.js';
import { UserService } from '../domain/tenants/users/user.service.js';
import { withDemoRecords } from './demo-orders.js';

const UNIT = 1_000_000n;
const WEEKS = 3;
/** Seed of a market with a move that is early enough for its outcome to be known after these weeks. */
const SEED = 'demo-109';

/** Whole units; `asset` is the position in the deployment's list. */
const DEPOSITS = [
  { user: 'ada', asset: 0, amount: 25_000n },
  { user: 'ada', asset: 1, amount: 4_000n },
  { user: 'ben', asset: 0, amount: 1_250n },
  { user: 'cleo', asset: 1, amount: 80_000n },
];
/** Of the first deposit's user and asset. */
const WITHDRAWN = 250n;

const PREFIX = 'demo:';
/** External id of its first end-user. */
export const DEMO_USER = `${PREFIX}${DEPOSITS[0]!.user}`;

/**
 * Creates the demo account in one transaction: four users, three of them with four positions that are three weeks old by its clock, with a withdrawal,
 * a move and a campaign. A key from an earlier start is kept while it is valid. @returns the account's key
 */
export async function createDemoAccount(
  context: INestApplicationContext,
  earlierKey: string | undefined,
): Promise<string> {
  const caller = await callerOf(context, earlierKey);
  if (caller && caller.partnerId !== null) return earlierKey!;
  // Partitions of the ledger: the server creates them at its start, which may be later.
  await context.get(LedgerPartitions).prepare(context.get(Clock).wall());
  const ids = { move: [DEMO_IDS.move], withdrawal: [DEMO_IDS.withdrawal], invoice: [DEMO_IDS.invoice] };
  const { key } = await context
    .get(Store)
    .transaction(() => withDemoRecords(context, () => create(context), ids));
  return key;
}

/** Caller of a key; null without a key or for one that is no longer valid. */
export async function callerOf(
  context: INestApplicationContext,
  secret: string | undefined,
): Promise<Caller | null> {
  const caller = secret === undefined ? null : await context.get(Authenticator).authenticate(secret);
  return typeof caller === 'object' ? caller : null;
}

async function create(context: INestApplicationContext): Promise<{ partnerId: string; key: string }> {
  const { partner, apiKey } = await createPartnerWithCampaign(context, 'Demo account');
  const accounts = context.get(AccountService);
  await accounts.reset(partner.id, SEED);
  const withdrawal = await createDemoDeposits(context, partner.id);
  await accounts.advance(partner.id, Math.max(WEEKS * 7 * 24, hoursToNextMonth(context.get(Clock).now())));
  await context.get(UserWithdrawalService).request(withdrawal);
  return { partnerId: partner.id, key: apiKey.secret };
}

/** Up to the closing of the month, which makes its invoices. */
const hoursToNextMonth = (now: Date): number =>
  Math.ceil(hoursBetween(now, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)))) + 1;

export async function createPartnerWithCampaign(
  context: INestApplicationContext,
  name: string,
): ReturnType<PartnerService['create']> {
  const created = await context.get(PartnerService).create({ name });
  const campaign = { name: 'Opening campaign', multiplierHundredths: 150 };
  await context.get(CampaignService).create(created.partner.id, campaign);
  return created;
}

/** Four users, the first without positions, and four positions, opened at the market's now. @returns a later withdrawal of the second user */
export async function createDemoDeposits(
  context: INestApplicationContext,
  partnerId: string,
): Promise<WithdrawalRequest> {
  const { assets } = context.get(Settings).constants;
  const users = new Map<string, string>();
  await createUser(context, partnerId, 'dora');
  for (const { user, asset, amount } of DEPOSITS) {
    const userId = users.get(user) ?? (await createUser(context, partnerId, user));
    users.set(user, userId);
    await context.get(DepositService).deposit({
      userId,
      asset: assets[asset % assets.length]!,
      amount: amount * UNIT,
      txHash: null,
      partnerId,
    });
  }
  const { user, asset } = DEPOSITS[0]!;
  return {
    userId: users.get(user)!,
    partnerId,
    asset: assets[asset]!,
    amount: WITHDRAWN * UNIT,
    wallet: null,
  };
}

async function createUser(
  context: INestApplicationContext,
  partnerId: string,
  name: string,
): Promise<string> {
  const label = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const { id } = await context.get(UserService).create(partnerId, { externalId: `${PREFIX}${name}`, label });
  return id;
}
