/**
 * Kinds of alerts; each is sent when it begins and when it ends. `report_deviates` ends only where a gain awaits review, `withdrawal_unpaid` never: the
 * user may ask again.
 */
export const ALERT_KINDS = [
  'vault_evicted',
  'vault_silent',
  'tick_late',
  'settlement_mismatch',
  'report_deviates',
  'report_contradicted',
  'withdrawal_unpaid',
  'reserves_short',
  'reserves_over',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const ALERT_STATES = ['begun', 'over'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface Alert {
  kind: AlertKind;
  message: string;
  since: Date;
  /** null while it is open. */
  until: Date | null;
  vaultId?: string;
  settlementId?: string;
  moveId?: string;
  withdrawalId?: string;
}

/** Fact about a vault, about a partner's funds in one, or about a whole market, whose subject is ''. */
export interface Fact {
  kind: Extract<
    AlertKind,
    'vault_evicted' | 'vault_silent' | 'tick_late' | 'reserves_short' | 'reserves_over'
  >;
  subject: string;
  /** Reason; completes a sentence about the subject. */
  why: string;
  since: Date;
}

/** Subject of a fact about a vault, or about the funds of one partner in it. */
export const subjectOf = ({ vaultId, partnerId }: { vaultId: string; partnerId: string | null }): string =>
  partnerId === null ? vaultId : `${vaultId} ${partnerId}`;

export function partsOf({ subject }: Pick<Fact, 'subject'>): { vaultId: string; partnerId: string | null } {
  const [vaultId = '', partnerId = null] = subject.split(' ');
  return { vaultId, partnerId };
}

/** Fact that is open, or that ended before everybody concerned was notified of its end. */
export interface KnownFact extends Fact {
  until: Date | null;
}

const TO_DO: Record<AlertKind, string> = {
  vault_evicted:
    'Execute the move orders, if this deployment uses them. The funds go to the best vault that takes them, or to cash: see GET /analytics/decisions. The operator checks the vault.',
  vault_silent:
    'The operator checks the feed and the log. Funds in the vault accrue at its last yield; after 24 hours without an observation they leave it.',
  tick_late:
    'The operator checks that a process takes jobs, and looks for the error of the tick in the log. Missed hours are added later, without observations.',
  settlement_mismatch:
    'The executor resolves it by POST /settlements/{id}/resolve, with accept or void. Until then its position takes no further transfer.',
  report_deviates:
    'The operator compares the report with its transfer on the chain, and asks the executor. Where `review.status` of the move is pending_review, an administrator decides by POST /moves/{id}/review.',
  reserves_short:
    'The operator compares the custody accounts with the reports of the last hours (GET /reserves/history), and suspends the executor if funds are missing.',
  reserves_over:
    'The operator looks for a deposit or yield that was not reported, and for a gain that was rejected.',
  report_contradicted:
    'An administrator compares the report with its transaction, and resolves it by POST /moves/{id}/resolve, with accept or void. Until then the key that made it reports nothing more.',
  withdrawal_unpaid:
    'Its funds are reserved no longer, and earn. Ask for it again by POST /users/{id}/withdrawals. The operator checks the executor.',
};
const NOTHING_TO_DO = 'Nothing: the condition has cleared.';

/** `data` of an alert's `system.status` event. @param at time of the notification, by the recipient's clock */
export const alertData = (alert: Alert, at: Date): Record<string, unknown> => ({
  message: alert.message,
  requested_at: at.toISOString(),
  alert: {
    kind: alert.kind,
    state: (alert.until === null ? 'begun' : 'over') satisfies AlertState,
    since: alert.since.toISOString(),
    until: alert.until?.toISOString() ?? null,
    vault_id: alert.vaultId ?? null,
    settlement_id: alert.settlementId ?? null,
    move_id: alert.moveId ?? null,
    withdrawal_id: alert.withdrawalId ?? null,
    what_to_do: alert.until === null ? TO_DO[alert.kind] : NOTHING_TO_DO,
  },
});

/** Fact about a market as an alert. @param vaultName name of its subject, when that is a vault */
export function alertOf({ kind, subject, why, since, until }: KnownFact, vaultName?: string): Alert {
  const { vaultId, partnerId } = partsOf({ subject });
  const vault = `vault ${vaultName ?? vaultId} (${vaultId})`;
  const accounts = `The custody accounts${partnerId === null ? '' : ` of the partner ${partnerId}`}`;
  const from = since.toISOString();
  const [begun, over] = {
    vault_evicted: [
      `All funds leave the ${vault}: it ${why}.`,
      `The ${vault} may hold funds again. It had been evicted since ${from}: it ${why}.`,
    ],
    vault_silent: [
      `The ${vault} ${why}.`,
      `The ${vault} is observed again. It had been silent since ${from}.`,
    ],
    reserves_short: [
      `${accounts} hold less than the books of the ${vault}: ${why}.`,
      `${accounts} cover the books of the ${vault} again. They had not since ${from}: ${why}.`,
    ],
    reserves_over: [
      `${accounts} hold more than the books of the ${vault}: ${why}.`,
      `${accounts} hold what is in the books of the ${vault} again. They had held more since ${from}: ${why}.`,
    ],
    tick_late: [
      `The market ${why}.`,
      `The market is up to date again. Its tick had been late since ${from}.`,
    ],
  }[kind];
  return {
    kind,
    message: until === null ? begun! : over!,
    since,
    until,
    ...(kind !== 'tick_late' && { vaultId }),
  };
}
