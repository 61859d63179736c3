import { type INestApplication, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Express } from 'express';
import { Settings } from '../config/settings.js';
import { Clock } from '../domain/kernel/clock.js';
import { KernelModule } from '../domain/kernel/kernel.module.js';
import { Authenticator } from '../domain/tenants/access/authenticator.js';
import { TenantsModule } from '../domain/tenants/tenants.module.js';
import { requireDeclaredAccess } from './access/access.js';
import { Authentication } from './access/authentication.js';
import { AuthGuard, ScopeGuard, StorageGuard } from './access/route.guards.js';
import { SignIn } from './access/sign-in.js';
import { AnswerStreams } from './answer/answer-streams.js';
import { CsvAnswer } from './answer/csv.js';
import { EnvelopeInterceptor } from './answer/envelope.interceptor.js';
import { ErrorFilter, RouteTable } from './answer/error.filter.js';
import { FileNames } from './answer/file-names.js';
import { CONTRACT, type ContractDefinition } from './contract.js';
import { FailedAuthenticationLimit, KnownKeys } from './limits/failed-authentication.limit.js';
import { PointsGuard } from './limits/points.guard.js';
import { ConcurrencyLimit, SlotInterceptor } from './limits/slot.interceptor.js';
import { mountConsole } from './pages/console.js';
import { mountDocs } from './pages/docs.js';
import { mountFrontPage } from './pages/front-page.js';
import { HealthController } from './pages/health.controller.js';
import { IdempotencyPipe } from './request/idempotency.pipe.js';
import { RecordingPipe } from './request/recorded.decorator.js';
import { InputInterceptor } from './request/input.interceptor.js';
import { JsonBody } from './request/json-body.js';
import { Paginator } from './request/paging.js';
import { TwoStepWork } from './request/two-step-work.js';
import { validationPipe } from './request/validation.pipe.js';
import { RequestMiddleware } from './server/http.server.js';

/**
 * The path of a request after `RequestMiddleware`, top down: guards, interceptors, the pipe, the handler. The filter answers what they throw.
 */
export const REQUEST_PATH: Provider[] = [
  { provide: APP_GUARD, useClass: AuthGuard },
  { provide: APP_GUARD, useClass: PointsGuard },
  { provide: APP_GUARD, useClass: ScopeGuard },
  { provide: APP_GUARD, useClass: StorageGuard },
  { provide: APP_INTERCEPTOR, useClass: SlotInterceptor },
  { provide: APP_INTERCEPTOR, useClass: InputInterceptor },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_PIPE, useFactory: validationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

const failedAuthenticationLimit = {
  provide: FailedAuthenticationLimit,
  inject: [Settings, Authenticator, Clock],
  useFactory: ({ authFailuresPerMinute }: Settings, authenticator: Authenticator, clock: Clock) =>
    new FailedAuthenticationLimit(
      authFailuresPerMinute,
      new KnownKeys((...page) => authenticator.activeHints(...page), clock),
    ),
};

const SERVICES = [
  AnswerStreams,
  Authentication,
  ConcurrencyLimit,
  CsvAnswer,
  failedAuthenticationLimit,
  FileNames,
  IdempotencyPipe,
  JsonBody,
  Paginator,
  RecordingPipe,
  RequestMiddleware,
  RouteTable,
  SignIn,
  TwoStepWork,
];

@Module({
  imports: [KernelModule, TenantsModule],
  controllers: [HealthController],
  providers: SERVICES,
  exports: SERVICES,
})
export class HttpModule {}

/** Sets up the HTTP layer of an app that is created but not yet listening. */
export function setUpEdge(app: INestApplication, settings: Settings): void {
  const contract = app.get<ContractDefinition>(CONTRACT, { strict: false });
  const express = app.getHttpAdapter().getInstance() as Express;
  express.disable('x-powered-by').disable('etag').set('trust proxy', settings.trustedProxies);
  app.setGlobalPrefix(settings.apiRoot, { exclude: ['health/live', 'health/ready'] });
  app.get(RouteTable, { strict: false }).declareAbsent(contract.absent, settings.apiRoot);
  const first = app.get(RequestMiddleware, { strict: false });
  app.use(first.use.bind(first));
  requireDeclaredAccess(app);
  mountFrontPage(app, settings, contract);
  mountDocs(app, settings, contract);
  mountConsole(app, settings);
}
