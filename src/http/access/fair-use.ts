import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { Settings } from '../../config/settings.js';
import type { Caller } from '../../domain/access/authenticator.js';
import { Places } from '../../domain/places.js';
import { HttpError } from '../answer/http-error.js';
import { Points } from './points.js';
import type { Visit } from '../request/visit.js';

/** `Retry-After` when every concurrency slot is taken. */
const BUSY_SECONDS = 1;
/** Refusals (429) of one tenant a minute that are sent at once. Further ones are delayed, each on its own connection. */
export const PROMPT_REFUSALS = 600;
const HELD_BACK_MS = 2_000;

/** Fair use: concurrency and rate limits of a tenant. A partner with all its keys is one tenant; so is each key without a partner. */
export class FairUse {
  private readonly places: Places | null;
  private readonly longPages: Places;
  private readonly points: Points | null;
  private readonly refusals = new Points(PROMPT_REFUSALS);
  /** Policy of the rate limit in the form of a structured field (RFC 9651). */
  private readonly policy: string;

  constructor(private readonly settings: Settings) {
    const { requestsAtOnce, rateLimitPerMinute, constants } = settings;
    const { requestsWaiting: length, waitMs } = constants.access;
    const bounds = { share: requestsAtOnce, length, waitMs, refusal: () => this.busy() };
    this.places = requestsAtOnce === 0 ? null : new Places(bounds);
    this.longPages = new Places({ ...bounds, share: 1 });
    this.points = rateLimitPerMinute === 0 ? null : new Points(rateLimitPerMinute);
    this.policy = `"default";q=${rateLimitPerMinute};w=60`;
  }

  /**
   * Takes a concurrency slot of the key, before anything is asked about it.
   * @throws HttpError `rate_limited`, CallerGone
   */
  async begin(keyDigest: Buffer, visit: Visit): Promise<void> {
    await this.enter(`key ${keyDigest.toString('latin1')}`, visit);
  }

  /**
   * Takes the one point that every request costs; the rest is charged when it ends. The answer's headers say how many are left
   * (draft-ietf-httpapi-ratelimit-headers-10).
   * @throws HttpError `rate_limited`, CallerGone
   */
  async pay(caller: Caller, visit: Visit, response: Response): Promise<void> {
    const { points } = this;
    if (!points) return;
    const tenant = tenantOf(caller);
    const seconds = points.take(tenant);
    const left = points.left(tenant);
    response.setHeader('RateLimit-Policy', this.policy);
    response.setHeader('RateLimit', `"default";r=${left.points};t=${left.resetSeconds}`);
    if (seconds > 0) {
      const { rateLimitPerMinute } = this.settings;
      const whose = caller.partnerId === null ? 'This key has' : 'The keys of this partner have';
      const why = `${whose} used up the ${rateLimitPerMinute} points of a minute; a request costs one, and one more for every 10 kB of its body and its answer.`;
      return this.refuse(tenant, visit, rateLimited(why, seconds));
    }
    visit.whenOver((cost) => cost > 0 && points.charge(tenant, cost));
  }

  /**
   * Takes a concurrency slot of the tenant: all keys of a partner, or a key without a partner with its sessions. Long pages are read and made one at a
   * time: four of them would take both cores of a small machine.
   * @returns whether the request had to wait
   * @throws HttpError `rate_limited`, CallerGone
   */
  async join(caller: Caller, visit: Visit, { isLong }: { isLong: boolean }): Promise<boolean> {
    const waited = await this.enter(tenantOf(caller), visit);
    return (isLong && (await this.enter(tenantOf(caller), visit, this.longPages))) || waited;
  }

  private async enter(whose: string, visit: Visit, among = this.places): Promise<boolean> {
    if (!this.places || !among) return false;
    visit.requireCaller();
    const leaveAtOnce = among.enterNow(whose);
    if (leaveAtOnce) {
      visit.whenOver(leaveAtOnce);
      return false;
    }
    const entered = among.enter(whose, { gone: visit.gone });
    const { waited, leave } = await entered.catch((refusal: unknown) => this.refuse(whose, visit, refusal));
    visit.whenOver(leave);
    visit.requireCaller();
    return waited;
  }

  /** Backpressure: a refusal costs as much as a small answer, and a client that retries at once would cause thousands a second. @throws the refusal, CallerGone */
  private async refuse(whose: string, visit: Visit, refusal: unknown): Promise<never> {
    visit.requireCaller();
    if (this.refusals.take(whose) > 0)
      await sleep(HELD_BACK_MS, undefined, { signal: visit.gone }).catch(() => undefined);
    visit.requireCaller();
    throw refusal;
  }

  private busy(): HttpError {
    const { requestsAtOnce } = this.settings;
    return rateLimited(
      `${requestsAtOnce} of your requests are under way, and others wait. Send fewer at once.`,
      BUSY_SECONDS,
    );
  }
}

const tenantOf = ({ partnerId, keyId }: Caller): string => partnerId ?? keyId;

export function rateLimited(why: string, seconds: number): HttpError {
  return new HttpError('rate_limited', `${why} Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
