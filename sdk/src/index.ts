export { VaultlinePartner, type PartnerSchemas } from './partner.client.js';
export type { UserBalance, Users } from './users.js';
export {
  WithdrawalPendingError,
  WithdrawalUnpaidError,
  type PaymentWait,
  type UserWithdrawal,
  type WithdrawOptions,
} from './withdrawal.js';
export { VaultlineSandbox, type SandboxSchemas } from './sandbox.client.js';
export type { Scenario, SettledAdvance, Simulation } from './simulation.js';
export type { SettledDeliveries, SettlingOptions } from './settling.js';
export type { ResponseNotice, RetryNotice, VaultlineOptions } from './options.js';
export type { EffectOptions, RequestOptions } from './operations.js';
export type { Page, PagedList } from './paged-list.js';
export {
  isVaultlineError,
  VaultlineConnectionError,
  VaultlineError,
  VaultlineTimeoutError,
  type ErrorCode,
  type ErrorDetail,
} from './errors.js';
export {
  verifyWebhook,
  WebhookVerificationError,
  type PartnerEvent,
  type SandboxEvent,
  type VerificationFailure,
  type VerifyOptions,
  type WebhookEvent,
} from './webhook.js';
