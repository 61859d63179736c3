import type { INestApplicationContext } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Authenticator, type Caller } from '../domain/tenants/access/authenticator.js';
import { AccountService } from '../domain/cycle/accounts/account.service.js';
import { PositionService } from '../domain/books/positions/position.service.js';
import { Clock } from '../domain/kernel/clock.js';
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
import { AuditLog } from '../domain/tenants/audit/audit-log.js';
import { PolicyService } from '../domain/tenants/policies/policy.service.js';
import { UserService } from '../domain/tenants/users/user.service.js';
import { allBut, withDemoRecords } from './demo-orders.js';
import { pauseEndpoints, REFUSED_AMOUNT, sendEvents, withReceiver } from './demo-webhooks.js';

const UNIT = 1_000_000n;
/** Age of the positions: a closed month, and 30 days whatever the date. */
const DAYS = 40;
const DAY_HOURS = 24;
/** Of the policy that funds follow late, in days after the first deposits. */
const POLICY_AFTER_DAYS = 30;
/** Seed of a market with a move that is early enough for its outcome to be known. */
const SEED = 'demo-3';

/** Whole units; `asset` is the position in the deployment's list. None is so large that its vault would be beyond a limit on exposure. */
const DEPOSITS = [
  { user: 'ada', asset: 0, amount: 10_000n },
  { user: 'ada', asset: 1, amount: 4_000n },
  { user: 'ben', asset: 0, amount: REFUSED_AMOUNT },
  { user: 'ada', asset: 0, amount: 8_000n },
  { user: 'cleo', asset: 1, amount: 30_000n },
  { user: 'cleo', asset: 1, amount: 26_000n },
  { user: 'ben', asset: 0, amount: 7_000n },
  { user: 'cleo', asset: 1, amount: 24_000n },
];
/** Deposit whose vault the partner's policy excludes, twice. */
const MOVED = 2;
/** Of the first deposit's user and asset. */
const WITHDRAWN = 250n;

const PREFIX = 'demo:';
/** External id of its first end-user. */
export const DEMO_USER = `${PREFIX}${DEPOSITS[0]!.user}`;

/** What a demo goes on with. */
export interface DemoBook {
  partnerId: string;
  key: string;
  withdrawal: WithdrawalRequest;
  /** Position whose vault the partner's policy excludes, twice. */
  moved: string;
}

/**
 * Creates the demo account: four users, three of them with positions that are 40 days old by its clock, a campaign, withdrawals, moves and deliveries.
 * A key from an earlier start is kept while it is valid. @returns the account's key
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
  const store = context.get(Store);
  return withReceiver(async (receiver) => {
    const book = await store.transaction(() =>
      withDemoRecords(context, receiver, () => create(context), ids),
    );
    await sendEvents(context);
    await store.transaction(() => goOn(context, book));
    return book.key;
  });
}

/** Caller of a key; null without a key or for one that is no longer valid. */
export async function callerOf(
  context: INestApplicationContext,
  secret: string | undefined,
): Promise<Caller | null> {
  const caller = secret === undefined ? null : await context.get(Authenticator).authenticate(secret);
  return typeof caller === 'object' ? caller : null;
}

/** Creates the account with all its days but the last hours, which `goOn` runs. */
async function create(context: INestApplicationContext): Promise<DemoBook> {
  const { partnerId, key } = await createDemoPartnerRecord(context, 'Demo account');
  const accounts = context.get(AccountService);
  await accounts.reset(partnerId, SEED);
  const book = await createDemoBook(context, { partnerId, key });
  await accounts.advance(partnerId, POLICY_AFTER_DAYS * DAY_HOURS);
  await context.get(UserWithdrawalService).request(book.withdrawal);
  await accounts.applyScenario(partnerId, 'stalled');
  await excludeVault(context, book);
  await accounts.advance(partnerId, (DAYS - POLICY_AFTER_DAYS) * DAY_HOURS - 1);
  return book;
}

/** What happens after the endpoint was paused: a withdrawal, and moves that are under way for a day. */
async function goOn(context: INestApplicationContext, book: DemoBook): Promise<void> {
  const { partnerId, withdrawal } = book;
  await pauseEndpoints(context, partnerId);
  await context.get(UserWithdrawalService).request(withdrawal);
  await context.get(AccountService).applyScenario(partnerId, 'queue');
  await excludeVault(context, book);
  await context.get(AccountService).advance(partnerId, 1);
}

/** Sets the policy, by the partner's key, that allows all vaults but the moved position's: what is in there leaves in the next hour. */
export async function excludeVault(
  context: INestApplicationContext,
  { partnerId, key, moved }: DemoBook,
): Promise<void> {
  const { vault_id: vaultId } = await context.get(PositionService).get(moved, partnerId);
  const { keyId, label } = (await callerOf(context, key))!;
  await context.get(AuditLog).record(
    {
      actor: { kind: 'key', keyId, label, partnerId },
      ...{ address: null, requestId: null, operation: 'replacePolicy', subjects: [], policyOf: partnerId },
    },
    () => context.get(PolicyService).set(partnerId, allBut(context, vaultId)),
  );
}

export async function createDemoPartnerRecord(
  context: INestApplicationContext,
  name: string,
): Promise<Pick<DemoBook, 'partnerId' | 'key'>> {
  const { partner, apiKey } = await context.get(PartnerService).create({ name });
  const campaign = { name: 'Opening campaign', multiplierHundredths: 150 };
  await context.get(CampaignService).create(partner.id, campaign);
  return { partnerId: partner.id, key: apiKey.secret };
}

/** Four users, the first without positions, and the positions of the others, opened at the market's now. */
export async function createDemoBook(
  context: INestApplicationContext,
  partner: Pick<DemoBook, 'partnerId' | 'key'>,
): Promise<DemoBook> {
  const { partnerId } = partner;
  const { assets } = context.get(Settings).constants;
  const deposits = context.get(DepositService);
  const users = new Map<string, string>();
  const positions: string[] = [];
  await createUser(context, partnerId, 'dora');
  for (const { user, asset, amount } of DEPOSITS) {
    const userId = users.get(user) ?? (await createUser(context, partnerId, user));
    users.set(user, userId);
    const { id } = await deposits.deposit({
      userId,
      asset: assets[asset % assets.length]!,
      amount: amount * UNIT,
      txHash: null,
      partnerId,
    });
    positions.push(id);
  }
  const { user, asset } = DEPOSITS[0]!;
  const withdrawn = { asset: assets[asset]!, amount: WITHDRAWN * UNIT };
  const withdrawal = { ...withdrawn, userId: users.get(user)!, partnerId, wallet: null };
  return { ...partner, withdrawal, moved: positions[MOVED]! };
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
