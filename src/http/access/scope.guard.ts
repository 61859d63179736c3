import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { HttpError } from '../answer/http-error.js';
import { ruleOf } from './auth.guard.js';

/** Admits a caller by what its route declares: scopes, a partner's key, the key itself in place of a session. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws HttpError `partner_key_required`, `insufficient_scope` */
  canActivate(context: ExecutionContext): boolean {
    const rule = ruleOf(this.reflector, context);
    if (rule === 'public') return true;
    const { partnerId, sessionId, scopes } = context.switchToHttp().getRequest<Request>().caller!;
    if (rule.partner && partnerId === null) {
      throw new HttpError(
        'partner_key_required',
        'This operation needs a key that is bound to a partner, with the scope partner:read.',
      );
    }
    if (!rule.scopes.some((scope) => scopes.includes(scope))) {
      throw new HttpError(
        'insufficient_scope',
        `This operation needs a key with the scope ${rule.scopes.join(' or ')}.`,
      );
    }
    if (rule.session === false && sessionId !== null) {
      throw new HttpError(
        'insufficient_scope',
        'A session makes neither keys nor sessions. Use the API key itself that it was made with.',
      );
    }
    return true;
  }
}
