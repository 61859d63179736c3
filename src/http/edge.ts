import type { INestApplication } from '@nestjs/common';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Settings } from '../config/settings.js';
import { requireDeclaredAccess } from './access/declared-access.js';
import { CONTRACT, type ContractDefinition } from './contract.js';
import { mountConsole } from './pages/console.js';
import { mountDocs } from './pages/docs.js';
import { RouteTable } from './request/route-table.js';
import { RequestMiddleware } from './server/request.middleware.js';

/** Sets up the HTTP layer of an app that is created but not yet listening. */
export function setUpEdge(app: INestApplication, settings: Settings): void {
  const contract = app.get<ContractDefinition>(CONTRACT, { strict: false });
  const express = app.getHttpAdapter().getInstance() as Express;
  express.disable('x-powered-by').disable('etag').set('trust proxy', settings.trustedProxies);
  app.setGlobalPrefix(settings.apiRoot, { exclude: ['health/live', 'health/ready'] });
  app.get(RouteTable, { strict: false }).declareAbsent(contract.absent, settings.apiRoot);
  const first = app.get(RequestMiddleware, { strict: false });
  app.use((request: Request, response: Response, next: NextFunction) => first.use(request, response, next));
  requireDeclaredAccess(app);
  mountDocs(app, settings, contract);
  mountConsole(app, settings);
}
