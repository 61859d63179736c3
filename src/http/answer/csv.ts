import { type CallHandler, Injectable, type StreamableFile, type Type } from '@nestjs/common';
import { type Request, request as expressRequest, type Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { MARKS } from '../openapi/schema.js';
import { ListPage } from '../request/paging.js';
import { AnswerStreams, FileAnswer } from './answer-streams.js';
import { AMOUNT_DECIMALS, cellOf, type Column, RATE_DECIMALS } from './csv-cell.js';
import { type DeclaredAnswer, SpanAnswer } from './envelope.js';
import { fieldsOf } from './answer-fields.js';
import { refuse } from '../request/field-rules.js';

const MAX_ROWS = 1_000_000;

/** Media types with the parameters that a caller may ask for; any other parameter, a charset among them, is not served. */
export const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Whether a caller takes a list as CSV rather than as JSON. */
export const wantsCsv = (request: Request): boolean =>
  ['GET', 'HEAD'].includes(request.method) &&
  expressRequest.accepts.bind(request)([JSON_TYPE, CSV_TYPE]) === CSV_TYPE;

/** Lines of an answer as CSV (RFC 4180), streamed page after page: no transaction stays open for a slow reader, and no more than a page is in memory. */
@Injectable()
export class CsvAnswer {
  private readonly columns = new WeakMap<object, readonly Column[]>();

  constructor(private readonly streams: AnswerStreams) {}

  /** @throws HttpError `validation_failed` for a request of a page, `rate_limited` for a second answer at once */
  answer(
    request: Request,
    response: Response,
    declared: DeclaredAnswer,
    next: CallHandler<object>,
  ): Observable<unknown> {
    const paged = ['limit', 'cursor', 'view'].filter((name) => name in request.query);
    refuse(
      paged.map((field) => ({ field, message: 'is not allowed with CSV, which returns the whole list' })),
    );
    this.streams.enter(request, response);
    return from(this.begin(request, response, declared, next));
  }

  private async begin(
    request: Request,
    response: Response,
    { data, lines }: DeclaredAnswer,
    next: CallHandler<object>,
  ): Promise<StreamableFile> {
    const first = listOf(await lastValueFrom(next.handle()));
    const columns = this.columns.get(data) ?? columnsOf(data, lines);
    this.columns.set(data, columns);
    const isRead = request.method !== 'HEAD';
    const list = lines !== undefined && isRead ? await withLines(first, lines) : first;
    const file = new FileAnswer(CSV_TYPE, 'csv', textsOf(columns, list));
    return this.streams.send(file, request, response);
  }
}

/** Text of each page, the first one under a header. @throws Error for a list that is too long */
async function* textsOf(columns: readonly Column[], first: ListPage<object>): AsyncGenerator<string> {
  let rows = 0;
  let header = `${columns.map(({ path }) => path.join('.')).join(',')}\r\n`;
  for (let page: ListPage<object> | undefined = first; page;) {
    rows += page.items.length;
    if (rows > MAX_ROWS) throw new Error(`a list of more than ${MAX_ROWS} rows was requested as CSV`);
    yield header + page.items.map((item) => lineOf(columns, item)).join('');
    header = '';
    page = await page.following?.();
  }
}

/** A record is a list of one. @throws HttpError `validation_failed` for a span that does not fit: a file is never cut short */
function listOf(result: object): ListPage<object> {
  if (result instanceof ListPage) return result as ListPage<object>;
  if (!(result instanceof SpanAnswer)) return new ListPage([result], null);
  const { data, nextFrom } = result as SpanAnswer<object>;
  if (nextFrom !== null)
    refuse([
      { field: 'to', message: `must be at most ${nextFrom.toISOString()}: one CSV answer has no more rows` },
    ]);
  return new ListPage([data], null);
}

/** An item for each record of a field, with the item's other fields. */
const withLines = (list: ListPage<object>, field: string): Promise<ListPage<object>> =>
  list.map(async (items) =>
    (items as Record<string, object[]>[]).flatMap((item) =>
      item[field]!.map((record) => ({ ...item, ...record })),
    ),
  );

/** Sums over the lines, which are in none of them. */
const SUMS = new Set(['total', 'totals']);

/**
 * Columns of a record as OpenAPI shows it, in that order. @param lines field whose records are lines: their columns stand in its place, and a field of theirs
 * before a field of the same name
 */
function columnsOf(type: Type<object>, lines?: string, path: readonly string[] = []): Column[] {
  const fields = fieldsOf(type);
  const line = fields.find(({ name }) => name === lines)?.record?.();
  const lineNames = new Set(line ? fieldsOf(line).map(({ name }) => name) : []);
  return fields.flatMap(({ name, record, isArray, ...field }) => {
    if (field[MARKS.leftOut] || lineNames.has(name) || (line && SUMS.has(name))) return [];
    const at = [...path, name];
    // Texts come before amounts.
    if (line && name === lines)
      return columnsOf(line).toSorted(
        (column, other) => Number(column.decimals !== null) - Number(other.decimals !== null),
      );
    if (record && !isArray) return columnsOf(record(), undefined, at);
    const isNumber = field['type'] === Number && !isArray;
    return [{ path: at, decimals: isNumber ? (field[MARKS.rate] ? RATE_DECIMALS : AMOUNT_DECIMALS) : null }];
  });
}

const lineOf = (columns: readonly Column[], item: object): string =>
  `${columns.map((column) => cellOf(column, item)).join(',')}\r\n`;
