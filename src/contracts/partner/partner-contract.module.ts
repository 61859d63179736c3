import { Module } from '@nestjs/common';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { CONVENTIONS, SHARED_TAGS } from '../shared/introduction.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { SharedContractModule } from '../shared/shared-contract.module.js';
import { ERROR_STATUS } from './error-status.js';
import { PartnerAnalyticsController } from './analytics.controller.js';
import { PartnerPositionsController } from './positions.controller.js';
import { PartnerWebhooksController } from './webhooks.controller.js';

export const PARTNER_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Partner API',
    description: `The live contract: route your end-users' stablecoin deposits between yield vaults and read what came of it.\n\n${CONVENTIONS}`,
    tags: SHARED_TAGS,
  },
  statuses: ERROR_STATUS,
  absent: [],
  events: SENT_EVENTS,
  schemaNames: {},
};

/** The live contract. */
@Module({
  imports: [SharedContractModule],
  controllers: [PartnerAnalyticsController, PartnerPositionsController, PartnerWebhooksController],
  providers: [{ provide: CONTRACT, useValue: PARTNER_DEFINITION }],
  exports: [CONTRACT],
})
export class PartnerContractModule {}
