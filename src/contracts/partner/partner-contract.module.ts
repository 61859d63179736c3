import { Module } from '@nestjs/common';
import { CONTRACT, type ContractDefinition } from '../../http/contract.js';
import { CONVENTIONS, EXTENSION_TAGS, LISTED_TAGS } from '../shared/introduction.js';
import { LISTED_PARTS } from '../shared/listed-parts.js';
import { SENT_EVENTS } from '../shared/sent-events.js';
import { ERROR_STATUS, SHARED_SCHEMA_NAMES, SharedContractModule } from '../shared/shared-contract.module.js';
import { QuarantineController } from '../shared/vaults.controller.js';
import { PartnerAnalyticsController } from './analytics.controller.js';
import { PartnerLedgerController } from './ledger.controller.js';
import { MovesController } from './moves.controller.js';
import { PartnerPositionsController, PartnerUserPositionsController } from './positions.controller.js';
import { ReservesController } from './reserves.controller.js';
import { SettledPositions } from './settlement.dto.js';
import { SettlementsController } from './settlements.controller.js';
import { PartnerWebhooksController } from './webhooks.controller.js';
import { SettledWithdrawals } from './withdrawal.dto.js';
import { PartnerWithdrawalsController } from './withdrawals.controller.js';

const SETTLEMENTS_TAG = {
  name: 'Settlements',
  description: 'Status of reported transfers on their chains. For executors.',
};

const RESERVES_TAG = {
  name: 'Reserves',
  description: 'What the custody accounts hold on the chains, against the books.',
};

export const PARTNER_DEFINITION: ContractDefinition = {
  introduction: {
    title: 'Vaultline Partner API',
    description: `The live contract: route your end-users' stablecoin deposits between yield vaults and read the results.\n\n${CONVENTIONS}`,
    tags: [...LISTED_TAGS, ...EXTENSION_TAGS, SETTLEMENTS_TAG, RESERVES_TAG],
  },
  statuses: ERROR_STATUS,
  absent: [],
  events: SENT_EVENTS,
  listed: LISTED_PARTS,
  schemaNames: {
    ...SHARED_SCHEMA_NAMES,
    CreateWebhookInputDto: 'CreateWebhookInputDto',
    PartnerAssetRegime: 'AssetRegime',
    RegimeDto: 'RegimeDto',
    SettledLedgerEvent: 'UserLedgerEvent',
    SettledPosition: 'PartnerPosition',
    SettledWithdrawnPosition: 'WithdrawnPosition',
    ShownSettlementDto: 'TransferSettlement',
    SignalDto: 'SignalDto',
    UpdateWebhookInputDto: 'UpdateWebhookInputDto',
    UpliftDto: 'UpliftDto',
    MoveOrderWithCalls: 'MoveOrder',
    WithdrawalWithCalls: 'WithdrawalWithSettlement',
  },
};

@Module({
  imports: [SharedContractModule],
  controllers: [
    MovesController,
    PartnerAnalyticsController,
    PartnerLedgerController,
    PartnerPositionsController,
    PartnerUserPositionsController,
    PartnerWebhooksController,
    PartnerWithdrawalsController,
    QuarantineController,
    ReservesController,
    SettlementsController,
  ],
  providers: [SettledPositions, SettledWithdrawals, { provide: CONTRACT, useValue: PARTNER_DEFINITION }],
  exports: [CONTRACT],
})
export class PartnerContractModule {}
