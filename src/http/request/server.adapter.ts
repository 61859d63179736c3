import { IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Settings } from '../../config/settings.js';
import type { Answers } from '../answer/answers.js';
import { boundedServer } from '../wire/bounded.server.js';
import type { Readiness } from '../wire/readiness.js';
import type { RequestEntry } from './request.entry.js';
import type { ServerConnections, Proxies } from '../wire/server.connections.js';

/** Parts around every route; known once the application exists. */
export interface Edge {
  entry: RequestEntry;
  answers: Answers;
  readiness: Readiness;
}

/** Express adapter on a bounded server: requests pass through `RequestEntry`, and return values through `Answers`. */
export class ServerAdapter extends ExpressAdapter {
  connections: ServerConnections;
  private edge: Edge;

  constructor(private readonly settings: Settings) {
    super();
  }

  /** To be called before the server listens. */
  surroundWith(edge: Edge): void {
    this.edge = edge;
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const { server, connections } = boundedServer(
      this.settings.constants.http,
      (request, response) => {
        request.url = originForm(request.url!);
        this.edge.entry.take(request as Request, response as Response, () => void express(request, response));
      },
      proxiesOf(express),
      prototypesFor(express, () => this.edge.readiness.sendsAway),
    );
    this.httpServer = server;
    this.connections = connections;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const { plan } = response.req;
    if (plan?.answer) return this.edge.answers.send(response.req, response, plan.answer, body);
    try {
      const sent: unknown = super.reply(response, body, statusCode);
      return sent;
    } finally {
      response.req.visit?.finish();
    }
  }

  /** Handler for every path, not only below the API root as Nest would have it: an unknown path gets our envelope everywhere. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(handler);
  }
}

/**
 * Prototypes of requests and responses that have Express's methods from the start. Express would set the prototype of each object, and V8 makes an
 * object slow once its prototype changes.
 * @param sendsAway whether answers close their connections, during shutdown
 */
function prototypesFor(
  express: Express,
  sendsAway: () => boolean,
): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  ExpressResponse.prototype.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    if (sendsAway()) this.setHeader('Connection', 'close');
    return (ServerResponse.prototype.writeHead as (...head: unknown[]) => ServerResponse).apply(this, head);
  } as typeof ExpressResponse.prototype.writeHead;
  express.request = ExpressRequest.prototype as unknown as Request;
  express.response = ExpressResponse.prototype as unknown as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Trusted proxies, as Express decides them. */
function proxiesOf(express: Express): Proxies {
  return {
    isProxy: (address) =>
      (express.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0),
    callerOf: (request: IncomingMessage & Partial<Request>) =>
      request.ip ?? request.socket.remoteAddress ?? '',
  };
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
