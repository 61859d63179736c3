import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { type DeploymentEnvironment, keyPrefixOf } from '../../config/deployments.js';
import { Settings } from '../../config/settings.js';
import { StorageWatch } from '../../domain/kernel/store/storage-watch.js';
import {
  Authenticator,
  type Caller,
  digestOf,
  environmentOf,
  type Refusal,
} from '../../domain/tenants/access/authenticator.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { HOW_TO_SEND, HttpError, missingKey, unauthorized } from '../answer/http-error.js';
import { callerAddress, FailedAuthenticationLimit } from '../limits/failed-authentication.limit.js';
import { ACCESS, type AccessRule, GOES_ON } from './access.js';
import { SignIn } from './sign-in.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** `req_...`, generated here; never taken from the caller. */
    requestId: string;
    /** Whether the path is below the API root, where every operation needs a key or a one-time code. */
    isApi: boolean;
    /** Set by `AuthGuard` on every route that is not public. */
    caller?: Caller;
    /** Set by `PointsGuard` on every route that is not public. */
    charge?: Charge;
  }
}

/** Charges the request for work that its bytes do not show. A retried transaction charges again, so the largest value counts. */
export type Charge = (points: number) => void;

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
    if (malformed !== null) throw this.refused(malformed, environmentOf(secret));
    const digest = digestOf(secret);
    const found = await this.limit.admit(
      () => callerAddress(request),
      digest,
      () => this.authenticator.find(digest),
    );
    if (typeof found === 'string') throw this.refused(found);
    return found;
  }

  /** Authenticates a request once more that had to wait: its key may have been revoked meanwhile. @throws HttpError as `authenticate` */
  async repeat(request: Request): Promise<void> {
    if (request.headers.authorization !== undefined) await this.authenticate(request);
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
    if (refusal === 'suspended_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key is suspended since the database was restored. Ask the operator to resume it.',
      );
    }
    const own = this.settings.environment;
    return unauthorized(
      'wrong_environment',
      `This is a ${environment} key, and this is the ${own} deployment. Use a key that starts with ${keyPrefixOf(own)}.`,
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

/** Authenticates the caller by its API key, session or one-time code. A route that is not public is reached by no other way. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly signIn: SignIn,
  ) {}

  /** @throws HttpError of `Authentication` and `SignIn`; Error for a route that declares no access */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = ruleOf(this.reflector, context);
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const byCode = rule.code === true && request.headers.authorization === undefined;
    request.caller = byCode
      ? await this.signIn.authenticate(request)
      : await this.authentication.authenticate(request);
    return true;
  }
}

export function ruleOf(reflector: Reflector, context: ExecutionContext): AccessRule {
  const [handler, type] = [context.getHandler(), context.getClass()];
  const rule = reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [handler, type]);
  if (!rule) throw new Error(`${type.name}.${handler.name} declares no access`);
  return rule;
}

/** Tenant of an authenticated request: a partner with all its keys, or a key without a partner with its sessions. */
export const tenantOf = ({ caller }: Request): string => caller!.partnerId ?? caller!.keyId;

/** Admits a caller by what its route declares: scopes, a partner's key, the key itself in place of a session. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @throws HttpError `partner_key_required`, `insufficient_scope` */
  canActivate(context: ExecutionContext): boolean {
    const rule = ruleOf(this.reflector, context);
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { keyId, partnerId, sessionId, scopes } = request.caller!;
    if (rule.partner && partnerId === null) {
      throw new HttpError(
        'partner_key_required',
        'This operation needs a key that is bound to a partner, with the scope partner:read.',
      );
    }
    const isInScope = rule.scopes.some((scope) => scopes.includes(scope));
    if (isInScope && (rule.session !== false || sessionId === null)) return true;
    if (rule.scopes.every((scope) => scope.endsWith(':admin'))) {
      const operation = context.getHandler().name;
      this.metrics.refusals.inc({ operation });
      const who = { key_id: keyId, address: callerAddress(request) };
      this.log.warn({ ...who, operation, request_id: request.requestId }, 'refused to administer');
    }
    throw new HttpError(
      'insufficient_scope',
      isInScope
        ? 'A session makes neither keys nor sessions. Use the API key itself that it was made with.'
        : `This operation needs a key with the scope ${rule.scopes.join(' or ')}.`,
    );
  }
}

/** Methods that store something, unless their operation is exempt. DELETE frees space. */
const WRITING = new Set(['POST', 'PUT', 'PATCH']);
const RETRY_AFTER_SECONDS = 30;

/** Refuses writes while storage is nearly full, before their bodies are read. */
@Injectable()
export class StorageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly storage: StorageWatch,
  ) {}

  /** @throws HttpError `service_unavailable` */
  canActivate(context: ExecutionContext): boolean {
    if (!this.storage.isNearlyFull) return true;
    const { method } = context.switchToHttp().getRequest<Request>();
    if (!WRITING.has(method) || this.reflector.get<boolean | undefined>(GOES_ON, context.getHandler()))
      return true;
    throw new HttpError(
      'service_unavailable',
      'Storage is nearly full, so nothing new is stored for now; reads go on. Nothing was changed. Try again later.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}

const callerOf = (context: ExecutionContext): Caller => context.switchToHttp().getRequest<Request>().caller!;

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context),
);

/** Id of the partner that the key is bound to; null for an unbound key, which reads every partner's records. */
export const BoundPartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return callerOf(context).partnerId;
});

/** Id of the partner that the key is bound to; for operations that require a partner's key. */
export const PartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { partnerId } = callerOf(context);
  if (!partnerId) throw new Error('PartnerId is used on an operation that does not require a partner key');
  return partnerId;
});

/** Charges points beyond those of the request's bytes. */
export const ChargePoints = createParamDecorator((_: unknown, context: ExecutionContext): Charge => {
  return context.switchToHttp().getRequest<Request>().charge!;
});
