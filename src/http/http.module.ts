import { Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { Authenticator } from '../domain/tenants/access/authenticator.js';
import { KernelModule } from '../domain/kernel/kernel.module.js';
import { TenantsModule } from '../domain/tenants/tenants.module.js';
import { Authentication } from './access/authentication.js';
import { SignIn } from './access/sign-in.js';
import { FailedAuthenticationLimit } from './limits/failed-authentication.limit.js';
import { HealthController } from './pages/health.controller.js';
import { IdempotencyPipe } from './request/idempotency.pipe.js';
import { JsonBody } from './request/json-body.js';
import { Paging } from './request/paging.js';
import { RecordingPipe } from './request/recorded.decorator.js';
import { RouteTable } from './request/route-table.js';
import { Readiness } from './server/readiness.js';
import { RequestMiddleware } from './server/request.middleware.js';

const failedAuthenticationLimit = {
  provide: FailedAuthenticationLimit,
  inject: [Settings, Authenticator],
  useFactory: ({ authFailuresPerMinute }: Settings, { known }: Authenticator) =>
    new FailedAuthenticationLimit(authFailuresPerMinute, known),
};

const SERVICES = [
  Authentication,
  failedAuthenticationLimit,
  IdempotencyPipe,
  JsonBody,
  Paging,
  Readiness,
  RecordingPipe,
  RequestMiddleware,
  RouteTable,
  SignIn,
];

/** HTTP layer that both contracts share. `request-path.ts` lists the guards, interceptors, pipe and filter. */
@Module({
  imports: [KernelModule, TenantsModule],
  controllers: [HealthController],
  providers: SERVICES,
  exports: SERVICES,
})
export class HttpModule {}
