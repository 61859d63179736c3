import type { INestApplicationContext } from '@nestjs/common';
import { localUrl } from '../config/local-url.js';
import { Settings } from '../config/settings.js';
import { Authenticator } from '../domain/tenants/access/authenticator.js';
import { SignInCodes } from '../domain/tenants/access/sign-in-code.service.js';

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

/** The same for a key's secret; null when the deployment has no console, or the key is invalid. */
export async function consoleLinkOf(
  context: INestApplicationContext,
  secret: string,
): Promise<string | null> {
  const { console } = context.get(Settings);
  if (!console.served || console.folder === null) return null;
  const caller = await context.get(Authenticator).authenticate(secret);
  return typeof caller === 'object' ? consoleLink(context, caller.keyId) : null;
}
