import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../domain/access/authenticator.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** `req_...`, generated here; never taken from the caller. */
    requestId: string;
    /** Whether the path is below the API root, where every operation needs a key or a one-time code. */
    isApi: boolean;
    /** Set by the access guard on every route that is not public. */
    caller?: Caller;
  }
}

/** Request and response, for handlers that need more than their parameters. */
export interface Exchange {
  request: Request;
  response: Response;
}

/** Abort reason of work whose caller has disconnected. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has closed the connection.');
  }
}

export const CurrentExchange = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const [request, response] = context.getArgs<[Request, Response]>();
  return { request, response };
});

/** The authenticated caller. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request>().caller!;
});

/** Id of the partner that the key is bound to; null for an unbound key, which reads every partner's records. */
export const BoundPartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  return context.switchToHttp().getRequest<Request>().caller?.partnerId ?? null;
});

/** Id of the partner that the key is bound to; for operations that require a partner's key. */
export const PartnerId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const partnerId = context.switchToHttp().getRequest<Request>().caller?.partnerId;
  if (!partnerId) throw new Error('PartnerId is used on an operation that does not require a partner key');
  return partnerId;
});
