import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AuthGuard } from './access/auth.guard.js';
import { ScopeGuard } from './access/scope.guard.js';
import { StorageGuard } from './access/storage.guard.js';
import { EnvelopeInterceptor } from './answer/envelope.interceptor.js';
import { ErrorFilter } from './answer/error.filter.js';
import { ConcurrencyInterceptor } from './limits/concurrency.interceptor.js';
import { PointsGuard } from './limits/points.guard.js';
import { ContentInterceptor } from './request/content.interceptor.js';
import { validationPipe } from './request/validation.pipe.js';

/**
 * The path of a request, top down, behind `RequestMiddleware`: guards, interceptors, the pipe, the handler. The filter answers whatever one of them
 * throws.
 */
export const REQUEST_PATH: Provider[] = [
  { provide: APP_GUARD, useClass: AuthGuard },
  { provide: APP_GUARD, useClass: PointsGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
  { provide: APP_GUARD, useClass: StorageGuard },
  { provide: APP_INTERCEPTOR, useClass: ConcurrencyInterceptor },
  { provide: APP_INTERCEPTOR, useClass: ContentInterceptor },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_PIPE, useFactory: validationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];
