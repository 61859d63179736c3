import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import type { Detail } from '../../domain/domain-error.js';
import { BodyReader, parseJson } from './body.reader.js';
import { fieldName, RESERVED_NAMES } from './field-rules.js';
import { invalid } from '../answer/http-error.js';
import { requireForm } from './head.check.js';
import { faultsIn } from './json.scan.js';
import type { RoutePlan } from './route-plan.js';

/** Limit on a body's own fields, which class-transformer copies one by one before unknown ones are refused. */
const MOST_FIELDS = 50;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Input check: judges the head and reads the body once the caller is authenticated, so that a stranger's bytes are not parsed, and refuses text that cannot be stored.
 */
@Injectable()
export class InputCheck {
  private readonly body: BodyReader;

  constructor(settings: Settings) {
    this.body = new BodyReader(settings.constants.http.bodyLimitBytes);
  }

  /**
   * @returns null when no body is read, so that the request need not wait
   * @throws HttpError `validation_failed`, `not_acceptable`, and those of `BodyReader`
   */
  read({ takesQuery, takesBody }: RoutePlan, request: Request, response: Response): Promise<void> | null {
    if (request.isApi) requireForm(request);
    // `request.query` is parsed on every access, and most requests have no query.
    if (request.url.includes('?')) {
      const { query } = request;
      // The validation pipe refuses unknown fields of a declared class; this refuses input to operations that declare none.
      if (!takesQuery) refuse(allOf(query, 'is not a known parameter'));
      refuse(wrongTexts(query));
    }
    return METHODS_WITH_BODY.has(request.method) ? this.readBody(takesBody, request, response) : null;
  }

  private async readBody(isTaken: boolean, request: Request, response: Response): Promise<void> {
    await this.parse(request, response);
    if (!isTaken) refuse(allOf(request.body as object, 'is not a known field'));
  }

  private async parse(request: Request, response: Response): Promise<void> {
    const text = await this.body.read(request, response);
    // A proxy or a signature may have read the meaning that parsing loses.
    if (text !== null) refuse(faultsIn(text));
    request.body = text === null ? {} : parseJson(text);
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return refuse([{ field: 'body', message: 'must be a JSON object' }]);
    }
    if (Object.keys(body).length > MOST_FIELDS) {
      return refuse([{ field: 'body', message: `must have at most ${MOST_FIELDS} fields` }]);
    }
    refuse(wrongTexts(body));
  }
}

/** @throws HttpError `validation_failed` when there is a fault */
function refuse(faults: Iterable<Detail>): void {
  const refusal = invalid(faults);
  if (refusal) throw refusal;
}

function* allOf(given: object, message: string): Generator<Detail> {
  for (const field of Object.keys(given)) yield { field: fieldName(field), message };
}

/** Text anywhere in the input that PostgreSQL cannot store, or that is not valid Unicode. */
function* wrongTexts(value: unknown, path = '', depth = 1): Generator<Detail> {
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) yield { field: fieldName(path), message };
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const message = wrongName(name, depth);
    if (message) yield { field: fieldName(at), message };
    else yield* wrongTexts(child, at, depth + 1);
  }
}

/** First-level names may not be those of `Object.prototype` either: class-transformer drops them, and no field may vanish silently. */
function wrongName(name: string, depth: number): string | null {
  const isReserved = RESERVED_NAMES.includes(name);
  if (depth === 1 && (isReserved || name in Object.prototype)) return 'is not a known field';
  return isReserved ? 'is a reserved name' : wrongText(name);
}

function wrongText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair';
}
