import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import type { Settings } from '../../config/settings.js';
import { browserHeaders, type ContentPolicy } from './browser.headers.js';
import type { ContractDefinition } from '../contract.js';
import { docsPage, docsScript } from './docs.page.js';
import { type Document, serveDocument } from './documents.js';
import { llmsText } from './llms.js';
import { AUDIENCES, documentFor } from '../openapi/audiences.js';
import { createDocument } from '../openapi/document.js';

/**
 * Serves the contract's document as `/openapi.json`, its part for each audience as `/docs/<audience>.json`, and a page of them all as `/docs`. The
 * document is generated from the routes on first use. With `DOCS=off` no path exists.
 */
export function mountDocs(app: INestApplication, settings: Settings, contract: ContractDefinition): void {
  const { publicUrl, apiRoot } = settings;
  if (!settings.docs) return;
  // A relative URL: requests from the page go to the host and scheme that the page was loaded from.
  const serverUrl = `${publicUrl ?? ''}/${apiRoot}`;
  let made: OpenAPIObject | undefined;
  const document = (): OpenAPIObject => (made ??= createDocument(app, contract, settings, serverUrl));
  const express = app.getHttpAdapter().getInstance() as Express;
  const serve = (path: string, type: string, make: Document['make']): unknown =>
    express.get(path, serveDocument({ type, make }));

  app.use('/docs', browserHeaders(pagePolicy(publicUrl)));
  app.use('/openapi.json', browserHeaders({ 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }));
  serve('/openapi.json', JSON_TYPE, () => JSON.stringify(document()));
  serve('/docs/llms.txt', TEXT_TYPE, () => llmsText(document()));
  const { title } = contract.introduction;
  const [page, folder] = ['./docs/', './'].map((base) =>
    serveDocument({ type: HTML_TYPE, make: () => docsPage(title, base) }),
  );
  express.get('/docs', (request, response, next) =>
    (request.path.endsWith('/') ? folder! : page!)(request, response, next),
  );
  express.get('/docs/index.html', folder!);
  for (const audience of AUDIENCES)
    serve(`/docs/${audience.name}.json`, JSON_TYPE, () => JSON.stringify(documentFor(audience, document())));
  serve('/docs/swagger-ui-init.js', SCRIPT_TYPE, () => docsScript(OFFERED));
  for (const [name, type] of Object.entries(FILES)) {
    serve(`/docs/${name}`, type, () => readFile(join(swaggerUi(), name)));
  }
}

/** The choice of the page. */
const OFFERED = [
  ...AUDIENCES.map(({ name, title }) => ({ name: title, url: `${name}.json` })),
  { name: 'Everything', url: '../openapi.json' },
];

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** Files of Swagger UI that the pages need. Its folder also has other builds, source maps, and a page that calls another site. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT_TYPE,
  'swagger-ui-standalone-preset.js': SCRIPT_TYPE,
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

/** Folder of the Swagger UI version that @nestjs/swagger depends on. */
function swaggerUi(): string {
  const ofNest = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(ofNest).resolve('swagger-ui-dist/package.json'));
}

/** Content policy of the pages. Swagger UI uses inline styles; everything else comes from this server, so the pages work offline. */
export function pagePolicy(publicUrl: string | null): ContentPolicy {
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
