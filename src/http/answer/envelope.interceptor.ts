import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { StoredAnswer } from '../request/idempotency.pipe.js';
import { ANSWER, type DeclaredAnswer, envelopeOf } from './envelope.js';

/** Puts what an operation's handler returned into its envelope, as JSON text. An answer that is stored already is sent byte for byte. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<unknown> {
    const declared = this.reflector.get<DeclaredAnswer | undefined>(ANSWER, context.getHandler());
    if (!declared) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((result) => {
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        if (!(result instanceof StoredAnswer)) return envelopeOf(declared.object, result);
        if (result.replayed) response.setHeader('Idempotency-Replayed', 'true');
        return result.text;
      }),
    );
  }
}
