import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Logger } from 'pino';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { HttpError } from '../answer/http-error.js';
import type { AccessRule } from './access.js';
import { ruleOf } from './auth.guard.js';
import { callerAddress } from './authentication.js';

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
    const refusal = refusalOf(rule, request.caller!);
    if (!refusal) return true;
    if (rule.scopes.every((scope) => scope.endsWith(':admin'))) {
      const operation = context.getHandler().name;
      this.metrics.countRefusedAdministration(operation);
      const key = { key_id: request.caller!.keyId, address: callerAddress(request) };
      this.log.warn({ ...key, operation, request_id: request.requestId }, 'refused to administer');
    }
    throw refusal;
  }
}

function refusalOf(
  rule: Exclude<AccessRule, 'public'>,
  { partnerId, sessionId, scopes }: Caller,
): HttpError | null {
  if (rule.partner && partnerId === null) {
    return new HttpError(
      'partner_key_required',
      'This operation needs a key that is bound to a partner, with the scope partner:read.',
    );
  }
  if (!rule.scopes.some((scope) => scopes.includes(scope))) {
    return new HttpError(
      'insufficient_scope',
      `This operation needs a key with the scope ${rule.scopes.join(' or ')}.`,
    );
  }
  if (rule.session === false && sessionId !== null) {
    return new HttpError(
      'insufficient_scope',
      'A session makes neither keys nor sessions. Use the API key itself that it was made with.',
    );
  }
  return null;
}
