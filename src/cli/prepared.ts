import type { INestApplicationContext } from '@nestjs/common';
import type { Contract } from '../config/environment.js';
import type { Settings } from '../config/settings.js';
import { Authenticator } from '../domain/access/authenticator.js';
import { KeyService } from '../domain/access/key.service.js';
import { consoleLinkOf } from './console-link.js';
import { withDomain } from './context.js';
import { demoAccount } from './demo-account.js';
import { type DemoPartner, demoPartner } from './demo-partner.js';

/** Keys of a deployment that `npm start` runs. The live one has an account to look at on simulated yields alone. */
export type DeploymentKeys = { admin_key: string } & Partial<DemoPartner>;

/** Links to the consoles, each good for one sign-in; null: there is no console, or nothing to look at. Printed and not kept. */
export interface Links {
  admin: string | null;
  demo: string | null;
}

/** What there is to look at before a server starts. */
export interface Prepared {
  keys: DeploymentKeys;
  links: Links;
}

const ADMIN_SCOPES = ['keys:admin', 'partner:admin'] as const;
const ADMIN_LABEL = 'Quickstart administrator';

type Demo = (
  context: INestApplicationContext,
  settings: Settings,
  known: Partial<DeploymentKeys>,
) => Promise<Partial<DemoPartner>>;

const DEMOS: Record<Contract, Demo> = {
  partner: async (context, { simulatedYields }, known) =>
    simulatedYields ? demoPartner(context, known) : {},
  sandbox: async (context, _settings, known) => ({
    account_key: await demoAccount(context, known.account_key),
  }),
};

/**
 * Makes what `npm start` shows of a deployment, on a database that is migrated by it: before the server, whose first hour is the present one.
 *
 * @param known keys of an earlier start, which are kept while they are valid
 */
export function prepare(settings: Settings, known: Partial<DeploymentKeys>): Promise<Prepared> {
  return withDomain(settings, async (context) => {
    const admin_key = await administratorKey(context, known.admin_key);
    const demo = await DEMOS[settings.contract](context, settings, known);
    return { keys: { admin_key, ...demo }, links: await linksOf(context, admin_key, demo.account_key) };
  });
}

/** The key of an earlier start while it still administers, else a new one; so a second start prints the same. */
async function administratorKey(
  context: INestApplicationContext,
  known: string | undefined,
): Promise<string> {
  const caller = known === undefined ? null : await context.get(Authenticator).authenticate(known);
  const still = caller !== null && typeof caller === 'object';
  if (still && ADMIN_SCOPES.every((scope) => caller.scopes.includes(scope))) return known!;
  // Whoever deleted the file with the key meant to be rid of it, so what earlier starts made goes.
  return (await context.get(KeyService).replace({ label: ADMIN_LABEL, scopes: [...ADMIN_SCOPES] })).secret;
}

async function linksOf(
  context: INestApplicationContext,
  admin: string,
  account: string | undefined,
): Promise<Links> {
  return {
    admin: await consoleLinkOf(context, admin),
    demo: account === undefined ? null : await consoleLinkOf(context, account),
  };
}
