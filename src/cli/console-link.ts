import type { INestApplicationContext } from '@nestjs/common';
import { localUrl } from '../config/local-url.js';
import { Settings } from '../config/settings.js';
import { Authenticator } from '../domain/access/authenticator.js';
import { SignInCodes } from '../domain/access/sign-in-code.service.js';

/**
 * A link that opens the console of a deployment as a key: once, within ten minutes. Its code is in the fragment, which no browser sends and no proxy logs.
 *
 * @throws DomainError `not_found` for a key that is unknown, revoked or expired
 */
export async function consoleLink(context: INestApplicationContext, keyId: string): Promise<string> {
  const { publicUrl, host, port } = context.get(Settings);
  const base = publicUrl ?? localUrl(host, port);
  return `${base}/console#code=${await context.get(SignInCodes).create(keyId)}`;
}

/** The same of a key by its secret; null where the deployment has no console, or the key is not valid. */
export async function consoleLinkOf(
  context: INestApplicationContext,
  secret: string,
): Promise<string | null> {
  const { console } = context.get(Settings);
  if (!console.served || console.folder === null) return null;
  const caller = await context.get(Authenticator).authenticate(secret);
  return typeof caller === 'object' ? consoleLink(context, caller.keyId) : null;
}
