import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Content-Security-Policy: sources of each directive, in the order in which they are sent. */
export type ContentPolicy = Record<string, readonly string[]>;

/** Security headers for pages that a browser shows: no framing, no content sniffing, no referrer. */
export function browserHeaders(policy: ContentPolicy): RequestHandler {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(' '));
  const text = directives.join('; ');
  const others = helmet({
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    // TLS ends at the proxy in front, which is the one to send HSTS.
    strictTransportSecurity: false,
  });
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', text);
    others(request, response, next);
  };
}
