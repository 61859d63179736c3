import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Content-Security-Policy: sources of each directive, in the order in which they are sent. */
export type Policy = Record<string, readonly string[]>;

/** Headers of what a browser may show: no frame around it, no type but the one it says, no word of it to other sites. */
export function browserHeaders(policy: Policy): RequestHandler {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(' '));
  const text = directives.join('; ');
  const others = helmet({
    contentSecurityPolicy: false,
    xFrameOptions: { action: 'deny' },
    // TLS ends before this process, and so does what is said of it.
    strictTransportSecurity: false,
  });
  return (request, response, next) => {
    response.setHeader('Content-Security-Policy', text);
    others(request, response, next);
  };
}
