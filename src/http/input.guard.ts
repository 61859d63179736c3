import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { Settings } from '../config/settings.js';
import type { Detail } from '../domain/domain-error.js';
import { HttpError } from './http-error.js';

const DEEPEST = 16;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Reads the body once the caller is known, so that a stranger's bytes are not parsed; and refuses text that no field can hold. */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly parse: RequestHandler;

  constructor(settings: Settings) {
    // strict: false, because a bare number is well-formed JSON; that it is no object is said as such.
    this.parse = json({ limit: settings.constants.http.body_limit_bytes, strict: false, type: () => true });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    refuseText(request.query);
    if (!METHODS_WITH_BODY.has(request.method)) return true;
    await this.read(request, http.getResponse<Response>());
    return true;
  }

  private async read(request: Request, response: Response): Promise<void> {
    const length = request.headers['content-length'];
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
    if (!hasBody) {
      request.body = {};
      return;
    }
    if (!request.is('application/json')) {
      throw new HttpError(
        'unsupported_media_type',
        'Send the body as JSON, with "Content-Type: application/json".',
      );
    }
    await new Promise<void>((resolve, reject) => {
      this.parse(request, response, (error?: unknown) => (error ? reject(parseError(error)) : resolve()));
    });
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refused([{ field: 'body', message: 'must be a JSON object' }]);
    }
    refuseText(body);
  }
}

/** What body-parser throws, in our words. */
function parseError(error: unknown): Error {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') {
    return new HttpError('payload_too_large', 'The body is larger than 64 KiB. Send less.');
  }
  if (status === 415) {
    return new HttpError(
      'unsupported_media_type',
      'Send the body as UTF-8, plain or in gzip, deflate or br.',
    );
  }
  if (status !== undefined && status < 500) {
    return new HttpError(
      'malformed_json',
      'The body is not well-formed JSON. Check commas, quotes and encoding.',
    );
  }
  return error as Error;
}

const refused = (details: Detail[]): HttpError =>
  new HttpError('validation_failed', 'The request is not valid; see details.', { details });

/** Text that PostgreSQL cannot store or that has no meaning in UTF-8 is refused wherever it stands, before anything is done with it. */
function refuseText(root: object): void {
  const details: Detail[] = [];
  visit(root, '', 1, details);
  if (details.length > 0) throw refused(details);
}

function visit(value: unknown, path: string, depth: number, details: Detail[]): void {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) details.push({ field: path, message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) {
    details.push({ field: path.slice(0, 200), message: `is nested deeper than ${DEEPEST} levels` });
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    if (details.length >= 20) return;
    const at = path === '' ? name : `${path}.${name}`;
    const message = wrongName(name, depth);
    if (message) details.push({ field: at.toWellFormed().replaceAll('\0', ''), message });
    else visit(child, at, depth + 1, details);
  }
}

/** Names that Nest strips from input, and those that every object has, which class-transformer drops: neither may vanish without a word. */
const STRIPPED = new Set(['__proto__', 'constructor', 'prototype']);

function wrongName(name: string, depth: number): string | null {
  if (depth === 1 && (STRIPPED.has(name) || name in Object.prototype)) return 'is not a known field';
  return STRIPPED.has(name) ? 'is a reserved name' : wrongText(name);
}

function wrongText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
