import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { DomainError } from '../../domain/kernel/domain-error.js';
import { isOutage, isWithoutPartition } from '../../domain/kernel/store/outage.js';
import { LOGGER } from '../../telemetry/logger.js';
import { isWithoutKey } from '../access/authentication.js';
import { type AbsentOperation, CONTRACT, type ContractDefinition } from '../contract.js';
import { CallerGone } from '../access/caller.js';
import { errorBody, HttpError, missingKey, RETRY_LATER, unavailable } from './http-error.js';

/** Express's record of a route. */
interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean> };
}

/** Distinguishes an unknown path (404) from a known one that was called with another method (405). */
@Injectable()
export class RouteTable {
  private absent: { method: string; pattern: RegExp }[] = [];

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  /** An operation that the contract leaves out is `route_not_found`, even when its path exists under another method. */
  declareAbsent(operations: readonly AbsentOperation[], apiRoot: string): void {
    this.absent = operations.map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^/${apiRoot}${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
    }));
  }

  refusal(method: string, path: string): HttpError {
    const allowed = this.allowedMethods(path);
    const isAbsent = this.absent.some(
      (operation) =>
        operation.method === (method === 'HEAD' ? 'GET' : method) && operation.pattern.test(path),
    );
    if (allowed.length === 0 || isAbsent) {
      const hint = this.settings.docs ? ' See /docs for all operations.' : '';
      return new HttpError('route_not_found', `There is no ${method} ${printable(path)} here.${hint}`);
    }
    return new HttpError('method_not_allowed', `This path answers to ${allowed.join(', ')}.`, {
      headers: { Allow: allowed.join(', ') },
    });
  }

  private allowedMethods(path: string): string[] {
    const stack = this.adapter.httpAdapter.getInstance<{ router: { stack: Layer[] } }>().router.stack;
    const methods = new Set<string>();
    for (const layer of stack) {
      if (layer.route && matches(layer, path)) {
        for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
      }
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  }
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}

const printable = (path: string): string => path.slice(0, 200).replace(/[^\x21-\x7e]/g, '?');

/** The only place where an exception becomes an answer. It never contains a stack, SQL, or a value that the caller did not send. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(CONTRACT) private readonly contract: ContractDefinition,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly routes: RouteTable,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (error instanceof CallerGone) {
      response.destroy();
      return;
    }
    // The server has answered already: the body was malformed, or late.
    if (request.socket.writableEnded) return;
    if (response.headersSent || response.destroyed) {
      this.log.warn({ err: error, request_id: request.requestId }, 'failed after the answer began');
      response.destroy();
      return;
    }
    const { status, code, message, details, headers } = this.answerTo(error, request);
    response
      .status(status)
      .set(headers)
      .json(errorBody(code, message, request.requestId, details));
  }

  private answerTo(error: unknown, request: Request): Answer {
    if (error instanceof DomainError) {
      const { code, message, details } = error;
      const status = this.contract.statuses[code];
      const headers = status === 503 ? RETRY_LATER : {};
      return { status, code, message, details, headers };
    }
    const refusal = this.toHttpError(error, request);
    const { details = [], headers = {} } = refusal.extra;
    return { status: refusal.status, code: refusal.code, message: refusal.message, details, headers };
  }

  private toHttpError(error: unknown, request: Request): HttpError {
    if (error instanceof HttpError) return error;
    // Our code never throws NotFoundException: Nest does, when no route matches.
    if (error instanceof NotFoundException) {
      const refusal = this.routes.refusal(request.method, request.baseUrl + request.path);
      return refusal.code === 'method_not_allowed' ? missingKeyFirst(request, refusal) : refusal;
    }
    if (isBadTarget(error)) {
      const refusal = new HttpError('validation_failed', 'The path is not a valid URL; see details.', {
        details: [{ field: 'path', message: 'must be percent-encoded UTF-8' }],
      });
      return missingKeyFirst(request, refusal);
    }
    if (isOutage(error)) {
      const trouble = isWithoutPartition(error)
        ? "the ledger has no partition for this moment: compare this machine's clock with the database's"
        : 'database unavailable';
      this.log.error({ err: error, request_id: request.requestId }, trouble);
      return unavailable();
    }
    this.log.error({ err: error, request_id: request.requestId }, 'unexpected error');
    return new HttpError(
      'internal_error',
      'The server failed to process the request. Try again; if it fails again, report the request id.',
    );
  }
}

interface Answer {
  status: number;
  code: string;
  message: string;
  details: DomainError['details'];
  headers: Record<string, string>;
}

/** Refusal of a request that never reached the guard; one without a key gets that error first. */
const missingKeyFirst = (request: Request, refusal: HttpError): HttpError =>
  request.isApi && isWithoutKey(request) ? missingKey() : refusal;

/** Express throws this when it cannot decode a path parameter. */
const isBadTarget = (error: unknown): boolean =>
  error instanceof URIError || (error as { status?: number } | null)?.status === 400;
