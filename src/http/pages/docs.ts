import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Settings } from '../../config/settings.js';
import type { ContractDefinition } from '../contract.js';
import { AUDIENCES, documentFor } from '../openapi/audiences.js';
import { createDocument } from '../openapi/document.js';
import { browserHeaders, type ContentPolicy } from './browser-headers.js';
import { serveDocument } from './documents.js';
import { PLUGIN_SCRIPT, PLUGIN_STYLE } from './docs-plugin.js';

/**
 * Serves the contract's document as `/openapi.json`, its part for each audience as `/docs/<audience>.json`, and Swagger UI with all of them as
 * `/docs`. The document is generated from the routes on first use. With `DOCS=off` no path exists.
 */
export function mountDocs(app: INestApplication, settings: Settings, contract: ContractDefinition): void {
  const { publicUrl, apiRoot } = settings;
  if (!settings.docs) return;
  // A relative URL: requests from the page go to the host and scheme that the page was loaded from.
  const serverUrl = `${publicUrl ?? ''}/${apiRoot}`;
  let whole: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (whole ??= createDocument(app, contract, settings, serverUrl));
  const express = app.getHttpAdapter().getInstance() as Express;
  const serve = (path: string, make: () => OpenAPIObject): unknown =>
    express.get(
      path,
      serveDocument({ type: 'application/json; charset=utf-8', make: () => JSON.stringify(make()) }),
    );

  app.use(
    '/docs',
    browserHeaders(pagePolicy(publicUrl)),
    (_request: Request, response: Response, next: NextFunction) =>
      // Files are kept and asked for again: another version of the service has others.
      next(void response.setHeader('Cache-Control', 'no-cache')),
  );
  app.use('/openapi.json', browserHeaders({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }));
  serve('/openapi.json', document);
  for (const audience of AUDIENCES)
    serve(`/docs/${audience.name}.json`, () => documentFor(audience, document()));
  const script = { type: 'text/javascript; charset=utf-8', make: () => PLUGIN_SCRIPT };
  express.get('/docs/plugin.js', serveDocument(script));
  // The page's addresses of documents are relative to `/docs`.
  express.get(/^\/docs\/(index\.html)?$/, (_request, response) => response.redirect(308, '../docs'));
  const { title } = contract.introduction;
  SwaggerModule.setup('docs', app, () => withoutPaths(title), {
    raw: false,
    customSiteTitle: title,
    customCss: PLUGIN_STYLE,
    customJs: './docs/plugin.js',
    explorer: true,
    swaggerOptions: {
      // With a document of its own, Swagger UI would load none of the addresses.
      spec: {},
      urls: OFFERED,
      'urls.primaryName': OFFERED[0]!.name,
      showExtensions: true,
      // Links of the introduction name an operation.
      deepLinking: true,
      operationsSorter: listedFirst,
      plugins: [downloadUrl, vaultlineDocs],
    },
  });
}

const OFFERED = [
  ...AUDIENCES.map(({ name, title }) => ({ name: title, url: `docs/${name}.json` })),
  { name: 'Everything', url: 'openapi.json' },
];

/** Document in the page's script: the page loads each document from its address. */
const withoutPaths = (title: string): OpenAPIObject => ({
  openapi: '3.1.0',
  info: { title, version: '' },
  paths: {},
});

// Names of the browser. Swagger sends it the text of these functions.
declare const SwaggerUIBundle: { plugins: { DownloadUrl: unknown } };
declare const VaultlineDocs: unknown;
declare const extensionsLast: (a: unknown, b: unknown) => number;

/** Swagger UI's own plugin, which a list of plugins replaces. */
const downloadUrl = (): unknown => SwaggerUIBundle.plugins.DownloadUrl;
const vaultlineDocs = (): unknown => VaultlineDocs;
const listedFirst = (a: unknown, b: unknown): number => extensionsLast(a, b);

/** Content policy of the pages. Swagger UI uses inline styles; everything else comes from this server, so the pages work offline. */
function pagePolicy(publicUrl: string | null): ContentPolicy {
  const self = ["'self'"];
  return {
    'default-src': ["'none'"],
    'script-src': self,
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': self,
    // "Try it out" calls the API at the document's server URL.
    'connect-src': publicUrl === null ? self : [...self, new URL(publicUrl).origin],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}
