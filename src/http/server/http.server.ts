import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import type { HttpConstants } from '../../config/constants.js';
import type { Settings } from '../../config/settings.js';
import { newId } from '../../domain/kernel/identifier.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from '../answer/http-error.js';

/** Interval of Node's check of deadlines. Its default of 30 s would stretch a 30 s deadline to 60 s. */
const CHECK_MS = 1_000;
const HEADERS_MS = 20_000;
/** Node's default; a longer head is answered 431. */
const HEAD_BYTES = 16_384;
const KEEP_ALIVE_MS = 65_000;
/**
 * Lingering close: how long input of the caller is still read after the last answer. Closing a socket with unread input resets it, and the answer
 * would be lost.
 */
const LINGER_MS = 1_000;
/** Connection limit of a server that only the operator's machines call: load balancers, metric scrapers. */
const FEW = 100;

type Words = readonly [EdgeErrorCode, string];

const PARSE_ERRORS: Record<string, Words> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The head of the request is too large. Send fewer or shorter headers.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};
const NOT_HTTP: Words = ['validation_failed', 'This is not a well-formed HTTP request.'];

/** Server with Node's own limits on connections, heads and deadlines. Errors before a request exists are answered in our envelope too. */
function httpServer(http: HttpConstants, answer: RequestListener): Server {
  const answers = new WeakMap<Socket, ServerResponse>();
  const server = createServer(
    {
      maxHeaderSize: HEAD_BYTES,
      requestTimeout: http.requestTimeoutSeconds * 1000,
      headersTimeout: Math.min(http.requestTimeoutSeconds * 1000, HEADERS_MS),
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node's own refusal has no envelope; a missing Host header is refused with one.
      requireHostHeader: false,
    },
    (request, response) => {
      answers.set(request.socket, response);
      answer(request, response);
    },
  );
  server.maxConnections = http.connections;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    refuse(error, socket as Socket, answers.get(socket as Socket));
  });
  return server;
}

export async function listenForFew(
  http: HttpConstants,
  host: string,
  port: number,
  answer: RequestListener,
): Promise<Server> {
  const server = httpServer({ ...http, connections: FEW }, answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}

/** Answers parser errors and requests that missed their deadline. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, earlier: ServerResponse | undefined): void {
  const underway = earlier && !earlier.writableFinished ? earlier : null;
  if (error.code === 'ECONNRESET' || !socket.writable || underway?.headersSent) {
    socket.destroy();
    return;
  }
  // The request before was complete: its answer is sent, and the connection is closed behind it.
  if (underway?.req.complete) {
    underway.setHeader('Connection', 'close');
    return;
  }
  writeError(socket, ...(PARSE_ERRORS[error.code ?? ''] ?? NOT_HTTP));
}

/** Writes an error answer to a socket that has no request, and closes it. */
function writeError(socket: Socket, code: EdgeErrorCode, message: string): void {
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
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(lingering));
}

/** Nest's Express adapter on a server with our limits. */
export class HttpAdapter extends ExpressAdapter {
  constructor(private readonly settings: Settings) {
    super();
  }

  override initHttpServer(): void {
    const express = this.getInstance<(request: IncomingMessage, response: object) => void>();
    const server: Server = httpServer(this.settings.constants.http, (request, response) => {
      request.url = originForm(request.url!);
      express(request, response);
    });
    this.httpServer = server;
  }

  /** Handler for every path, not only below the API root as Nest would have it: an unknown path gets our envelope everywhere. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(handler);
  }
}

/**
 * Request target in origin form, also when it came as an absolute URL (RFC 9112, 3.2.2): for one without a path Express would answer with an HTML
 * page.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
