import { isIP } from 'node:net';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { Authenticator, type Caller, type Refusal } from '../domain/access/authenticator.js';
import { hashOf } from '../domain/access/key-secret.js';
import { Tenancy } from '../domain/store/tenancy.js';
import { ACCESS, type AccessRule } from './access.js';
import { AuthenticationThrottle, TooManyFailures } from './authentication.throttle.js';
import { HttpError } from './http-error.js';

const MINUTE_SECONDS = 60;
const HOW_TO_SEND =
  'Send your API key in the header "Authorization: Bearer <API_KEY>", and nothing else in it.';

/** Denies by default: no route is reached without a rule, and none but public ones without a key that the rule admits. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory | null;
  private readonly throttle: AuthenticationThrottle;

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly settings: Settings,
    private readonly tenancy: Tenancy,
  ) {
    const points = settings.rateLimitPerMinute;
    this.limiter = points === 0 ? null : new RateLimiterMemory({ points, duration: MINUTE_SECONDS });
    this.throttle = new AuthenticationThrottle(settings.authFailuresPerMinute);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!rule) throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access`);
    if (rule === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = await this.authenticate(request);
    request.caller = caller;
    if (caller.partnerId !== null) this.tenancy.name(caller.partnerId);
    await this.limit(caller.keyId);
    admit(rule, caller);
    return true;
  }

  private async authenticate(request: Request): Promise<Caller> {
    const { authorization = '' } = request.headers;
    if (/^(Bearer)?\s*$/i.test(authorization)) throw unauthorized('missing_api_key', HOW_TO_SEND);
    const secret = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (secret === undefined) {
      await this.attempt(request, null, async () => 'invalid_api_key');
      throw unauthorized('invalid_api_key', HOW_TO_SEND);
    }
    const caller = await this.attempt(request, hashOf(secret).toString('base64'), () =>
      this.authenticator.authenticate(secret),
    );
    if (caller === 'invalid_api_key') {
      throw unauthorized(
        'invalid_api_key',
        'This API key is unknown, revoked or mistyped. Check it, or ask for a new one.',
      );
    }
    if (caller === 'wrong_environment') {
      const { environment } = this.settings;
      const other = environment === 'live' ? 'sandbox' : 'live';
      throw unauthorized(
        'wrong_environment',
        `This is a ${other} key, and this is the ${environment} deployment. Use a key that starts with vl_${environment}_.`,
      );
    }
    return caller;
  }

  private async attempt(
    request: Request,
    key: string | null,
    attempt: () => Promise<Caller | Refusal>,
  ): Promise<Caller | Refusal> {
    try {
      return await this.throttle.admit(callerAddress(request), key, attempt);
    } catch (refusal) {
      if (!(refusal instanceof TooManyFailures)) throw refusal;
      throw rateLimited(
        'Too many requests from your address came without a valid API key.',
        refusal.retryAfterSeconds,
      );
    }
  }

  private async limit(keyId: string): Promise<void> {
    try {
      await this.limiter?.consume(keyId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw rateLimited(
        `This key may send ${this.settings.rateLimitPerMinute} requests a minute.`,
        Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
      );
    }
  }
}

function admit(rule: Exclude<AccessRule, 'public'>, caller: Caller): void {
  if (rule.partner && caller.partnerId === null) {
    throw new HttpError(
      'partner_key_required',
      'This operation needs a key that is bound to a partner, with the scope partner:read.',
    );
  }
  if (!rule.scopes.some((scope) => caller.scopes.includes(scope))) {
    throw new HttpError(
      'insufficient_scope',
      `This operation needs a key with the scope ${rule.scopes.join(' or ')}.`,
    );
  }
}

function unauthorized(
  code: 'missing_api_key' | 'invalid_api_key' | 'wrong_environment',
  message: string,
): HttpError {
  return new HttpError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function rateLimited(why: string, seconds: number): HttpError {
  return new HttpError('rate_limited', `${why} Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The connection's other end, or whom a trusted proxy names as its own. */
function callerAddress({ ip, socket }: Request): string {
  return ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
}
