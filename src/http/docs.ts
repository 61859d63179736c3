import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../config/settings.js';
import type { ContractDefinition } from './contract.js';
import { HttpError } from './http-error.js';
import { createDocument } from './openapi/document.js';

/**
 * Serves the contract's document as `/openapi.json`, and as pages under `/docs`. Both are made from the routes, when first asked for. Where the
 * settings turn them off, neither path exists.
 */
export function mountDocs(app: INestApplication, settings: Settings, contract: ContractDefinition): void {
  const { environment, constants, publicUrl, apiRoot } = settings;
  if (!settings.docs) return;
  const deployment = { environment, assets: constants.assets };
  // Relative: whatever host and scheme the page was read from, its requests go back there.
  const serverUrl = `${publicUrl ?? ''}/${apiRoot}`;
  let document: OpenAPIObject | undefined;
  app.use('/docs', guarded(pagePolicy(publicUrl)), onlyNeededFiles);
  app.use('/openapi.json', guarded({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }));
  SwaggerModule.setup(
    'docs',
    app,
    () => (document ??= createDocument(app, contract, deployment, serverUrl)),
    {
      jsonDocumentUrl: 'openapi.json',
      raw: ['json'],
      customSiteTitle: contract.introduction.title,
      customCss: '.swagger-ui .topbar { display: none }',
    },
  );
}

type Policy = Record<string, Iterable<string>>;

/** Headers of what a browser may show: no frame around it, no type but the one it says, no word of it to other sites. */
function guarded(directives: Policy): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
    // TLS ends before this process, and so does what is said of it.
    strictTransportSecurity: false,
  });
}

/** Swagger UI styles itself inline; all else comes from here, so that the pages work without the internet. */
function pagePolicy(publicUrl: string | null): Policy {
  const self = ["'self'"];
  return {
    'default-src': ["'none'"],
    'script-src': self,
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': self,
    // What is tried out goes where the document says that the API is.
    'connect-src': publicUrl === null ? self : [...self, new URL(publicUrl).origin],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

/** Swagger UI's folder has more: other builds, source maps, a page that asks another site. */
const NEEDED = new Set([
  ...['/', '/index.html', '/swagger-ui.css', '/swagger-ui-bundle.js', '/swagger-ui-standalone-preset.js'],
  ...['/swagger-ui-init.js', '/favicon-16x16.png', '/favicon-32x32.png'],
]);

const onlyNeededFiles: RequestHandler = (request, _response, next) =>
  next(NEEDED.has(request.path) ? undefined : new HttpError('route_not_found', 'There is no such page.'));
