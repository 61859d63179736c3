import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpConstants } from '../../config/constants.js';
import { newId } from '../../domain/identifier.js';
import { ServerConnections, type Cut, type Proxies } from './server.connections.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from '../answer/http-error.js';

/** How often connections are checked for their deadlines; Node's own half minute would make a 30 s bound a 60 s one. */
const CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;
/** Lingering close: what the caller still sends is read for that long. A connection closed with unread bytes is reset, and the answer on it lost. */
const LINGER_MS = 1_000;
/** Connections that are told why they are refused, at once. Others are closed. */
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

/** Connections of a server that is asked by machines of the operator: balancers, scrapers. */
const FEW = 100;

/** Listens for few callers, whose requests come one at a time on each connection. */
export async function listenForFew(
  http: HttpConstants,
  host: string,
  port: number,
  answer: RequestListener,
): Promise<Server> {
  const { server } = boundedServer(
    { ...http, connections: FEW, connections_per_address: FEW, requests_ahead: 1 },
    answer,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}

/** A server of HTTP with bounds; what fails before there is a request is answered in our envelope too. */
export function boundedServer(
  http: HttpConstants,
  answer: RequestListener,
  proxies?: Proxies,
  prototypes: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> = {},
): { server: Server; connections: ServerConnections } {
  const connections = new ServerConnections(http, answer, proxies);
  const server = createServer(
    {
      maxHeaderSize: http.headers_limit_bytes,
      requestTimeout: http.request_timeout_seconds * 1000,
      headersTimeout: Math.min(http.request_timeout_seconds * 1000, 20_000),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal would have no envelope; the gate's has.
      requireHostHeader: false,
      ...prototypes,
    },
    (request, response) => connections.of(request.socket)?.take(request, response),
  );
  letInWhatFits(server, connections);
  const sweeping = setInterval(() => connections.sweep(), CHECK_MS).unref();
  server.on('close', () => clearInterval(sweeping));
  server.on('clientError', (error, socket) => refuseRest(error, socket as Socket, connections));
  // An expectation that means nothing here may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Socket) => {
    // From here on Node neither listens for its errors, which would end the process, nor sees to it that it is closed.
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

/** Puts the bounds before Node's own listener, which makes a parser for whoever comes. */
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

/** Answers what could not be parsed, or did not come in time. */
function refuseRest(error: NodeJS.ErrnoException, socket: Socket, connections: ServerConnections): void {
  const connection = connections.of(socket);
  // The request came whole, and what failed came after it: its answer goes out, and the connection ends with it.
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

/** An answer to what never became a request, and the end of its connection. */
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
