import { Module } from '@nestjs/common';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { CONVENTIONS, SHARED_TAGS } from '../shared/introduction.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { SharedContractModule } from '../shared/shared-contract.module.js';
import { ERROR_STATUS } from './error-status.js';
import { SandboxWebhooksController } from './webhooks.controller.js';

export const SANDBOX_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Sandbox API',
    description: `The simulated contract: the same service, in which nothing signs a wallet transaction.\n\n${CONVENTIONS}`,
    tags: SHARED_TAGS,
  },
  statuses: ERROR_STATUS,
  absent: [
    { method: 'PATCH', path: '/webhooks/:id' },
    { method: 'GET', path: '/webhooks/deliveries' },
    { method: 'POST', path: '/positions' },
  ],
  events: SENT_EVENTS,
  schemaNames: {
    WebhookEndpoint: 'Webhook',
    WebhookDelivery: 'Delivery',
    CreateWebhookInputDto: 'CreateWebhookRequest',
    DeletedResource: 'DeletedWebhook',
  },
};

/** The simulated contract. */
@Module({
  imports: [SharedContractModule],
  controllers: [SandboxWebhooksController],
  providers: [{ provide: CONTRACT, useValue: SANDBOX_DEFINITION }],
  exports: [CONTRACT],
})
export class SandboxContractModule {}
