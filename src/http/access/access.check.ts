import { once } from 'node:events';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type DeploymentEnvironment, keyPrefixOf } from '../../config/deployments.js';
import { Settings } from '../../config/settings.js';
import { Authenticator, type Caller, type Refusal } from '../../domain/access/authenticator.js';
import { digestOf, environmentOf } from '../../domain/access/key-secret.js';
import { type CodeRefusal, SignInCodes } from '../../domain/access/sign-in-code.service.js';
import { Tenancy } from '../../domain/store/tenancy.js';
import type { AccessRule } from './access.js';
import { AuthenticationThrottle, TooManyFailures } from './authentication.throttle.js';
import { FairUse, rateLimited } from './fair-use.js';
import { HttpError } from '../answer/http-error.js';
import { PAGE_ROWS } from '../request/field-rules.js';
import { codeRefused, missingKey, secretOf, unauthorized } from './unauthorized.js';
import { Visit } from '../request/visit.js';

/** Body limit for a one-time code exchange: JSON with the code, and the requested scopes and lifetime. */
const CODE_BYTES = 1_024;
const CODES_READ_AT_ONCE = 50;
const CODE_READ_MS = 2_000;

type Rule = Exclude<AccessRule, 'public'>;
type FindCaller = () => Promise<Caller | Refusal>;

/** Authentication, fair use and authorisation of a request: its key, its tenant's share of the service, and its scopes. */
@Injectable()
export class AccessCheck {
  private readonly fairUse: FairUse;
  private readonly throttle: AuthenticationThrottle;
  /** Bodies with a one-time code that are being read at this moment. */
  private reading = 0;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly codes: SignInCodes,
    private readonly settings: Settings,
    private readonly tenancy: Tenancy,
  ) {
    this.fairUse = new FairUse(settings);
    this.throttle = new AuthenticationThrottle(settings.authFailuresPerMinute, authenticator.known);
  }

  /**
   * Admission comes before authentication: a key takes a concurrency slot before the database is asked about it, so a flood by one key queues behind
   * itself.
   */
  async admit(rule: Rule, request: Request, response: Response): Promise<void> {
    const secret = secretOf(request);
    const refusal = this.authenticator.judge(secret);
    if (refusal !== null) throw this.refused(refusal, environmentOf(secret));
    const digest = digestOf(secret);
    const visit = (request.visit = new Visit(response));
    await this.fairUse.begin(digest, visit);
    const caller = await visit.during(() =>
      this.authenticate(request, digest, () => this.authenticator.find(digest)),
    );
    // The key may have been revoked while the request waited behind other keys of its partner, so it is checked again.
    if (await this.letIn(caller, rule, request, visit, response))
      await visit.during(() =>
        this.authenticate(request, digest, () => this.authenticator.findAgain(digest)),
      );
  }

  /**
   * Admission of a request without a key: its body may carry a one-time code, which stands for the key. A request without either gets the error of a
   * missing key, whatever else is wrong with it.
   * @param read reads the body of an unauthenticated caller; bounded by the failed attempts that an address may make in a minute
   */
  async admitByCode(
    rule: Rule,
    request: Request,
    response: Response,
    read: () => Promise<void>,
  ): Promise<void> {
    const address = callerAddress(request);
    const visit = (request.visit = new Visit(response));
    const code = await this.bounded(() => this.codeOf(address, request, visit, read));
    if (code === null) throw missingKey();
    const digest = digestOf(code);
    await this.fairUse.begin(digest, visit);
    // A retry must get the answer of the first request, so a used code is accepted from it.
    const isRetry = request.headers['idempotency-key'] !== undefined;
    const found = await visit.during(() =>
      this.bounded(() => this.throttle.admit(address, digest, () => this.holderOf(code, digest, isRetry))),
    );
    if (typeof found === 'string') throw codeRefused(found);
    await this.letIn(found, rule, request, visit, response);
  }

  /**
   * Admission of an authenticated caller: slots, rate limit, rights.
   * @returns whether the request waited for others of its tenant
   */
  private async letIn(
    caller: Caller,
    rule: Rule,
    request: Request,
    visit: Visit,
    response: Response,
  ): Promise<boolean> {
    request.caller = caller;
    this.nameTenant(caller);
    await this.fairUse.pay(caller, visit, response);
    requireRights(rule, caller);
    return this.fairUse.join(caller, visit, { isLong: asksForLongPage(request) });
  }

  /**
   * The one-time code in an unauthenticated body; null when there is none. Reading it counts as a failed attempt of its address, few bodies are read
   * at once, and each is small and has a short deadline. Otherwise callers without a key could hold connections for as long as callers with one.
   * @throws TooManyFailures, HttpError `rate_limited`
   */
  private async codeOf(
    address: string,
    request: Request,
    visit: Visit,
    read: () => Promise<void>,
  ): Promise<string | null> {
    const takeBack = this.throttle.reserve(address);
    const { 'content-length': length, 'content-encoding': encoding } = request.headers;
    const isShort = length !== undefined && Number(length) <= CODE_BYTES && encoding === undefined;
    if (!isShort) return null;
    if (this.reading >= CODES_READ_AT_ONCE) {
      takeBack();
      throw rateLimited('Too many one-time codes are being sent.', 1);
    }
    this.reading++;
    const late = AbortSignal.timeout(CODE_READ_MS);
    try {
      await Promise.race([visit.during(read), once(late, 'abort')]);
      const { code } = (request.body ?? {}) as { code?: unknown };
      if (late.aborted || typeof code !== 'string') return null;
      takeBack();
      return code;
    } catch (error) {
      if (error instanceof HttpError) return null;
      takeBack();
      throw error;
    } finally {
      this.reading--;
    }
  }

  /**
   * Name of the tenant whose share of database connections a request uses: its partner, or, for a key without a partner, the key with its sessions.
   */
  private nameTenant({ partnerId, sessionId, keyId }: Caller): void {
    const tenant = partnerId ?? (sessionId === null ? null : keyId);
    if (tenant !== null) this.tenancy.name(tenant);
  }

  private async holderOf(code: string, digest: Buffer, isRetry: boolean): Promise<Caller | CodeRefusal> {
    const refusal = this.codes.judge(code);
    if (refusal !== null) return refusal;
    const holder = await this.codes.find(digest);
    if (typeof holder === 'string') return holder;
    return holder.used && !isRetry ? 'used' : holder.caller;
  }

  private async authenticate(request: Request, digest: Buffer, find: FindCaller): Promise<Caller> {
    const caller = await this.attempt(request, digest, find);
    if (typeof caller === 'string') throw this.refused(caller);
    return caller;
  }

  /** @param environment environment in the key's prefix, when it has one */
  private refused(refusal: Refusal, environment: DeploymentEnvironment | null = null): HttpError {
    if (refusal === 'invalid_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key is unknown, revoked or mistyped. Check it, or ask for a new one.',
      );
    }
    if (refusal === 'expired_api_key') {
      return unauthorized(
        'invalid_api_key',
        'This API key or session has expired. Sign in again, or ask for a new key.',
      );
    }
    const own = this.settings.environment;
    return unauthorized(
      'wrong_environment',
      `This is a ${environment} key, and this is the ${own} deployment. Use a key that starts with ${keyPrefixOf(own)}.`,
    );
  }

  private attempt(request: Request, digest: Buffer, find: FindCaller): Promise<Caller | Refusal> {
    return this.bounded(() => this.throttle.admit(callerAddress(request), digest, find));
  }

  private async bounded<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (refusal) {
      if (!(refusal instanceof TooManyFailures)) throw refusal;
      throw rateLimited(
        'Too many requests from your address came without a valid API key.',
        refusal.retryAfterSeconds,
      );
    }
  }
}

/** @throws HttpError `partner_key_required`, `insufficient_scope` */
function requireRights(rule: Rule, caller: Caller): void {
  if (rule.partner && caller.partnerId === null) {
    throw new HttpError(
      'partner_key_required',
      'This operation needs a key that is bound to a partner, with the scope partner:read.',
    );
  }
  if (!rule.scopes.some((scope) => caller.scopes.includes(scope))) {
    throw new HttpError(
      'insufficient_scope',
      `This operation needs a key with the scope ${rule.scopes.join(' or ')}.`,
    );
  }
  if (rule.session === false && caller.sessionId !== null) {
    throw new HttpError(
      'insufficient_scope',
      'A session makes neither keys nor sessions. Use the API key itself that it was made with.',
    );
  }
}

/** Whether more rows are asked for than a page has by default. An invalid `limit` is refused later. */
const asksForLongPage = ({ query }: Request): boolean => Number(query['limit'] ?? 0) > PAGE_ROWS.default;

/** Address of the caller: the peer of the connection, or the client address that a trusted proxy forwards. */
function callerAddress({ ip, socket }: Request): string {
  return ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
}
