import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { CallerGone } from '../access/caller.js';
import { HttpError } from '../answer/http-error.js';
import { sizeInWords } from '../answer/placeholders.js';
import { fieldName, refuse, wrongTexts } from './field-rules.js';

/** Limit on a body's own fields, which class-transformer copies one by one before unknown ones are refused. */
const MAX_FIELDS = 50;

declare module 'express-serve-static-core' {
  interface Request {
    /** Bytes read from the body, or their decompressed size where that is larger; absent until the body is read. */
    bodyBytes?: number;
  }
}

const UNPACK = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const UTF8 = /^utf-?8$/i;

/**
 * Parser of JSON request bodies, within the deployment's size limit, before and after unpacking. Express's own cannot refuse what `JSON.parse` loses
 * silently: duplicate names, and numbers beyond a double; and it answers a body that is too large only once all of it has arrived.
 */
@Injectable()
export class JsonBody {
  private readonly limitBytes: number;

  constructor({ constants }: Settings) {
    this.limitBytes = constants.http.bodyLimitBytes;
  }

  /**
   * Reads the body into `request.body`; a missing or empty one is an object without fields.
   * @throws HttpError `unsupported_media_type`, `payload_too_large`, `malformed_json`, `validation_failed`; CallerGone
   */
  async read(request: Request): Promise<void> {
    const text = await this.textOf(request);
    const body: unknown = text === null ? {} : parseJson(text);
    // A proxy or a signature check may have read what parsing loses.
    if (text !== null) refuse(faultsIn(text));
    request.body = body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return refuse([{ field: 'body', message: 'must be a JSON object' }]);
    }
    if (Object.keys(body).length > MAX_FIELDS) {
      return refuse([{ field: 'body', message: `must have at most ${MAX_FIELDS} fields` }]);
    }
    refuse(wrongTexts(body));
  }

  private async textOf(request: Request): Promise<string | null> {
    const { 'content-length': length, 'content-type': type } = request.headers;
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (!hasBody) return null;
    // A body without a content type and length may turn out to be empty: some clients send one to operations that take no body.
    const mayBeEmpty = type === undefined && length === undefined;
    if (!mayBeEmpty) requireJson(request);
    const encoding = encodingOf(request);
    const bytes = await this.bytesOf(request);
    if (bytes.length === 0) return null;
    if (mayBeEmpty) throw notJson();
    return decode(encoding === null ? bytes : await this.unpack(request, bytes, encoding));
  }

  /** The rest of a refused body is dropped as it arrives; the answer does not wait for it. */
  private async bytesOf(request: Request): Promise<Buffer> {
    request.bodyBytes = 0;
    if (Number(request.headers['content-length'] ?? 0) > this.limitBytes) throw this.tooLarge();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (request.bodyBytes + chunk.length > this.limitBytes) throw this.tooLarge(request);
        request.bodyBytes += chunk.length;
        chunks.push(chunk);
      }
    } catch (error) {
      request.resume();
      throw error instanceof HttpError ? error : new CallerGone();
    }
    return Buffer.concat(chunks);
  }

  private async unpack(request: Request, bytes: Buffer, encoding: keyof typeof UNPACK): Promise<Buffer> {
    try {
      const unpacked = await UNPACK[encoding](bytes, { maxOutputLength: this.limitBytes });
      request.bodyBytes = Math.max(bytes.length, unpacked.length);
      return unpacked;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') throw malformed();
      throw this.tooLarge(request);
    }
  }

  /** Costs as much as the largest accepted body, and nothing where the `Content-Length` alone refuses it. */
  private tooLarge(request?: Request): HttpError {
    if (request) request.bodyBytes = this.limitBytes;
    return new HttpError(
      'payload_too_large',
      `The body is larger than ${sizeInWords(this.limitBytes)}. Send less.`,
    );
  }
}

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

/** @returns null for a body that is not compressed */
function encodingOf({ headers }: Request): keyof typeof UNPACK | null {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  // Node decodes no transfer coding but this one, and passes the others on as they are.
  if ((headers['transfer-encoding']?.toLowerCase() ?? 'chunked') !== 'chunked')
    throw new HttpError(
      'unsupported_media_type',
      'Send the body chunked or with its length, without another transfer coding.',
    );
  if (encoding === 'identity') return null;
  if (Object.hasOwn(UNPACK, encoding)) return encoding as keyof typeof UNPACK;
  throw new HttpError('unsupported_media_type', 'Send the body as UTF-8, plain or in gzip, deflate or br.');
}

const UTF8_TEXT = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpError `malformed_json` for invalid UTF-8: replacing it with U+FFFD would make two different ids equal */
function decode(bytes: Buffer): string {
  try {
    return UTF8_TEXT.decode(bytes);
  } catch {
    throw malformed();
  }
}

/** @throws HttpError `malformed_json` */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** Levels of a body, and values at any of them: metadata of 4 KiB has up to 2,000, and the rest of a body about a hundred. */
const MAX_DEPTH = 16;
const MAX_VALUES = 2_500;

/** JSON token that matters here: a string, a word (`true`, `false`, `null`), a number, or punctuation. Sticky: it is tried once at each token. */
const TOKEN = /[\s:]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|[a-z]+|-?\d[\d.eE+-]*)/gy;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Decimal digits that a double always keeps. */
const DIGITS_OF_A_DOUBLE = 15;
/** Length limit of a number in characters: the largest double, written out, has 309. */
const MAX_NUMBER_LENGTH = 400;

/** Object or list that the scan is inside, and its path. */
interface Level {
  /** Names seen so far; null in a list. */
  names: Set<string> | null;
  at: string | number;
}

/**
 * Faults that `JSON.parse` has lost silently: a duplicate name, and a number beyond a double. The scan ends at the first value beyond the limits.
 * @param text has been parsed: it is JSON
 */
export function* faultsIn(text: string): Generator<Detail> {
  const levels: Level[] = [];
  let nameFollows = false;
  let values = 0;
  const path = (): string => (levels.length === 0 ? 'body' : fieldName(levels.map(({ at }) => at).join('.')));
  for (const [, token = ''] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '}' || token === ']') {
      nameFollows = false;
      levels.pop();
      continue;
    }
    if (token === ',') {
      if (level?.names) nameFollows = true;
      else if (level) level.at = (level.at as number) + 1;
      continue;
    }
    if (nameFollows) {
      const name = JSON.parse(token) as string;
      nameFollows = false;
      level!.at = name;
      if (level!.names!.has(name)) yield { field: path(), message: 'is given twice' };
      level!.names!.add(name);
      continue;
    }
    if (++values > MAX_VALUES) {
      yield { field: 'body', message: `must hold at most ${MAX_VALUES} values` };
      return;
    }
    if (token === '{' || token === '[') {
      if (levels.length === MAX_DEPTH) {
        yield { field: path(), message: `is nested deeper than ${MAX_DEPTH} levels` };
        return;
      }
      nameFollows = token === '{';
      levels.push({ names: nameFollows ? new Set() : null, at: 0 });
    } else if (/^[-\d]/.test(token) && !isExact(token)) {
      yield { field: path(), message: 'must be a number of at most 15 digits, below 1e308' };
    }
  }
}

/** Whether a double holds exactly the number that was written, in whatever notation: 1.50 is 15e-1. */
function isExact(source: string): boolean {
  if (source.length <= DIGITS_OF_A_DOUBLE && !/e/i.test(source)) return true;
  return source.length <= MAX_NUMBER_LENGTH && canonical(source) === canonical(String(Number(source)));
}

/** Digits and exponent in canonical form; null for text that is not a number. */
function canonical(source: string): string | null {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + decimals).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  return (
    significant && `${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`
  );
}
