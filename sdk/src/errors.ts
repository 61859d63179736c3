import type { components as Partner } from './generated/partner.js';
import type { components as Sandbox } from './generated/sandbox.js';

/** Every `error.code` of both contracts. */
export type ErrorCode = (Partner | Sandbox)['schemas']['ErrorEnvelope']['error']['code'];

/** The code of an answer that did not come from Vaultline, but from a proxy, say, or another server. */
export const UNEXPECTED = 'unexpected_response';

/** An error in one field of a request. */
export interface ErrorDetail {
  field: string;
  message: string;
  /** Your own user that has the external id or the wallet, for `external_id_taken` and `wallet_taken`. */
  user_id?: string;
}

/** The call that failed. */
export interface FailedCall {
  method: string;
  path: string;
  attempts: number;
  /** The Idempotency-Key of a POST. Send the same request with it as `idempotencyKey`, and it is not carried out a second time. */
  idempotencyKey: string | null;
}

export interface Refusal extends FailedCall {
  code: ErrorCode | typeof UNEXPECTED | (string & {});
  message: string;
  status: number;
  requestId: string | null;
  details: readonly ErrorDetail[];
  retryAfterSeconds: number | null;
}

/** A refusal by the server. Programs read `code`, people `message`; the operator finds `requestId` in the deployment's log. */
export class VaultlineError extends Error implements Refusal {
  override readonly name: string = 'VaultlineError';
  readonly code: Refusal['code'];
  readonly status: number;
  readonly requestId: string | null;
  /** Errors by field, for `validation_failed`. */
  readonly details: readonly ErrorDetail[];
  /** How long to wait before a retry; null where the server named no time. */
  readonly retryAfterSeconds: number | null;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.code = refusal.code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.details = refusal.details;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.method = refusal.method;
    this.path = refusal.path;
    this.attempts = refusal.attempts;
    this.idempotencyKey = refusal.idempotencyKey;
  }

  /** Code, message, fields and request id in one line, for a log. */
  override toString(): string {
    const fields = this.details.map(({ field, message }) => ` ${field} ${message}.`).join('');
    const request = this.requestId === null ? '' : ` Request ${this.requestId}.`;
    return `${this.name}: ${this.code}: ${this.message}${fields}${request}`;
  }
}

/** There was no answer: the outcome of the request is unknown. */
export class VaultlineConnectionError extends Error implements FailedCall {
  override readonly name: string = 'VaultlineConnectionError';
  readonly code: 'connection_error' | 'timeout' = 'connection_error';
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly idempotencyKey: string | null;

  constructor(message: string, call: FailedCall, options?: ErrorOptions) {
    super(message, options);
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.idempotencyKey = call.idempotencyKey;
  }
}

/** No answer within the timeout of the call or of its last attempt. */
export class VaultlineTimeoutError extends VaultlineConnectionError {
  override readonly name = 'VaultlineTimeoutError';
  override readonly code = 'timeout';
}

/**
 * Whether an error is a refusal with one of these codes; without codes, whether it is a refusal at all.
 *
 * ```js
 * if (isVaultlineError(error, 'external_id_taken')) ...
 * ```
 */
export function isVaultlineError<Code extends ErrorCode | typeof UNEXPECTED>(
  error: unknown,
  ...codes: Code[]
): error is VaultlineError & { readonly code: Code } {
  return error instanceof VaultlineError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/** The error in the body of a failed answer, if the body is an envelope of Vaultline. */
export function envelopeError(
  body: unknown,
): { code: string; message: string; request_id?: string; details?: ErrorDetail[] } | null {
  const error = (body as { error?: Record<string, unknown> } | null | undefined)?.error;
  return typeof error?.['code'] === 'string' && typeof error['message'] === 'string'
    ? (error as never)
    : null;
}
