import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Reflector } from '@nestjs/core';
import { ACCESS, type AccessRule, GOES_ON } from '../access/access.js';
import { ANSWER, type DeclaredAnswer } from '../answer/answers.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the first guard on every route. */
    plan?: RoutePlan;
  }
}

/** Everything that a route declares for the HTTP layer. */
export interface RoutePlan {
  access: AccessRule;
  /** A write that stays available while storage is nearly full. */
  goesOn: boolean;
  takesQuery: boolean;
  takesBody: boolean;
  /** null: the handler's return value is sent unchanged. */
  answer: DeclaredAnswer | null;
}

/** Cache of route declarations: reading metadata walks a prototype chain, so it is done once a route. */
export class RoutePlans {
  private readonly plans = new WeakMap<object, RoutePlan>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws Error for a route that declares no access */
  of(context: ExecutionContext): RoutePlan {
    const handler = context.getHandler();
    const known = this.plans.get(handler);
    if (known) return known;
    const plan = this.read(context);
    this.plans.set(handler, plan);
    return plan;
  }

  private read(context: ExecutionContext): RoutePlan {
    const [handler, type] = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, [handler, type]);
    if (!access) throw new Error(`${type.name}.${handler.name} declares no access`);
    const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, handler.name) as object | undefined;
    const kinds = Object.keys(taken ?? {}).map((key) => Number(key.split(':')[0]) as RouteParamtypes);
    return {
      access,
      goesOn: this.reflector.get<boolean | undefined>(GOES_ON, handler) ?? false,
      takesQuery: kinds.includes(RouteParamtypes.QUERY),
      takesBody: kinds.includes(RouteParamtypes.BODY),
      answer: this.reflector.get<DeclaredAnswer | undefined>(ANSWER, handler) ?? null,
    };
  }
}
