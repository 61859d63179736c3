import { once } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Caller, digestOf } from '../../domain/tenants/access/authenticator.js';
import { type CodeRefusal, SignInCodes } from '../../domain/tenants/access/sign-in-code.service.js';
import { HttpError, missingKey, rateLimited, unauthorized } from '../answer/http-error.js';
import { callerAddress, CallerGone } from './caller.js';
import { FailedAuthenticationLimit } from '../limits/failed-authentication.limit.js';
import { JsonBody } from '../request/json-body.js';

/** Body limit for a one-time code exchange: JSON with the code, and the requested scopes and lifetime. */
const CODE_BYTES = 1_024;
const CODES_READ_AT_ONCE = 50;
const CODE_READ_MS = 2_000;

/**
 * Authentication by a one-time code in the body, which stands for its key. Without either, a request gets the error of a missing key
 * before any other.
 */
@Injectable()
export class SignIn {
  /** Bodies that are being read at this moment. */
  private reading = 0;

  constructor(
    private readonly codes: SignInCodes,
    private readonly limit: FailedAuthenticationLimit,
    private readonly body: JsonBody,
  ) {}

  /** @throws HttpError `missing_api_key`, `invalid_api_key`, `rate_limited` */
  async authenticate(request: Request): Promise<Caller> {
    const address = callerAddress(request);
    const code = await this.codeOf(address, request);
    if (code === null) throw missingKey();
    const digest = digestOf(code);
    // A retry must get the answer of the first request, so a used code is accepted from it.
    const isRetry = request.headers['idempotency-key'] !== undefined;
    const outcome = await this.limit.admit(
      () => address,
      digest,
      () => this.holderOf(code, digest, isRetry),
    );
    if (typeof outcome === 'string') throw codeRefused(outcome);
    return outcome;
  }

  /**
   * The one-time code in an unauthenticated body; null when there is none. Reading it counts as a failed attempt of its address, few bodies are read
   * at once, and each is small and has a short deadline. Otherwise callers without a key could hold connections for as long as callers with one.
   * @throws HttpError `rate_limited`
   */
  private async codeOf(address: string, request: Request): Promise<string | null> {
    const takeBack = await this.limit.reserve(address);
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
      await Promise.race([this.body.read(request), once(late, 'abort')]);
      const { code } = (request.body ?? {}) as { code?: unknown };
      if (late.aborted || typeof code !== 'string') return null;
      takeBack();
      return code;
    } catch (error) {
      if (error instanceof HttpError) return null;
      if (!(error instanceof CallerGone)) takeBack();
      throw error;
    } finally {
      this.reading--;
    }
  }

  private async holderOf(code: string, digest: Buffer, isRetry: boolean): Promise<Caller | CodeRefusal> {
    const refusal = this.codes.refusalOf(code);
    if (refusal !== null) return refusal;
    const holder = await this.codes.find(digest);
    if (typeof holder === 'string') return holder;
    return holder.used && !isRetry ? 'used' : holder.caller;
  }
}

const CODE_REFUSALS: Record<CodeRefusal, string> = {
  malformed: 'This is not a complete one-time code. Follow the link again, or ask for a new one.',
  foreign:
    'This one-time code belongs to the other deployment. Follow the link to the deployment that created it.',
  unknown: 'This one-time code is not known here, or its key was revoked. Ask for a new link.',
  used: 'This one-time code was used before: it opens one session. Ask for a new link.',
  expired: 'This one-time code has expired: it is valid for ten minutes. Ask for a new link.',
};

export const codeRefused = (refusal: CodeRefusal): HttpError =>
  unauthorized('invalid_api_key', CODE_REFUSALS[refusal]);
