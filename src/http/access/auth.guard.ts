import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ACCESS, type AccessRule } from './access.js';
import { Authentication } from './authentication.js';
import { SignIn } from './sign-in.js';

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
    const [request, response] = context.getArgs<[Request, Response]>();
    const byCode = rule.code === true && request.headers.authorization === undefined;
    request.caller = byCode
      ? await this.signIn.authenticate(request, response)
      : await this.authentication.authenticate(request);
    return true;
  }
}

/** @throws Error for a route that declares no access; the boot refuses it too */
export function ruleOf(reflector: Reflector, context: ExecutionContext): AccessRule {
  const [handler, type] = [context.getHandler(), context.getClass()];
  const rule = reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [handler, type]);
  if (!rule) throw new Error(`${type.name}.${handler.name} declares no access`);
  return rule;
}

/** Tenant of an authenticated request: a partner with all its keys, or a key without a partner with its sessions. */
export const tenantOf = ({ caller }: Request): string => caller!.partnerId ?? caller!.keyId;
