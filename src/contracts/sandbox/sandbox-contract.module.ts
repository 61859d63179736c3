import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { AccountService } from '../../domain/cycle/accounts/account.service.js';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { CONVENTIONS, EXTENSION_TAGS, LISTED_TAGS } from '../shared/introduction.js';
import { LISTED_PARTS } from '../shared/listed-parts.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { ERROR_STATUS, SHARED_SCHEMA_NAMES, SharedContractModule } from '../shared/shared-contract.module.js';
import { SandboxAnalyticsController } from './analytics.controller.js';
import { SandboxLedgerController } from './ledger.controller.js';
import { SandboxMovesController } from './moves.controller.js';
import { SandboxPositionsController, SandboxUserPositionsController } from './positions.controller.js';
import { SimulationController } from './simulation.controller.js';
import { SandboxWebhooksController } from './webhooks.controller.js';
import { SandboxWithdrawalsController } from './withdrawals.controller.js';

/** Before each request, runs the hours of the caller's account that passed since its last use. */
@Injectable()
class FollowAccountInterceptor implements NestInterceptor {
  constructor(private readonly accounts: AccountService) {}

  /** @throws DomainError `service_unavailable` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { caller } = context.switchToHttp().getRequest<Request>();
    if (caller?.partnerId) await this.accounts.follow(caller.partnerId);
    return next.handle();
  }
}

const SIMULATION_TAG = {
  name: 'Simulation',
  description: "Your account's clock and market: advance the clock, set a scenario, reset the account.",
};

export const SANDBOX_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Sandbox API',
    description: `The simulated contract: the same service without wallet transactions.\n\n${CONVENTIONS}`,
    tags: [...LISTED_TAGS, SIMULATION_TAG, ...EXTENSION_TAGS],
  },
  statuses: ERROR_STATUS,
  absent: [
    { method: 'PATCH', path: '/webhooks/:id' },
    { method: 'GET', path: '/webhooks/deliveries' },
  ],
  events: SENT_EVENTS,
  listed: LISTED_PARTS,
  schemaNames: {
    ...SHARED_SCHEMA_NAMES,
    SandboxAssetRegime: 'AssetRegime',
    WebhookEndpoint: 'Webhook',
    WebhookDelivery: 'Delivery',
    CreateWebhookInputDto: 'CreateWebhookRequest',
    DeletedResource: 'DeletedWebhook',
    SandboxRegime: 'Regime',
  },
};

@Module({
  imports: [SharedContractModule],
  controllers: [
    SandboxAnalyticsController,
    SandboxLedgerController,
    SandboxMovesController,
    SandboxPositionsController,
    SandboxUserPositionsController,
    SandboxWebhooksController,
    SandboxWithdrawalsController,
    SimulationController,
  ],
  providers: [
    { provide: CONTRACT, useValue: SANDBOX_DEFINITION },
    { provide: APP_INTERCEPTOR, useClass: FollowAccountInterceptor },
  ],
  exports: [CONTRACT],
})
export class SandboxContractModule {}
