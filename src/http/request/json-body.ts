import { Injectable } from '@nestjs/common';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import { Settings } from '../../config/settings.js';
import { HttpError, refuse } from '../answer/http-error.js';
import { sizeInWords } from '../answer/said.js';
import { faultsIn } from './json.scan.js';
import { wrongTexts } from './strict-values.js';

/** Limit on a body's own fields, which class-transformer copies one by one before unknown ones are refused. */
const MOST_FIELDS = 50;

declare module 'express-serve-static-core' {
  interface Request {
    /** Bytes of the body that were read, unpacked; absent when none were. */
    bodyBytes?: number;
  }
}

/** Accepted content encodings. They are listed because body-parser's own list depends on the version of Node. */
const ENCODINGS = new Set(['identity', 'gzip', 'deflate', 'br']);
const UTF8 = /^utf-?8$/i;

/**
 * Parser of JSON request bodies, within the deployment's size limit. Express's own cannot refuse what `JSON.parse` loses silently: duplicate names, and
 * numbers beyond a double.
 */
@Injectable()
export class JsonBody {
  private readonly readBytes: RequestHandler;
  private readonly limitBytes: number;

  constructor({ constants }: Settings) {
    this.limitBytes = constants.http.bodyLimitBytes;
    this.readBytes = raw({ limit: this.limitBytes, type: () => true });
  }

  /**
   * Reads the body into `request.body`; a missing or empty one is an object without fields.
   * @throws HttpError `unsupported_media_type`, `payload_too_large`, `malformed_json`, `validation_failed`
   */
  async read(request: Request, response: Response): Promise<void> {
    const text = await this.textOf(request, response);
    // A proxy or a signature may have read the meaning that parsing loses.
    if (text !== null) refuse(faultsIn(text));
    const body: unknown = text === null ? {} : parseJson(text);
    request.body = body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return refuse([{ field: 'body', message: 'must be a JSON object' }]);
    }
    if (Object.keys(body).length > MOST_FIELDS) {
      return refuse([{ field: 'body', message: `must have at most ${MOST_FIELDS} fields` }]);
    }
    refuse(wrongTexts(body));
  }

  /** @returns null for a missing or empty body */
  private async textOf(request: Request, response: Response): Promise<string | null> {
    const length = request.headers['content-length'];
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (!hasBody) return null;
    // A body without a content type and length may turn out to be empty: some clients send one to operations that take no body.
    const mayBeEmpty = request.headers['content-type'] === undefined && length === undefined;
    if (!mayBeEmpty) requireJson(request);
    requireEncoding(request);
    const bytes = await this.bytesOf(request, response);
    if (bytes.length === 0) return null;
    if (mayBeEmpty) throw notJson();
    return decoded(bytes);
  }

  private bytesOf(request: Request, response: Response): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.readBytes(request, response, (error?: unknown) => {
        request.bodyBytes = error ? this.limitBytes : (request.body as Buffer).length;
        if (error) reject(readError(error, this.limitBytes));
        else resolve(request.body as Buffer);
      });
    });
  }
}

/** Bytes that a request's body has cost: those that were sent, or those that they unpacked to. */
export const bytesRead = ({ headers, bodyBytes = 0 }: Request): number =>
  Math.max(Number(headers['content-length'] ?? 0), bodyBytes);

const notJson = (): HttpError =>
  new HttpError('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');

const malformed = (): HttpError =>
  new HttpError('malformed_json', 'The body is not well-formed JSON. Check commas, quotes and encoding.');

/** JSON is UTF-8, whatever charset the content type names (RFC 8259, 8.1). */
function requireJson(request: Request): void {
  const type = request.headers['content-type'] ?? '';
  const charsets = [...type.matchAll(/;\s*charset\s*=\s*"?([^\s";]*)/gi)].map(([, charset]) => charset!);
  if (!request.is('application/json') || !charsets.every((charset) => UTF8.test(charset))) throw notJson();
}

function requireEncoding(request: Request): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !ENCODINGS.has(encoding.toLowerCase())) {
    throw new HttpError('unsupported_media_type', 'Send the body as UTF-8, plain or in gzip, deflate or br.');
  }
}

/** @throws HttpError `malformed_json` for invalid UTF-8: replacing it with U+FFFD would make two different ids equal */
function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

/** Error of body-parser as an `HttpError` of our envelope. */
function readError(error: unknown, limitBytes: number): Error {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new HttpError(
      'payload_too_large',
      `The body is larger than ${sizeInWords(limitBytes)}. Send less.`,
    );
  }
  return status !== undefined && status < 500 ? malformed() : (error as Error);
}

/** @throws HttpError `malformed_json` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}
