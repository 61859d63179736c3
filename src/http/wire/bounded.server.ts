import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpConstants } from '../../config/constants.js';
import { newId } from '../../domain/identifier.js';
import { ServerConnections, type Cut, type Proxies } from './server.connections.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from '../answer/http-error.js';

/** Interval of the check of connection deadlines. Node's default of 30 s would stretch a 30 s deadline to 60 s. */
const CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;
/**
 * Lingering close: how long input of the caller is still read after the last answer. Closing a socket with unread input resets it, and the answer
 * would be lost.
 */
const LINGER_MS = 1_000;
/** Refused connections that are answered with the reason at once; further ones are closed without an answer. */
const REFUSALS = 100;

type Words = readonly [EdgeErrorCode, string];

const PARSE_ERRORS: Record<string, Words> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The head of the request is too large. Send fewer or shorter headers.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP: Words = ['validation_failed', 'This is not a well-formed HTTP request.'];

const FULL: Partial<Record<Cut, Words>> = {
  address_full: [
    'rate_limited',
    'Your address has as many connections at work here as it may have. Use them again, or wait for their answers.',
  ],
  server_full: ['service_unavailable', 'The service has no connection free. Try again in a moment.'],
};
const RETRY_AFTER = 'Retry-After: 2';

/** Connection limit of a server that only the operator's machines call: load balancers, metric scrapers. */
const FEW = 100;

/** Starts a server for a few internal callers, without pipelining. */
export async function listenForFew(
  http: HttpConstants,
  host: string,
  port: number,
  answer: RequestListener,
): Promise<Server> {
  const { server } = boundedServer(
    { ...http, connections: FEW, connectionsPerAddress: FEW, requestsAhead: 1 },
    answer,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}

/**
 * HTTP server with limits on connections and deadlines; errors before a request exists (parser errors, timeouts) are answered in our envelope too.
 */
export function boundedServer(
  http: HttpConstants,
  answer: RequestListener,
  proxies?: Proxies,
  prototypes: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> = {},
): { server: Server; connections: ServerConnections } {
  const connections = new ServerConnections(http, answer, proxies);
  const server = createServer(
    {
      maxHeaderSize: http.headersLimitBytes,
      requestTimeout: http.requestTimeoutSeconds * 1000,
      headersTimeout: Math.min(http.requestTimeoutSeconds * 1000, 20_000),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal has no envelope; `RequestEntry` refuses a missing Host header with one.
      requireHostHeader: false,
      ...prototypes,
    },
    (request, response) => connections.of(request.socket)?.take(request, response),
  );
  letInWhatFits(server, connections);
  const sweeping = setInterval(() => connections.sweep(), CHECK_MS).unref();
  server.on('close', () => clearInterval(sweeping));
  server.on('clientError', (error, socket) => refuseRest(error, socket as Socket, connections));
  // An unknown `Expect` header may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => {
    // A refused socket has no listener of Node: an error on it would end the process, and nothing would close it.
    socket.on('error', () => socket.destroy());
    const refuse = (): void => {
      lastWords(socket, 'method_not_allowed', 'This is no proxy.');
      socket.destroySoon();
    };
    const connection = connections.of(socket);
    if (connection) connection.endBehind(refuse);
    else refuse();
  });
  return { server, connections };
}

/** Registers the connection limits before Node's own listener, which allocates a parser for every connection. */
function letInWhatFits(server: Server, connections: ServerConnections): void {
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  let refusals = 0;
  server.on('connection', (socket: Socket) => {
    const full = connections.admit(socket);
    if (full === null) {
      for (const listener of serve) listener.call(server, socket);
      return;
    }
    const words = FULL[full];
    socket.on('error', () => socket.destroy());
    if (!words || refusals >= REFUSALS) return socket.destroy();
    refusals++;
    socket.once('close', () => refusals--);
    socket.once('end', () => socket.destroy()).resume();
    lastWords(socket, ...words, RETRY_AFTER);
  });
}

/** Answers parser errors and requests that missed their deadline. */
function refuseRest(error: NodeJS.ErrnoException, socket: Socket, connections: ServerConnections): void {
  const connection = connections.of(socket);
  // The request was complete and the error came after it: its answer is sent, and the connection is closed behind it.
  if (connection?.request?.complete && socket.writable) {
    connection.endAfterAnswer();
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || connection?.isSending) {
    socket.destroy();
    return;
  }
  lastWords(socket, ...(PARSE_ERRORS[error.code ?? ''] ?? NOT_HTTP));
}

/** Writes an error answer to a socket that has no request, and closes it. */
function lastWords(socket: Socket, code: EdgeErrorCode, message: string, ...headers: string[]): void {
  const requestId = newId('request', new Date());
  const body = JSON.stringify(errorBody(code, message, requestId));
  socket.end(
    [
      `HTTP/1.1 ${EDGE_ERRORS[code]} ${code}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      ...headers,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
}
