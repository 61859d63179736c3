import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../domain/access/authenticator.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** `req_...`, made here; never taken from the caller. */
    requestId: string;
    /** Set by the access guard on every route that is not public. */
    caller?: Caller;
  }
}

/** One request and its answer, for the few handlers that need more than their parameters. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** Why work for an exchange ends early. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has closed the connection.');
  }
}

export const CurrentExchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const [request, response] = context.getArgs<[Request, Response]>();
  return { request, response };
});

/** Who calls. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request>().caller!;
});

/** The id of the partner that the key is bound to; null for a key that is not bound, which reads every partner's. */
export const BoundPartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return context.switchToHttp().getRequest<Request>().caller?.partnerId ?? null;
});

/** The id of the partner that the key is bound to; only on operations that require a partner's key. */
export const PartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const partnerId = context.switchToHttp().getRequest<Request>().caller?.partnerId;
  if (!partnerId) throw new Error('PartnerId is used on an operation that does not require a partner key');
  return partnerId;
});
