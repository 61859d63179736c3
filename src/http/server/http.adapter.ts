import type { IncomingMessage, Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.js';
import { httpServer } from './http.server.js';

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
