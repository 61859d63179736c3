import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../../domain/kernel/identifier.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from '../answer/http-error.js';

/**
 * Lingering close: how long input of the caller is still read after the last answer. Closing a socket with unread input resets it, and the answer
 * would be lost.
 */
const LINGER_MS = 1_000;

type ErrorText = readonly [EdgeErrorCode, string];

const PARSE_ERRORS: Record<string, ErrorText> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The head of the request is too large. Send fewer or shorter headers.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP: ErrorText = ['validation_failed', 'This is not a well-formed HTTP request.'];
const NO_PROXY: ErrorText = ['method_not_allowed', 'This server is no proxy: it opens no tunnels.'];

/** Statuses of requests that were refused on the socket, past their response, because of their bodies. */
export const refusals = new WeakMap<ServerResponse, number>();

/** Answers parser errors and requests that missed their deadline. @param newest answer to the newest request of the connection */
export function refuseOnSocket(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  newest: ServerResponse | undefined,
): void {
  const isInBody = newest?.req.complete === false;
  const underway = newest && (isInBody || !newest.writableFinished) ? newest : null;
  // A body that fails after its answer gets no second one.
  if (error.code === 'ECONNRESET' || !socket.writable || underway?.headersSent) {
    socket.destroy();
    return;
  }
  // The previous request was complete: its answer is sent, then the connection closes.
  if (underway && !isInBody) {
    underway.setHeader('Connection', 'close');
    return;
  }
  const words = PARSE_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  if (underway) refusals.set(underway, EDGE_ERRORS[words[0]]);
  writeError(socket, words, [], underway?.getHeader('X-Request-Id')?.toString());
}

/** Answers `CONNECT`. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => undefined).resume();
  writeError(socket, NO_PROXY, ['Allow: GET, HEAD, POST, PUT, PATCH, DELETE']);
}

/** Writes an error answer directly to a socket, and closes it. */
function writeError(
  socket: Duplex,
  [code, message]: ErrorText,
  fields: readonly string[] = [],
  requestId: string = newId('request', new Date()),
): void {
  const body = JSON.stringify(errorBody(code, message, requestId));
  socket.end(
    [
      `HTTP/1.1 ${EDGE_ERRORS[code]} ${code}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      ...fields,
      '',
      body,
    ].join('\r\n'),
  );
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
}
