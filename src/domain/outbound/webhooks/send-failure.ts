import { ForbiddenUrlError } from '../egress/url-guard.js';

/** Reasons why no complete answer came. */
export type ConnectionFailure = 'blocked_address' | 'dns_error' | 'connect_error' | 'tls_error' | 'timeout';

/** Codes of OpenSSL, of Node's TLS layer, and of certificate verification (the X.509 codes in the docs of node:tls). */
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH$|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
/** Programming errors of the caller, which no receiver can cause. */
const CALLER_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

/**
 * Classifies errors of undici and the guard. Invalid HTTP and too large headers count as `connect_error`: nothing usable came back.
 * @throws the error itself when it is a programming error
 */
export function failureOf(error: unknown): ConnectionFailure {
  if (error instanceof ForbiddenUrlError) return error.kind;
  const thrown = (error as { code?: unknown } | null)?.code;
  const code = typeof thrown === 'string' ? thrown : '';
  if (CALLER_CODES.has(code)) throw error;
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'tls_error' : 'connect_error';
}
