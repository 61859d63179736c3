import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../config/settings.js';
import type { ContractDefinition } from '../contract.js';
import { AUDIENCES, documentFor } from '../openapi/audiences.js';
import { createDocument } from '../openapi/document.js';
import { type Document, serveDocument } from './documents.js';

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
  const { title } = contract.introduction;
  const [page, folder] = ['./docs/', './'].map((base) =>
    serveDocument({ type: HTML_TYPE, make: () => docsPage(title, base) }),
  );
  express.get('/docs', (request, response, next) =>
    (request.path.endsWith('/') ? folder! : page!)(request, response, next),
  );
  // For browsers. No route, so that to a program the path stays unknown, whatever its method.
  express.use(/^\/$/, (request, response, next) =>
    ['GET', 'HEAD'].includes(request.method) && request.headers.accept?.includes('text/html')
      ? response.redirect('./docs')
      : next(),
  );
  express.get('/docs/index.html', folder!);
  for (const audience of AUDIENCES)
    serve(`/docs/${audience.name}.json`, JSON_TYPE, () => JSON.stringify(documentFor(audience, document())));
  serve('/docs/swagger-ui-init.js', SCRIPT_TYPE, () => docsScript(OFFERED));
  for (const [name, type] of Object.entries(FILES)) {
    serve(`/docs/${name}`, type, () => readFile(join(swaggerUi(), name)));
  }
}

const OFFERED = [
  ...AUDIENCES.map(({ name, title }) => ({ name: title, url: `${name}.json` })),
  { name: 'Everything', url: '../openapi.json' },
];

const JSON_TYPE = 'application/json; charset=utf-8';
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

const docsPage = (title: string, base: string): string => `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <title>${escaped(title)}</title>
    <link rel="stylesheet" type="text/css" href="${base}swagger-ui.css">
    <link rel="icon" type="image/png" href="${base}favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="${base}favicon-16x16.png" sizes="16x16">
    <style>
      html { box-sizing: border-box; overflow-y: scroll; }
      *, *:before, *:after { box-sizing: inherit; }
      body { margin: 0; background: #fafafa; }
      .swagger-ui .topbar .link { display: none }
      .extension-badge {
        display: inline-block; margin: 0 .5em; padding: 0 .5em; border: 1px solid #8c5a00; border-radius: 1em;
        background: #fff6e5; color: #6b4400; font: 600 11px/1.6 sans-serif; white-space: nowrap;
      }
    </style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}swagger-ui-bundle.js"></script>
    <script src="${base}swagger-ui-standalone-preset.js"></script>
    <script src="${base}swagger-ui-init.js"></script>
  </body>
</html>
`;

interface OfferedDocument {
  name: string;
  /** Relative to the folder of the page's files. */
  url: string;
}

/**
 * Script of the page. It opens the first document, and marks extensions by a badge beside the path of an operation and the name of a parameter or a
 * field: Swagger UI itself shows no `x-extension` but in a list of all vendor keywords.
 */
const docsScript = (
  documents: readonly OfferedDocument[],
): string => `const files = document.currentScript.src;

const ExtensionBadge = (system) => {
  const element = system.React.createElement;
  const badge = () => element('span', { className: 'extension-badge' }, 'extension');
  const beside = (isMarked) => (Original) => (props) =>
    element(system.React.Fragment, null, element(Original, props), isMarked(props) ? badge() : null);
  // A folded operation is not resolved: the document itself has its mark.
  const isExtension = (path, method) =>
    system.getSystem().specSelectors.specJson().getIn(['paths', path, method, 'x-extension']) === true;
  return {
    wrapComponents: {
      OperationSummaryPath: beside(({ operationProps }) => isExtension(operationProps.get('path'), operationProps.get('method'))),
      JSONSchema202012KeywordTitle: beside(({ schema }) => schema['x-extension'] === true),
      ParameterExt: () => ({ xKey }) => (xKey === 'x-extension' ? badge() : null),
      OperationExt: () => () => null,
      JSONSchema202012ExtensionKeywords: () => () => null,
    },
  };
};

window.onload = () => {
  window.ui = SwaggerUIBundle({
    urls: ${JSON.stringify(documents)}.map(({ name, url }) => ({ name, url: new URL(url, files).href })),
    'urls.primaryName': ${JSON.stringify(documents[0]?.name)},
    dom_id: '#swagger-ui',
    deepLinking: true,
    showExtensions: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl, ExtensionBadge],
    layout: 'StandaloneLayout',
  });
};
`;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Content-Security-Policy: sources of each directive, in the order in which they are sent. */
type ContentPolicy = Record<string, readonly string[]>;

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
