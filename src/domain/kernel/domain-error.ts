export interface Detail {
  field: string;
  message: string;
  /** The caller's own user that has what the field asks for. */
  user_id?: string;
}

/** Errors of the domain. A contract maps each to an HTTP status, which the domain does not know. */
export type DomainErrorCode =
  | 'validation_failed'
  | 'not_found'
  | 'event_removed'
  | 'external_id_taken'
  | 'wallet_taken'
  | 'partner_disabled'
  | 'user_blocked'
  | 'user_has_positions'
  | 'advance_in_progress'
  | 'month_open'
  | 'insufficient_balance'
  | 'position_closed'
  | 'settlement_already_recorded'
  | 'settlement_unresolved'
  | 'settlement_resolved'
  | 'move_not_open'
  | 'move_already_reported'
  | 'report_unresolved'
  | 'withdrawal_not_open'
  | 'withdrawal_already_reported'
  | 'withdrawal_limit_reached'
  | 'invoice_settled'
  | 'vault_refused'
  | 'amount_out_of_bounds'
  | 'policy_out_of_bounds'
  | 'custody_shared'
  | 'webhook_limit_reached'
  | 'rotation_in_progress'
  | 'quota_exceeded'
  | 'webhook_url_forbidden'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'service_unavailable';

/** Violated rule. `message` is shown to the caller: it says what to do, and contains nothing about another partner. */
export class DomainError extends Error {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
    this.name = 'DomainError';
  }
}

/** One sentence for an unknown id, a malformed one and another partner's, so that a caller cannot distinguish them. */
export const notFound = (kind: string): DomainError =>
  new DomainError('not_found', `No such ${kind}. Check the id; a key sees only what belongs to its partner.`);

export const invalid = (field: string, message: string): DomainError =>
  new DomainError('validation_failed', 'The request is not valid; see details.', [{ field, message }]);

/** @throws DomainError `validation_failed` for a period that ends before it begins; a moment that is not given bounds nothing */
export function checkPeriod(from: Date | undefined, to: Date | undefined): void {
  if (from && to && from > to) throw invalid('from', 'must not be after to');
}
