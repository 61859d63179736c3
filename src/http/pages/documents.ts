import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';

/** A static document: generated once, then served unchanged while the process runs. */
export interface Document {
  type: string;
  /** Default: may be cached but must be revalidated, because another version of the service has other documents. */
  cacheControl?: string;
  make(): string | Buffer | Promise<Buffer>;
}

interface RenderedDocument {
  plain: Buffer;
  /** null when compression would not make it shorter. */
  gzipped: Buffer | null;
  tag: string;
}

/**
 * Serves a document from bytes that are generated and compressed once, so that unauthenticated reads cost next to nothing. Callers that have it
 * already get 304.
 */
export function serveDocument(document: Document): RequestHandler {
  let made: Promise<RenderedDocument> | null = null;
  return (request, response, next) => {
    // A failure is not cached: the next read tries again.
    made ??= make(document).catch((error: unknown) => {
      made = null;
      throw error;
    });
    made.then((whole) => send(request, response, document, whole)).catch(next);
  };
}

async function make(document: Document): Promise<RenderedDocument> {
  const plain = Buffer.from(await document.make());
  const gzipped = await promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION });
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { plain, gzipped: gzipped.length < plain.length ? gzipped : null, tag };
}

function send(
  request: Request,
  response: Response,
  { type, cacheControl = 'no-cache' }: Document,
  { plain, gzipped, tag }: RenderedDocument,
): void {
  const isGzip = gzipped !== null && request.acceptsEncodings('gzip', 'identity') === 'gzip';
  // Express's own check ignores the tag of a request with `Cache-Control: no-cache`, which `fetch` adds to it.
  const isKnown = matches(request.headers['if-none-match'], tag);
  response.set({
    'Cache-Control': cacheControl,
    // Each encoding is a representation with an ETag of its own (RFC 9110, 8.8.3.3).
    ETag: isGzip ? `"${tag}-gzip"` : `"${tag}"`,
    'Content-Type': type,
    ...(isGzip && !isKnown && { 'Content-Encoding': 'gzip' }),
  });
  response.vary('Accept-Encoding');
  if (isKnown) response.status(304);
  response.send(isGzip ? gzipped : plain);
}

/** Whether `If-None-Match` names the document, in either encoding. */
function matches(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  return (
    condition.trim() === '*' ||
    condition.split(',').some((entry) => {
      const name = entry.trim().replace(/^W\//, '');
      return name === `"${tag}"` || name === `"${tag}-gzip"`;
    })
  );
}
