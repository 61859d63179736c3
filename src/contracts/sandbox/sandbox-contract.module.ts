import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { SHARED_SCHEMA_NAMES } from '../shared/schema-names.js';
import { CONVENTIONS, SHARED_TAGS } from '../shared/introduction.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { SharedContractModule } from '../shared/shared-contract.module.js';
import { ERROR_STATUS } from './error-status.js';
import { SandboxAnalyticsController } from './analytics.controller.js';
import { FollowAccountInterceptor } from './follow-account.interceptor.js';
import { SandboxLedgerController } from './ledger.controller.js';
import { SandboxPositionsController } from './positions.controller.js';
import { SimulationController } from './simulation.controller.js';
import { SandboxUserPositionsController } from './user-positions.controller.js';
import { SandboxWebhooksController } from './webhooks.controller.js';

const SIMULATION_TAG = {
  name: 'Simulation',
  description: "Your account's own clock and market: to advance, to bend, and to begin anew.",
};

export const SANDBOX_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Sandbox API',
    description: `The simulated contract: the same service, in which nothing signs a wallet transaction.\n\n${CONVENTIONS}`,
    tags: [...SHARED_TAGS, SIMULATION_TAG],
  },
  statuses: ERROR_STATUS,
  absent: [
    { method: 'PATCH', path: '/webhooks/:id' },
    { method: 'GET', path: '/webhooks/deliveries' },
  ],
  events: SENT_EVENTS,
  schemaNames: {
    ...SHARED_SCHEMA_NAMES,
    SandboxAssetRegime: 'AssetRegime',
    WebhookEndpoint: 'Webhook',
    WebhookDelivery: 'Delivery',
    CreateWebhookInputDto: 'CreateWebhookRequest',
    DeletedResource: 'DeletedWebhook',
    SignalDto: 'Signal',
    SandboxRegime: 'Regime',
  },
};

/** The simulated contract. */
@Module({
  imports: [SharedContractModule],
  controllers: [
    SandboxAnalyticsController,
    SandboxLedgerController,
    SandboxPositionsController,
    SandboxUserPositionsController,
    SandboxWebhooksController,
    SimulationController,
  ],
  providers: [
    { provide: CONTRACT, useValue: SANDBOX_DEFINITION },
    { provide: APP_INTERCEPTOR, useClass: FollowAccountInterceptor },
  ],
  exports: [CONTRACT],
})
export class SandboxContractModule {}
