import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AccessCheck } from '../access/access.check.js';
import { InputCheck } from './input.check.js';
import { RoutePlans } from './route-plan.js';
import { StorageCheck } from '../access/storage.check.js';

/** Injection token of the contract's preparation: work for an admitted caller before its operation runs. */
export const PREPARATION = Symbol('preparation');
export interface Preparation {
  prepare(request: Request): Promise<void>;
}

/**
 * Steps before every operation, in this order: authentication and limits, storage check, input, the contract's preparation. It denies by default: no
 * route without a rule is reachable, and only public ones without a key or a code.
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
    // The one-time code in the body authenticates the caller, so the body is read first.
    const comesWithCode =
      access !== 'public' && access.code === true && request.headers.authorization === undefined;
    const read = (): Promise<void> | null => this.input.read(plan, request, response);
    if (comesWithCode)
      await this.access.admitByCode(access, request, response, async () => void (await read()));
    else if (access !== 'public') await this.access.admit(access, request, response);
    this.storage.requireRoom(plan, request);
    const reading = comesWithCode ? null : read();
    if (reading) await reading;
    // The visit's work ends when the operation has answered or failed.
    request.visit?.begin();
    if (this.preparation) await this.preparation.prepare(request);
    return true;
  }
}
