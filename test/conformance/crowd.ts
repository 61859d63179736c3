import { made } from './check.js';
import type { OwnPartner, Stage } from './stage.js';

const AT_ONCE = 8;
/** Users, and positions: more than half of what a page has by default. Each position raises two events, which are more than that. */
const MANY = 56;
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
    for (let opened = 0; opened < MANY; opened += PARTS) made(await funds.deposit(input));
  }
  for (let count = 0; count < MANY; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => stage.newUser(caller)));
  return { partner, ids: { ptn, usr, wh } };
}
