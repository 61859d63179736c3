import { Module } from '@nestjs/common';
import { DomainModule } from '../../domain/domain.module.js';
import type { DomainStatuses } from '../../http/contract.js';
import { HttpModule } from '../../http/http.module.js';
import { AlertsController } from './alerts.controller.js';
import { AttributedUsersController } from './attributed-users.controller.js';
import { AuditController } from './audit.controller.js';
import { CampaignsController } from './campaigns.controller.js';
import { DecisionsController, PreviewController } from './decisions.controller.js';
import { DeliveryLog } from './delivery-log.js';
import { DeploymentController } from './deployment.controller.js';
import { EventLog, EventsController } from './events.controller.js';
import { InvoicesController, PartnerInvoicesController } from './invoices.controller.js';
import { KeysController } from './keys.controller.js';
import { PartnersController } from './partners.controller.js';
import { PoliciesController } from './policies.controller.js';
import { PositionReader } from './position-reader.js';
import { ReportsController } from './reports.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SignalsController } from './signals.controller.js';
import { StatementsController } from './statements.controller.js';
import { TrialBalanceController } from './trial-balance.controller.js';
import { UserWithdrawalsController } from './user-withdrawals.controller.js';
import { UsersController } from './users.controller.js';
import { VaultsController } from './vaults.controller.js';
import { WebhooksController } from './webhooks.controller.js';
import { YieldHistoryController } from './yield-history.controller.js';

/** Schemas that both contract documents name as the classes are named. */
export const SHARED_SCHEMA_NAMES = {
  CreateCampaignInputDto: 'CreateCampaignInputDto',
  CreateKeyInputDto: 'CreateKeyInputDto',
  CreatePartnerInputDto: 'CreatePartnerInputDto',
  CreateUserInputDto: 'CreateUserInputDto',
  CreatedSessionOutputDto: 'CreatedSession',
  RevenueShareOutputDto: 'RevenueShareOutputDto',
  UpdateCampaignInputDto: 'UpdateCampaignInputDto',
  UpdatePartnerInputDto: 'UpdatePartnerInputDto',
} as const;

/** HTTP status of each domain error. */
export const ERROR_STATUS: DomainStatuses = {
  validation_failed: 400,
  not_found: 404,
  event_removed: 404,
  external_id_taken: 409,
  wallet_taken: 409,
  partner_disabled: 409,
  user_blocked: 409,
  user_has_positions: 409,
  advance_in_progress: 409,
  month_open: 409,
  insufficient_balance: 409,
  position_closed: 409,
  settlement_already_recorded: 409,
  settlement_unresolved: 409,
  settlement_resolved: 409,
  move_not_open: 409,
  move_already_reported: 409,
  report_unresolved: 409,
  withdrawal_not_open: 409,
  withdrawal_already_reported: 409,
  withdrawal_limit_reached: 409,
  invoice_settled: 409,
  vault_refused: 409,
  webhook_limit_reached: 409,
  rotation_in_progress: 409,
  quota_exceeded: 409,
  idempotency_in_progress: 409,
  amount_out_of_bounds: 422,
  policy_out_of_bounds: 422,
  custody_shared: 422,
  webhook_url_forbidden: 422,
  idempotency_key_reused: 422,
  service_unavailable: 503,
};

@Module({
  imports: [DomainModule, HttpModule],
  controllers: [
    KeysController,
    SessionsController,
    AuditController,
    PartnersController,
    CampaignsController,
    UsersController,
    UserWithdrawalsController,
    VaultsController,
    ReportsController,
    StatementsController,
    TrialBalanceController,
    PartnerInvoicesController,
    InvoicesController,
    AttributedUsersController,
    YieldHistoryController,
    SignalsController,
    DecisionsController,
    PreviewController,
    PoliciesController,
    WebhooksController,
    EventsController,
    AlertsController,
    DeploymentController,
  ],
  providers: [DeliveryLog, EventLog, PositionReader],
  exports: [DeliveryLog, PositionReader, DomainModule, HttpModule],
})
export class SharedContractModule {}
