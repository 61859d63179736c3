import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Settings } from '../../config/settings.js';
import type { Detail } from '../../domain/domain-error.js';
import { BodyReader, parseJson } from './body.reader.js';
import { fieldName, RESERVED_NAMES } from './field-rules.js';
import { HttpError } from '../answer/http-error.js';
import { lostInParsing } from './json.scan.js';
import type { RoutePlan } from './route-plan.js';

const DEEPEST = 16;
/** Limit on values in a body, at any depth: the largest body of an operation has about a hundred. */
const MOST_VALUES = 1_000;
const MOST_DETAILS = 20;
const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Input check: reads the body once the caller is authenticated, so that a stranger's bytes are not parsed, and refuses text that cannot be stored.
 */
@Injectable()
export class InputCheck {
  private readonly body: BodyReader;

  constructor(settings: Settings) {
    this.body = new BodyReader(settings.constants.http.bodyLimitBytes);
  }

  /**
   * @returns null when no body is read, so that the request need not wait
   * @throws HttpError `validation_failed`, and those of `BodyReader`
   */
  read({ takesQuery, takesBody }: RoutePlan, request: Request, response: Response): Promise<void> | null {
    // `request.query` is parsed on every access, and most requests have no query.
    if (request.url.includes('?')) {
      const { query } = request;
      // The validation pipe refuses unknown fields of a declared class; this refuses input to operations that declare none.
      if (!takesQuery) refuseAll(query, 'is not a known parameter');
      refuseText(query);
    }
    return METHODS_WITH_BODY.has(request.method) ? this.readBody(takesBody, request, response) : null;
  }

  private async readBody(isTaken: boolean, request: Request, response: Response): Promise<void> {
    await this.parse(request, response);
    if (!isTaken) refuseAll(request.body as object, 'is not a known field');
  }

  private async parse(request: Request, response: Response): Promise<void> {
    const text = await this.body.read(request, response);
    request.body = text === null ? {} : parseJson(text);
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refused([{ field: 'body', message: 'must be a JSON object' }]);
    }
    if (text !== null) refuseLosses(text);
    refuseText(body);
  }
}

const refused = (details: Detail[]): HttpError =>
  new HttpError('validation_failed', 'The request is not valid; see details.', { details });

function refuseAll(given: object, message: string): void {
  const fields = Object.keys(given).slice(0, MOST_DETAILS);
  if (fields.length > 0) throw refused(fields.map((field) => ({ field: fieldName(field), message })));
}

/**
 * Bodies whose meaning parsing would change (duplicate names, numbers that lose digits) are refused: a proxy or a signature may have read the other
 * meaning.
 */
function refuseLosses(text: string): void {
  const details: Detail[] = [];
  for (const { field, message } of lostInParsing(text)) {
    details.push({ field: fieldName(field), message });
    if (details.length === MOST_DETAILS) break;
  }
  if (details.length > 0) throw refused(details);
}

/** Findings so far, and the number of values looked at. */
interface Findings {
  details: Detail[];
  values: number;
}

/** Text that PostgreSQL cannot store, or that is not valid Unicode, is refused anywhere in the input, before it is used. */
function refuseText(root: object): void {
  const findings: Findings = { details: [], values: 0 };
  visit(root, '', 1, findings);
  // Validation takes time for each value, also for unknown ones.
  if (findings.values > MOST_VALUES) {
    throw refused([{ field: 'body', message: `must hold at most ${MOST_VALUES} values` }]);
  }
  if (findings.details.length > 0) throw refused(findings.details);
}

function visit(value: unknown, path: string, depth: number, findings: Findings): void {
  const { details } = findings;
  findings.values++;
  if (typeof value === 'string') {
    const message = wrongText(value);
    if (message) details.push({ field: fieldName(path), message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) {
    details.push({ field: fieldName(path), message: `is nested deeper than ${DEEPEST} levels` });
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    if (details.length >= MOST_DETAILS || findings.values > MOST_VALUES) return;
    const at = path === '' ? name : `${path}.${name}`;
    const message = wrongName(name, depth);
    if (message) details.push({ field: fieldName(at), message });
    else visit(child, at, depth + 1, findings);
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
