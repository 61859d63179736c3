import { Injectable } from '@nestjs/common';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import { Settings } from '../../config/settings.js';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { HttpError } from '../answer/http-error.js';
import { sizeInWords } from '../answer/said.js';
import { fieldName, refuse, wrongTexts } from './field-rules.js';

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

const UTF8_TEXT = new TextDecoder('utf-8', { fatal: true });

/** @throws HttpError `malformed_json` for invalid UTF-8: replacing it with U+FFFD would make two different ids equal */
function decoded(bytes: Buffer): string {
  try {
    return UTF8_TEXT.decode(bytes);
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

/** Levels of a body, and values at any of them: metadata of 4 KiB has up to 2,000, and the rest of a body about a hundred. */
const DEEPEST = 16;
const MOST_VALUES = 2_500;

/** JSON token that matters here: a string, a word (`true`, `false`, `null`), a number, or punctuation. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|[a-z]+|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Decimal digits that a double always keeps. */
const DIGITS_OF_A_DOUBLE = 15;
/** Length limit of a number in characters: the largest double, written out, has 309. */
const LONGEST_NUMBER = 400;

/** Object or list that the scan is inside, and its path. */
interface Level {
  /** Names seen so far; null in a list. */
  names: Set<string> | null;
  at: string | number;
}

/**
 * Faults that `JSON.parse` would lose silently: a duplicate name, and a number beyond a double. The scan ends at the first value beyond the limits:
 * 64 KiB of brackets take 8 ms. The text is JSON; for a malformed one the faults are a guess.
 */
export function* faultsIn(text: string): Generator<Detail> {
  const levels: Level[] = [];
  let nameFollows = false;
  let values = 0;
  const path = (): string => (levels.length === 0 ? 'body' : fieldName(levels.map(({ at }) => at).join('.')));
  for (const [token] of text.matchAll(TOKEN)) {
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
      const name = nameOf(token);
      if (name === null) return;
      nameFollows = false;
      level!.at = name;
      if (level!.names!.has(name)) yield { field: path(), message: 'is given twice' };
      level!.names!.add(name);
      continue;
    }
    if (++values > MOST_VALUES) {
      yield { field: 'body', message: `must hold at most ${MOST_VALUES} values` };
      return;
    }
    if (token === '{' || token === '[') {
      if (levels.length === DEEPEST) {
        yield { field: path(), message: `is nested deeper than ${DEEPEST} levels` };
        return;
      }
      nameFollows = token === '{';
      levels.push({ names: nameFollows ? new Set() : null, at: 0 });
    } else if (/^[-\d]/.test(token) && !isKept(token)) {
      yield { field: path(), message: 'must be a number of at most 15 digits, below 1e308' };
    }
  }
}

/** @returns null for a token that is no string */
function nameOf(token: string): string | null {
  try {
    const name: unknown = JSON.parse(token);
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** Whether a double holds exactly the number that was written, in whatever notation: 1.50 is 15e-1. */
function isKept(source: string): boolean {
  if (source.length <= DIGITS_OF_A_DOUBLE && !/e/i.test(source)) return true;
  return source.length <= LONGEST_NUMBER && canonical(source) === canonical(String(Number(source)));
}

/** Digits and exponent in canonical form; null for text that is no number. */
function canonical(source: string): string | null {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + decimals).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return (
    significant && `${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`
  );
}
