import type { INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { Express } from 'express';
import type { Settings } from '../config/settings.js';
import { Answers } from './answer/answers.js';
import { mountConsole } from './pages/console.js';
import { CONTRACT, type ContractDefinition } from './contract.js';
import { requireDeclaredAccess } from './access/declared-access.js';
import { mountDocs } from './pages/docs.js';
import { DOMAIN_STATUSES, ErrorFilter } from './answer/error.filter.js';
import { Readiness } from './wire/readiness.js';
import { RequestEntry } from './request/request.entry.js';
import { RequestGuard } from './request/request.guard.js';
import { RouteTable } from './request/route-table.js';
import type { ServerAdapter } from './request/server.adapter.js';
import { validationPipe } from './request/validation.pipe.js';

/** Providers around every route: the access guard, the validation pipe and the error filter. */
export const EDGE_PROVIDERS = [
  {
    provide: DOMAIN_STATUSES,
    inject: [CONTRACT],
    useFactory: ({ statuses }: ContractDefinition) => statuses,
  },
  { provide: APP_GUARD, useClass: RequestGuard },
  { provide: APP_PIPE, useFactory: validationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

/** Sets up the HTTP layer of an app that is created but not yet listening. */
export function setUpEdge(app: INestApplication, adapter: ServerAdapter, settings: Settings): void {
  const contract = app.get<ContractDefinition>(CONTRACT, { strict: false });
  const express = adapter.getInstance<Express>();
  express.disable('x-powered-by').disable('etag').set('trust proxy', settings.trustedProxies);
  app.setGlobalPrefix(settings.apiRoot, { exclude: ['health/live', 'health/ready'] });
  app.get(RouteTable, { strict: false }).declareAbsent(contract.absent, settings.apiRoot);
  adapter.surroundWith({
    entry: app.get(RequestEntry, { strict: false }),
    answers: app.get(Answers, { strict: false }),
    readiness: app.get(Readiness, { strict: false }),
  });
  requireDeclaredAccess(app);
  mountDocs(app, settings, contract);
  mountConsole(app, settings);
}
