import type { INestApplicationContext } from '@nestjs/common';
import type { Contract } from '../config/deployments.js';
import { localUrl } from '../config/deployments.js';
import { Settings } from '../config/settings.js';
import { IdentityCheck } from '../domain/cycle/deployment/identity-check.js';
import { KeyService } from '../domain/tenants/access/key.service.js';
import { SignInCodes } from '../domain/tenants/access/sign-in-code.service.js';
import { withDomain } from './context.js';
import { createDemoAccount, callerOf } from './demo-account.js';
import { createDemoOrders } from './demo-orders.js';
import { type DemoPartner, createDemoPartner } from './demo-partner.js';
import { RECEIVER_NETWORKS } from './demo-webhooks.js';

/** Keys of a deployment started by `npm start`. The live one has a demo account only on simulated yields. */
export type DeploymentKeys = { admin_key: string } & Partial<DemoPartner>;

/** Console links, each valid for one sign-in; null: no console, or no account. They are printed and not stored. */
export interface Links {
  admin: string | null;
  demo: string | null;
}

/** Demo data and keys, created before the server starts. */
export interface PreparedDeployment {
  keys: DeploymentKeys;
  links: Links;
}

const ADMIN_SCOPES = ['keys:admin', 'partner:admin'] as const;
const ADMIN_LABEL = 'Quickstart administrator';

type Demo = (
  context: INestApplicationContext,
  settings: Settings,
  earlierKeys: Partial<DeploymentKeys>,
) => Promise<Partial<DemoPartner>>;

const DEMOS: Record<Contract, Demo> = {
  partner: async (context, settings, earlierKeys) => {
    if (!settings.simulatedYields) return {};
    const keys = await createDemoPartner(context, earlierKeys);
    await createDemoOrders(context, settings, keys.executor_key);
    return keys;
  },
  sandbox: async (context, _settings, earlierKeys) => ({
    account_key: await createDemoAccount(context, earlierKeys.account_key),
  }),
};

/**
 * Creates demo data and keys of a deployment, after its database was migrated and before the server starts with the current hour.
 * @param earlierKeys keys from an earlier start, kept while they are valid
 * @throws ConfigError before any write, for a database with other settings, such as live yields
 */
export function prepare(
  settings: Settings,
  earlierKeys: Partial<DeploymentKeys>,
): Promise<PreparedDeployment> {
  const { webhookAllowedNetworks } = settings;
  const sending = { ...settings, webhookAllowedNetworks: [...webhookAllowedNetworks, ...RECEIVER_NETWORKS] };
  return withDomain(sending, async (context) => {
    // The server's own check, before anything is written.
    await context.get(IdentityCheck).compare();
    const admin_key = await administratorKey(context, earlierKeys.admin_key);
    const demo = await DEMOS[settings.contract](context, settings, earlierKeys);
    const links = {
      admin: await consoleLinkOf(context, admin_key),
      demo: await consoleLinkOf(context, demo.account_key),
    };
    return { keys: { admin_key, ...demo }, links };
  });
}

/** The key from an earlier start while it still has the rights of an administrator; otherwise a new one. */
async function administratorKey(
  context: INestApplicationContext,
  earlierKey: string | undefined,
): Promise<string> {
  const caller = await callerOf(context, earlierKey);
  if (caller && ADMIN_SCOPES.every((scope) => caller.scopes.includes(scope))) return earlierKey!;
  // A deleted key file means that the key is unwanted, so keys of earlier starts are revoked.
  return (await context.get(KeyService).replace({ label: ADMIN_LABEL, scopes: [...ADMIN_SCOPES] })).secret;
}

/**
 * Link that opens a deployment's console with a key: usable once, within ten minutes. Its code is in the fragment, which browsers do not send and
 * proxies do not log.
 * @throws DomainError `not_found` for a key that is unknown, revoked or expired
 */
export async function consoleLink(context: INestApplicationContext, keyId: string): Promise<string> {
  const { publicUrl, host, port } = context.get(Settings);
  const base = publicUrl ?? localUrl(host, port);
  return `${base}/console#code=${await context.get(SignInCodes).create(keyId)}`;
}

/** Sign-in link for the secret of a key; null when the deployment has no console, or the key is invalid. */
async function consoleLinkOf(
  context: INestApplicationContext,
  secret: string | undefined,
): Promise<string | null> {
  const { console, consoleFolder } = context.get(Settings);
  if (!console || consoleFolder === null) return null;
  const caller = await callerOf(context, secret);
  return caller && consoleLink(context, caller.keyId);
}
