import { createHash } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';
import type { Settings } from '../../config/settings.js';
import type { ContractDefinition } from '../contract.js';
import { browserHeaders } from './browser-headers.js';
import { serveDocument } from './documents.js';

const STYLE = `:root{color-scheme:light dark;--ink:#16201d;--soft:#55625d;--paper:#f6f7f6;--accent:#0b6b5b;
font:16px/1.5 Inter,system-ui,'Segoe UI',Roboto,Arial,sans-serif;background:var(--paper);color:var(--ink)}
@media(prefers-color-scheme:dark){:root{--ink:#e6ecea;--soft:#98a6a1;--paper:#0d1110;--accent:#55c9b2}}
body{max-width:38rem;margin:12vh auto;padding:0 1.25rem}
h1{margin:0;font-size:1.5rem;letter-spacing:-.015em}
dt{margin-top:1.25rem;font-weight:600}dd{margin:0;color:var(--soft)}
a{color:var(--accent);text-underline-offset:2px}`;

/** The page has a style of its own, known by its digest, and loads nothing. */
const POLICY = {
  'default-src': ["'none'"],
  'style-src': [`'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Serves a page at `/` to browsers: what answers here, and where to go on. It is no route, so that to a program the path stays unknown, whatever its
 * method.
 */
export function mountFrontPage(
  app: INestApplication,
  settings: Settings,
  contract: ContractDefinition,
): void {
  const page = serveDocument({
    type: 'text/html; charset=utf-8',
    make: () => pageOf(settings, contract.introduction),
  });
  const headers = browserHeaders(POLICY);
  const express = app.getHttpAdapter().getInstance() as Express;
  express.use(/^\/$/, (request, response, next) => {
    // A cache must not give the page to a program, nor the refusal to a browser.
    response.vary('Accept');
    if (!['GET', 'HEAD'].includes(request.method) || request.accepts('json', 'html') !== 'html')
      return next();
    headers(request, response, () => page(request, response, next));
  });
}

/** Links are relative: a proxy may serve the page below a path of its own. */
function pageOf(
  { docs, console, simulatedYields }: Settings,
  { title, description }: ContractDefinition['introduction'],
): string {
  const [what = ''] = description.split('\n\n');
  const links = [
    ...(console
      ? [['console', 'Console', 'See the books, and why money moved. Sign in with an API key.']]
      : []),
    ...(docs
      ? [['docs', 'API documentation', 'Every operation, with examples; openapi.json for programs.']]
      : []),
    ['health/ready', 'Health', 'Whether deposits are taken.'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(what)}${simulatedYields ? ' Yields of this deployment are simulated.' : ''}</p>
<dl>
${links.map(([path, name, text]) => `<dt><a href="./${path}">${name}</a></dt><dd>${text}</dd>`).join('\n')}
</dl>
</main>
</body>
</html>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
