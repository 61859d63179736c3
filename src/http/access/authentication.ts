import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type DeploymentEnvironment, keyPrefixOf } from '../../config/deployments.js';
import { Settings } from '../../config/settings.js';
import { Authenticator, type Caller, type Refusal } from '../../domain/tenants/access/authenticator.js';
import { digestOf, environmentOf } from '../../domain/tenants/access/key-secret.js';
import type { CodeRefusal } from '../../domain/tenants/access/sign-in-code.service.js';
import { HttpError } from '../answer/http-error.js';
import { FailedAuthenticationLimit } from '../limits/failed-authentication.limit.js';

/** Authentication by the `Authorization` header. Each request asks the database, so a revoked key is refused at once. */
@Injectable()
export class Authentication {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limit: FailedAuthenticationLimit,
    private readonly settings: Settings,
  ) {}

  /** @throws HttpError `missing_api_key`, `invalid_api_key`, `wrong_environment`, `rate_limited` */
  authenticate(request: Request): Promise<Caller> {
    return this.by(request, (digest) => this.authenticator.find(digest));
  }

  /**
   * Authenticates a request once more that had to wait: its key may have been revoked meanwhile.
   * @throws HttpError as `authenticate`
   */
  async repeat(request: Request): Promise<void> {
    if (request.headers.authorization !== undefined)
      await this.by(request, (digest) => this.authenticator.findAgain(digest));
  }

  private async by(request: Request, find: (digest: Buffer) => Promise<Caller | Refusal>): Promise<Caller> {
    const secret = secretOf(request);
    const malformed = this.authenticator.judge(secret);
    if (malformed !== null) throw this.refused(malformed, environmentOf(secret));
    const digest = digestOf(secret);
    const found = await this.limit.admit(callerAddress(request), digest, () => find(digest));
    if (typeof found === 'string') throw this.refused(found);
    return found;
  }

  /** @param environment environment in the key's prefix, when it has one */
  private refused(refusal: Refusal, environment: DeploymentEnvironment | null = null): HttpError {
    if (refusal === 'invalid_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key is unknown, revoked or mistyped. Check it, or ask for a new one.',
      );
    }
    if (refusal === 'expired_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key or session has expired. Sign in again, or ask for a new key.',
      );
    }
    const own = this.settings.environment;
    return unauthorized(
      'wrong_environment',
      `This is a ${environment} key, and this is the ${own} deployment. Use a key that starts with ${keyPrefixOf(own)}.`,
    );
  }
}

/** Address of the caller: the peer of the connection, or the client address that a trusted proxy forwards. */
export function callerAddress({ ip, socket }: Request): string {
  return ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
}

/** Error 401 with its `WWW-Authenticate` challenge. */
function unauthorized(
  code: 'missing_api_key' | 'invalid_api_key' | 'wrong_environment',
  message: string,
): HttpError {
  return new HttpError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

const HOW_TO_SEND =
  'Send your API key in the header "Authorization: Bearer <API_KEY>", and nothing else in it.';

export const missingKey = (): HttpError => unauthorized('missing_api_key', HOW_TO_SEND);

/**
 * The API key of a request.
 * @throws HttpError `missing_api_key`, `invalid_api_key`
 */
function secretOf(request: Request): string {
  if (isWithoutKey(request)) throw missingKey();
  const secret = /^Bearer +(\S+) *$/i.exec(request.headers.authorization!)?.[1];
  if (secret === undefined) throw unauthorized('invalid_api_key', HOW_TO_SEND);
  return secret;
}

export const isWithoutKey = ({ headers: { authorization = '' } }: Request): boolean =>
  /^(Bearer)?\s*$/i.test(authorization);

const CODE_REFUSALS: Record<CodeRefusal, string> = {
  malformed:
    'This is no one-time code, or not the whole of it. Follow the link once more, or ask for a new one.',
  foreign: 'This one-time code is of the other deployment. Follow the link to the one that it was made for.',
  unknown: 'This one-time code is not known here, or its key was revoked. Ask for a new link.',
  used: 'This one-time code was used before: it opens one session. Ask for a new link.',
  expired: 'This one-time code has expired: it is valid for ten minutes. Ask for a new link.',
};

export const codeRefused = (refusal: CodeRefusal): HttpError =>
  unauthorized('invalid_api_key', CODE_REFUSALS[refusal]);
