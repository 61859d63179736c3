import { randomBytes } from 'node:crypto';
import type { Caller } from './caller.js';
import { column, dataOf, made, rowsOf } from './check.js';
import type { Funds } from './funds.js';
import { listedOnce } from './listed.js';
import type { OwnPartner, Stage } from './stage.js';

const OPEN = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };
/** No limit, so that the policy alone says where funds go. */
const ANY_SHARE = { low: 1, medium: 1, high: 1 };
const EARNED_WITHIN_MS = 4000;
const DELIVERED_WITHIN_MS = 10_000;

/** A partner with a past of every kind that the deployment lets a run make: two users, two assets, positions of every status, every kind of entry. */
export interface Life {
  partner: OwnPartner;
  caller: Caller;
  funds: Funds;
  users: readonly [string, string];
  /** The partner's part of the fee, in basis points. */
  terms: { performance_fee_bps: number; revenue_share_bps: number };
  /** In the first asset's lending vault, in the sandbox moved out of it; some of it was withdrawn, by position and by user. */
  moved: any;
  /** In the second asset's lending vault; withdrawn. */
  closed: any;
  /** In a vault of the highest tier, in the sandbox with a loss; nothing of it was withdrawn. */
  risky: any;
  /** Deposited while the policy was paused, and too little to leave cash. */
  waiting: any;
  /** Deposited last. */
  late: any;
  /** Just before the first withdrawal: the books as of it have neither that nor the last deposit. */
  turned: string;
}

export async function lived(stage: Stage): Promise<Life> {
  const partner = await stage.newPartner('life');
  const [{ caller }, funds] = [partner, await stage.funds(partner)];
  const [first, second] = stage.assets;
  const users = [(await stage.newUser(caller)).id, (await stage.newUser(caller)).id] as const;
  await listen(stage, caller);
  const vaults = rowsOf(await caller.get('/vaults?limit=500'));
  const vaultOf = (asset: string, is: (vault: any) => boolean): string =>
    (
      vaults.findLast((vault) => vault.asset === asset && is(vault)) ??
      vaults.find((vault) => vault.asset === asset)
    ).id;
  const [home, away] = [first, second].map((asset) => vaultOf(asset, (row) => row.lending_baseline));
  const high = vaultOf(first, ({ risk_tier }) => risk_tier === 'high');
  const other = vaultOf(first, (row) => !row.lending_baseline && row.risk_tier !== 'high');

  const bounds = { ...OPEN, max_vault_exposure: ANY_SHARE, max_tier_exposure: ANY_SHARE };
  made(await stage.admin.send('PUT', `/partners/${partner.id}/policy`, bounds));
  const allow = async (...allowed: (string | undefined)[]): Promise<void> =>
    void made(await caller.send('PUT', '/partner/policy', { ...OPEN, allowed_vaults: allowed }));
  const deposit = async (user: number, asset: string, amount: number): Promise<any> =>
    made(await funds.deposit({ user_id: users[user]!, asset, amount }));

  await allow(home, away);
  const moved = await deposit(0, first, 2000);
  const closed = await deposit(1, second, 300);
  await allow(high);
  const risky = await deposit(1, first, 500);
  made(await caller.send('PUT', '/partner/policy', { ...OPEN, paused: true }));
  const waiting = await deposit(0, second, 20);
  await deposit(1, second, 200);
  if (stage.contract === 'sandbox') {
    await allow(home, away, high);
    made(await caller.post('/simulation/market', { scenario: 'loss' }));
    made(await caller.post('/simulation/clock/advance', { hours: 2 }));
    await allow(other, away);
    made(await caller.post('/simulation/clock/advance', { hours: 46 }));
  } else await earned(caller, moved);
  made(await funds.withdraw(moved.id, 300));
  made(await funds.withdraw(closed.id));
  made(await funds.withdrawFrom(users[0], { asset: first, amount: 100 }));
  made(await funds.withdrawFrom(users[1], { asset: second, amount: 50 }));
  const late = await deposit(1, first, 10);
  const key = { label: stage.name('second'), scopes: ['partner:read'], partner_id: partner.id };
  const colleague = caller.as('second key of life', made(await stage.admin.post('/keys', key)).secret);
  made(
    await colleague.patch(`/users/${users[0]}`, {
      label: 'Ann',
      wallets: [`0x${randomBytes(20).toString('hex')}`],
    }),
  );
  await delivered(stage, caller);
  const paid = rowsOf(await caller.get(`/partner/ledger?position_id=${moved.id}&type=withdrawal`));
  const turned = new Date(Date.parse(paid.at(-1).at) - 1).toISOString();
  const record = dataOf(await stage.admin.get(`/partners/${partner.id}`), 200);
  const { performance_fee_bps, revenue_share_bps } = record;
  const terms = { performance_fee_bps, revenue_share_bps };
  return { partner, caller, funds, users, terms, moved, closed, risky, waiting, late, turned };
}

/** Endpoints for events of several types: one that nobody receives, and one at the receiver of the run where the deployment reaches it. */
async function listen(stage: Stage, caller: Caller): Promise<void> {
  const nobody = `https://${stage.run}.invalid/life`;
  const reached = await stage.inbox().then(
    ({ inbox }) => inbox.url,
    () => nobody,
  );
  for (const [url, events] of [
    [nobody, ['position.opened', 'system.status']],
    [reached, ['position.withdrawn', 'system.status']],
  ]) {
    const { id } = made(await caller.post('/webhooks', { url, events }));
    made(await caller.post(`/webhooks/${id}/test`));
  }
}

/** Waits until a position has earned something, where its vault is known to pay. */
async function earned(caller: Caller, { id }: any): Promise<void> {
  const deadline = Date.now() + EARNED_WITHIN_MS;
  for (;;) {
    const { yield: gain, apy } = dataOf(await caller.get(`/positions/${id}`), 200);
    if (gain !== 0 || !(apy > 0) || Date.now() > deadline) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until every event of a position was sent and is listed, so that logs stand still. */
async function delivered({ contract }: Stage, caller: Caller): Promise<void> {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  const types = ['deposit', 'withdrawal'];
  const booked = rowsOf(await caller.get('/partner/ledger?limit=500')).filter(({ type }) =>
    types.includes(type),
  );
  const deadline = Date.now() + DELIVERED_WITHIN_MS;
  let done: any[];
  do {
    const sent = dataOf(await caller.get(`${log}?limit=500`), 200) as any[];
    done = sent.filter(({ event, status }) => event !== 'system.status' && status !== 'pending');
    if (done.length < booked.length) await new Promise((resolve) => setTimeout(resolve, 50));
  } while (done.length < booked.length && Date.now() < deadline);
  await listedOnce(caller, '/events?limit=500', (events) => {
    const listed = column(events, 'id');
    return done.every(({ payload }) => listed.includes(payload.id));
  });
}
