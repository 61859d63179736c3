import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { concatMap, type Observable } from 'rxjs';
import { AnswerStreams, type FileAnswer } from './answer-streams.js';
import { CsvAnswer, JSON_TYPE, wantsCsv } from './csv.js';
import {
  ANSWER,
  type DeclaredAnswer,
  type DeclaredFile,
  envelopeOf,
  isTabular,
  StoredAnswer,
} from './envelope.js';

/**
 * Puts what a handler returns into its envelope, as JSON text. Lines requested as CSV and files have none; a stored answer is sent byte for byte.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly csv: CsvAnswer,
    private readonly streams: AnswerStreams,
  ) {}

  /** @throws HttpError of `CsvAnswer` and `AnswerStreams` */
  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    const [request, response] = context.getArgs<[Request, Response]>();
    const declared = Reflect.getMetadata(ANSWER, context.getHandler()) as
      DeclaredAnswer | DeclaredFile | undefined;
    if (!declared) return next.handle();
    if ('file' in declared) return this.file(request, response, next);
    if (isTabular(declared) && wantsCsv(request)) return this.csv.answer(request, response, declared, next);
    return next.handle().pipe(
      concatMap(async (result) => {
        response.setHeader('Content-Type', JSON_TYPE);
        if (!(result instanceof StoredAnswer)) return envelopeOf(declared.object, result);
        if (result.replayed) response.setHeader('Idempotency-Replayed', 'true');
        return result.text;
      }),
    );
  }

  private file(request: Request, response: Response, next: CallHandler<object>): Observable<unknown> {
    this.streams.enter(request, response);
    return next
      .handle()
      .pipe(concatMap((result) => this.streams.send(result as FileAnswer, request, response)));
  }
}
