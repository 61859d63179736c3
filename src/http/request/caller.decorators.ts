import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../../domain/tenants/access/authenticator.js';

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
