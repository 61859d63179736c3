import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix, sep } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Express, RequestHandler } from 'express';
import type { Settings } from '../../config/settings.js';
import { browserHeaders } from './browser-headers.js';
import { serveDocument } from './documents.js';
import { HttpError } from '../answer/http-error.js';

/** Bounds on the built console: all of its files stay in memory. */
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;

const PAGE = 'index.html';
/** Folder whose file names carry a hash of their content. */
const HASHED = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The console's page loads files of this server and calls its API, nothing else. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** Media types by file extension; an unknown one is served as a download. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves the built console below `/console`. Its files are read once, at start: the path of a request is looked up among their names and never
 * reaches the file system. With `CONSOLE=off` the path does not exist.
 * @throws Error for a build beyond the bounds above
 */
export function mountConsole(app: INestApplication, { console, consoleFolder }: Settings): void {
  if (!console) return;
  app.use('/console', browserHeaders(POLICY));
  const express = app.getHttpAdapter().getInstance() as Express;
  express.get('/console{/*file}', consoleFolder === null ? notBuilt : serveFolder(consoleFolder));
}

const notBuilt: RequestHandler = (_request, _response, next) =>
  next(
    new HttpError(
      'route_not_found',
      'The console is not built here. Run `npm run build`, then start the server again; or set CONSOLE=off.',
    ),
  );

function serveFolder(folder: string): RequestHandler {
  const files = new Map([...readFiles(folder)].map(([name, content]) => [name, handlerOf(name, content)]));
  const page = files.get(PAGE)!;
  return (request, response, next) => {
    // Path segments as Express has decoded them; `..` and encoded slashes match no file name.
    const { file = [] } = request.params as { file?: string[] };
    const name = file.join('/');
    // A missing hashed file belongs to another build; answering with the page would have it run as a script.
    const found = files.get(name) ?? (name.startsWith(HASHED) ? null : page);
    if (found) return found(request, response, next);
    next(
      new HttpError('route_not_found', 'This build of the console has no such file. Load the page again.'),
    );
  };
}

const handlerOf = (name: string, content: Buffer): RequestHandler =>
  serveDocument({
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    ...(name.startsWith(HASHED) && { cacheControl: FOR_EVER }),
    make: () => content,
  });

function readFiles(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  if (names.length > MOST_FILES || bytes > MOST_BYTES)
    throw new Error(
      `The console in ${folder} has ${names.length} files of ${bytes} bytes; allowed are ${MOST_FILES} of ${MOST_BYTES}.`,
    );
  return new Map(names.map((name) => [name.split(sep).join(posix.sep), readFileSync(join(folder, name))]));
}
