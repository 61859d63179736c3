import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import type { Detail } from '../../domain/kernel/domain-error.js';
import { refuse } from '../answer/http-error.js';
import { requireCaller } from './caller-gone.js';
import { fieldName } from './field-rules.js';
import { requireForm } from './head.check.js';
import { JsonBody } from './json-body.js';
import { wrongTexts } from './strict-values.js';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/** Input that a handler declares a class for. */
interface TakenInput {
  query: boolean;
  body: boolean;
}

/**
 * Judges the form of an admitted request and reads its body, so that a stranger's bytes are not parsed. The validation pipe refuses unknown fields of
 * a declared class; this refuses input to operations that declare none.
 */
@Injectable()
export class ContentInterceptor implements NestInterceptor {
  /** Metadata by handler: reading it walks a prototype chain. */
  private readonly taken = new WeakMap<object, TakenInput>();

  constructor(private readonly body: JsonBody) {}

  /** @throws HttpError `validation_failed`, `not_acceptable`, and those of `JsonBody`; CallerGone */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const [request, response] = context.getArgs<[Request, Response]>();
    if (request.isApi) requireForm(request);
    const taken = this.takenBy(context);
    // `request.query` is parsed on every access, and most requests have no query.
    if (request.url.includes('?')) {
      const { query } = request;
      if (!taken.query) refuse(allOf(query, 'is not a known parameter'));
      refuse(wrongTexts(query));
    }
    if (METHODS_WITH_BODY.has(request.method)) {
      // A one-time code was read already, to authenticate its caller.
      if (request.bodyBytes === undefined) await this.body.read(request, response);
      if (!taken.body) refuse(allOf(request.body as object, 'is not a known field'));
      requireCaller(response);
    }
    return next.handle();
  }

  private takenBy(context: ExecutionContext): TakenInput {
    const handler = context.getHandler();
    const known = this.taken.get(handler);
    if (known) return known;
    const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as
      object | undefined;
    const kinds = Object.keys(args ?? {}).map((key) => Number(key.split(':')[0]) as RouteParamtypes);
    const taken = {
      query: kinds.includes(RouteParamtypes.QUERY),
      body: kinds.includes(RouteParamtypes.BODY),
    };
    this.taken.set(handler, taken);
    return taken;
  }
}

function* allOf(given: object, message: string): Generator<Detail> {
  for (const field of Object.keys(given)) yield { field: fieldName(field), message };
}
