import type { Response } from 'express';

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
  const known = signals.get(response);
  if (known) return known;
  const leaving = new AbortController();
  const leave = (): void => leaving.abort(new CallerGone());
  if (response.closed) leave();
  else response.once('close', leave);
  signals.set(response, leaving.signal);
  return leaving.signal;
}

/** @throws CallerGone when the caller has disconnected: nothing is begun for it any more */
export function requireCaller(response: Response): void {
  if (response.closed) throw new CallerGone();
}
