import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { Settings } from '../config/settings.js';
import type { Detail } from '../domain/domain-error.js';
import { HttpError } from './http-error.js';

const DEEPEST = 16;
const MOST_DETAILS = 20;
/** Characters of a name that an answer repeats. */
const LONGEST_FIELD = 200;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Reads the body once the caller is known, so that a stranger's bytes are not parsed; and refuses text that no field can hold. */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly parse: RequestHandler;

  constructor(settings: Settings) {
    this.parse = json({
      limit: settings.constants.http.body_limit_bytes,
      // A bare number is well-formed JSON; that it is no object is said as such.
      strict: false,
      type: () => true,
      // The decoder would put U+FFFD for what is no UTF-8, and two ids that differ would become one.
      verify: (request: WithLength, _response, bytes, encoding) => {
        request.bodyLength = bytes.length;
        if (encoding === 'utf-8' && !isUtf8(bytes)) throw new Error('not UTF-8');
      },
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const takes = parametersOf(context);
    if (!takes.has(RouteParamtypes.QUERY)) refuseAll(request.query, 'is not a known parameter');
    refuseText(request.query);
    if (!METHODS_WITH_BODY.has(request.method)) return true;
    await this.read(request, http.getResponse<Response>());
    if (!takes.has(RouteParamtypes.BODY)) refuseAll(request.body as object, 'is not a known field');
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
    // Without a type, a body of unknown length may turn out to be none: clients send that where no body is asked for.
    const mayBeEmpty = request.headers['content-type'] === undefined && length === undefined;
    if (!mayBeEmpty && !request.is('application/json')) throw notJson();
    await new Promise<void>((resolve, reject) => {
      this.parse(request, response, (error?: unknown) => {
        if (!error) return resolve();
        reject(
          mayBeEmpty && (request as WithLength).bodyLength !== undefined ? notJson() : parseError(error),
        );
      });
    });
    if (mayBeEmpty && (request as WithLength).bodyLength !== 0) throw notJson();
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refused([{ field: 'body', message: 'must be a JSON object' }]);
    }
    refuseText(body);
  }
}

interface WithLength extends IncomingMessage {
  /** Bytes of the body, decompressed. */
  bodyLength?: number;
}

const notJson = (): HttpError =>
  new HttpError('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');

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

/** What a handler takes of a request: validation refuses what its classes do not name, and this what it has no class for. */
function parametersOf(context: ExecutionContext): Set<RouteParamtypes> {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as
    Record<string, unknown> | undefined;
  return new Set(Object.keys(declared ?? {}).map((key) => Number(key.split(':')[0]) as RouteParamtypes));
}

function refuseAll(given: object, message: string): void {
  const fields = Object.keys(given).slice(0, MOST_DETAILS);
  if (fields.length > 0)
    throw refused(fields.map((field) => ({ field: field.slice(0, LONGEST_FIELD), message })));
}

/** Text that PostgreSQL cannot store or that has no meaning in UTF-8 is refused wherever it stands, before anything is done with it. */
function refuseText(root: object): void {
  const details: Detail[] = [];
  visit(root, '', 1, details);
  if (details.length > 0) throw refused(details);
}

function visit(value: unknown, path: string, depth: number, details: Detail[]): void {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) details.push({ field: path.slice(0, LONGEST_FIELD), message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) {
    details.push({ field: path.slice(0, LONGEST_FIELD), message: `is nested deeper than ${DEEPEST} levels` });
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    if (details.length >= MOST_DETAILS) return;
    const at = path === '' ? name : `${path}.${name}`;
    const message = wrongName(name, depth);
    if (message)
      details.push({ field: at.slice(0, LONGEST_FIELD).toWellFormed().replaceAll('\0', ''), message });
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
