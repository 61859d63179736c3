import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { newId } from '../domain/identifier.js';
import { EDGE_ERRORS, type EdgeErrorCode, errorBody } from './http-error.js';

/** How often connections are checked for their deadlines; Node's own half minute would make a 30 s bound a 60 s one. */
const CHECK_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

const REFUSALS: Record<string, [EdgeErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The head of the request is too large. Send fewer or shorter headers.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time. Send it again.'],
};

/** Express on a server with bounds; what fails before there is a request is answered in our envelope too. */
export class ServerAdapter extends ExpressAdapter {
  constructor(private readonly settings: Settings) {
    super();
  }

  override initHttpServer(): void {
    const { headers_limit_bytes, request_timeout_seconds } = this.settings.constants.http;
    const express = this.getInstance<RequestListener>();
    const server: Server = createServer(
      {
        maxHeaderSize: headers_limit_bytes,
        requestTimeout: request_timeout_seconds * 1000,
        headersTimeout: Math.min(request_timeout_seconds * 1000, 20_000),
        connectionsCheckingInterval: CHECK_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        // Node's own refusal would have no envelope; the gate's has.
        requireHostHeader: false,
      },
      (request, response) => {
        request.url = originForm(request.url!);
        express(request, response);
      },
    );
    server.on('clientError', refuse);
    server.on('connect', (_request, socket: Socket) => {
      // From here on Node neither listens for its errors, which would end the process, nor sees to it that it is closed.
      socket.on('error', () => socket.destroy());
      answer(socket, 'method_not_allowed', 'This is no proxy.');
      socket.destroySoon();
    });
    // An expectation that means nothing here may be ignored (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    this.httpServer = server;
  }

  /** For every path, not only those below the API root that Nest names: what no route answers is told in our envelope everywhere. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(handler);
  }
}

/** A target as a path, also where it came as a whole URL (RFC 9112, 3.2.2): of one without a path Express would answer with a page of its own. */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** What Node knows of the answer that a socket waits for. */
interface UnderWay {
  req: { complete: boolean };
  headersSent: boolean;
  writableFinished: boolean;
  shouldKeepAlive: boolean;
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  const underWay = (socket as Socket & { _httpMessage?: UnderWay })._httpMessage;
  // The request came whole, and what failed came after it: its answer goes out, and the connection ends with it.
  if (underWay?.req.complete && !underWay.writableFinished && socket.writable) {
    underWay.shouldKeepAlive = false;
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, message] = REFUSALS[error.code ?? ''] ?? [
    'validation_failed',
    'This is not a well-formed HTTP request.',
  ];
  answer(socket, code, message);
}

/** An answer to what never became a request. */
function answer(socket: Socket, code: EdgeErrorCode, message: string): void {
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
}
