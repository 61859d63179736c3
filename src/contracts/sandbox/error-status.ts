import type { DomainStatuses } from '../../http/error.filter.js';

/** The status of every domain error in this contract. */
export const ERROR_STATUS: DomainStatuses = {
  validation_failed: 400,
  not_found: 404,
  external_id_taken: 409,
  wallet_taken: 409,
  partner_disabled: 409,
  user_blocked: 409,
  user_has_positions: 409,
  advance_in_progress: 409,
  insufficient_balance: 409,
  position_closed: 409,
  settlement_already_recorded: 409,
  move_not_open: 409,
  move_already_reported: 409,
  vault_refused: 409,
  webhook_limit_reached: 409,
  quota_exceeded: 409,
  idempotency_in_progress: 409,
  amount_out_of_bounds: 422,
  webhook_url_forbidden: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  service_unavailable: 503,
};
