import { made } from './check.js';
import type { OwnPartner, Stage } from './stage.js';

/** More end-users than a page has by default, which is 100. */
const USERS = 104;
const AT_ONCE = 4;
/** More deposits than the half of that; the rest of them would cost a run as much as all its other rules. */
const DEPOSITS = 56;
/** The most positions that a split deposit opens. */
const PARTS = 8;

/** The stranger, with many end-users, positions and deliveries, and ids of its records by prefix. */
export interface Crowd {
  partner: OwnPartner;
  ids: Record<string, string>;
}

export async function crowded(stage: Stage): Promise<Crowd> {
  const partner = await stage.stranger();
  const { caller, id: ptn } = partner;
  const { id: usr } = await stage.newUser(caller);
  const url = `https://${stage.run}.invalid/crowd`;
  const { id: wh } = made(await caller.post('/webhooks', { url, events: ['position.opened'] }));
  if (stage.options.deposits) {
    const funds = await stage.funds(partner);
    const input = { user_id: usr, asset: stage.assets[0], amount: PARTS, split: true };
    for (let opened = 0; opened < DEPOSITS; opened += PARTS) made(await funds.deposit(input));
  }
  for (let count = 0; count < USERS; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => stage.newUser(caller)));
  return { partner, ids: { ptn, usr, wh } };
}
