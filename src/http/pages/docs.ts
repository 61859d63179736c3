import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express } from 'express';
import type { Settings } from '../../config/settings.js';
import { browserHeaders, type Policy } from '../wire/browser.headers.js';
import type { ContractDefinition } from '../contract.js';
import { docsPage, docsScript } from './docs.page.js';
import { type Document, serveDocument } from './documents.js';
import { llmsText } from './llms.js';
import { createDocument } from '../openapi/document.js';

/**
 * Serves the contract's document as `/openapi.json`, and as pages under `/docs`. They are made from the routes, when first asked for. Where the
 * settings turn them off, neither path exists.
 */
export function mountDocs(app: INestApplication, settings: Settings, contract: ContractDefinition): void {
  const { publicUrl, apiRoot } = settings;
  if (!settings.docs) return;
  // Relative: whatever host and scheme the page was read from, its requests go back there.
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
  const [page, folder] = ['./docs/', '../'].map((base) =>
    serveDocument({ type: HTML_TYPE, make: () => docsPage(title, base) }),
  );
  express.get('/docs', (request, response, next) =>
    (request.path.endsWith('/') ? folder! : page!)(request, response, next),
  );
  express.get('/docs/index.html', folder!);
  serve('/docs/swagger-ui-init.js', SCRIPT_TYPE, () => docsScript(document()));
  for (const [name, type] of Object.entries(FILES)) {
    serve(`/docs/${name}`, type, () => readFile(join(swaggerUi(), name)));
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** What the pages need of Swagger UI's folder. It has more: other builds, source maps, a page that asks another site. */
const FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': SCRIPT_TYPE,
  'swagger-ui-standalone-preset.js': SCRIPT_TYPE,
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

/** The folder of the version that @nestjs/swagger comes with. */
function swaggerUi(): string {
  const ofNest = createRequire(import.meta.url).resolve('@nestjs/swagger');
  return dirname(createRequire(ofNest).resolve('swagger-ui-dist/package.json'));
}

/** Swagger UI styles itself inline; all else comes from here, so that the pages work without the internet. */
export function pagePolicy(publicUrl: string | null): Policy {
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
