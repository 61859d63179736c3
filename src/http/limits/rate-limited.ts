import { HttpError } from '../answer/http-error.js';

/** Limit of a tenant that a request exceeded; `RateLimit-Reason` of its 429. */
export type RateLimitReason = 'concurrency' | 'points';

/** Error 429. @param reason undefined: a limit of something else than a tenant */
export function rateLimited(why: string, seconds: number, reason?: RateLimitReason): HttpError {
  return new HttpError('rate_limited', `${why} Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds), ...(reason && { 'RateLimit-Reason': reason }) },
  });
}
