import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';

/** Tells a visit when its work begins and when it is done, whatever became of the caller meanwhile. */
@Injectable()
export class VisitInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { visit } = context.switchToHttp().getRequest<Request>();
    if (!visit) return next.handle();
    visit.begin();
    return next.handle().pipe(finalize(() => visit.done()));
  }
}
