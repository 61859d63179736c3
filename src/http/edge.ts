import type { INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Express, RequestHandler } from 'express';
import { xContentTypeOptions } from 'helmet';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { Foreground } from '../domain/foreground.js';
import { Tenancy } from '../domain/store/tenancy.js';
import { LOGGER } from '../telemetry/logger.js';
import { AccessGuard } from './access.guard.js';
import { CONTRACT, type ContractDefinition } from './contract.js';
import { mountDocs } from './docs.js';
import { DOMAIN_STATUSES, ErrorFilter } from './error.filter.js';
import { InputGuard } from './input.guard.js';
import { Metrics } from '../telemetry/metrics.js';
import { Readiness } from './readiness.js';
import { gate, observe, unconditional } from './request.middleware.js';
import { StorageGuard } from './storage.guard.js';
import { requireDeclaredAccess } from './declared-access.js';
import { RouteTable } from './route-table.js';
import { validationPipe } from './validation.pipe.js';
import { VisitInterceptor } from './visit.interceptor.js';

/** Providers that stand around every route: who calls, is there room, what was sent, is it valid; and the one way to fail. */
export const EDGE_PROVIDERS = [
  {
    provide: DOMAIN_STATUSES,
    inject: [CONTRACT],
    useFactory: ({ statuses }: ContractDefinition) => statuses,
  },
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_GUARD, useClass: StorageGuard },
  { provide: APP_GUARD, useClass: InputGuard },
  { provide: APP_INTERCEPTOR, useClass: VisitInterceptor },
  { provide: APP_PIPE, useFactory: validationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

/** Puts the edge around an app that is created and not yet listening. */
export function setUpEdge(app: INestApplication, settings: Settings): void {
  const contract = app.get<ContractDefinition>(CONTRACT, { strict: false });
  const express = app.getHttpAdapter().getInstance() as Express;
  express.disable('x-powered-by').disable('etag').set('trust proxy', settings.trustedProxies);
  app.setGlobalPrefix(settings.apiRoot, { exclude: ['health/live', 'health/ready'] });
  app.get(RouteTable, { strict: false }).declareAbsent(contract.absent, settings.apiRoot);
  app.use(
    observe(
      app.get<Logger>(LOGGER),
      app.get(Metrics, { strict: false }),
      app.get(Readiness, { strict: false }),
      app.get(Foreground, { strict: false }),
    ),
  );
  const tenancy = app.get(Tenancy, { strict: false });
  app.use(((_request, _response, next) => tenancy.begin(next)) as RequestHandler);
  app.use([`/${settings.apiRoot}`, '/health'], unconditional);
  app.use(`/${settings.apiRoot}`, gate(app.get(Readiness, { strict: false })));
  // JSON is never to be read as anything else, whatever a caller put into it.
  app.use(xContentTypeOptions());
  requireDeclaredAccess(app);
  mountDocs(app, settings, contract);
}
