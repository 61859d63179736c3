import { Module } from '@nestjs/common';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { CONVENTIONS, SHARED_TAGS } from '../shared/introduction.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { SharedContractModule } from '../shared/shared-contract.module.js';
import { ERROR_STATUS } from './error-status.js';
import { PartnerAnalyticsController } from './analytics.controller.js';
import { PartnerLedgerController } from './ledger.controller.js';
import { PartnerPositionsController } from './positions.controller.js';
import { SettledPositions } from './settled-position.js';
import { SettlementsController } from './settlements.controller.js';
import { PartnerUserPositionsController } from './user-positions.controller.js';
import { PartnerWebhooksController } from './webhooks.controller.js';

const SETTLEMENTS_TAG = {
  name: 'Settlements',
  description: 'What the chains say of the transfers that were reported. For executors.',
};

export const PARTNER_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Partner API',
    description: `The live contract: route your end-users' stablecoin deposits between yield vaults and read what came of it.\n\n${CONVENTIONS}`,
    tags: [...SHARED_TAGS, SETTLEMENTS_TAG],
  },
  statuses: ERROR_STATUS,
  absent: [],
  events: SENT_EVENTS,
  schemaNames: {
    SettledLedgerEvent: 'UserLedgerEvent',
    SettledPosition: 'PartnerPosition',
    SettledWithdrawnPosition: 'WithdrawnPosition',
    ShownSettlementDto: 'TransferSettlement',
    SettlementDto: 'Settlement',
  },
};

/** The live contract. */
@Module({
  imports: [SharedContractModule],
  controllers: [
    PartnerAnalyticsController,
    PartnerLedgerController,
    PartnerPositionsController,
    PartnerUserPositionsController,
    PartnerWebhooksController,
    SettlementsController,
  ],
  providers: [SettledPositions, { provide: CONTRACT, useValue: PARTNER_DEFINITION }],
  exports: [CONTRACT],
})
export class PartnerContractModule {}
