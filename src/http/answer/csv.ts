import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type CallHandler, Inject, Injectable, StreamableFile, type Type } from '@nestjs/common';
import { type Request, request as expressRequest, type Response } from 'express';
import type { Logger } from 'pino';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Settings } from '../../config/settings.js';
import { LOGGER } from '../../telemetry/logger.js';
import { Metrics } from '../../telemetry/metrics.js';
import { Authentication } from '../access/authentication.js';
import { CallerGone, goneSignal, requireCaller, tenantOf } from '../access/caller.js';
import { BYTES_A_POINT } from '../limits/points.guard.js';
import { MARKS } from '../openapi/schema.js';
import { ListPage } from '../request/paging.js';
import { AMOUNT_DECIMALS, cellOf, type Column, RATE_DECIMALS } from './csv-cell.js';
import { type DeclaredAnswer, SpanAnswer } from './envelope.js';
import { rateLimited } from './http-error.js';
import { FileNames } from './file-names.js';
import { fieldsOf } from './answer-fields.js';
import { refuse } from '../request/field-rules.js';

const MAX_ROWS = 1_000_000;
const RETRY_AFTER_SECONDS = 5;
const BUFFER_BYTES = 65_536;

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
  /** Tenants with an answer under way. */
  private readonly underWay = new Set<string>();
  private readonly columns = new WeakMap<object, readonly Column[]>();
  private readonly drainMs: number;

  constructor(
    private readonly authentication: Authentication,
    private readonly metrics: Metrics,
    private readonly names: FileNames,
    @Inject(LOGGER) private readonly log: Logger,
    { constants }: Settings,
  ) {
    this.drainMs = constants.http.sendTimeoutSeconds * 1000;
  }

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
    requireCaller(response);
    const tenant = tenantOf(request);
    if (this.underWay.has(tenant))
      throw rateLimited(
        'Another CSV answer is in progress: request one at a time.',
        RETRY_AFTER_SECONDS,
        'concurrency',
      );
    this.underWay.add(tenant);
    response.once('close', () => this.underWay.delete(tenant));
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
    const out = new PassThrough({ highWaterMark: BUFFER_BYTES });
    const disposition = await this.names.dispositionOf(request, 'csv');
    const file = new StreamableFile(out, { type: CSV_TYPE, disposition }).setErrorLogger(() => undefined);
    if (request.method === 'HEAD') return (out.end(), file);
    const list = lines === undefined ? first : await withLines(first, lines);
    this.write(out, columns, list, request, response).catch((error: unknown) => {
      const isGone = response.closed || error instanceof CallerGone;
      if (!isGone) this.log.warn({ err: error, request_id: request.requestId }, 'a CSV answer was cut off');
      // Without its last chunk, every client sees that the answer is incomplete.
      out.destroy(error as Error);
    });
    return file;
  }

  private async write(
    out: PassThrough,
    columns: readonly Column[],
    first: ListPage<object>,
    request: Request,
    response: Response,
  ): Promise<void> {
    let [rows, bytes] = [0, 0];
    let text = `${columns.map(({ path }) => path.join('.')).join(',')}\r\n`;
    for (let page: ListPage<object> | null = first; page !== null;) {
      rows += page.items.length;
      if (rows > MAX_ROWS) throw new Error(`a list of more than ${MAX_ROWS} rows was requested as CSV`);
      text += page.items.map((item) => lineOf(columns, item)).join('');
      bytes += Buffer.byteLength(text);
      request.charge!(bytes / BYTES_A_POINT);
      if (!out.write(text)) await this.waitForDrain(out, response);
      text = '';
      if (page.following === null) break;
      await this.authentication.repeat(request);
      page = await page.following();
    }
    out.end();
  }

  /** @throws CallerGone; Error for a caller that reads nothing until the send timeout */
  private async waitForDrain(out: PassThrough, response: Response): Promise<void> {
    const late = AbortSignal.timeout(this.drainMs);
    const signal = AbortSignal.any([goneSignal(response), late]);
    await once(out, 'drain', { signal }).catch(() => {
      if (late.aborted) this.metrics.cuts.inc({ bound: 'send_timeout' });
      throw (signal.reason as Error | undefined) ?? new CallerGone();
    });
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
