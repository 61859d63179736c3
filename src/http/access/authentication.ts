import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type DeploymentEnvironment, keyPrefixOf } from '../../config/deployments.js';
import { Settings } from '../../config/settings.js';
import {
  Authenticator,
  type Caller,
  digestOf,
  environmentOf,
  type Refusal,
} from '../../domain/tenants/access/authenticator.js';
import { HOW_TO_SEND, HttpError, missingKey, unauthorized } from '../answer/http-error.js';
import { FailedAuthenticationLimit } from '../limits/failed-authentication.limit.js';
import { callerAddress } from './caller.js';

/** Authentication by the `Authorization` header. Each request asks the database, so a revoked key is refused at once. */
@Injectable()
export class Authentication {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limit: FailedAuthenticationLimit,
    private readonly settings: Settings,
  ) {}

  /** @throws HttpError `missing_api_key`, `invalid_api_key`, `wrong_environment`, `rate_limited` */
  async authenticate(request: Request): Promise<Caller> {
    const secret = secretOf(request);
    const malformed = this.authenticator.refusalOf(secret);
    if (malformed !== null) throw this.refusalError(malformed, environmentOf(secret));
    const digest = digestOf(secret);
    const outcome = await this.limit.admit(
      () => callerAddress(request),
      digest,
      () => this.authenticator.find(digest),
    );
    if (typeof outcome === 'string') throw this.refusalError(outcome);
    return outcome;
  }

  /** Authenticates again a request that had to wait: its key may have been revoked meanwhile. @throws HttpError as `authenticate` */
  async repeat(request: Request): Promise<void> {
    if (request.headers.authorization !== undefined) await this.authenticate(request);
  }

  /** @param environment environment in the key's prefix, when it has one */
  private refusalError(refusal: Refusal, environment: DeploymentEnvironment | null = null): HttpError {
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
    if (refusal === 'suspended_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key has been suspended since the database was restored. Ask the operator to resume it.',
      );
    }
    const { environment: here } = this.settings;
    return unauthorized(
      'wrong_environment',
      `This is a ${environment} key, and this is the ${here} deployment. Use a key that starts with ${keyPrefixOf(here)}.`,
    );
  }
}

/** The API key of a request. @throws HttpError `missing_api_key`, `invalid_api_key` */
function secretOf(request: Request): string {
  if (isWithoutKey(request)) throw missingKey();
  const secret = /^Bearer +(\S+) *$/i.exec(request.headers.authorization!)?.[1];
  if (secret === undefined) throw unauthorized('invalid_api_key', HOW_TO_SEND);
  return secret;
}

export const isWithoutKey = ({ headers: { authorization = '' } }: Request): boolean =>
  /^(Bearer)?\s*$/i.test(authorization);
