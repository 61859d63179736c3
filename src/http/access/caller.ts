import { isIP } from 'node:net';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '../../domain/tenants/access/authenticator.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `AuthGuard` on every route that is not public. */
    caller?: Caller;
  }
}

/** Tenant of an authenticated request: a partner with all its keys, or a key without a partner with its sessions. */
export const tenantOf = ({ caller }: Request): string => caller!.partnerId ?? caller!.keyId;

/** Address of the caller: the peer of the connection, or the client address that a trusted proxy forwards. */
export function callerAddress({ ip, socket }: Request): string {
  return ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
}

/** Abort reason of work whose caller has disconnected. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has closed the connection.');
  }
}

/** Created on demand: most requests never wait. */
const signals = new WeakMap<Response, AbortSignal>();

/** Signal that is aborted with `CallerGone` once the connection is done with the request: it was answered, or its caller disconnected. */
export function goneSignal(response: Response): AbortSignal {
  const signal = signals.get(response);
  if (signal) return signal;
  const departure = new AbortController();
  const leave = (): void => departure.abort(new CallerGone());
  if (response.closed) leave();
  else response.on('close', leave);
  signals.set(response, departure.signal);
  return departure.signal;
}

/** @throws CallerGone when the caller has disconnected: nothing is begun for it any more */
export function requireCaller(response: Response): void {
  if (response.closed) throw new CallerGone();
}

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
