import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AccessCheck } from '../access/access.check.js';
import { InputCheck } from './input.check.js';
import { RoutePlans } from './route-plan.js';
import { StorageCheck } from '../access/storage.check.js';

/** Injection token: what a contract does for a caller that is let in, before its operation runs. */
export const PREPARATION = Symbol('preparation');
export interface Preparation {
  prepare(request: Request): Promise<void>;
}

/**
 * What comes before every operation, in this order: who calls, is there room, what was sent, and what the contract does first. Denies by default: no route is
 * reached without a rule, and none but public ones without a key that the rule admits.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly plans: RoutePlans;

  constructor(
    reflector: Reflector,
    private readonly access: AccessCheck,
    private readonly storage: StorageCheck,
    private readonly input: InputCheck,
    @Optional() @Inject(PREPARATION) private readonly preparation: Preparation | undefined,
  ) {
    this.plans = new RoutePlans(reflector);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const plan = this.plans.of(context);
    const [request, response] = context.getArgs<[Request, Response]>();
    request.plan = plan;
    const { access } = plan;
    // Its body says who calls, so it is read before that is known.
    const comesWithCode =
      access !== 'public' && access.code === true && request.headers.authorization === undefined;
    const read = (): Promise<void> | null => this.input.read(plan, request, response);
    if (comesWithCode)
      await this.access.admitByCode(access, request, response, async () => void (await read()));
    else if (access !== 'public') await this.access.admit(access, request, response);
    this.storage.requireRoom(plan, request);
    const reading = comesWithCode ? null : read();
    if (reading) await reading;
    // Its work is done when it is answered, or has failed.
    request.visit?.begin();
    if (this.preparation) await this.preparation.prepare(request);
    return true;
  }
}
