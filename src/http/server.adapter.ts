import type { IncomingMessage } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { boundedServer } from './bounded.server.js';
import type { ServerConnections, Proxies } from './server.connections.js';

/** Express on a server with bounds. */
export class ServerAdapter extends ExpressAdapter {
  connections: ServerConnections;

  constructor(private readonly settings: Settings) {
    super();
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const { server, connections } = boundedServer(
      this.settings.constants.http,
      (request, response) => {
        request.url = originForm(request.url!);
        express(request, response);
      },
      proxiesOf(express),
    );
    this.httpServer = server;
    this.connections = connections;
  }

  /** For every path, not only those below the API root that Nest names: what no route answers is told in our envelope everywhere. */
  override setNotFoundHandler(handler: RequestHandler): void {
    this.use(handler);
  }
}

/** Proxies are whom Express trusts as such. */
function proxiesOf(express: Express): Proxies {
  return {
    isProxy: (address) =>
      (express.get('trust proxy fn') as (address: string, hop: number) => boolean)(address, 0),
    callerOf: (request: IncomingMessage & Partial<Request>) =>
      request.ip ?? request.socket.remoteAddress ?? '',
  };
}

/** A target as a path, also where it came as a whole URL (RFC 9112, 3.2.2): of one without a path Express would answer with a page of its own. */
function originForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
