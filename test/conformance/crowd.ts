import { made } from './check.js';
import type { OwnPartner, Stage } from './stage.js';

const AT_ONCE = 8;
/** More end-users than a page has by default, which is 100: where no vault pays, or nothing may be deposited, no other list is as long. */
const USERS = 104;
/** More positions than the half of that. Each raises two events, where a vault takes its funds. */
const POSITIONS = 56;
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
    for (let opened = 0; opened < POSITIONS; opened += PARTS) made(await funds.deposit(input));
  }
  for (let count = 0; count < USERS; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => stage.newUser(caller)));
  return { partner, ids: { ptn, usr, wh } };
}
