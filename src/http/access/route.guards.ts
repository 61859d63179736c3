import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { StorageWatch } from '../../domain/kernel/store/storage-watch.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { HttpError } from '../answer/http-error.js';
import { ACCESS, type AccessRule, GOES_ON } from './access.js';
import { Authentication } from './authentication.js';
import { callerAddress } from './caller.js';
import { SignIn } from './sign-in.js';

// Guards that check what a route declares by `access.ts`.

/** Authenticates the caller by its API key, session or one-time code. Every route that is not public needs one of them. */
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
      this.log.warn({ ...who, operation, request_id: request.requestId }, 'admin operation refused');
    }
    throw new HttpError(
      'insufficient_scope',
      isInScope
        ? 'A session cannot create keys or sessions. Use the API key that it was created with.'
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
      'Storage is nearly full, so writes are refused for now; reads work. Nothing was changed. Try again later.',
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}
