// Generated from the OpenAPI document of this contract by `npm run openapi`. Do not edit.

export interface paths {
  '/alerts/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List alerts
     * @description Alerts and announcements of the last 30 days, oldest first, each with its deliveries; also those without a receiver. `data.alert.state` is `begun` or `over`. `undelivered_to` lists what a receiver missed; `after` continues after the last event that you handled.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listAlerts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/alerts/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List receivers of alerts
     * @description The endpoints of the deployment, newest first. Signing secrets are masked.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listAlertWebhooks'];
    put?: never;
    /**
     * Register a receiver of alerts
     * @description Registers a receiver for the administrators of this deployment. It receives `system.status` events (evicted or silent vaults, a late tick, settlements that the chain contradicts, announcements), signed like a partner's; never a partner's own events. Only this answer shows the full signing `secret`.
     *
     *     **Scope:** `partner:admin`.
     */
    post: operations['createAlertWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/alerts/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a receiver of alerts
     * @description Deletes an endpoint. Nothing more is sent to it.
     *
     *     **Scope:** `partner:admin`.
     */
    delete: operations['deleteAlertWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/alerts/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event to a receiver of alerts
     * @description Sends a signed synthetic `system.status` event to the endpoint, active or not, in one real HTTP request. The answer is the delivery's record, even when the receiver failed: see `status` and `failure`.
     *
     *     **Scope:** `partner:admin`.
     */
    post: operations['testAlertWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/advisor': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the strategy summary
     * @description Regime of yields, best vaults after risk, and uplift, in figures and in sentences from templates. The sentences add nothing to the figures.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readAdvice'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/decisions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List decisions
     * @description Every routing decision on your end-users' funds, newest first: deposits, moves, and holds despite a better vault. Each has its inputs, the rejected alternatives and the value of every gate; values of `capacity`, `size` and `share` have two significant digits. Your funds in one vault are evaluated together: a hold names no end-user and is listed only without `user_id` and `position_id`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listDecisions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/regime': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the rate regime
     * @description The regime of yields, for all assets together and for each. A regime changes once two consecutive hours agree. It becomes null as soon as there is too little history.
     *
     *     **Scope:** `read` or `partner:read`.
     */
    get: operations['readRegime'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/signals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List signals
     * @description Every vault, ranked each hour by `expected_risk_adjusted_apy`: the yield expected over the next 10 days, discounted for risk. `risk_adjusted_apy` discounts the current yield. Figures that need more history are null.
     *
     *     **Scope:** `read` or `partner:read`.
     */
    get: operations['listSignals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/analytics/uplift': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the uplift
     * @description Uplift: what routing earned your end-users beyond two passive baselines with the same deposits and withdrawals (the lending vault of each asset, and each position's first vault), and what it would earn at today's rates.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readUplift'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List changes
     * @description Every change, newest first: who made it, when, from which address, on which records, and what changed, without secrets. An entry is written in the transaction of its change and is immutable; its `hash` covers the hash of the previous entry.
     *
     *     **Scope:** `keys:admin` or `partner:admin`.
     */
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/deployment': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the deployment's health
     * @description Lag of the hourly tick and of the queue, outcomes of webhook sends, and the running processes. `/metrics` on the management port has more. Unknown figures are null.
     *
     *     **Scope:** `partner:admin` or `keys:admin`.
     */
    get: operations['getDeployment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events
     * @description Your events of the last 30 days, oldest first, each with its deliveries. To catch up, send the id of the last event that you handled as `after`; `undelivered_to` limits the list to events that an endpoint missed. Where events, deliveries and stored answers exceed half of your storage quota, the oldest events are deleted earlier, and an `after` that was deleted is answered 404 `event_removed`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description All keys of the deployment, including revoked ones, newest first. Secrets are masked.
     *
     *     **Scope:** `keys:admin`.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create an API key
     * @description Creates a key. Only this answer shows its full `secret`: store it. A key for a disabled partner is refused.
     *
     *     **Scope:** `keys:admin`; not with a session.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Revokes a key. Every replica refuses it once this call has returned. Revoking it again is not an error.
     *
     *     **Scope:** `keys:admin`.
     */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate an API key
     * @description Creates a key with the same label, scopes and partner, without an expiry, and shows its `secret` once. The old key expires in `previous_expires_in` seconds, or earlier if it already has an expiry, and its sessions end with it. A revoked or expired key cannot be rotated.
     *
     *     **Scope:** `keys:admin`; not with a session.
     */
    post: operations['rotateKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/moves': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List moves
     * @description Your account's moves and their state, newest first. A simulated executor carries them out within the hour; scenarios delay and refuse them.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listMoves'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/moves/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a move
     * @description One of your account's moves, with the current value of its funds.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readMove'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List changes by your keys and of your terms
     * @description Every change, newest first: who made it, when, from which address, on which records, and what changed, without secrets. An entry is written in the transaction of its change and is immutable; its `hash` covers the hash of the previous entry. Changes by administrators are listed where they concern your terms: name and status, fee and share, bounds of your policy, campaigns; without who made them, and without `hash`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/deposits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read deposits
     * @description Total deposits of your end-users, by asset and overall.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerDeposits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read daily closings
     * @description Your books at the end of each UTC day, one row per day and asset: value, deposits, yield, costs, revenue, points and both passive baselines. A row is written once, with the day's closing.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/invoices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your invoices
     * @description Fees of your closed months, newest month first: an invoice per month and asset with a fee. It never changes, but for its end as paid or void.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerInvoices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/journal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the journal
     * @description The ledger and the ends of invoices as debits and credits over seven accounts. Every entry balances, and so does every period.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerJournal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/ledger': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the ledger
     * @description All ledger entries of your end-users, newest first, in booking order. `after` with the id of your last entry returns the entries booked since, oldest first, without a gap.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerLedger'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/points': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read points
     * @description Points that your end-users earned, by campaign. A position keeps the best campaign that ran when it was opened; while that campaign does not run, its points are not multiplied.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerPoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/policy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read your policy
     * @description Your rules for where funds may go, the administrator's bounds, and the rules in force. Each decision names the policy version that applied.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPolicy'];
    /**
     * Replace your policy
     * @description Replaces your policy; omitted exposure limits stay. New deposits follow it at once; funds in a vault that it forbids leave in the next hour, largest positions first, for the best allowed vault or cash, and pay for the move. A rule wider than the administrator's bound is refused; null means the bound.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    put: operations['replacePolicy'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/revenue': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the revenue share
     * @description The performance fee and its split. It is charged on yield net of costs, above each end-user's carried loss in the asset, at the terms in force when the yield is posted. It is reported, never deducted from positions.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerRevenue'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/statements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List statements
     * @description Periods with at least one closed day, newest first, with their figures.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerStatements'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/statements/{period}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a statement
     * @description The statement of a year, a month or a UTC day, by asset and overall: opening value, deposits, withdrawals, yield, costs, closing value, the fee and its split, and uplift.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerStatement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/statements/{period}/package': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download the closing package of a month
     * @description A closed month in one ZIP: `statement.csv`, `users.csv`, `trial-balance.csv`, `journal.csv`, `ledger.csv`, `terms.csv`, `reserves.csv`, `statement.html`, and `manifest.json` with the digest, rows and sums of each. The same bytes each time, in a `format` that the manifest names; docs/accounting.md has a script that verifies them.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['downloadPartnerPackage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/statements/{period}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a statement by end-user
     * @description Figures of the statement by end-user, newest user first. They sum to the statement. Of a year: what an end-user deposited, withdrew and earned in it, and its value at both ends.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerStatementUsers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the summary
     * @description Key figures of your end-users' positions, by asset and overall.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerSummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/terms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your terms
     * @description Your terms with the times from which they held, newest first: the performance fee and its share, and of each campaign what its points depend on. Terms that ended stay. Each accrual of the ledger has the fee and share at which it is settled; points follow from the ledger and the terms of campaigns.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerTerms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/trial-balance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the trial balance
     * @description Accounts of the journal at a closing, by asset: opening balance, debits and credits of the period, closing balance. Debits equal credits. `vaults` closes at the closing value of the statement. It never changes.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerTrialBalance'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/tvl': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read net TVL
     * @description Current value of your end-users' positions, by asset and vault.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerTvl'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/user/{id}/positions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an end-user's positions
     * @description Positions of one end-user, newest first, with current values.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listUserPositions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List end-users
     * @description Your end-users, newest first, with the current value of their positions.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPartnerUsers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/withdrawals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read withdrawals
     * @description Total withdrawals of your end-users, by asset and overall.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerWithdrawals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/yield': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read yield
     * @description Yield of your end-users' positions, by asset: posted to ledgers, and accrued since.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerYield'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partner/yield/history/{asset}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an asset's yield history (alias)
     * @deprecated
     * @description Deprecated: use `GET /yield/history/{asset}`, which returns the same and accepts any reading key.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPartnerYieldHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List partners
     * @description All partners, newest first, with the value that each has now.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listPartners'];
    put?: never;
    /**
     * Create a partner
     * @description Creates a partner and its first key. Only this answer shows the full `secret` of that key. A session cannot create keys, so it cannot create partners.
     *
     *     **Scope:** `partner:admin`; not with a session.
     */
    post: operations['createPartner'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a partner
     * @description One partner, active or disabled.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['getPartner'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update a partner
     * @description Changes the fields that are sent. `status: disabled` revokes all keys of the partner and stops its deliveries; its history stays. `status: active` enables it again but restores no key: create a new one.
     *
     *     **Scope:** `partner:admin`.
     */
    patch: operations['updatePartner'];
    trace?: never;
  };
  '/partners/{id}/campaigns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List campaigns
     * @description All campaigns of the partner, newest first.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listCampaigns'];
    put?: never;
    /**
     * Create a campaign
     * @description Creates a campaign: a period in which the partner's deposits earn more points.
     *
     *     **Scope:** `partner:admin`.
     */
    post: operations['createCampaign'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners/{id}/campaigns/{campaignId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update a campaign
     * @description Changes the fields that are sent. Disabling a campaign does not delete it.
     *
     *     **Scope:** `partner:admin`.
     */
    patch: operations['updateCampaign'];
    trace?: never;
  };
  '/partners/{id}/invoices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List invoices
     * @description Fees of the closed months of a partner, newest month first.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listInvoices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners/{id}/invoices/{invoiceId}/settle': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle an invoice
     * @description Enters that an open invoice was paid, with the partner's part, or voids it. It is an entry of the partner's journal, and never dated in a closed day.
     *
     *     **Scope:** `partner:admin`.
     */
    post: operations['settleInvoice'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners/{id}/policy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a partner's policy
     * @description The partner's policy, its bounds, and the rules in force.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['readPartnerPolicy'];
    /**
     * Bound a partner's policy
     * @description Replaces the bounds of a partner's policy; omitted exposure limits stay. The partner may set narrower rules, never wider ones. Its policy stays as it is and applies within the bounds: see `in_force`.
     *
     *     **Scope:** `partner:admin`.
     */
    put: operations['boundPartnerPolicy'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/partners/{id}/terms': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a partner's terms
     * @description The partner's terms with the times from which they held, newest first: the performance fee and its share, and of each campaign what its points depend on. Terms that ended stay. Each accrual of the ledger has the fee and share at which it is settled; points follow from the ledger and the terms of campaigns.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listTermsOfPartner'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/positions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List positions
     * @description Your account's positions with their current value, newest first.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listPositions'];
    put?: never;
    /**
     * Open a position
     * @description Simulates a deposit: opens a position in the vault that the routing chooses for it, at the time of your account. Each deposit is a position of its own.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['createPosition'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/positions/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a deposit
     * @description The decision that a deposit of one of your end-users would get now: the vault, every alternative with its gates, and why. Nothing is stored, and an `Idempotency-Key` is ignored. A deposit right after it gets the same decision, unless the rounding of what others hold in a vault (two significant digits) changes it.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['previewPosition'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/positions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a position
     * @description A position with its current value.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readPosition'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/positions/{id}/withdrawals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Withdraw from a position
     * @description Simulates a withdrawal of an amount, or of everything, which closes the position; no body means `{}`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['withdrawPosition'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in
     * @description Creates a session, which a browser holds instead of a key. It is sent like a key, has the given `scopes`, and ends after at most twelve hours, on sign-out, or with its key; it cannot create keys or sessions. A key has at most 20 sessions: another one ends the oldest.
     *
     *     **Scope:** `read` or `write` or `keys:admin` or `partner:admin` or `partner:read`; not with a session; or no key, and a one-time code.
     */
    post: operations['createSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sessions/current': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read who is signed in
     * @description The session or key of this request: its scopes, partner and expiry.
     *
     *     **Scope:** `read` or `write` or `keys:admin` or `partner:admin` or `partner:read`.
     */
    get: operations['readCurrentSession'];
    put?: never;
    post?: never;
    /**
     * Sign out
     * @description Ends the session of this request. Every replica refuses it once this call has returned. With a key the answer is 404: keys are revoked, not signed out.
     *
     *     **Scope:** `read` or `write` or `keys:admin` or `partner:admin` or `partner:read`.
     */
    delete: operations['endCurrentSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/clock': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the account's clock
     * @description Your account's clock: wall time plus the hours that it was advanced. All figures of your account are as of this time.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readSimulationClock'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/clock/advance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Advance the account's clock
     * @description Advances your account's clock and runs every hour in order: market, accruals, routing, statements, events. An interrupted advance has no effect.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['advanceSimulationClock'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Raise an event
     * @description Raises an event of any type with synthetic data of the real shape, signed and delivered like a real one: see the delivery log.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['simulateEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/market': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set the market's scenario
     * @description Sets the scenario of your account's market from its next hour on. It replaces the previous scenario; a reset ends it.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['bendSimulatedMarket'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Reset the account
     * @description Clears your account's positions, ledger, decisions, deliveries, clock, scenario and market; no body means `{}`. Keys, end-users, campaigns, webhooks and answers stored for an `Idempotency-Key` stay.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['resetSimulation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/simulation/vaults/{id}/quarantine': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a quarantine in the account's market
     * @description Ends the vault's quarantine in your account: it may take new funds again. If it is still in distress, the account's next hour quarantines it again.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    delete: operations['endSimulatedQuarantine'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create an end-user
     * @description Creates an end-user of your partner. A taken `external_id` is answered 409: this operation never updates.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an end-user
     * @description One of your end-users, with what it has by asset. Find its id by your own identifier: `GET /partner/users?external_id=...`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readUser'];
    put?: never;
    post?: never;
    /**
     * Delete an end-user
     * @description Deletes an end-user that never had a position and frees its external id and wallets. Otherwise the answer is 409: block the end-user instead.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    delete: operations['deleteUser'];
    options?: never;
    head?: never;
    /**
     * Update an end-user
     * @description Changes the fields that are sent; `wallets` replaces the whole list, and the external id cannot change. With `status: blocked` deposits are refused and withdrawals stay possible; `status: active` lifts the block.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    patch: operations['updateUser'];
    trace?: never;
  };
  '/users/{id}/ledger': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an end-user's ledger
     * @description Ledger entries of one end-user, newest first, in booking order: deposits, withdrawals, rebalances and accruals. Entries are immutable; yield is posted before each movement and at the end of each UTC day. `after` with the id of your last entry returns the entries booked since, oldest first, without a gap.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listUserLedger'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/users/{id}/withdrawals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an end-user's withdrawals
     * @description Withdrawals of one of your end-users, newest first.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listUserWithdrawals'];
    put?: never;
    /**
     * Withdraw an end-user's money
     * @description Pays an amount, or everything, out of the end-user's positions, at the time of your account. A blocked end-user may withdraw.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['createWithdrawal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/users/{id}/withdrawals/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a withdrawal
     * @description The parts that a withdrawal would have now. Nothing is stored, and an `Idempotency-Key` is ignored.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['previewWithdrawal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vaults': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List vaults
     * @description The vaults that deposits are routed between, ordered by id, with their last observed yield; null where unknown.
     *
     *     **Scope:** `read` or `partner:read`.
     */
    get: operations['listVaults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/vaults/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a vault's history
     * @description Observed yield and assets of a vault by hour or by day, with its signal and share index. A sandbox account reads its own market.
     *
     *     **Scope:** `read` or `partner:read`.
     */
    get: operations['readVaultHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description Your endpoints, newest first. Signing secrets are masked.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Register a webhook
     * @description Registers a receiver. Only this answer shows the full signing `secret`: store it. Each event is sent once, without redirects, and signed in the header `Webhook-Signature: t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret is being replaced.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check a receiver
     * @description Tries a URL without registering it: parses it, resolves its name, checks its addresses, connects, and sends one `system.status` event, signed with a secret of its own. The answer has the result of each step up to the first failure, and the secret; nothing is stored, except that an `Idempotency-Key` keeps the answer for retries.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['checkWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List deliveries
     * @description The delivery log: the newest 10,000 deliveries to your endpoints, newest first. (In the partner contract this path is the catalogue of event types.)
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Deletes an endpoint. Nothing more is sent to it. Its deliveries stay in the log.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/{id}/secret/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace a signing secret
     * @description Creates a new signing secret, which only this answer shows in full. For `previous_expires_in` seconds every send is signed with both secrets (`t=...,v1=<new>,v1=<old>`); then the old one is erased.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Sends a signed synthetic `system.status` event to the endpoint, active or not, in one real HTTP request. The answer is the delivery's record, even when the receiver failed: see `status` and `failure`.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/withdrawals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List withdrawals
     * @description Withdrawals of your account's end-users, newest first.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['listWithdrawals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/withdrawals/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a withdrawal
     * @description One of your account's withdrawals.
     *
     *     **Scope:** `partner:read`, with a partner's key.
     */
    get: operations['readWithdrawal'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/yield/history/{asset}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an asset's yield history
     * @description Blended yield of an asset's active vaults by hour or by day, weighted by their size in the market, not by funds held here. An unknown value is null or left out, never 0.
     *
     *     **Scope:** `read` or `partner:read`.
     */
    get: operations['readYieldHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'position.opened': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A position was opened
     * @description An end-user's deposit opened a position. `decision_id` names the decision that chose its vault.
     */
    post: operations['onPositionOpened'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'position.active': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A position became active
     * @description The deposit of a position is in its vault and earns. Follows `position.opened`.
     */
    post: operations['onPositionActive'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'position.rebalanced': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A position was moved
     * @description A position was moved to the vault `vault_id`: `amount` arrived after a `cost`. `decision_id` names the decision behind it.
     */
    post: operations['onPositionRebalanced'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'position.withdrawn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Money was withdrawn
     * @description `amount` was withdrawn from a position: a part, or everything. The position is shown after the withdrawal.
     */
    post: operations['onPositionWithdrawn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'position.closed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A position was closed
     * @description Nothing is left in the position. Follows its last `position.withdrawn`.
     */
    post: operations['onPositionClosed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'yield.threshold': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A yield crossed a threshold
     * @description The blended yield of an asset reached one of the deployment's thresholds from below, or fell under it. The same threshold raises another event only after the yield has moved away from it.
     */
    post: operations['onYieldThreshold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'system.status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The service's state
     * @description A test send, an announcement of the operator, or an alert. An alert is sent when its condition begins and when it ends, to the partners whose funds or transfers it concerns.
     */
    post: operations['onSystemStatus'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    AdvanceClockRequest: {
      /**
       * @description Hours to advance, at most a month.
       * @example 24
       */
      hours: number;
    };
    Advisor: {
      /**
       * Format: date-time
       * @description Moment of the summary.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description Summary in two or three sentences. Begins with `Outage:` where feeds have been silent for more than three hours.
       * @example Yields are stable. Harbor Lend USDC has the best expected risk-adjusted APY, 4.82 %.
       */
      headline: string;
      /** @description Regime of yields, as in `/analytics/regime`. */
      regime: components['schemas']['Regime'];
      /** @description The best vaults of `/analytics/signals`, at most three, that would get funds now, have enough history and are not recommended to `reduce`. Your policy is not applied. */
      opportunities: components['schemas']['Signal'][];
      /** @description Uplift of routing, as in `/analytics/uplift`. */
      uplift: components['schemas']['UpliftReport'];
      /**
       * @description The reasons in sentences. They round the figures of the fields above.
       * @example [
       *       "USDC: the regime is stable at 5.23 %, with a trend of 0.030 pp a day."
       *     ]
       */
      rationale: string[];
      /**
       * @description Source of the sentences: templates, no language model.
       * @example template
       * @enum {string}
       */
      generator: 'template';
    };
    AdvisorAnswer: {
      /** @enum {string} */
      object: 'advisor';
      data: components['schemas']['Advisor'];
    };
    AlertDelivery: {
      /** @example del_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example delivery
       * @enum {string}
       */
      object: 'delivery';
      /**
       * @description Its endpoint, which may be deleted.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id: string;
      /**
       * @description Receiver address at dispatch time.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Type of the event.
       * @example system.status
       * @enum {string}
       */
      event:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /** @description The envelope that was sent. */
      payload: components['schemas']['EventEnvelope'];
      /**
       * @description Value of the `Webhook-Signature` header: `t`, and one `v1` or two; empty where the delivery was dropped.
       * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      signature: string;
      /**
       * @description `pending`: being sent. `delivered`: the receiver answered 2xx. `failed`: see `failure`; there is no retry.
       * @example delivered
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 where nothing was sent, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null without a response.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why it failed; null otherwise. `response_error`: the whole request was sent and no usable answer came, so the event may or may not have arrived. `interrupted`: the server stopped during the send, likewise. `dropped`: the partner's queue was full and this was among its oldest; nothing was sent.
       * @example null
       * @enum {string|null}
       */
      failure:
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'response_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome, or until now while `pending`; 0 where `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    AlertDeliveryAnswer: {
      /** @enum {string} */
      object: 'delivery';
      data: components['schemas']['AlertDelivery'];
    };
    AlertWebhook: {
      /** @example wh_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example webhook
       * @enum {string}
       */
      object: 'webhook';
      /**
       * @description Receiver address.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Subscribed event types.
       * @example [
       *       "position.opened",
       *       "system.status"
       *     ]
       */
      events: (
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status'
      )[];
      /**
       * @description Your own note; null without one.
       * @example Ledger service
       */
      description: string | null;
      /**
       * @description Signing secret: in full only in the answer that creates it, masked otherwise.
       * @example whsec_****cGxl
       */
      secret: string;
      /**
       * Format: date-time
       * @description When the previous secret stops signing; null without one.
       * @example null
       */
      previous_secret_expires_at: string | null;
      /**
       * @description Whether events are sent to it.
       * @example true
       */
      active: boolean;
      /**
       * Format: date-time
       * @description When its receiver last answered 2xx; null if it never did.
       * @example 2026-01-31T12:00:00.000Z
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description Time of the first failure since then; null if the last send succeeded or nothing was sent.
       * @example null
       */
      failing_since: string | null;
      /**
       * @description Failed sends since the last success, interrupted ones not counted.
       * @example 0
       */
      consecutive_failures: number;
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
    };
    AlertWebhookAnswer: {
      /** @enum {string} */
      object: 'webhook';
      data: components['schemas']['AlertWebhook'];
    };
    AlertWebhookList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['AlertWebhook'][];
      meta: components['schemas']['ListMeta'];
    };
    ApiKey: {
      /** @example key_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example api_key
       * @enum {string}
       */
      object: 'api_key';
      /**
       * @description Label of the key.
       * @example Reporting, production
       */
      label: string;
      /**
       * @description The first 12 characters of the secret, to identify the key.
       * @example vl_sandbox_9
       */
      prefix: string;
      /**
       * @description Environment that the key belongs to.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last used, to the second, within 15 seconds of the use; null before the first use.
       * @example null
       */
      last_used_at: string | null;
      /**
       * @description Whether the key is revoked and refused.
       * @example false
       */
      revoked: boolean;
      /**
       * @description Whether a restore of the database suspended the key; it is refused until the operator resumes it.
       * @example false
       */
      suspended: boolean;
      /**
       * Format: date-time
       * @description When the key expires; null: never.
       * @example null
       */
      expires_at: string | null;
      /**
       * @description What the key may do.
       * @example [
       *       "partner:read",
       *       "read"
       *     ]
       */
      scopes: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description Partner that the key is bound to; null without one.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description In full only in the answer that creates the key, masked otherwise.
       * @example vl_sandbox_9****
       */
      secret: string;
    };
    ApiKeyAnswer: {
      /** @enum {string} */
      object: 'api_key';
      data: components['schemas']['ApiKey'];
    };
    ApiKeyId: string;
    ApiKeyIdOrNull: string | null;
    ApiKeyList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['ApiKey'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @enum {string} */
    Asset: 'USDC' | 'USDT';
    /**
     * @example {
     *       "asset": "USDC",
     *       "amount": 750,
     *       "count": 3
     *     }
     */
    AssetFlow: {
      /**
       * @description Asset of the movements.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Total amount. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Number of movements. */
      count: number;
    };
    /** @enum {string|null} */
    AssetOrNull: 'USDC' | 'USDT' | null;
    AssetRegime: {
      /**
       * @description Why the regime is unknown; null where it is known. `silent_feed`: the newest observation is over three hours old. `short_history`: too few observations, or too few consecutive hours that agree.
       * @example null
       * @enum {string|null}
       */
      reason: 'short_history' | 'silent_feed' | null;
      /**
       * @description Annual yield of the vaults, weighted by TVL, as a fraction; null where unknown or too old.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Daily change of that yield, as a fraction: 0.001 is 0.10 percentage points a day. null with too little history.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Sample standard deviation of that yield over the last week, as a fraction; null with too little history.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Asset of the yields.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Hours of the last week with a known yield.
       * @example 168
       */
      observations: number;
      /**
       * @description `volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these. null: unknown, see `reason`.
       * @example stable
       * @enum {string|null}
       */
      regime: 'rising' | 'falling' | 'stable' | 'volatile' | null;
    };
    /**
     * @example {
     *       "yield": 1.253037,
     *       "accrued": 1.237035,
     *       "performance_fee": 0.123704,
     *       "partner_revenue": 0.049481,
     *       "protocol_revenue": 0.074223,
     *       "asset": "USDC"
     *     }
     */
    AssetRevenue: {
      /** @description Yield so far, accrued and pending, net of costs: `yield` of the summary, `total` of the yield report. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Yield posted to users' ledgers: `accrued` of the yield report; negative after a net loss. The fee is charged on gains above each end-user's carried loss in the asset. */
      accrued: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      accrued_exact?: string;
      /** @description Performance fee that was settled: the sum of the two parts below. Reported, never deducted from positions. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /**
       * @description Asset of the fee.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    /**
     * @example {
     *       "opening_value": 1000,
     *       "deposits": 500,
     *       "withdrawals": 200,
     *       "yield": 4.2,
     *       "costs": 0.2,
     *       "closing_value": 1304,
     *       "performance_fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "carried_loss": 0,
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       },
     *       "expected_costs": 0.25,
     *       "asset": "USDC"
     *     }
     */
    AssetStatement: {
      /** @description Value of positions at the start of the period. */
      opening_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_value_exact?: string;
      /** @description Deposits of the period, net of voids. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals of the period, net of voids. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield of the period before `costs`; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Value of positions at the end: opening value + deposits - withdrawals + yield - costs. */
      closing_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_value_exact?: string;
      /** @description Performance fee settled in the period. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /** @description Losses carried forward at the end. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
      /** @description What the decisions expected the moves of the period to cost, beside `costs`. A move counts when its funds left their vault or, out of cash, arrived. */
      expected_costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      expected_costs_exact?: string;
      /**
       * @description Asset of the row.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    /**
     * @example {
     *       "deposits": 1000,
     *       "withdrawals": 250,
     *       "net_deposits": 750,
     *       "net_tvl": 751.237035,
     *       "yield": 1.237035,
     *       "asset": "USDC",
     *       "apy": 0.0523
     *     }
     */
    AssetSummary: {
      /** @description Deposited so far. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawn so far. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      net_deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_deposits_exact?: string;
      /** @description Value of all positions. Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description Net TVL less net deposits: yield so far, accrued and pending, withdrawn or not; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /**
       * @description Asset of the sums.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Last observed annual yield of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held, or where the yield of a vault with funds is unknown or over 24 hours old. */
      apy: number | null;
    };
    /**
     * @example {
     *       "asset": "USDC",
     *       "net_tvl": 751.237035,
     *       "vaults": [
     *         {
     *           "vault_id": "vlt_harbor_lend_usdc",
     *           "value": 751.237035,
     *           "share": 1
     *         }
     *       ]
     *     }
     */
    AssetTvl: {
      /**
       * @description Asset of the positions.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Value of its positions. Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description The value by vault; empty where nothing is held. */
      vaults: components['schemas']['VaultTvl'][];
    };
    /**
     * @example {
     *       "asset": "USDC",
     *       "accrued": 1.237035,
     *       "pending": 0.016002,
     *       "total": 1.253037,
     *       "costs": 0.000517,
     *       "apy": 0.0523
     *     }
     */
    AssetYield: {
      /**
       * @description Asset of the yield.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Yield posted to users' ledgers, net of costs; negative after a net loss. */
      accrued: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      accrued_exact?: string;
      /** @description Yield since then. It is posted before the next movement or at the end of the UTC day. Rounded down once per vault: it may exceed the sum over the positions by less than 0.000001 per position. */
      pending: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      pending_exact?: string;
      /** @description Accrued and pending: `yield` of the other reports. */
      total: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      total_exact?: string;
      /** @description Costs of moves between vaults: deducted from `accrued` and so from every yield. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held or it is unknown. */
      apy: number | null;
    };
    /**
     * @example {
     *       "id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "attributed_user",
     *       "external_id": "acme:user-1042",
     *       "label": "User 1042",
     *       "status": "active",
     *       "wallets": [
     *         "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
     *       ],
     *       "positions": {
     *         "open": 3,
     *         "closed": 1
     *       },
     *       "net_tvl": 250.412345,
     *       "balances": [
     *         {
     *           "asset": "USDC",
     *           "value": 250.412345,
     *           "available": 250.412345,
     *           "positions": 2
     *         }
     *       ],
     *       "created_at": "2026-01-31T12:00:00.000Z"
     *     }
     */
    AttributedUser: {
      id: string;
      /** @enum {string} */
      object: 'attributed_user';
      /** @description The account's own identifier; unique within the account. */
      external_id: string;
      /** @description Display name of the user. */
      label: string;
      /**
       * @description `blocked`: deposits are refused, withdrawals stay possible.
       * @enum {string}
       */
      status: 'active' | 'blocked';
      /** @description Wallet addresses, checksummed (EIP-55), in the order given. */
      wallets: string[];
      /** @description Number of the user's positions. */
      positions: components['schemas']['PositionCounts'];
      /** @description Value of the user's positions, in whole units over all assets. Stablecoins are added at par. Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description What the user has, by asset; empty without an open position. */
      balances: components['schemas']['UserBalance'][];
      /** Format: date-time */
      created_at: string;
    };
    AttributedUserList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['AttributedUser'][];
      meta: components['schemas']['ListMeta'];
    };
    AuditActor: {
      /**
       * @description A key, a session of a key, a command of an operator, or the deployment itself.
       * @example key
       * @enum {string}
       */
      kind: 'key' | 'session' | 'cli' | 'system';
      /**
       * @description The key; null for a command, and for an administrator's change in a partner's list.
       * @example key_01kaabcdefghjkmnpqrstvwxyz
       */
      key_id: string | null;
      /**
       * @description The session; null where the key itself was used.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      session_id: string | null;
      /**
       * @description Label of the key at that time.
       * @example Reporting, production
       */
      label: string | null;
      /**
       * @description User of the operating system that ran the command.
       * @example null
       */
      user: string | null;
      /**
       * @description Partner that the key is bound to.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
    };
    AuditEntry: {
      /** @example aud_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example audit_entry
       * @enum {string}
       */
      object: 'audit_entry';
      /**
       * Format: date-time
       * @description When the change was made.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /** @description Who made it. */
      actor: components['schemas']['AuditActor'];
      /**
       * @description Source address of the request; null for a command, and for an administrator's change in a partner's list.
       * @example 203.0.113.7
       */
      address: string | null;
      /**
       * @description `operationId` of the operation, or the name of the command.
       * @example updatePartner
       */
      operation: string;
      /**
       * @description Ids of the changed records.
       * @example [
       *       "ptn_01kaabcdefghjkmnpqrstvwxyz"
       *     ]
       */
      subjects: string[];
      /**
       * @description Changed fields before the change, by record id; null for a new record.
       * @example {
       *       "ptn_01kaabcdefghjkmnpqrstvwxyz": {
       *         "revenue_share_bps": 4000
       *       }
       *     }
       */
      before: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Those fields after the change, without secrets; for transfers and for changes without a record, the input.
       * @example {
       *       "ptn_01kaabcdefghjkmnpqrstvwxyz": {
       *         "revenue_share_bps": 4500
       *       }
       *     }
       */
      after: {
        [key: string]: unknown;
      } | null;
      /**
       * @description Request that made the change; null for a command.
       * @example req_01kaabcdefghjkmnpqrstvwxyz
       */
      request_id: string | null;
      /**
       * @description Position of the entry in the chain; null within the first second, and always null for a partner.
       * @example 1
       */
      number: number | null;
      /**
       * @description SHA-256, in hex, over the previous entry's hash and the JSON of this one.
       * @example 5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      hash: string | null;
    };
    AuditEntryList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['AuditEntry'][];
      meta: components['schemas']['ListMeta'];
    };
    AuditId: string;
    /**
     * @example {
     *       "lending": 1.5,
     *       "hold": 0.5
     *     }
     */
    BaselineAmounts: {
      /** @description For the asset's lending vault. */
      lending: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      lending_exact?: string;
      /** @description For each position's first vault. */
      hold: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      hold_exact?: string;
    };
    /**
     * @example {
     *       "lending_value": 1009.2,
     *       "hold_value": 1010.2
     *     }
     */
    BaselineValues: {
      /** @description Value of the same deposits in the asset's lending vault. */
      lending_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      lending_value_exact?: string;
      /** @description Value of the same deposits in each position's first vault. */
      hold_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      hold_value_exact?: string;
    };
    BendMarketRequest: {
      /**
       * @description Behaviour of the market, or of the executor of moves, from the next hour on: `calm` (a quarter of the usual noise, no spikes), `rising` and `falling` (the regime follows within 8 days), `volatile` (a day of six times the noise), `outage` (the lending vaults' feeds are silent for 30 hours), `loss` (each asset's vault of the highest risk loses 5 % at once), `run` (70 % of the assets of that vault leave within 12 hours), `failing` (its assets leave over a week, while its yield climbs beyond 30 % and nothing can be withdrawn any more; then it loses 40 %), `stalled` (no move is executed for 30 hours; after 24 it lapses), `queue` (every vault pays out after 24 hours), `full` (no vault takes funds).
       * @example rising
       * @enum {string}
       */
      scenario:
        | 'calm'
        | 'rising'
        | 'falling'
        | 'volatile'
        | 'outage'
        | 'loss'
        | 'run'
        | 'failing'
        | 'stalled'
        | 'queue'
        | 'full';
    };
    Campaign: {
      /** @example cmp_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example campaign
       * @enum {string}
       */
      object: 'campaign';
      /**
       * @description Partner that runs it.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string;
      /**
       * @description Name of the campaign.
       * @example Winter double
       */
      name: string;
      /**
       * @description Whether it multiplies points while it runs.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'disabled';
      /**
       * @description Its only asset; null: every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /**
       * @description Multiplier of points, 1 to 10, two decimals.
       * @example 1.5
       */
      points_multiplier: number;
      /**
       * Format: date-time
       * @description When it begins.
       * @example 2026-01-31T12:00:00.000Z
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description When it ends; null for an open end.
       * @example null
       */
      ends_at: string | null;
      /**
       * @description Notes of the administrator.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the campaign was last changed.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
    };
    CampaignAnswer: {
      /** @enum {string} */
      object: 'campaign';
      data: components['schemas']['Campaign'];
    };
    CampaignId: string;
    CampaignIdOrNull: string | null;
    CampaignList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Campaign'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "campaign_id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
     *       "multiplier": 1.5,
     *       "points": 562.5
     *     }
     */
    CampaignPoints: {
      /** @description Campaign that multiplied the points; null: points outside campaigns. */
      campaign_id: string | null;
      /** @description Multiplier while the campaign runs, at most two decimals; 1 outside campaigns. A change does not affect points already earned. */
      multiplier: number;
      /** @description Points, to 0.000001, rounded down. */
      points: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      points_exact?: string;
    };
    CheckWebhookInput: {
      /**
       * @description The URL to check.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
    };
    CreateAlertWebhookInput: {
      /**
       * @description Where events are sent: http or https, without credentials or fragment. Loopback, private, link-local and metadata addresses are refused, now and at every send. A host name that does not resolve yet is accepted.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Your own note.
       * @example Ledger service
       */
      description?: string | null;
      /**
       * @description An inactive endpoint receives test sends only.
       * @default true
       */
      active?: boolean;
    };
    CreateCampaignInputDto: {
      /**
       * @description Name of the campaign.
       * @example Winter double
       */
      name: string;
      /**
       * @description Only deposits of this asset; null or absent: every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset?: 'USDC' | 'USDT' | null;
      /**
       * @description Multiplier of points while the campaign runs, 1 to 10, at most two decimals.
       * @default 1
       * @example 1.5
       */
      points_multiplier?: number;
      /**
       * Format: date-time
       * @description When the campaign begins. UTC. Default: now.
       * @example 2026-12-01T00:00:00.000Z
       */
      starts_at?: string;
      /**
       * Format: date-time
       * @description When it ends, after its start; null: open end. UTC.
       * @example 2027-01-01T00:00:00.000Z
       */
      ends_at?: string | null;
      /**
       * @description Your own notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
    };
    CreateKeyInputDto: {
      /**
       * @description Label of the key.
       * @example Reporting, production
       */
      label: string;
      /**
       * @description `partner:read` needs a `partner_id`; a key with a `partner_id` may hold only `partner:read` and `read`.
       * @default [
       *       "read"
       *     ]
       * @example [
       *       "partner:read",
       *       "read"
       *     ]
       */
      scopes?: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description Binds the key to this active partner.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id?: string;
      /**
       * @description If given, must be the deployment's environment.
       * @example sandbox
       * @enum {string}
       */
      environment?: 'sandbox';
      /**
       * Format: date-time
       * @description When the key expires: a time in the future, in UTC. null: never.
       * @default null
       */
      expires_at?: string | null;
    };
    CreatePartnerInputDto: {
      /**
       * @description Name of the partner.
       * @example Acme Wallet
       */
      name: string;
      /**
       * Format: email
       * @description Contact of the partner.
       * @example ops@acme.example
       */
      contact_email?: string | null;
      /**
       * @description Performance fee, in basis points of yield beyond carried losses. A change applies from now on: yield so far is posted first, at the old terms.
       * @default 1000
       * @example 1000
       */
      performance_fee_bps?: number;
      /**
       * @description The partner's share of the performance fee, in basis points.
       * @default 4000
       * @example 4000
       */
      revenue_share_bps?: number;
      /**
       * @description Your own notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description Label of the partner's first key.
       * @example Acme, default key
       */
      key_label?: string;
    };
    CreatePositionRequest: {
      /**
       * @description End-user who deposits.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that is deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Amount to deposit. In whole asset units, at most 6 decimals.
       * @example 250
       */
      amount: number;
      /**
       * @description `true`: splits the deposit into up to eight equal positions of at least one unit, which share a `deposit_id` and are routed one after another, so that a large deposit is spread over vaults. The answer is then a list (`object: "list"`).
       * @default false
       * @example false
       */
      split?: boolean;
    };
    CreateSessionInput: {
      /** @description Scopes of the session: a subset of its key's. Default: `read` and `partner:read`, as far as the key has them; of a key with neither, as with a one-time code, all scopes of the key. */
      scopes?: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description Validity in seconds; the session ends with its key at the latest.
       * @default 43200
       */
      expires_in?: number;
      /** @description A one-time code from a console link, instead of a key in `Authorization`. */
      code?: string;
    };
    CreateUserInputDto: {
      /**
       * @description Your identifier of the end-user, unique within your account.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description Display name of the end-user. Default: the external id.
       * @example User 1042
       */
      label?: string;
      /**
       * @description Wallet addresses, stored with their EIP-55 checksum. A mixed-case address must have a valid checksum. A wallet belongs to one of your users.
       * @example [
       *       "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
       *     ]
       */
      wallets?: string[];
      /**
       * Format: email
       * @description Email address.
       * @example user@acme.example
       */
      email?: string | null;
      /**
       * @description Your own notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
    };
    CreateWebhookRequest: {
      /**
       * @description Where events are sent: http or https, without credentials or fragment. Loopback, private, link-local and metadata addresses are refused, now and at every send. A host name that does not resolve yet is accepted.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Event types to send. Default: the whole catalogue.
       * @example [
       *       "position.opened",
       *       "system.status"
       *     ]
       */
      events?: (
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status'
      )[];
      /**
       * @description Your own note.
       * @example Ledger service
       */
      description?: string | null;
      /**
       * @description An inactive endpoint receives test sends only.
       * @default true
       */
      active?: boolean;
    };
    CreateWithdrawalInput: {
      /**
       * @description Asset to withdraw.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Amount to withdraw. Absent: everything that the positions are worth when it is paid. In whole asset units, at most 6 decimals.
       * @example 100
       */
      amount?: number;
      /** @description The end-user's wallet that is paid. Default: its only wallet; with several, and an executor that pays, name one. */
      wallet?: string;
    };
    CreatedSession: {
      /**
       * @description Id of the session (`ses_...`), or of the key of this request.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @example session
       * @enum {string}
       */
      object: 'session';
      /**
       * @description What it may do.
       * @example [
       *       "partner:read",
       *       "read"
       *     ]
       */
      scopes: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description Partner of its key; null without one.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description Name of that partner; null without one.
       * @example Acme Wallet
       */
      partner_name: string | null;
      /**
       * @description Its environment.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * Format: date-time
       * @description When it expires; null for a key without an expiry.
       * @example 2026-01-31T12:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description Label of its key.
       * @example Reporting, production
       */
      label: string;
      /**
       * @description Its secret, shown only in this answer. Send it like a key.
       * @example vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000
       */
      secret: string;
    };
    CreatedSessionAnswer: {
      /** @enum {string} */
      object: 'session';
      data: components['schemas']['CreatedSession'];
    };
    /** @description All lines as CSV (RFC 4180) under a header row, at most a million rows. Nested fields have dotted names (`settlement.status`), lists and free objects are JSON, amounts have six decimals, null is empty. A text has an apostrophe before `=`, `+`, `-`, `@` and their full-width forms at its beginning and behind each `;`, tab and line end, so that no spreadsheet reads a formula. */
    Csv: string;
    /**
     * @example {
     *       "kind": "route",
     *       "reason": "best_vault",
     *       "asset": "USDC",
     *       "from_vault_id": null,
     *       "to_vault_id": "vlt_harbor_lend_usdc",
     *       "snapshot_hour": "2026-01-31T12:00:00.000Z",
     *       "config_version": "5f0c1a2b3d4e",
     *       "inputs": {
     *         "asset": "USDC",
     *         "amount": 1000,
     *         "group_amount": 1000,
     *         "current_vault_id": null,
     *         "hours_in_vault": 0,
     *         "snapshot_hour": "2026-01-31T12:00:00.000Z",
     *         "config_version": "5f0c1a2b3d4e",
     *         "constants": {
     *           "horizon_days": 20,
     *           "lasting_horizon_days": 60,
     *           "cash_horizon_days": 365,
     *           "min_delta": 0.001,
     *           "min_gain_multiple": 1.5,
     *           "min_promise_multiple": 1,
     *           "min_net_gain": 1,
     *           "min_hours_in_vault": 6,
     *           "return_window_hours": 168,
     *           "return_gain_multiple": 3,
     *           "min_size_multiple": 10,
     *           "max_vault_share": 0.15,
     *           "max_gap_hours": 24,
     *           "max_index_loss": 0.005,
     *           "max_assets_loss": 0.5,
     *           "max_thinning": 0.3,
     *           "max_reading_hours": 3,
     *           "max_utilisation": 0.97,
     *           "kink": 0.9
     *         },
     *         "policy": null,
     *         "candidates": [
     *           {
     *             "vault_id": "vlt_harbor_lend_usdc",
     *             "active": true,
     *             "lending_baseline": true,
     *             "risk_tier": "low",
     *             "apy": 0.0523,
     *             "expected_apy": 0.0507,
     *             "expected_risk_adjusted_apy": 0.0482,
     *             "promised_apy": 0.0514,
     *             "lasting_apy": 0.0465,
     *             "promised_lasting_apy": 0.0502,
     *             "tvl": 812345678.12,
     *             "assets": 812345678.12,
     *             "liquidity": 92345678.12,
     *             "capacity": 25000000,
     *             "dilution": "pool",
     *             "index_change": 0,
     *             "assets_change": -0.012,
     *             "quarantine_hours": null,
     *             "cost": 2,
     *             "base_fee_gwei": 1.2,
     *             "exit_delay_hours": 0,
     *             "hours_since_observed": 0,
     *             "hours_since_left": null
     *           }
     *         ]
     *       },
     *       "alternatives": [
     *         {
     *           "vault_id": "vlt_harbor_lend_usdc",
     *           "action": "deposit",
     *           "apy": 0.0523,
     *           "expected_apy": 0.0507,
     *           "risk_adjusted_apy": 0.0493,
     *           "expected_risk_adjusted_apy": 0.0482,
     *           "rate": 0.0481,
     *           "delta": null,
     *           "gates": [
     *             {
     *               "gate": "fresh",
     *               "value": 0,
     *               "threshold": 24,
     *               "passed": true,
     *               "rules": []
     *             }
     *           ],
     *           "chosen": true
     *         }
     *       ],
     *       "expected_uplift": {
     *         "apy_delta": 0,
     *         "horizon_days": 20,
     *         "amount": 0,
     *         "cost": 0,
     *         "npv": 0
     *       },
     *       "exposure": {
     *         "before": {
     *           "vaults": {
     *             "vlt_harbor_lend_usdc": 1
     *           },
     *           "tiers": {
     *             "low": 1
     *           },
     *           "venues": {
     *             "Harbor Lend": 1
     *           }
     *         },
     *         "after": {
     *           "vaults": {
     *             "vlt_harbor_lend_usdc": 1
     *           },
     *           "tiers": {
     *             "low": 1
     *           },
     *           "venues": {
     *             "Harbor Lend": 1
     *           }
     *         },
     *         "limits": {
     *           "vaults": {
     *             "vlt_harbor_lend_usdc": 1
     *           },
     *           "tiers": {
     *             "low": 1
     *           },
     *           "venues": {
     *             "Harbor Lend": 1
     *           }
     *         }
     *       },
     *       "because": "its expected risk-adjusted APY of 4.82 % is the best within limits, of one vault.",
     *       "rationale": "Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best within limits, of one vault.",
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "decision",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "positions": 1,
     *       "outcome": null,
     *       "order": null,
     *       "plan": {
     *         "decisions": [
     *           {
     *             "id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *             "kind": "rebalance",
     *             "from_vault_id": null,
     *             "to_vault_id": "vlt_harbor_lend_usdc",
     *             "amount": 1000
     *           }
     *         ],
     *         "inflows_of_others": [
     *           {
     *             "vault_id": "vlt_harbor_lend_usdc",
     *             "amount": 120000
     *           }
     *         ]
     *       }
     *     }
     */
    Decision: {
      /**
       * @description `route`: places a deposit. `rebalance`: moves funds to another vault. `hold`: funds stay, as the better vault failed a gate.
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /**
       * @description Why. `best_vault`: a deposit or cash goes to the best vault within its limits; `insufficient_history`: too little history to compare: a deposit goes to the lending vault, invested funds stay; `no_open_vault`: no vault accepts the funds: they are in cash, and each hour tries again; `all_gates_passed`: a move passed every gate; `evicted`: the funds had to leave an unsafe vault, whatever the gain; `policy`: the funds had to leave a vault that the partner's policy excludes, whatever the gain; `exposure`: a vault, tier or venue had drifted over its exposure limit: the excess moves down, whatever the gain; `already_best`: a hold: no vault was better; `gate_failed`: a hold: the better vault failed a gate, or leaving cost as much as the amount.
       * @enum {string}
       */
      reason:
        | 'best_vault'
        | 'insufficient_history'
        | 'no_open_vault'
        | 'all_gates_passed'
        | 'evicted'
        | 'policy'
        | 'exposure'
        | 'already_best'
        | 'gate_failed';
      /**
       * @description Asset of the funds.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Vault that the funds were in; null for a deposit. */
      from_vault_id: string | null;
      /** @description Vault that the funds went to; null for a hold. */
      to_vault_id: string | null;
      /**
       * Format: date-time
       * @description The hour whose snapshots were evaluated.
       */
      snapshot_hour: string;
      /** @description Version of the configuration that applied. */
      config_version: string;
      /** @description All inputs of the decision, except the holdings in each vault. */
      inputs?: components['schemas']['DecisionInputs'];
      /** @description Every vault of the asset, staying included, best first. */
      alternatives?: components['schemas']['DecisionAlternative'][];
      /** @description Expected uplift of the choice. */
      expected_uplift: components['schemas']['ExpectedUplift'];
      /** @description Shares of your holdings of the asset, cash included, as fractions. */
      exposure?: components['schemas']['DecisionExposure'];
      /** @description Why, in words, from the figures above: of a hold the best other vault, its gain and what keeps the funds from it. null in the summary of a decision that was stored before this existed. */
      because: string | null;
      /** @description What was decided, and why. */
      rationale?: string;
      /**
       * Format: date-time
       * @description When it was made.
       */
      at: string;
      /** @description Id of the decision; ledger notes and events name it. */
      id: string;
      /** @enum {string} */
      object: 'decision';
      /** @description End-user of the deposit; null where funds were evaluated together. */
      user_id: string | null;
      /** @description Position of the deposit; null where funds were evaluated together. */
      position_id: string | null;
      /** @description Number of your positions concerned. */
      positions: number;
      /** @description Outcome of a move; null until its horizon has passed, and for other kinds. */
      outcome: components['schemas']['DecisionOutcome'] | null;
      /** @description The move that executes it; null where there is nothing to execute, and in the sandbox. */
      order: components['schemas']['DecisionOrder'] | null;
      /** @description The plan that the decision was part of. */
      plan?: components['schemas']['DecisionPlan'];
      /** @description Only with `view=summary`: `inputs.amount`. */
      amount?: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
    };
    DecisionAlternative: {
      /**
       * @description The vault.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description `deposit`: put the deposit there. `move`: move the funds there. `hold`: leave them where they are, in this vault.
       * @example deposit
       * @enum {string}
       */
      action: 'deposit' | 'move' | 'hold';
      /**
       * @description Its last observed annual yield, as a fraction; null: never observed.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Its expected annual yield over the next 10 days, as a fraction; null: too little history.
       * @example 0.0507
       */
      expected_apy: number | null;
      /**
       * @description Its `apy` discounted for risk, as in the signals; null: too little history, or an old record.
       * @example 0.0493
       */
      risk_adjusted_apy: number | null;
      /**
       * @description Its `expected_apy` with the same discounts; null: too little history.
       * @example 0.0482
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description The rate that the amount would earn, as a fraction: the expected risk-adjusted yield less its dilution by the amount itself; null: too little history.
       * @example 0.0481
       */
      rate: number | null;
      /**
       * @description Rate less the rate of the current vault, as a fraction; null for a deposit, and where either is unknown.
       * @example null
       */
      delta: number | null;
      /** @description Gates that the alternative was checked against; for `hold`, the ones for staying. */
      gates: components['schemas']['DecisionGate'][];
      /**
       * @description Whether it was chosen.
       * @example true
       */
      chosen: boolean;
    };
    /**
     * @example {
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "active": true,
     *       "lending_baseline": true,
     *       "risk_tier": "low",
     *       "apy": 0.0523,
     *       "expected_apy": 0.0507,
     *       "expected_risk_adjusted_apy": 0.0482,
     *       "promised_apy": 0.0514,
     *       "lasting_apy": 0.0465,
     *       "promised_lasting_apy": 0.0502,
     *       "tvl": 812345678.12,
     *       "assets": 812345678.12,
     *       "liquidity": 92345678.12,
     *       "capacity": 25000000,
     *       "dilution": "pool",
     *       "index_change": 0,
     *       "assets_change": -0.012,
     *       "quarantine_hours": null,
     *       "cost": 2,
     *       "base_fee_gwei": 1.2,
     *       "exit_delay_hours": 0,
     *       "hours_since_observed": 0,
     *       "hours_since_left": null
     *     }
     */
    DecisionCandidate: {
      /** @description The vault. */
      vault_id: string;
      /** @description Whether it took deposits. */
      active: boolean;
      /** @description Whether it is the asset's passive baseline. */
      lending_baseline: boolean;
      /**
       * @description Its risk tier at that time; null in old records.
       * @enum {string|null}
       */
      risk_tier: 'low' | 'medium' | 'high' | null;
      /** @description Last observed annual yield, as a fraction; null: never observed. */
      apy: number | null;
      /** @description Expected annual yield over the next 10 days, as a fraction; null: too little history. */
      expected_apy: number | null;
      /** @description `expected_apy` discounted for risk, as in the signals; null: too little history. */
      expected_risk_adjusted_apy: number | null;
      /** @description Annual yield of the promise, as a fraction: expected over the horizon from the last observation; null: too little history. The promise takes the lower of this and the same from the mean of 6 hours. */
      promised_apy: number | null;
      /** @description Risk-adjusted annual yield by its long average, as a fraction; null: too little history. */
      lasting_apy: number | null;
      /** @description As `promised_apy`, over `lasting_horizon_days`. */
      promised_lasting_apy: number | null;
      /** @description Its total value locked, in whole asset units; null: unknown. */
      tvl: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      tvl_exact?: string;
      /** @description All its deposits, in whole asset units; null: unknown. */
      assets: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      assets_exact?: string;
      /** @description Withdrawable part of them, in whole asset units; null: unknown. */
      liquidity: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      liquidity_exact?: string;
      /** @description Maximum that this service may hold in it, in whole asset units; null: no limit. */
      capacity: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      capacity_exact?: string;
      /**
       * @description `pool`: a deposit lowers the vault's rate; `none`: it does not.
       * @enum {string}
       */
      dilution: 'pool' | 'none';
      /** @description Change of its index from its highest of the last day, as a fraction; null: unknown. */
      index_change: number | null;
      /** @description Change of its assets from their median of the last week, as a fraction; null: unknown. */
      assets_change: number | null;
      /** @description Hours until its quarantine ends; null: not in quarantine. */
      quarantine_hours: number | null;
      /** @description Cost of moving the funds there, in whole asset units; 0 for a deposit and for the current vault. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description Median base fee of the vault's chain over 24 hours, in gwei, on which its part of `cost` is based. Absent where the cost is fixed. */
      base_fee_gwei?: number;
      /** @description Hours from redemption until the funds are available. */
      exit_delay_hours: number;
      /** @description Hours since its last observation; null: never observed. */
      hours_since_observed: number | null;
      /** @description Hours since these funds last left it; null: never. */
      hours_since_left: number | null;
    };
    /**
     * @example {
     *       "horizon_days": 20,
     *       "lasting_horizon_days": 60,
     *       "cash_horizon_days": 365,
     *       "min_delta": 0.001,
     *       "min_gain_multiple": 1.5,
     *       "min_promise_multiple": 1,
     *       "min_net_gain": 1,
     *       "min_hours_in_vault": 6,
     *       "return_window_hours": 168,
     *       "return_gain_multiple": 3,
     *       "min_size_multiple": 10,
     *       "max_vault_share": 0.15,
     *       "max_gap_hours": 24,
     *       "max_index_loss": 0.005,
     *       "max_assets_loss": 0.5,
     *       "max_thinning": 0.3,
     *       "max_reading_hours": 3,
     *       "max_utilisation": 0.97,
     *       "kink": 0.9
     *     }
     */
    DecisionConstants: {
      /** @description Days over which gains are estimated. */
      horizon_days: number;
      /** @description Days over which a difference in yield counts where the long averages confirm it. */
      lasting_horizon_days: number;
      /** @description Days within which a move out of cash must pay for itself. */
      cash_horizon_days: number;
      /** @description Minimum advantage of the target in expected risk-adjusted annual yield, as a fraction. */
      min_delta: number;
      /** @description Minimum gain over the horizon, as a multiple of the move's cost. */
      min_gain_multiple: number;
      /** @description Minimum promise net of cost, as a multiple of the move's cost. */
      min_promise_multiple: number;
      /** @description Minimum gain over the horizon net of cost, in whole asset units. */
      min_net_gain: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      min_net_gain_exact?: string;
      /** @description Minimum hours in a vault. */
      min_hours_in_vault: number;
      /** @description Hours during which returning to a vault requires `return_gain_multiple`. */
      return_window_hours: number;
      /** @description Minimum gain for returning to a recently left vault, as a multiple of the cost. */
      return_gain_multiple: number;
      /** @description Minimum size of the target, as a multiple of the amount. */
      min_size_multiple: number;
      /** @description Maximum share of the target's size that this service may hold, as a fraction. */
      max_vault_share: number;
      /** @description Maximum hours since a vault's last observation. */
      max_gap_hours: number;
      /** @description Maximum loss of a vault's index within a day, as a fraction. */
      max_index_loss: number;
      /** @description Loss of assets from their median of a week at which funds leave, as a fraction. */
      max_assets_loss: number;
      /** @description Loss of assets from that median at which no funds enter, as a fraction. */
      max_thinning: number;
      /** @description Maximum hours since the newest reading of a vault that funds enter. */
      max_reading_hours: number;
      /** @description Utilisation above which low liquidity is a reason to leave. */
      max_utilisation: number;
      /** @description Utilisation above which a pool's rate depends on its remaining liquidity. */
      kink: number;
    };
    DecisionExposure: {
      /** @description Before the decision; for a deposit, without it. Empty vaults are left out. */
      before: components['schemas']['ExposureShares'];
      /** @description After it; unchanged for a hold. */
      after: components['schemas']['ExposureShares'];
      /** @description Maximum allowed shares; 1: no limit. A single position that exceeds its vault's limit may still be there alone. */
      limits: components['schemas']['ExposureShares'];
    };
    DecisionGate: {
      /**
       * @description The rule. `active`: the vault takes deposits (1 or 0); `fresh`: hours since its last observation; maximum; `history`: enough history for a signal (1 or 0); `capacity`: this service's holdings in the vault after the decision, in whole asset units; maximum; `reading`: hours since its newest reading, for funds that enter; maximum; `size`: the vault's size (its deposits, or five times its liquidity where that is less) divided by the amount; minimum; `share`: this service's fraction of the vault's size; maximum; `index`: change of its index from the highest of the last day, as a fraction; must exceed the bound; `outflow`: change of its assets from their weekly median, as a fraction; must exceed the bound; `assets`: the same, for funds that enter; `liquidity`: highest liquidity of the last 6 hours divided by this service's holdings, while the vault is nearly all lent out; minimum; `quarantine`: hours until its quarantine ends; maximum 0; `exposure`: fraction of the partner's book in the vault, its tier or its venue after the decision; maximum; `exit`: amount that can be withdrawn from the current vault, in whole asset units; minimum; `step`: change of its share price that its index has yet to take, as a fraction; maximum in either direction; `divergence`: its annual yield less that of its second source, as a fraction; maximum in either direction; `policy`: the vault satisfies the `rules` of the partner's policy (1 or 0); `cost`: cost of a forced move, in whole asset units; must be below the amount; `delta`: advantage in expected risk-adjusted annual yield, as a fraction; minimum; `gain`: gain over the horizon, in whole asset units; minimum, a multiple of the cost; `net_gain`: gain over the horizon less the cost, in whole asset units; minimum; `promise`: smallest of three gains less the cost (by the newest yields, by their 6-hour means, and as chosen), in whole asset units; minimum, a multiple of the cost; `time_in_vault`: hours since the funds entered their vault; minimum; `return`: gain over the horizon of a return to a vault that was left recently, in whole asset units; minimum, a multiple of what another move needs.
       * @example fresh
       * @enum {string}
       */
      gate:
        | 'active'
        | 'fresh'
        | 'history'
        | 'capacity'
        | 'reading'
        | 'size'
        | 'share'
        | 'index'
        | 'outflow'
        | 'assets'
        | 'liquidity'
        | 'quarantine'
        | 'exposure'
        | 'exit'
        | 'step'
        | 'divergence'
        | 'policy'
        | 'cost'
        | 'delta'
        | 'gain'
        | 'net_gain'
        | 'promise'
        | 'time_in_vault'
        | 'return';
      /**
       * @description The value, in the gate's unit; `capacity`, `size` and `share` have two significant digits. null: unknown, or the event never happened (for example, no observation yet).
       * @example 0
       */
      value: number | null;
      /**
       * @description The bound, in the same unit; null: none.
       * @example 24
       */
      threshold: number | null;
      /**
       * @description Whether the unrounded value satisfied the bound.
       * @example true
       */
      passed: boolean;
      /**
       * @description Only for `policy`: the rules of the partner's policy that the vault violates.
       * @example []
       */
      rules?: ('allowed_vaults' | 'max_risk_tier' | 'paused')[];
    };
    DecisionId: string;
    DecisionIdOrNull: string | null;
    /**
     * @example {
     *       "asset": "USDC",
     *       "amount": 1000,
     *       "group_amount": 1000,
     *       "current_vault_id": null,
     *       "hours_in_vault": 0,
     *       "snapshot_hour": "2026-01-31T12:00:00.000Z",
     *       "config_version": "5f0c1a2b3d4e",
     *       "constants": {
     *         "horizon_days": 20,
     *         "lasting_horizon_days": 60,
     *         "cash_horizon_days": 365,
     *         "min_delta": 0.001,
     *         "min_gain_multiple": 1.5,
     *         "min_promise_multiple": 1,
     *         "min_net_gain": 1,
     *         "min_hours_in_vault": 6,
     *         "return_window_hours": 168,
     *         "return_gain_multiple": 3,
     *         "min_size_multiple": 10,
     *         "max_vault_share": 0.15,
     *         "max_gap_hours": 24,
     *         "max_index_loss": 0.005,
     *         "max_assets_loss": 0.5,
     *         "max_thinning": 0.3,
     *         "max_reading_hours": 3,
     *         "max_utilisation": 0.97,
     *         "kink": 0.9
     *       },
     *       "policy": null,
     *       "candidates": [
     *         {
     *           "vault_id": "vlt_harbor_lend_usdc",
     *           "active": true,
     *           "lending_baseline": true,
     *           "risk_tier": "low",
     *           "apy": 0.0523,
     *           "expected_apy": 0.0507,
     *           "expected_risk_adjusted_apy": 0.0482,
     *           "promised_apy": 0.0514,
     *           "lasting_apy": 0.0465,
     *           "promised_lasting_apy": 0.0502,
     *           "tvl": 812345678.12,
     *           "assets": 812345678.12,
     *           "liquidity": 92345678.12,
     *           "capacity": 25000000,
     *           "dilution": "pool",
     *           "index_change": 0,
     *           "assets_change": -0.012,
     *           "quarantine_hours": null,
     *           "cost": 2,
     *           "base_fee_gwei": 1.2,
     *           "exit_delay_hours": 0,
     *           "hours_since_observed": 0,
     *           "hours_since_left": null
     *         }
     *       ]
     *     }
     */
    DecisionInputs: {
      /**
       * @description Asset of the funds.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Amount of the deposit, or held in the current vault, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Total held in the current vault, in whole asset units: more than the amount where only a part fits the target. */
      group_amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      group_amount_exact?: string;
      /** @description Vault of the funds; null for a deposit. */
      current_vault_id: string | null;
      /** @description Hours that they have been there; 0 for a deposit. */
      hours_in_vault: number;
      /**
       * Format: date-time
       * @description The hour whose snapshots were evaluated.
       */
      snapshot_hour: string;
      /** @description Version of the configuration that the constants are from. */
      config_version: string;
      /** @description Constants that the gates apply. */
      constants: components['schemas']['DecisionConstants'];
      /** @description The partner's policy; null: none. */
      policy: components['schemas']['DecisionPolicy'] | null;
      /** @description Every vault of the asset, as it was then. */
      candidates: components['schemas']['DecisionCandidate'][];
    };
    DecisionList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Decision'][];
      meta: components['schemas']['ListMeta'];
    };
    DecisionOrder: {
      /** @example mov_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @description `decided`: nobody claimed it yet. `taken_up`: an executor claimed it. `redeemed`: the funds left their vault. `arrived`: they are in the new one. `lapsed`, `failed`: it was not executed.
       * @example decided
       * @enum {string}
       */
      state: 'decided' | 'taken_up' | 'redeemed' | 'arrived' | 'lapsed' | 'failed';
    };
    /**
     * @example {
     *       "promised": 3.479452,
     *       "realised": 3.912345,
     *       "at": "2026-01-31T12:00:00.000Z"
     *     }
     */
    DecisionOutcome: {
      /** @description Promised gain over the horizon by the `promised_apy` of both vaults (`promised_lasting_apy` over the longer one), net of cost, in whole asset units. Negative only for funds that must leave their vault: any other move passed the gate `promise`. */
      promised: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      promised_exact?: string;
      /** @description Realised gain over staying, until the end of the horizon, by the yields of both vaults, net of cost, in whole asset units. */
      realised: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      realised_exact?: string;
      /**
       * Format: date-time
       * @description The end of the horizon.
       */
      at: string;
    };
    DecisionPlan: {
      /** @description Your other decisions on the asset in the same plan, at most 50: those of the same hour, or the other parts of a split deposit. */
      decisions: components['schemas']['PlanDecision'][];
      /** @description Net inflow by vault of decisions on other funds, made earlier in the same hour. Rates include it. */
      inflows_of_others: components['schemas']['PlanInflow'][];
    };
    DecisionPolicy: {
      /**
       * @description Ids of the vaults that may hold funds; null: all.
       * @example [
       *       "vlt_harbor_lend_usdc"
       *     ]
       */
      allowed_vaults: string[] | null;
      /**
       * @description Highest risk of a vault that may hold funds; null: any.
       * @example medium
       * @enum {string|null}
       */
      max_risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description Minimum advantage of a move in expected risk-adjusted annual yield, as a fraction; null: `min_delta` alone.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Version of the policy.
       * @example 3
       */
      version: number;
      /**
       * @description Digest of the rules in force.
       * @example 0f6b2c9d41aa
       */
      digest: string;
    };
    DecisionPreview: {
      /**
       * @description `route`: places a deposit. `rebalance`: moves funds to another vault. `hold`: funds stay, as the better vault failed a gate.
       * @example route
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /**
       * @description Why. `best_vault`: a deposit or cash goes to the best vault within its limits; `insufficient_history`: too little history to compare: a deposit goes to the lending vault, invested funds stay; `no_open_vault`: no vault accepts the funds: they are in cash, and each hour tries again; `all_gates_passed`: a move passed every gate; `evicted`: the funds had to leave an unsafe vault, whatever the gain; `policy`: the funds had to leave a vault that the partner's policy excludes, whatever the gain; `exposure`: a vault, tier or venue had drifted over its exposure limit: the excess moves down, whatever the gain; `already_best`: a hold: no vault was better; `gate_failed`: a hold: the better vault failed a gate, or leaving cost as much as the amount.
       * @example best_vault
       * @enum {string}
       */
      reason:
        | 'best_vault'
        | 'insufficient_history'
        | 'no_open_vault'
        | 'all_gates_passed'
        | 'evicted'
        | 'policy'
        | 'exposure'
        | 'already_best'
        | 'gate_failed';
      /**
       * @description Asset of the funds.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Vault that the funds were in; null for a deposit.
       * @example null
       */
      from_vault_id: string | null;
      /**
       * @description Vault that the funds went to; null for a hold.
       * @example vlt_harbor_lend_usdc
       */
      to_vault_id: string | null;
      /**
       * Format: date-time
       * @description The hour whose snapshots were evaluated.
       * @example 2026-01-31T12:00:00.000Z
       */
      snapshot_hour: string;
      /**
       * @description Version of the configuration that applied.
       * @example 5f0c1a2b3d4e
       */
      config_version: string;
      /** @description All inputs of the decision, except the holdings in each vault. */
      inputs: components['schemas']['DecisionInputs'];
      /** @description Every vault of the asset, staying included, best first. */
      alternatives: components['schemas']['DecisionAlternative'][];
      /** @description Expected uplift of the choice. */
      expected_uplift: components['schemas']['ExpectedUplift'];
      /** @description Shares of your holdings of the asset, cash included, as fractions. */
      exposure: components['schemas']['DecisionExposure'];
      /**
       * @description Why, in words, from the figures above: of a hold the best other vault, its gain and what keeps the funds from it. null in the summary of a decision that was stored before this existed.
       * @example its expected risk-adjusted APY of 4.82 % is the best within limits, of one vault.
       */
      because: string | null;
      /**
       * @description What was decided, and why.
       * @example Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best within limits, of one vault.
       */
      rationale: string;
      /**
       * Format: date-time
       * @description When it was made.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @example decision_preview
       * @enum {string}
       */
      object: 'decision_preview';
    };
    DecisionPreviewAnswer: {
      /** @enum {string} */
      object: 'decision_preview';
      data: components['schemas']['DecisionPreview'];
    };
    DecisionPreviewList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['DecisionPreview'][];
      meta: components['schemas']['ListMeta'];
    };
    DeletedUser: {
      /**
       * @description Id of the user that was deleted.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Always true.
       * @example true
       */
      deleted: boolean;
    };
    DeletedUserAnswer: {
      /** @enum {string} */
      object: 'user';
      data: components['schemas']['DeletedUser'];
    };
    DeletedWebhook: {
      /**
       * @description Id of the deleted endpoint.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Always true.
       * @example true
       */
      deleted: boolean;
    };
    DeletedWebhookAnswer: {
      /** @enum {string} */
      object: 'webhook';
      data: components['schemas']['DeletedWebhook'];
    };
    Delivery: {
      /** @example del_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example delivery
       * @enum {string}
       */
      object: 'delivery';
      /**
       * @description Its endpoint, which may be deleted.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id: string;
      /**
       * @description Partner that owns the endpoint.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string;
      /**
       * @description Receiver address at dispatch time.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Type of the event.
       * @example system.status
       * @enum {string}
       */
      event:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /** @description The envelope that was sent. */
      payload: components['schemas']['EventEnvelope'];
      /**
       * @description Value of the `Webhook-Signature` header: `t`, and one `v1` or two; empty where the delivery was dropped.
       * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      signature: string;
      /**
       * @description `pending`: being sent. `delivered`: the receiver answered 2xx. `failed`: see `failure`; there is no retry.
       * @example delivered
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 where nothing was sent, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null without a response.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why it failed; null otherwise. `response_error`: the whole request was sent and no usable answer came, so the event may or may not have arrived. `interrupted`: the server stopped during the send, likewise. `dropped`: the partner's queue was full and this was among its oldest; nothing was sent.
       * @example null
       * @enum {string|null}
       */
      failure:
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'response_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome, or until now while `pending`; 0 where `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    DeliveryAnswer: {
      /** @enum {string} */
      object: 'delivery';
      data: components['schemas']['Delivery'];
    };
    DeliveryId: string;
    DeliveryList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Delivery'][];
      meta: components['schemas']['ListMeta'];
    };
    Deployment: {
      /**
       * @example deployment
       * @enum {string}
       */
      object: 'deployment';
      /**
       * @description Environment of the deployment.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * @description Version of the process that answers.
       * @example 1.0.0
       */
      version: string;
      /**
       * @description Whether that process takes deposits now (`ready`), as `/health/ready` says.
       * @example ready
       * @enum {string}
       */
      status: 'ready' | 'degraded' | 'database_unavailable' | 'starting' | 'stopping';
      /**
       * @description Why it is `degraded` and takes no deposits; null otherwise.
       * @example null
       * @enum {string|null}
       */
      degraded: 'read_only' | 'disk_full' | 'nearly_full' | 'market' | 'clock' | null;
      /**
       * @description `observed` once a feed has answered, `none` before; `simulated` if nothing is real.
       * @example observed
       * @enum {string}
       */
      yields: 'simulated' | 'observed' | 'none';
      /**
       * Format: date-time
       * @description When the figures were read.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /** @description The hourly tick. */
      tick: components['schemas']['DeploymentTick'];
      /** @description Waiting jobs and deliveries. */
      queue: components['schemas']['DeploymentQueue'];
      /** @description Verification of the ledger, which runs every night. */
      ledger: components['schemas']['DeploymentLedger'];
      /** @description Webhook sends of the replicas since each started, by outcome. */
      sends: components['schemas']['DeploymentSends'][];
      /** @description Running processes, newest first, at most 100. A killed process is listed for an hour, or until it restarts. */
      replicas: components['schemas']['Replica'][];
    };
    DeploymentAnswer: {
      /** @enum {string} */
      object: 'deployment';
      data: components['schemas']['Deployment'];
    };
    DeploymentLedger: {
      /**
       * Format: date-time
       * @description When the ledger was last verified; null before the first time.
       * @example 2026-01-31T12:00:00.000Z
       */
      verified_at: string | null;
      /**
       * @description Whether the newest verification covered all partners; false: a seventh of them, as a large ledger is verified over a week.
       * @example true
       */
      full: boolean;
      /**
       * @description Entries that were read.
       * @example 20418
       */
      entries: number | null;
      /**
       * @description Differences between the ledger and stored balances, by the newest verification of each partner; the log lists them.
       * @example 0
       */
      differences: number | null;
    };
    DeploymentQueue: {
      /**
       * @description Due jobs that no worker has claimed.
       * @example 0
       */
      jobs_waiting: number;
      /**
       * @description Seconds since the oldest of them was due; null without one.
       * @example null
       */
      oldest_job_seconds: number | null;
      /**
       * @description Queued deliveries; 100000 means that many or more.
       * @example 12
       */
      deliveries_queued: number;
      /**
       * @description Seconds since the oldest of them was queued; null without one.
       * @example 3
       */
      oldest_delivery_seconds: number | null;
    };
    DeploymentSends: {
      /**
       * @description `delivered`, or why it failed.
       * @example delivered
       * @enum {string}
       */
      outcome:
        | 'delivered'
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'response_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped';
      /**
       * @description Number of sends.
       * @example 1204
       */
      sends: number;
    };
    DeploymentTick: {
      /**
       * Format: date-time
       * @description Newest hour of the shared market; null before the first one.
       * @example 2026-01-31T12:00:00.000Z
       */
      newest_hour: string | null;
      /**
       * @description Whole seconds since the next hour was due: 0 while it is up to date; null before the first hour, or if it lies in the future.
       * @example 0
       */
      lag_seconds: number | null;
      /**
       * @description Active vaults that were ever observed; 0: no feed has answered yet.
       * @example 12
       */
      vaults_observed: number;
    };
    EndedSession: {
      /** @example ses_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example session
       * @enum {string}
       */
      object: 'session';
      /**
       * @description Always true.
       * @example true
       */
      ended: boolean;
    };
    EndedSessionAnswer: {
      /** @enum {string} */
      object: 'session';
      data: components['schemas']['EndedSession'];
    };
    /** @description The body of every failed request. */
    ErrorEnvelope: {
      /** @description What went wrong. */
      error: {
        /**
         * @description Stable, for programs.
         * @enum {string}
         */
        code:
          | 'validation_failed'
          | 'malformed_json'
          | 'invalid_cursor'
          | 'missing_api_key'
          | 'invalid_api_key'
          | 'wrong_environment'
          | 'insufficient_scope'
          | 'partner_key_required'
          | 'route_not_found'
          | 'method_not_allowed'
          | 'not_acceptable'
          | 'request_timeout'
          | 'payload_too_large'
          | 'unsupported_media_type'
          | 'expectation_failed'
          | 'rate_limited'
          | 'headers_too_large'
          | 'internal_error'
          | 'service_unavailable'
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
          | 'idempotency_key_reused';
        /** @description For people: what is wrong and what to do. */
        message: string;
        /**
         * @description Id of the request, which the `X-Request-Id` header has too.
         * @example req_01kaabcdefghjkmnpqrstvwxyz
         */
        request_id: string;
        /** @description The wrong fields; absent where the error is not about a field. */
        details?: {
          /**
           * @description Path of the field; an entry of a list has its place, from 0.
           * @example wallets[0]
           */
          field: string;
          /**
           * @description What is wrong with it.
           * @example is named twice
           */
          message: string;
          /** @description Your user that has the external id or the wallet; in `external_id_taken` and `wallet_taken`. */
          user_id?: string;
        }[];
      };
    };
    EventEnvelope: {
      /**
       * @description Id of the event. Store it to recognise a repeat.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example system.status
       * @enum {string}
       */
      type:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /**
       * Format: date-time
       * @description When the event happened.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * @description What happened; its fields depend on the type.
       * @example {
       *       "message": "Test event from Vaultline.",
       *       "requested_at": "2026-01-31T12:00:00.000Z"
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    EventId: string;
    EventOutcome: {
      /** @example del_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @description Endpoint of the delivery.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id: string;
      /**
       * @description Status of the delivery, as in the delivery log.
       * @example failed
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 where nothing was sent, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null without a response.
       * @example 503
       */
      response_status: number | null;
      /**
       * @description Why it failed; null otherwise.
       * @example http_status
       * @enum {string|null}
       */
      failure:
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'response_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome, or until now while `pending`; 0 where `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    /** @enum {string} */
    EventType:
      | 'position.opened'
      | 'position.active'
      | 'position.rebalanced'
      | 'position.withdrawn'
      | 'position.closed'
      | 'yield.threshold'
      | 'system.status';
    /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
    ExactAmount: string;
    /**
     * @example {
     *       "apy_delta": 0,
     *       "horizon_days": 20,
     *       "amount": 0,
     *       "cost": 0,
     *       "npv": 0
     *     }
     */
    ExpectedUplift: {
      /** @description Annual rate of the choice less that of staying, as a fraction; for a deposit, less that of the lending vault. null where unknown. */
      apy_delta: number | null;
      /** @description Days of the estimate. */
      horizon_days: number;
      /** @description Gain over those days at that hour's rates, before cost, in whole asset units; 0 for a hold. null where unknown. */
      amount: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Cost of the move, in whole asset units. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description Net present value: the gain less the cost, in whole asset units. null where unknown. */
      npv: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      npv_exact?: string;
    };
    ExposureShares: {
      /**
       * @description By vault, including cash.
       * @example {
       *       "vlt_harbor_lend_usdc": 1
       *     }
       */
      vaults: {
        [key: string]: number;
      };
      /**
       * @description By risk tier; cash has none.
       * @example {
       *       "low": 1
       *     }
       */
      tiers: {
        [key: string]: number;
      };
      /**
       * @description By venue; cash has none.
       * @example {
       *       "Harbor Lend": 1
       *     }
       */
      venues: {
        [key: string]: number;
      };
    };
    /**
     * @example {
     *       "status": "pending_review",
     *       "amount": 600,
     *       "booked": null,
     *       "since": "2026-01-31T12:00:00.000Z",
     *       "reviewed_at": null,
     *       "note": null
     *     }
     */
    GainReview: {
      /**
       * @description `pending_review`: awaits an administrator and is not booked. `approved`: booked. `rejected`: stays out of the books.
       * @enum {string}
       */
      status: 'pending_review' | 'approved' | 'rejected';
      /** @description The gain, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Booked part, without the part of closed positions; null before the review. */
      booked: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      booked_exact?: string;
      /**
       * Format: date-time
       * @description When it was reported.
       */
      since: string;
      /**
       * Format: date-time
       * @description When it was reviewed; null before that.
       */
      reviewed_at: string | null;
      /** @description The administrator's note; null before the review. */
      note: string | null;
    };
    /**
     * @example {
     *       "id": "inv_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "invoice",
     *       "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
     *       "period": "2026-01",
     *       "asset": "USDC",
     *       "fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "status": "open",
     *       "reference": null,
     *       "at": null,
     *       "settled_at": null,
     *       "created_at": "2026-01-31T12:00:00.000Z"
     *     }
     */
    Invoice: {
      id: string;
      /** @enum {string} */
      object: 'invoice';
      /** @description Partner whose fees it has. */
      partner_id: string;
      /** @description The closed month. */
      period: string;
      /**
       * @description Asset of all amounts.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Performance fee of the month: `performance_fee` of its statement. Negative where more was taken back by voids than charged. */
      fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /**
       * @description `open`: not received yet. `paid`: the fee was received and the partner's part paid out, both outside of these books. `void`: taken back; nothing is owed.
       * @enum {string}
       */
      status: 'open' | 'paid' | 'void';
      /** @description Reference of the payment or reason of the void; null: open. */
      reference: string | null;
      /**
       * Format: date-time
       * @description Value date of the payment or void; null: open.
       */
      at: string | null;
      /**
       * Format: date-time
       * @description When that was entered; null: open.
       */
      settled_at: string | null;
      /**
       * Format: date-time
       * @description When it was written, with the closing of its month.
       */
      created_at: string;
    };
    InvoiceAnswer: {
      /** @enum {string} */
      object: 'invoice';
      data: components['schemas']['Invoice'];
    };
    InvoiceId: string;
    InvoiceList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Invoice'][];
      meta: components['schemas']['ListMeta'];
    };
    JournalEntry: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example journal_entry
       * @enum {string}
       */
      object: 'journal_entry';
      /**
       * Format: date-time
       * @description Its value date.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description When it was booked.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description Type of the ledger entry; `invoice_paid` and `invoice_void`: the end of an invoice.
       * @example yield_accrual
       * @enum {string}
       */
      entry_type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual' | 'invoice_paid' | 'invoice_void';
      /**
       * @description Position of the entry; null: of an invoice.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      position_id: string | null;
      /**
       * @description End-user of the entry; null: of an invoice.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string | null;
      /**
       * @description Your id of the end-user; null: of an invoice.
       * @example acme:user-1042
       */
      external_id: string | null;
      /**
       * @description Invoice that the entry ends; null: it is of the ledger.
       * @example null
       */
      invoice_id: string | null;
      /**
       * @description Asset of all amounts.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Debits and credits, which are equal in sum. A move without cost has none. As CSV, each is a row. */
      lines: components['schemas']['JournalLine'][];
      /**
       * @description The entry in a sentence, for people.
       * @example Yield of 0.412345 USDC accrued.
       */
      note: string;
    };
    JournalEntryList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['JournalEntry'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "account": "vaults",
     *       "debit": 0.412345,
     *       "credit": 0
     *     }
     */
    JournalLine: {
      /**
       * @description `vaults`: assets in vaults. `end_users`: owed to end-users. `costs_of_moves`: charged to end-users, and paid from vaults. `fees_receivable`: fees settled and not received. `fee_income`: the protocol's part of them. `owed_to_partner`: the partner's part. `settled_outside`: of invoices, paid outside of these books.
       * @enum {string}
       */
      account:
        | 'vaults'
        | 'end_users'
        | 'costs_of_moves'
        | 'fees_receivable'
        | 'fee_income'
        | 'owed_to_partner'
        | 'settled_outside';
      /** @description Debit. */
      debit: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      debit_exact?: string;
      /** @description Credit. */
      credit: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      credit_exact?: string;
    };
    KeptEvent: {
      /**
       * @description Id of the event. Store it to recognise a repeat.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @example event
       * @enum {string}
       */
      object: 'event';
      /**
       * @description Type of the event.
       * @example system.status
       * @enum {string}
       */
      type:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /**
       * Format: date-time
       * @description When the event happened.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * @description What happened, as it is sent; its fields depend on the type.
       * @example {
       *       "message": "Maintenance at noon.",
       *       "requested_at": "2026-01-31T12:00:00.000Z"
       *     }
       */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When it was recorded, which orders this list. In the sandbox this is wall time.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description Endpoints that subscribed to it and did not receive it.
       * @example [
       *       "wh_01kaabcdefghjkmnpqrstvwxyz"
       *     ]
       */
      undelivered_to: string[];
      /** @description Its deliveries that are still in the log. */
      deliveries: components['schemas']['EventOutcome'][];
    };
    KeptEventList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['KeptEvent'][];
      meta: components['schemas']['ListMeta'];
    };
    LimitedRules: {
      /**
       * @description Ids of the vaults that may hold funds; null: all.
       * @example [
       *       "vlt_harbor_lend_usdc"
       *     ]
       */
      allowed_vaults: string[] | null;
      /**
       * @description Highest risk of a vault that may hold funds; null: any.
       * @example medium
       * @enum {string|null}
       */
      max_risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description Minimum advantage of a move in expected risk-adjusted annual yield, as a fraction; null: `min_delta` alone.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Maximum share in one vault, by risk tier, as a fraction of the partner's holdings of the asset.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure: {
        [key: string]: number;
      };
      /**
       * @description Maximum share in all vaults of a risk tier together.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure: {
        [key: string]: number;
      };
      /**
       * @description Maximum share in all vaults of a venue together.
       * @example {
       *       "Harbor Lend": 0.5
       *     }
       */
      max_venue_exposure: {
        [key: string]: number;
      };
    };
    /** @description Position in a list. */
    ListMeta: {
      /**
       * @description Whether more rows follow.
       * @example true
       */
      has_more: boolean;
      /**
       * @description Send it as `cursor` for the next page. Absent on the last page.
       * @example AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6
       */
      next_cursor?: string;
    };
    /**
     * @example {
     *       "opening_value": 1000,
     *       "deposits": 500,
     *       "withdrawals": 200,
     *       "yield": 4.2,
     *       "costs": 0.2,
     *       "closing_value": 1304,
     *       "performance_fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "carried_loss": 0,
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       },
     *       "asset": "USDC"
     *     }
     */
    ListedFigures: {
      /** @description Value of positions at the start of the period. */
      opening_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_value_exact?: string;
      /** @description Deposits of the period, net of voids. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals of the period, net of voids. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield of the period before `costs`; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Value of positions at the end: opening value + deposits - withdrawals + yield - costs. */
      closing_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_value_exact?: string;
      /** @description Performance fee settled in the period. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /** @description Losses carried forward at the end. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
      /**
       * @description Asset of the row.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    ListedStatement: {
      /**
       * @example statement
       * @enum {string}
       */
      object: 'statement';
      /**
       * @description The year, month or UTC day.
       * @example 2026-01
       */
      period: string;
      /**
       * Format: date-time
       * @description Start of the period.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description End of the period; for an open period, the end of its last closed day.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Whether all its days are closed. A closed period never changes.
       * @example true
       */
      closed: boolean;
      /** @description A row per asset of the deployment. */
      assets: components['schemas']['ListedFigures'][];
      /** @description Over all assets; stablecoins are added at par. */
      totals: components['schemas']['StatementSums'];
    };
    ListedStatementList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['ListedStatement'][];
      meta: components['schemas']['ListMeta'];
    };
    Moment: string;
    /**
     * @example {
     *       "deposits": 1000,
     *       "withdrawals": 250,
     *       "net_deposits": 750,
     *       "net_tvl": 751.237035,
     *       "yield": 1.237035
     *     }
     */
    MoneySums: {
      /** @description Deposited so far. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawn so far. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      net_deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_deposits_exact?: string;
      /** @description Value of all positions. Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description Net TVL less net deposits: yield so far, accrued and pending, withdrawn or not; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
    };
    MoveId: string;
    /**
     * @example {
     *       "id": "mov_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "move_order",
     *       "status": "requested",
     *       "urgent": false,
     *       "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
     *       "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "batch_id": null,
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "reason": "all_gates_passed",
     *       "asset": "USDC",
     *       "from_vault_id": "vlt_harbor_lend_usdc",
     *       "to_vault_id": "vlt_meridian_usdc",
     *       "positions": 12,
     *       "amount": 10000,
     *       "expected_cost": 2,
     *       "redeemed": null,
     *       "settled": null,
     *       "cost": 11,
     *       "gain": 0,
     *       "review": null,
     *       "failure": null,
     *       "note": null,
     *       "requested_at": "2026-01-31T12:00:00.000Z",
     *       "expires_at": "2026-01-31T12:00:00.000Z",
     *       "taken_at": "2026-01-31T12:00:00.000Z",
     *       "taken_by": null,
     *       "ended_at": null
     *     }
     */
    MoveOrder: {
      id: string;
      /** @enum {string} */
      object: 'move_order';
      /**
       * @description `requested`: nobody claimed it. `redeeming`: claimed, funds still in their vault. `arriving`: the funds left their vault, or were received, and are in cash. `settled`: they are in the new vault. `failed`: see `failure`.
       * @enum {string}
       */
      status: 'requested' | 'redeeming' | 'arriving' | 'settled' | 'failed';
      /** @description Whether it leaves an unsafe vault and comes before others. */
      urgent: boolean;
      /** @description Partner whose funds it moves. */
      partner_id: string;
      /** @description Position whose received deposit the move puts into a vault; null for a move between vaults. */
      position_id: string | null;
      /** @description Batch of moves of one hour between the same two vaults, which one transaction executes; null: no batch. */
      batch_id: string | null;
      /** @description The decision behind it. */
      decision_id: string;
      /** @description Why it was decided: `reason` of the decision. */
      reason: string;
      /**
       * @description Asset that moves.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Vault that the funds leave. An idle vault such as `vlt_idle_usdc` is cash: there is nothing to redeem. */
      from_vault_id: string;
      /** @description Vault that the funds enter. An idle vault such as `vlt_idle_usdc` is cash: the move is settled once they are redeemed. */
      to_vault_id: string;
      /** @description Number of positions concerned. */
      positions: number;
      /** @description Current value of its funds, in whole asset units, net of withdrawals since. For a settled move, the booked amount that arrived; for a failed one, the value when it was decided. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Expected cost at the decision, in whole asset units. */
      expected_cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      expected_cost_exact?: string;
      /** @description Report of the redemption; null before that. */
      redeemed: components['schemas']['MoveReport'] | null;
      /** @description Report of the arrival; null before that. */
      settled: components['schemas']['MoveReport'] | null;
      /** @description Shortfall against the books over both reports, in whole asset units. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description Booked surplus against the books: yield, or for a received deposit principal. */
      gain: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      gain_exact?: string;
      /** @description Review of a reported gain that is too large to be booked unreviewed; null without one. */
      review: components['schemas']['GainReview'] | null;
      /**
       * @description `lapsed`: nobody claimed it in time. `reported`: the executor reported the failure. `refused`: the target no longer accepted the funds. `superseded`: an urgent move, or a withdrawal of its funds, replaced it. `empty`: all its funds were withdrawn. `voided`: the chain contradicted a report on it, which was taken back. null if it did not fail.
       * @enum {string|null}
       */
      failure: 'lapsed' | 'reported' | 'refused' | 'superseded' | 'empty' | 'voided' | null;
      /** @description Why it failed, in words; null if it did not. */
      note: string | null;
      /**
       * Format: date-time
       * @description When it was made.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When an unclaimed move lapses, with the next hour.
       */
      expires_at: string;
      /**
       * Format: date-time
       * @description When it was claimed or first reported; null before that.
       */
      taken_at: string | null;
      /** @description Key or session that claimed or first reported it; null before that. */
      taken_by: string | null;
      /**
       * Format: date-time
       * @description When it was settled or failed; null before that.
       */
      ended_at: string | null;
    };
    MoveOrderAnswer: {
      /** @enum {string} */
      object: 'move_order';
      data: components['schemas']['MoveOrder'];
    };
    MoveOrderList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['MoveOrder'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
     *       "amount": 9990,
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "check": null
     *     }
     */
    MoveReport: {
      /** @description Hash of the reported transfer; of several transactions, the last one. null: the server moved the funds. */
      tx_hash: string | null;
      /** @description Reported amount, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /**
       * Format: date-time
       * @description When it was booked.
       */
      at: string;
      /** @description What the report's chain says; of several transactions, of the first that it contradicts or does not confirm, with what all of them moved. null: the server moved the funds, or it was reported before reports were looked up. */
      check: components['schemas']['MoveReportCheck'] | null;
      /** @description The transactions of a report that named several, in its order; absent from any other. */
      transactions?: components['schemas']['MoveTransaction'][];
    };
    /**
     * @example {
     *       "status": "confirmed",
     *       "reason": null,
     *       "found_amount": 9990,
     *       "block": 21000000,
     *       "checked_at": "2026-01-31T12:00:00.000Z",
     *       "resolution": null,
     *       "note": null,
     *       "resolved_at": null
     *     }
     */
    MoveReportCheck: {
      /**
       * @description `unchecked`: see `reason`. `seen`: in a block that may still be reorganised. `confirmed`: final, and as reported. `mismatch`: final, and not as reported. `not_found`: in no block, long after the report. While one of the last two is unresolved, its key reports nothing more.
       * @enum {string}
       */
      status: 'unchecked' | 'seen' | 'confirmed' | 'mismatch' | 'not_found';
      /**
       * @description If `unchecked`: `contract_unknown` (the vault's contract is not in the catalogue, or it pays out through a queue), `no_rpc_url` (this deployment does not read the chain), `no_custody_account` (none is set for it), `not_checked_yet`, `not_in_a_block`. If `mismatch`: `transaction_failed`, `no_transfer` of the asset, `wrong_account` (not from or to the custody accounts), `no_vault_entry` (the vault's contract logged nothing for them), `wrong_amount`. Else null.
       * @enum {string|null}
       */
      reason:
        | 'contract_unknown'
        | 'no_rpc_url'
        | 'no_custody_account'
        | 'not_checked_yet'
        | 'not_in_a_block'
        | 'transaction_failed'
        | 'no_transfer'
        | 'wrong_account'
        | 'no_vault_entry'
        | 'wrong_amount'
        | null;
      /** @description This move's part of what the chain moved; null where it was not checked. */
      found_amount: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      found_amount_exact?: string;
      /** @description Block of the transaction; null without one. */
      block: number | null;
      /**
       * Format: date-time
       * @description When the chain was last checked; null: never.
       */
      checked_at: string | null;
      /**
       * @description Resolution of a contradicted report: `accept`, what the chain moved is booked; `void`, it was taken back. null: unresolved.
       * @enum {string|null}
       */
      resolution: 'accept' | 'void' | null;
      /** @description Note of the resolution; null if unresolved. */
      note: string | null;
      /**
       * Format: date-time
       * @description When it was resolved; null if unresolved.
       */
      resolved_at: string | null;
    };
    /**
     * @example {
     *       "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
     *       "amount": 9990,
     *       "explorer_url": "https://etherscan.io/tx/0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
     *       "check": {
     *         "status": "confirmed",
     *         "reason": null,
     *         "found_amount": 9990,
     *         "block": 21000000,
     *         "checked_at": "2026-01-31T12:00:00.000Z"
     *       }
     *     }
     */
    MoveTransaction: {
      /** @description Hash of the transaction. */
      tx_hash: string;
      /** @description What it moved of this move, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Explorer page of the transaction; null where the chain has no known explorer. */
      explorer_url: string | null;
      /** @description What its chain says. */
      check: components['schemas']['MoveTransactionCheck'];
    };
    /**
     * @example {
     *       "status": "confirmed",
     *       "reason": null,
     *       "found_amount": 9990,
     *       "block": 21000000,
     *       "checked_at": "2026-01-31T12:00:00.000Z"
     *     }
     */
    MoveTransactionCheck: {
      /**
       * @description `unchecked`: see `reason`. `seen`: in a block that may still be reorganised. `confirmed`: final, and as reported. `mismatch`: final, and not as reported. `not_found`: in no block, long after the report. While one of the last two is unresolved, its key reports nothing more.
       * @enum {string}
       */
      status: 'unchecked' | 'seen' | 'confirmed' | 'mismatch' | 'not_found';
      /**
       * @description If `unchecked`: `contract_unknown` (the vault's contract is not in the catalogue, or it pays out through a queue), `no_rpc_url` (this deployment does not read the chain), `no_custody_account` (none is set for it), `not_checked_yet`, `not_in_a_block`. If `mismatch`: `transaction_failed`, `no_transfer` of the asset, `wrong_account` (not from or to the custody accounts), `no_vault_entry` (the vault's contract logged nothing for them), `wrong_amount`. Else null.
       * @enum {string|null}
       */
      reason:
        | 'contract_unknown'
        | 'no_rpc_url'
        | 'no_custody_account'
        | 'not_checked_yet'
        | 'not_in_a_block'
        | 'transaction_failed'
        | 'no_transfer'
        | 'wrong_account'
        | 'no_vault_entry'
        | 'wrong_amount'
        | null;
      /** @description This move's part of what the chain moved; null where it was not checked. */
      found_amount: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      found_amount_exact?: string;
      /** @description Block of the transaction; null without one. */
      block: number | null;
      /**
       * Format: date-time
       * @description When the chain was last checked; null: never.
       */
      checked_at: string | null;
    };
    /**
     * @example {
     *       "id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "partner",
     *       "name": "Acme Wallet",
     *       "status": "active",
     *       "contact_email": "ops@acme.example",
     *       "performance_fee_bps": 1000,
     *       "revenue_share_bps": 4000,
     *       "net_tvl": 111406.335754,
     *       "metadata": {
     *         "tier": "gold"
     *       },
     *       "created_at": "2026-01-31T12:00:00.000Z",
     *       "updated_at": "2026-01-31T12:00:00.000Z",
     *       "disabled_at": null
     *     }
     */
    Partner: {
      id: string;
      /** @enum {string} */
      object: 'partner';
      /** @description Name of the partner. */
      name: string;
      /**
       * @description A disabled partner has no valid key and receives no deliveries.
       * @enum {string}
       */
      status: 'active' | 'disabled';
      /** @description Contact address; null without one. */
      contact_email: string | null;
      /** @description Performance fee on yield, in basis points (0 to 10000). */
      performance_fee_bps: number;
      /** @description Share of the performance fee, in basis points (0 to 10000). */
      revenue_share_bps: number;
      /** @description Value of its end-users' positions now, in whole units over all assets; stablecoins are added at par. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description Notes of the administrator. */
      metadata: {
        [key: string]: unknown;
      };
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description When the partner was last changed.
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description When the partner was disabled; null while active.
       */
      disabled_at: string | null;
    };
    PartnerAnswer: {
      /** @enum {string} */
      object: 'partner';
      data: components['schemas']['Partner'];
    };
    /**
     * @example {
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "asset": "USDC",
     *       "net_tvl": 1012.5,
     *       "deposits": 1000,
     *       "withdrawals": 0,
     *       "yield": 12.5,
     *       "costs": 0.2,
     *       "revenue": 0.49,
     *       "points": 562.5,
     *       "baselines": {
     *         "lending_value": 1009.2,
     *         "hold_value": 1010.2
     *       },
     *       "settled_uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       },
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       }
     *     }
     */
    PartnerClosing: {
      /**
       * Format: date-time
       * @description Beginning of the UTC day that closed.
       */
      at: string;
      /**
       * Format: date-time
       * @description Moment of the figures: the day's end, before any entry of the next day. Reports with this `as_of` have the same figures.
       */
      as_of: string;
      /**
       * @description Asset of the row.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Value of all positions. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description Deposits so far. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals so far. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield so far, net of costs. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults so far. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description The partner's share of the performance fee so far. */
      revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      revenue_exact?: string;
      /** @description Points earned so far with deposits of the asset, to 0.000001. */
      points: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      points_exact?: string;
      /** @description The value of the two passive baselines. */
      baselines: components['schemas']['BaselineValues'];
      /** @description Uplift settled by withdrawals. */
      settled_uplift: components['schemas']['BaselineAmounts'];
      /** @description Uplift net of costs: net TVL less the baseline, plus settled uplift. Add `costs` for the uplift before costs. */
      uplift: components['schemas']['BaselineAmounts'];
    };
    PartnerCreated: {
      /**
       * @example partner_created
       * @enum {string}
       */
      object: 'partner_created';
      /** @description The new partner. */
      partner: components['schemas']['Partner'];
      /** @description Its key (`partner:read`, `read`), with the full secret: store it. */
      api_key: components['schemas']['ApiKey'];
    };
    PartnerCreatedAnswer: {
      /** @enum {string} */
      object: 'partner_created';
      data: components['schemas']['PartnerCreated'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "total": 750,
     *       "count": 3,
     *       "assets": [
     *         {
     *           "asset": "USDC",
     *           "amount": 750,
     *           "count": 3
     *         }
     *       ]
     *     }
     */
    PartnerDeposits: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description Total amount, in whole units over all assets. Stablecoins are added at par. */
      total: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      total_exact?: string;
      /** @description Number of movements, over all assets. */
      count: number;
      /** @description A row per asset of the deployment, also without movements. */
      assets: components['schemas']['AssetFlow'][];
    };
    PartnerDepositsAnswer: {
      /** @enum {string} */
      object: 'partner_deposits';
      data: components['schemas']['PartnerDeposits'];
    };
    PartnerHistory: {
      /**
       * @description The requested asset; null: all.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /** @description A row per day and asset, oldest first. A day without funds has no row, nor has a day whose end the deployment missed. */
      points: components['schemas']['PartnerClosing'][];
    };
    PartnerHistoryAnswer: {
      /** @enum {string} */
      object: 'partner_history';
      data: components['schemas']['PartnerHistory'];
      meta: components['schemas']['SpanMeta'];
    };
    PartnerId: string;
    PartnerIdOrNull: string | null;
    /**
     * @example {
     *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "ledger_entry",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "type": "deposit",
     *       "amount": 250,
     *       "cost": 0,
     *       "apy": 0.0523,
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "note": "Deposited 250 USDC into vlt_harbor_lend_usdc.",
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "recorded_at": "2026-01-31T12:00:00.000Z",
     *       "fee": 0.0412,
     *       "partner_revenue": 0.0164,
     *       "carried_loss": 0,
     *       "performance_fee_bps": 1000,
     *       "revenue_share_bps": 4000,
     *       "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
     *       "chain": null,
     *       "explorer_url": null,
     *       "voids": null
     *     }
     */
    PartnerLedgerEvent: {
      id: string;
      /** @enum {string} */
      object: 'ledger_entry';
      /** @description End-user of the entry. */
      user_id: string;
      /** @description Position of the entry. */
      position_id: string;
      /**
       * @description Asset of the position.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description `deposit`, `withdrawal`: funds came in or were paid out. `rebalance`: funds moved to another vault; within one vault and without a decision, the cost of a payment that it cut short. `yield_accrual`: yield since the previous entry.
       * @enum {string}
       */
      type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
      /** @description Amount in whole asset units, negative only for the accrual of a loss; for a rebalance, the amount that arrived. Deposits + accruals - withdrawals - costs = the position's value at its last entry. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description The position's part of a move's or a payment's cost, in proportion to value; 0 in other entries. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description The vault's last known annual yield at that time, as a fraction: 0.0523 is 5.23 %; 0 in cash. */
      apy: number;
      /** @description Vault of the amount; for a rebalance, the new one. */
      vault_id: string;
      /** @description The entry in a sentence, for people. */
      note: string;
      /** @description Decision that chose the vault of a deposit or the move; for an accrual, the move that brought a surplus. null for other entries. */
      decision_id: string | null;
      /**
       * Format: date-time
       * @description Value date: when it takes effect.
       */
      at: string;
      /**
       * Format: date-time
       * @description Booking time, which orders ids and pages.
       */
      recorded_at: string;
      /** @description Performance fee of the entry. Fees of entries sum to the revenue report for any end-user, asset and period; an end-user's entries in an asset settle in the order of `at`, `id`. */
      fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      fee_exact?: string;
      /** @description The partner's part of that fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description Change of the end-user's carried loss in the asset; negative where it recovers. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Performance fee at which an accrual is settled, in basis points; null for other entries. */
      performance_fee_bps: number | null;
      /** @description The partner's share of that fee, in basis points; null for other entries. */
      revenue_share_bps: number | null;
      /** @description Hash of its transfer; of a rebalance, as its executor reported it: of several, the last one. null without one. */
      tx_hash: string | null;
      /** @description Chain of that transfer; null where unknown. */
      chain: string | null;
      /** @description Explorer page of the transfer; null where the chain has no known explorer. */
      explorer_url: string | null;
      /** @description Hash of the transfer that the entry reverses because it did not settle; null for other entries. Statements deduct a voided deposit from `deposits`, and a voided withdrawal from `withdrawals`. */
      voids: string | null;
    };
    PartnerLedgerEventList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['PartnerLedgerEvent'][];
      meta: components['schemas']['ListMeta'];
    };
    PartnerList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Partner'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "total": 562.5,
     *       "per_usd_day": 1,
     *       "campaigns": [
     *         {
     *           "campaign_id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
     *           "multiplier": 1.5,
     *           "points": 562.5
     *         }
     *       ]
     *     }
     */
    PartnerPoints: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description All points, to 0.000001, rounded down once: it may exceed the sum of `campaigns` by less than 0.000001 a row. `per_usd_day` are earned by each USD of net principal a day, times the multiplier while the campaign runs. */
      total: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      total_exact?: string;
      /** @description Points of a USD of net principal in a day, without a campaign. */
      per_usd_day: number;
      /** @description Points by campaign; the row outside campaigns always comes first. */
      campaigns: components['schemas']['CampaignPoints'][];
    };
    PartnerPointsAnswer: {
      /** @enum {string} */
      object: 'partner_points';
      data: components['schemas']['PartnerPoints'];
    };
    PartnerPolicy: {
      /**
       * @description Ids of the vaults that may hold funds; null: all.
       * @example [
       *       "vlt_harbor_lend_usdc"
       *     ]
       */
      allowed_vaults: string[] | null;
      /**
       * @description Highest risk of a vault that may hold funds; null: any.
       * @example medium
       * @enum {string|null}
       */
      max_risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description Minimum advantage of a move in expected risk-adjusted annual yield, as a fraction; null: `min_delta` alone.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Maximum share in one vault, by risk tier, as a fraction of the partner's holdings of the asset.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure: {
        [key: string]: number;
      };
      /**
       * @description Maximum share in all vaults of a risk tier together.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure: {
        [key: string]: number;
      };
      /**
       * @description Maximum share in all vaults of a venue together.
       * @example {
       *       "Harbor Lend": 0.5
       *     }
       */
      max_venue_exposure: {
        [key: string]: number;
      };
      /**
       * @example partner_policy
       * @enum {string}
       */
      object: 'partner_policy';
      /**
       * @description Number of changes by the partner and by administrators; 0: no policy yet.
       * @example 3
       */
      version: number;
      /**
       * @description Digest of the rules in force: versions with the same digest have the same rules.
       * @example 0f6b2c9d41aa
       */
      digest: string;
      /** @description The administrator's bounds: no rule of the partner may be wider. */
      bounds: components['schemas']['LimitedRules'];
      /** @description The narrower of each rule and its bound, which decisions follow. Exposure limits that neither sets are the service's. */
      in_force: components['schemas']['LimitedRules'];
      /**
       * Format: date-time
       * @description When this version was set; null: no policy yet.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string | null;
    };
    PartnerPolicyAnswer: {
      /** @enum {string} */
      object: 'partner_policy';
      data: components['schemas']['PartnerPolicy'];
    };
    /**
     * @example {
     *       "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "position",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "deposit_id": null,
     *       "vault_id": "vlt_meridian_usdc",
     *       "origin_vault_id": "vlt_harbor_lend_usdc",
     *       "status": "active",
     *       "principal": 250,
     *       "value": 250.412345,
     *       "yield": 0.412345,
     *       "costs": 0.000517,
     *       "apy": 0.0523,
     *       "opened_at": "2026-01-31T12:00:00.000Z",
     *       "active_at": "2026-01-31T12:00:00.000Z",
     *       "closed_at": null
     *     }
     */
    PartnerPosition: {
      id: string;
      /** @enum {string} */
      object: 'position';
      /** @description End-user of the position. */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Deposit that was split into several positions; null: not split. */
      deposit_id: string | null;
      /** @description Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0. */
      vault_id: string;
      /** @description Its first yield vault; null before that. */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      principal: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      principal_exact?: string;
      /** @description Current value: `principal` + `yield`, which accrues by the millisecond. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Yield so far, net of costs; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position. */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened.
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it entered its first yield vault; null before that.
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When everything was withdrawn; null before that.
       */
      closed_at: string | null;
    };
    PartnerPositionAnswer: {
      /** @enum {string} */
      object: 'position';
      data: components['schemas']['PartnerPosition'];
    };
    PartnerPositionList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['PartnerPosition'][];
      meta: components['schemas']['ListMeta'];
    };
    PartnerStatement: {
      /**
       * @example statement
       * @enum {string}
       */
      object: 'statement';
      /**
       * @description The year, month or UTC day.
       * @example 2026-01
       */
      period: string;
      /**
       * Format: date-time
       * @description Start of the period.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description End of the period; for an open period, the end of its last closed day.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Whether all its days are closed. A closed period never changes.
       * @example true
       */
      closed: boolean;
      /** @description A row per asset of the deployment. */
      assets: components['schemas']['AssetStatement'][];
      /** @description Over all assets; stablecoins are added at par. */
      totals: components['schemas']['StatementFigures'];
      /**
       * @description Reserves at the end of the period, by the nearest reading; null: none within two hours, none that is known, or the funds are simulated.
       * @example null
       */
      reserves: components['schemas']['StatementReserves'] | null;
    };
    PartnerStatementAnswer: {
      /** @enum {string} */
      object: 'statement';
      data: components['schemas']['PartnerStatement'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
     *       "users": 3,
     *       "positions": {
     *         "open": 3,
     *         "closed": 1
     *       },
     *       "assets": [
     *         {
     *           "deposits": 1000,
     *           "withdrawals": 250,
     *           "net_deposits": 750,
     *           "net_tvl": 751.237035,
     *           "yield": 1.237035,
     *           "asset": "USDC",
     *           "apy": 0.0523
     *         }
     *       ],
     *       "totals": {
     *         "deposits": 1000,
     *         "withdrawals": 250,
     *         "net_deposits": 750,
     *         "net_tvl": 751.237035,
     *         "yield": 1.237035
     *       },
     *       "points": 562.5,
     *       "revenue": 0.049481
     *     }
     */
    PartnerSummary: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description The partner. */
      partner_id: string;
      /** @description End-users of the partner, with and without positions. */
      users: number;
      /** @description Number of positions. */
      positions: components['schemas']['PositionCounts'];
      /** @description A row per asset of the deployment, also without movements. */
      assets: components['schemas']['AssetSummary'][];
      /** @description Over all assets. Stablecoins are added at par. */
      totals: components['schemas']['MoneySums'];
      /** @description Points earned so far, to 0.000001: `total` of the points report. */
      points: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      points_exact?: string;
      /** @description The partner's share of the performance fee so far, in whole units over all assets. Stablecoins are added at par. Reported, never deducted from positions. */
      revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      revenue_exact?: string;
    };
    PartnerSummaryAnswer: {
      /** @enum {string} */
      object: 'partner_summary';
      data: components['schemas']['PartnerSummary'];
    };
    PartnerTerms: {
      /**
       * @example partner_terms
       * @enum {string}
       */
      object: 'partner_terms';
      /**
       * @description `fee`: of the performance fee. `campaign`: of a campaign's points.
       * @example fee
       * @enum {string}
       */
      kind: 'fee' | 'campaign';
      /**
       * Format: date-time
       * @description From when they hold. An accrual dated exactly then is settled at the terms before.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description When the next ones began; null: they hold.
       * @example null
       */
      until: string | null;
      /**
       * @description Performance fee, in basis points of yield beyond carried losses.
       * @example 1000
       */
      performance_fee_bps: number | null;
      /**
       * @description The partner's share of the fee, in basis points.
       * @example 4000
       */
      revenue_share_bps: number | null;
      /**
       * @description The campaign; null for a fee, as are all fields below.
       * @example cmp_01kaabcdefghjkmnpqrstvwxyz
       */
      campaign_id: string | null;
      /**
       * @description A disabled campaign multiplies no points.
       * @example null
       * @enum {string|null}
       */
      status: 'active' | 'disabled' | null;
      /**
       * @description Only positions of this asset join it; null: of every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /**
       * @description Multiplier of points while the campaign runs, at most two decimals.
       * @example null
       */
      points_multiplier: number | null;
      /**
       * Format: date-time
       * @description When the campaign begins.
       * @example null
       */
      starts_at: string | null;
      /**
       * Format: date-time
       * @description When it ends; null: open end.
       * @example null
       */
      ends_at: string | null;
    };
    PartnerTermsList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['PartnerTerms'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "net_tvl": 751.237035,
     *       "assets": [
     *         {
     *           "asset": "USDC",
     *           "net_tvl": 751.237035,
     *           "vaults": [
     *             {
     *               "vault_id": "vlt_harbor_lend_usdc",
     *               "value": 751.237035,
     *               "share": 1
     *             }
     *           ]
     *         }
     *       ]
     *     }
     */
    PartnerTvl: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description Value of all positions, in whole units over all assets. Stablecoins are added at par. */
      net_tvl: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      net_tvl_exact?: string;
      /** @description A row per asset of the deployment, also where nothing is held. */
      assets: components['schemas']['AssetTvl'][];
    };
    PartnerTvlAnswer: {
      /** @enum {string} */
      object: 'partner_tvl';
      data: components['schemas']['PartnerTvl'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "total": 750,
     *       "count": 3,
     *       "assets": [
     *         {
     *           "asset": "USDC",
     *           "amount": 750,
     *           "count": 3
     *         }
     *       ]
     *     }
     */
    PartnerWithdrawals: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description Total amount, in whole units over all assets. Stablecoins are added at par. */
      total: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      total_exact?: string;
      /** @description Number of movements, over all assets. */
      count: number;
      /** @description A row per asset of the deployment, also without movements. */
      assets: components['schemas']['AssetFlow'][];
    };
    PartnerWithdrawalsAnswer: {
      /** @enum {string} */
      object: 'partner_withdrawals';
      data: components['schemas']['PartnerWithdrawals'];
    };
    /**
     * @example {
     *       "as_of": "2026-01-31T12:00:00.000Z",
     *       "total": 1.253037,
     *       "assets": [
     *         {
     *           "asset": "USDC",
     *           "accrued": 1.237035,
     *           "pending": 0.016002,
     *           "total": 1.253037,
     *           "costs": 0.000517,
     *           "apy": 0.0523
     *         }
     *       ]
     *     }
     */
    PartnerYield: {
      /**
       * Format: date-time
       * @description The moment of the report.
       */
      as_of: string;
      /** @description Yield so far, in whole units over all assets. Stablecoins are added at par. */
      total: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      total_exact?: string;
      /** @description A row per asset of the deployment, also without yield. */
      assets: components['schemas']['AssetYield'][];
    };
    PartnerYieldAnswer: {
      /** @enum {string} */
      object: 'partner_yield';
      data: components['schemas']['PartnerYield'];
    };
    /**
     * @example {
     *       "id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "kind": "rebalance",
     *       "from_vault_id": null,
     *       "to_vault_id": "vlt_harbor_lend_usdc",
     *       "amount": 1000
     *     }
     */
    PlanDecision: {
      id: string;
      /**
       * @description Kind of the decision.
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /** @description Vault that the funds were in; null for a deposit. */
      from_vault_id: string | null;
      /** @description Vault that the funds went to; null for a hold. */
      to_vault_id: string | null;
      /** @description Its amount, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
    };
    /**
     * @example {
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "amount": 120000
     *     }
     */
    PlanInflow: {
      /** @description The vault. */
      vault_id: string;
      /** @description Net inflow, in whole asset units, to two significant digits; negative for an outflow. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
    };
    PolicyInput: {
      /**
       * @description Vaults that may hold funds; funds elsewhere leave in the next hour. null: all. An empty list: none, so that all funds are in cash.
       * @example [
       *       "vlt_harbor_lend_usdc"
       *     ]
       */
      allowed_vaults: string[] | null;
      /**
       * @description Highest risk tier that may hold funds; funds in a riskier vault leave in the next hour. null: any.
       * @example medium
       * @enum {string|null}
       */
      max_risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description Minimum advantage of a move in expected risk-adjusted annual yield (0.005 is 0.5 percentage points), where it exceeds the service's `min_delta`; not for deposits and cash. null: `min_delta` alone. At most 6 decimals.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description While true, deposits wait in cash and invested funds stay, except that funds in an unsafe vault go into cash.
       * @example false
       */
      paused: boolean;
      /**
       * @description Maximum share in one vault, by risk tier, as a fraction of the partner's holdings of the asset, cash included. A single position above it may be alone in a vault. Omitted: unchanged. null, or a missing name: the bound, else the service's default.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure?: {
        [key: string]: number;
      } | null;
      /**
       * @description Maximum share in all vaults of a risk tier together, as a fraction of the partner's holdings of the asset, cash included. Omitted: unchanged. null, or a missing name: the bound, else the service's default.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure?: {
        [key: string]: number;
      } | null;
      /**
       * @description Maximum share in all vaults of a venue together, by `venue` of `GET /vaults`, as a fraction of the partner's holdings of the asset, cash included. Omitted: unchanged. null, or a missing name: the bound, else the service's default.
       * @example {
       *       "Harbor Lend": 0.5
       *     }
       */
      max_venue_exposure?: {
        [key: string]: number;
      } | null;
    };
    /** @description A position became active */
    PositionActiveEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example position.active
       * @enum {string}
       */
      type: 'position.active';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['PositionChange'];
    };
    /**
     * @example {
     *       "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "position",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "deposit_id": null,
     *       "vault_id": "vlt_meridian_usdc",
     *       "origin_vault_id": "vlt_harbor_lend_usdc",
     *       "status": "active",
     *       "principal": 250,
     *       "value": 250.412345,
     *       "yield": 0.412345,
     *       "costs": 0.000517,
     *       "apy": 0.0523,
     *       "opened_at": "2026-01-31T12:00:00.000Z",
     *       "active_at": "2026-01-31T12:00:00.000Z",
     *       "closed_at": null,
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz"
     *     }
     */
    PositionChange: {
      id: string;
      /** @enum {string} */
      object: 'position';
      /** @description End-user of the position. */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Deposit that was split into several positions; null: not split. */
      deposit_id: string | null;
      /** @description Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0. */
      vault_id: string;
      /** @description Its first yield vault; null before that. */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      principal: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      principal_exact?: string;
      /** @description Current value: `principal` + `yield`, which accrues by the millisecond. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Yield so far, net of costs; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position. */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened.
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it entered its first yield vault; null before that.
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When everything was withdrawn; null before that.
       */
      closed_at: string | null;
      /** @description Decision that chose its vault when it was opened or moved; null for a withdrawal. */
      decision_id: string | null;
    };
    /** @description A position was closed */
    PositionClosedEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example position.closed
       * @enum {string}
       */
      type: 'position.closed';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['PositionChange'];
    };
    PositionCounts: {
      /**
       * @description Positions that hold funds.
       * @example 3
       */
      open: number;
      /**
       * @description Positions that were withdrawn completely.
       * @example 1
       */
      closed: number;
    };
    PositionId: string;
    PositionIdOrNull: string | null;
    /**
     * @example {
     *       "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "position",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "deposit_id": null,
     *       "vault_id": "vlt_meridian_usdc",
     *       "origin_vault_id": "vlt_harbor_lend_usdc",
     *       "status": "active",
     *       "principal": 250,
     *       "value": 250.412345,
     *       "yield": 0.412345,
     *       "costs": 0.000517,
     *       "apy": 0.0523,
     *       "opened_at": "2026-01-31T12:00:00.000Z",
     *       "active_at": "2026-01-31T12:00:00.000Z",
     *       "closed_at": null,
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "amount": 249.95,
     *       "cost": 0.05
     *     }
     */
    PositionMove: {
      id: string;
      /** @enum {string} */
      object: 'position';
      /** @description End-user of the position. */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Deposit that was split into several positions; null: not split. */
      deposit_id: string | null;
      /** @description Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0. */
      vault_id: string;
      /** @description Its first yield vault; null before that. */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      principal: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      principal_exact?: string;
      /** @description Current value: `principal` + `yield`, which accrues by the millisecond. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Yield so far, net of costs; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position. */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened.
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it entered its first yield vault; null before that.
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When everything was withdrawn; null before that.
       */
      closed_at: string | null;
      /** @description Decision that chose its vault when it was opened or moved; null for a withdrawal. */
      decision_id: string | null;
      /** @description Amount that arrived in the vault, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Its part of the move's cost over all reports, in whole asset units. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
    };
    /** @description A position was opened */
    PositionOpenedEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example position.opened
       * @enum {string}
       */
      type: 'position.opened';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['PositionChange'];
    };
    /** @description A position was moved */
    PositionRebalancedEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example position.rebalanced
       * @enum {string}
       */
      type: 'position.rebalanced';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['PositionMove'];
    };
    /**
     * @example {
     *       "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "position",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "deposit_id": null,
     *       "vault_id": "vlt_meridian_usdc",
     *       "origin_vault_id": "vlt_harbor_lend_usdc",
     *       "status": "active",
     *       "principal": 250,
     *       "value": 250.412345,
     *       "yield": 0.412345,
     *       "costs": 0.000517,
     *       "apy": 0.0523,
     *       "opened_at": "2026-01-31T12:00:00.000Z",
     *       "active_at": "2026-01-31T12:00:00.000Z",
     *       "closed_at": null,
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "amount": 100,
     *       "withdrawal_id": "wdr_01kaabcdefghjkmnpqrstvwxyz"
     *     }
     */
    PositionWithdrawal: {
      id: string;
      /** @enum {string} */
      object: 'position';
      /** @description End-user of the position. */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Deposit that was split into several positions; null: not split. */
      deposit_id: string | null;
      /** @description Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0. */
      vault_id: string;
      /** @description Its first yield vault; null before that. */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      principal: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      principal_exact?: string;
      /** @description Current value: `principal` + `yield`, which accrues by the millisecond. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Yield so far, net of costs; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position. */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened.
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it entered its first yield vault; null before that.
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When everything was withdrawn; null before that.
       */
      closed_at: string | null;
      /** @description Decision that chose its vault when it was opened or moved; null for a withdrawal. */
      decision_id: string | null;
      /** @description Amount paid out, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Withdrawal of its user that it is a part of; null: from this position alone. */
      withdrawal_id: string | null;
    };
    /** @description Money was withdrawn */
    PositionWithdrawnEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example position.withdrawn
       * @enum {string}
       */
      type: 'position.withdrawn';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['PositionWithdrawal'];
    };
    PreviewPositionInput: {
      /**
       * @description Asset of the deposit.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Amount of the deposit. In whole asset units, at most 6 decimals.
       * @example 250
       */
      amount: number;
      /**
       * @description `true`: splits the deposit into up to eight equal positions of at least one unit, which share a `deposit_id` and are routed one after another, so that a large deposit is spread over vaults. The answer is then a list (`object: "list"`).
       * @default false
       * @example false
       */
      split?: boolean;
    };
    Regime: {
      /**
       * @description Why the regime is unknown; null where it is known. `silent_feed`: the newest observation is over three hours old. `short_history`: too few observations, or too few consecutive hours that agree.
       * @example null
       * @enum {string|null}
       */
      reason: 'short_history' | 'silent_feed' | null;
      /**
       * @description Annual yield of the vaults, weighted by TVL, as a fraction; null where unknown or too old.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Daily change of that yield, as a fraction: 0.001 is 0.10 percentage points a day. null with too little history.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Sample standard deviation of that yield over the last week, as a fraction; null with too little history.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Over all assets, or of the requested one. `volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these. null: unknown, see `reason`.
       * @example stable
       * @enum {string|null}
       */
      regime: 'rising' | 'falling' | 'stable' | 'volatile' | null;
      /**
       * Format: date-time
       * @description Hour of the regime.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /** @description Regime of each asset. */
      assets: components['schemas']['AssetRegime'][];
    };
    RegimeAnswer: {
      /** @enum {string} */
      object: 'regime';
      data: components['schemas']['Regime'];
    };
    Replica: {
      /**
       * @description Name of its machine or container.
       * @example vaultline-partner-7c9f
       */
      name: string;
      /**
       * @description Role of the process.
       * @example all
       */
      role: string;
      /**
       * @description Version that it runs.
       * @example 1.0.0
       */
      version: string;
      /**
       * Format: date-time
       * @description When it was started.
       * @example 2026-01-31T12:00:00.000Z
       */
      started_at: string;
      /**
       * Format: date-time
       * @description Its last heartbeat, sent every 20 seconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      seen_at: string;
      /**
       * @description True after a minute without a heartbeat: the process hangs, was killed, or cannot reach the database.
       * @example false
       */
      silent: boolean;
    };
    RequestIdOrNull: string | null;
    ResetRequest: {
      /**
       * @description Seed of the new market: the same seed gives the same market. Default: the current seed.
       * @example release-42
       */
      seed?: string;
    };
    RevenueShareOutputDto: {
      /**
       * Format: date-time
       * @description The moment of the report.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description Performance fee from now on, in basis points of yield beyond carried losses (0 to 10000).
       * @example 1000
       */
      performance_fee_bps: number;
      /**
       * @description The partner's part of the fee from now on, in basis points (0 to 10000). Settled fees keep the terms of their time.
       * @example 4000
       */
      revenue_share_bps: number;
      /** @description A row per asset of the deployment, also where nothing was settled. */
      assets: components['schemas']['AssetRevenue'][];
      /** @description Over all assets. Stablecoins are added at par. */
      totals: components['schemas']['RevenueSums'];
    };
    RevenueShareOutputDtoAnswer: {
      /** @enum {string} */
      object: 'revenue_share';
      data: components['schemas']['RevenueShareOutputDto'];
    };
    /**
     * @example {
     *       "yield": 1.253037,
     *       "accrued": 1.237035,
     *       "performance_fee": 0.123704,
     *       "partner_revenue": 0.049481,
     *       "protocol_revenue": 0.074223
     *     }
     */
    RevenueSums: {
      /** @description Yield so far, accrued and pending, net of costs: `yield` of the summary, `total` of the yield report. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Yield posted to users' ledgers: `accrued` of the yield report; negative after a net loss. The fee is charged on gains above each end-user's carried loss in the asset. */
      accrued: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      accrued_exact?: string;
      /** @description Performance fee that was settled: the sum of the two parts below. Reported, never deducted from positions. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
    };
    RevokedApiKey: {
      /** @example key_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @description Always true.
       * @example true
       */
      revoked: boolean;
    };
    RevokedApiKeyAnswer: {
      /** @enum {string} */
      object: 'api_key';
      data: components['schemas']['RevokedApiKey'];
    };
    RotateKeyInput: {
      /**
       * @description Seconds for which the old key stays valid; 0 ends it at once.
       * @default 86400
       * @example 86400
       */
      previous_expires_in?: number;
    };
    RotateSecretInput: {
      /**
       * @description Seconds for which the old secret signs beside the new one. 0 ends it at once, with any rotation in progress.
       * @default 86400
       * @example 86400
       */
      previous_expires_in?: number;
    };
    Session: {
      /**
       * @description Id of the session (`ses_...`), or of the key of this request.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @example session
       * @enum {string}
       */
      object: 'session';
      /**
       * @description What it may do.
       * @example [
       *       "partner:read",
       *       "read"
       *     ]
       */
      scopes: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description Partner of its key; null without one.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description Name of that partner; null without one.
       * @example Acme Wallet
       */
      partner_name: string | null;
      /**
       * @description Its environment.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * Format: date-time
       * @description When it expires; null for a key without an expiry.
       * @example 2026-01-31T12:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description Label of its key.
       * @example Reporting, production
       */
      label: string;
    };
    SessionAnswer: {
      /** @enum {string} */
      object: 'session';
      data: components['schemas']['Session'];
    };
    SessionId: string;
    SessionIdOrNull: string | null;
    SettleInvoiceInput: {
      /**
       * @description `paid`: the fee was received and the partner's part paid out. `void`: the fee is taken back. Both are final.
       * @example paid
       * @enum {string}
       */
      status: 'paid' | 'void';
      /**
       * @description Reference of the payment, or reason of the void.
       * @example SEPA 2026-02-03 / 4711
       */
      reference: string;
      /**
       * Format: date-time
       * @description Value date, in a day that is not closed and not in the future. Default: now.
       */
      at?: string;
    };
    Signal: {
      /**
       * @example signal
       * @enum {string}
       */
      object: 'signal';
      /**
       * @description Rank among the requested vaults, from 1, by `expected_risk_adjusted_apy`.
       * @example 1
       */
      rank: number;
      /**
       * @description The vault.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description Name of the vault.
       * @example Harbor Lend USDC
       */
      name: string;
      /**
       * @description Asset that the vault takes.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Risk tier, by which its yield is discounted: least in `low`.
       * @example low
       * @enum {string}
       */
      risk_tier: 'low' | 'medium' | 'high';
      /**
       * @description Newest observed annual yield of the last week, as a fraction: 0.0523 is 5.23 %. null without one.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Mean of the observed yields of the last week, as a fraction; null without one.
       * @example 0.0518
       */
      mean_apy: number | null;
      /**
       * @description Sample standard deviation of the annual yield over the last week, as a fraction. null with too little history.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Daily change of the annual yield, as a fraction (0.001 is 0.10 percentage points): the Theil-Sen slope over the medians of the last seven complete UTC days. null with too little history.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Naive forecast of the annual yield in 24 hours, as a fraction: the yield plus half a day's trend, never below 0; routing does not use it. null with too little history.
       * @example 0.05245
       */
      forecast_apy: number | null;
      /**
       * @description Expected average annual yield over the next 10 days, as a fraction: that of the last hours, returning to the long average. null with too little history.
       * @example 0.0507
       */
      expected_apy: number | null;
      /**
       * @description `apy` discounted by risk tier and by the volatility below its mean, as a fraction: never above `apy`, and possibly below 0. null with too little history.
       * @example 0.0493
       */
      risk_adjusted_apy: number | null;
      /**
       * @description `expected_apy` with the same discounts, as a fraction: never above `expected_apy`, and possibly below 0. Ranks signals, and routes deposits and moves. null with too little history.
       * @example 0.0482
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description `increase`: the best vault of its asset that would get funds now: open, recently read, with no large outflow and not in quarantine. `reduce`: that vault is better by a percentage point or more. `hold`: neither, or too little history.
       * @example increase
       * @enum {string}
       */
      recommendation: 'increase' | 'hold' | 'reduce';
      /**
       * @description True exactly while `volatility` or `trend` is null, for lack of hourly snapshots or of whole days.
       * @example false
       */
      insufficient_history: boolean;
      /**
       * @description Hourly snapshots of the last week.
       * @example 168
       */
      observations: number;
      /**
       * Format: date-time
       * @description Hour of the signal.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
    };
    SignalList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Signal'][];
      meta: components['schemas']['ListMeta'];
    };
    SimulateEventRequest: {
      /**
       * @description Any event type.
       * @example position.rebalanced
       * @enum {string}
       */
      type:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /**
       * @description Only to this endpoint, which must be active and subscribed. Default: all subscribed endpoints.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id?: string;
      /**
       * @description Fields that override the synthetic `data`. At most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "amount": 12.5
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
    };
    SimulatedEventRecord: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example event
       * @enum {string}
       */
      object: 'event';
      /**
       * @description Type of the event.
       * @example position.rebalanced
       * @enum {string}
       */
      type:
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status';
      /**
       * Format: date-time
       * @description When it was raised, in the account's time.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * @description The `data` that endpoints receive.
       * @example {
       *       "asset": "USDC",
       *       "threshold": 0.05
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    SimulatedEventRecordAnswer: {
      /** @enum {string} */
      object: 'event';
      data: components['schemas']['SimulatedEventRecord'];
    };
    SimulationAdvance: {
      /**
       * @example simulation_advance
       * @enum {string}
       */
      object: 'simulation_advance';
      /**
       * Format: date-time
       * @description The account's time before.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description The account's time now.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Hours that were run.
       * @example 24
       */
      hours: number;
      /**
       * @description Positions that moved between vaults.
       * @example 2
       */
      rebalances: number;
      /**
       * @description Yield entries that daily statements posted.
       * @example 4
       */
      accruals: number;
      /**
       * @description Events that were raised; their deliveries follow.
       * @example 3
       */
      events: number;
    };
    SimulationAdvanceAnswer: {
      /** @enum {string} */
      object: 'simulation_advance';
      data: components['schemas']['SimulationAdvance'];
    };
    SimulationClock: {
      /**
       * @example simulation_clock
       * @enum {string}
       */
      object: 'simulation_clock';
      /**
       * Format: date-time
       * @description The account's time.
       * @example 2026-01-31T12:00:00.000Z
       */
      now: string;
      /**
       * Format: date-time
       * @description Wall time.
       * @example 2026-01-31T12:00:00.000Z
       */
      wall_time: string;
      /**
       * @description Whole hours that the account is ahead of wall time.
       * @example 24
       */
      hours_ahead: number;
      /**
       * Format: date-time
       * @description The newest hour that was run.
       * @example 2026-01-31T12:00:00.000Z
       */
      hour: string;
      /**
       * @description Seed of its market: the same seed gives the same market.
       * @example release-42
       */
      seed: string;
      /**
       * @description Scenario of its market; null: none.
       * @example rising
       * @enum {string|null}
       */
      scenario:
        | 'calm'
        | 'rising'
        | 'falling'
        | 'volatile'
        | 'outage'
        | 'loss'
        | 'run'
        | 'failing'
        | 'stalled'
        | 'queue'
        | 'full'
        | null;
      /**
       * Format: date-time
       * @description First hour of the scenario; null without one.
       * @example 2026-01-31T12:00:00.000Z
       */
      scenario_from: string | null;
    };
    SimulationClockAnswer: {
      /** @enum {string} */
      object: 'simulation_clock';
      data: components['schemas']['SimulationClock'];
    };
    /** @description Where a series goes on. */
    SpanMeta: {
      /**
       * @description Whether more points follow up to now.
       * @example false
       */
      has_more: boolean;
      /**
       * Format: date-time
       * @description Send it as `from` for the following points. Absent on the last page.
       */
      next_from?: string;
    };
    /**
     * @example {
     *       "opening_value": 1000,
     *       "deposits": 500,
     *       "withdrawals": 200,
     *       "yield": 4.2,
     *       "costs": 0.2,
     *       "closing_value": 1304,
     *       "performance_fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "carried_loss": 0,
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       },
     *       "expected_costs": 0.25
     *     }
     */
    StatementFigures: {
      /** @description Value of positions at the start of the period. */
      opening_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_value_exact?: string;
      /** @description Deposits of the period, net of voids. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals of the period, net of voids. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield of the period before `costs`; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Value of positions at the end: opening value + deposits - withdrawals + yield - costs. */
      closing_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_value_exact?: string;
      /** @description Performance fee settled in the period. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /** @description Losses carried forward at the end. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
      /** @description What the decisions expected the moves of the period to cost, beside `costs`. A move counts when its funds left their vault or, out of cash, arrived. */
      expected_costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      expected_costs_exact?: string;
    };
    StatementReserves: {
      /**
       * Format: date-time
       * @description When the custody accounts were read.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description Lowest coverage of the vaults that held your funds: what the chain has of the books.
       * @example 1
       */
      coverage: number;
    };
    /**
     * @example {
     *       "opening_value": 1000,
     *       "deposits": 500,
     *       "withdrawals": 200,
     *       "yield": 4.2,
     *       "costs": 0.2,
     *       "closing_value": 1304,
     *       "performance_fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "carried_loss": 0,
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       }
     *     }
     */
    StatementSums: {
      /** @description Value of positions at the start of the period. */
      opening_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_value_exact?: string;
      /** @description Deposits of the period, net of voids. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals of the period, net of voids. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield of the period before `costs`; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Value of positions at the end: opening value + deposits - withdrawals + yield - costs. */
      closing_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_value_exact?: string;
      /** @description Performance fee settled in the period. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /** @description Losses carried forward at the end. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
    };
    /**
     * @example {
     *       "lending": 1.5,
     *       "hold": 0.5
     *     }
     */
    StatementUplift: {
      /** @description Uplift of the period over the asset's lending vault. */
      lending: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      lending_exact?: string;
      /** @description Uplift of the period over each position's first vault. */
      hold: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      hold_exact?: string;
    };
    StatusAlert: {
      /**
       * @description `vault_evicted`: all funds leave a vault. `vault_silent`: a vault is not observed. `tick_late`: the market receives no new hours. `settlement_mismatch`: the chain contradicts a transfer. `report_deviates`: a report of an executor deviates from the books. `report_contradicted`: the chain contradicts a report of an executor. `withdrawal_unpaid`: a withdrawal ended without a payment.
       * @example vault_evicted
       * @enum {string}
       */
      kind:
        | 'vault_evicted'
        | 'vault_silent'
        | 'tick_late'
        | 'settlement_mismatch'
        | 'report_deviates'
        | 'report_contradicted'
        | 'withdrawal_unpaid'
        | 'reserves_short'
        | 'reserves_over';
      /**
       * @description Whether the condition began or is over.
       * @example begun
       * @enum {string}
       */
      state: 'begun' | 'over';
      /**
       * Format: date-time
       * @description When the condition began.
       * @example 2026-01-31T12:00:00.000Z
       */
      since: string;
      /**
       * Format: date-time
       * @description When the condition cleared; null while it lasts.
       * @example null
       */
      until: string | null;
      /**
       * @description The vault concerned; null without one.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string | null;
      /**
       * @description The settlement concerned; null without one.
       * @example null
       */
      settlement_id: string | null;
      /**
       * @description The move concerned; null without one.
       * @example null
       */
      move_id: string | null;
      /**
       * @description The withdrawal concerned; null without one.
       * @example null
       */
      withdrawal_id: string | null;
      /**
       * @description What to do, and who does it.
       * @example The operator looks at its feed and the log.
       */
      what_to_do: string;
    };
    SystemStatus: {
      /**
       * @description State of the service, for people.
       * @example Test event from Vaultline.
       */
      message: string;
      /**
       * Format: date-time
       * @description When it was requested or raised.
       * @example 2026-01-31T12:00:00.000Z
       */
      requested_at: string;
      /** @description The alert; absent for a test send and an announcement. */
      alert?: components['schemas']['StatusAlert'];
    };
    /** @description The service's state */
    SystemStatusEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example system.status
       * @enum {string}
       */
      type: 'system.status';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['SystemStatus'];
    };
    ThresholdCrossing: {
      /**
       * @description Asset of the yield.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description The threshold, as a fraction: 0.05 is 5 %.
       * @example 0.05
       */
      threshold: number;
      /**
       * @description `above`: the yield reached it from below. `below`: the yield fell below it.
       * @example above
       * @enum {string}
       */
      direction: 'above' | 'below';
      /**
       * @description Current blended annual yield of the asset's vaults, as a fraction.
       * @example 0.0512
       */
      apy: number;
      /**
       * @description The previous known yield, as a fraction.
       * @example 0.0497
       */
      previous_apy: number;
      /**
       * Format: date-time
       * @description The hour of the yield.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
    };
    /** Format: date-time */
    Timestamp: string;
    /** Format: date-time */
    TimestampOrNull: string | null;
    TrialBalance: {
      /**
       * Format: date-time
       * @description Beginning of the period.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description The closing that ends it.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /** @description A row per account of the journal and asset of the deployment. */
      accounts: components['schemas']['TrialBalanceAccount'][];
    };
    /**
     * @example {
     *       "asset": "USDC",
     *       "account": "vaults",
     *       "opening": 1000,
     *       "debits": 504.2,
     *       "credits": 200.2,
     *       "closing": 1304
     *     }
     */
    TrialBalanceAccount: {
      /**
       * @description Asset of all amounts.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description `vaults`: assets in vaults. `end_users`: owed to end-users. `costs_of_moves`: charged to end-users, and paid from vaults. `fees_receivable`: fees settled and not received. `fee_income`: the protocol's part of them. `owed_to_partner`: the partner's part. `settled_outside`: of invoices, paid outside of these books.
       * @enum {string}
       */
      account:
        | 'vaults'
        | 'end_users'
        | 'costs_of_moves'
        | 'fees_receivable'
        | 'fee_income'
        | 'owed_to_partner'
        | 'settled_outside';
      /** @description Debits less credits before the period: negative for a credit balance. */
      opening: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_exact?: string;
      /** @description Debits of the period: the journal's, which equal the credits in each asset. */
      debits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      debits_exact?: string;
      /** @description Credits of the period: the journal's. */
      credits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      credits_exact?: string;
      /** @description Opening + debits - credits. Balances of an asset add up to 0. */
      closing: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_exact?: string;
    };
    TrialBalanceAnswer: {
      /** @enum {string} */
      object: 'trial_balance';
      data: components['schemas']['TrialBalance'];
    };
    UpdateCampaignInputDto: {
      /**
       * @description Name of the campaign.
       * @example Winter double
       */
      name?: string;
      /**
       * @description Only deposits of this asset; null or absent: every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset?: 'USDC' | 'USDT' | null;
      /**
       * @description Multiplier of points while the campaign runs, 1 to 10, at most two decimals.
       * @example 1.5
       */
      points_multiplier?: number;
      /**
       * Format: date-time
       * @description When the campaign begins. UTC.
       * @example 2026-12-01T00:00:00.000Z
       */
      starts_at?: string;
      /**
       * Format: date-time
       * @description When it ends, after its start; null: open end. UTC.
       * @example 2027-01-01T00:00:00.000Z
       */
      ends_at?: string | null;
      /**
       * @description Your own notes. Replaces the stored notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description A disabled campaign multiplies no points; its record stays.
       * @enum {string}
       */
      status?: 'active' | 'disabled';
    };
    UpdatePartnerInputDto: {
      /**
       * @description Name of the partner.
       * @example Acme Wallet
       */
      name?: string;
      /**
       * Format: email
       * @description Contact of the partner.
       * @example ops@acme.example
       */
      contact_email?: string | null;
      /**
       * @description Performance fee, in basis points of yield beyond carried losses. A change applies from now on: yield so far is posted first, at the old terms.
       * @example 1000
       */
      performance_fee_bps?: number;
      /**
       * @description The partner's share of the performance fee, in basis points.
       * @example 4000
       */
      revenue_share_bps?: number;
      /**
       * @description Your own notes. Replaces the stored notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description `disabled` revokes all keys of the partner and stops its deliveries; `active` restores no key.
       * @enum {string}
       */
      status?: 'active' | 'disabled';
    };
    UpdateUserInput: {
      /**
       * @description Display name of the end-user.
       * @example User 1042
       */
      label?: string;
      /**
       * @description Wallet addresses, stored with their EIP-55 checksum. A mixed-case address must have a valid checksum. A wallet belongs to one of your users. Replaces the whole list.
       * @example [
       *       "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
       *     ]
       */
      wallets?: string[];
      /**
       * Format: email
       * @description Email address.
       * @example user@acme.example
       */
      email?: string | null;
      /**
       * @description Your own notes. Replaces the stored notes. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description `blocked`: deposits are refused, withdrawals stay possible.
       * @enum {string}
       */
      status?: 'active' | 'blocked';
    };
    UpliftAgainst: {
      /** @description Realised uplift so far. */
      realized: components['schemas']['UpliftRealized'];
      /** @description Uplift in a year at today's expected yields. */
      projected: components['schemas']['UpliftProjected'];
    };
    UpliftBaselines: {
      /** @description The asset's lending vault throughout, whether or not your policy allows it. */
      lending: components['schemas']['UpliftAgainst'];
      /** @description Each position's first vault throughout, whether or not your policy still allows it. */
      hold: components['schemas']['UpliftAgainst'];
    };
    /**
     * @example {
     *       "basis": "current_rates",
     *       "horizon_days": 365,
     *       "routed_apy": 0.0482,
     *       "baseline_apy": 0.0431,
     *       "uplift": 5.16375
     *     }
     */
    UpliftProjected: {
      /**
       * @description Basis of the projection: today's expected yields, unchanged. It is no forecast.
       * @enum {string}
       */
      basis: 'current_rates';
      /** @description Days that the projection looks ahead. */
      horizon_days: number;
      /** @description Expected annual yield of the vaults that hold the funds, weighted by value, as a fraction. null with too little history in any of them, or without funds. */
      routed_apy: number | null;
      /** @description Expected annual yield of the baseline, weighted by baseline value within an asset and by routed value across assets, as a fraction. null with too little history in any of its vaults, or without funds. */
      baseline_apy: number | null;
      /** @description Additional yield of the routed value over those days at `routed_apy` instead of `baseline_apy`; null where either is null. */
      uplift: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      uplift_exact?: string;
    };
    /**
     * @example {
     *       "routed_value": 1012.5,
     *       "baseline_value": 1009.2,
     *       "settled_uplift": 0.4,
     *       "costs": 0.2,
     *       "gross_uplift": 3.9,
     *       "uplift": 3.7,
     *       "uplift_pct": 0.0037
     *     }
     */
    UpliftRealized: {
      /** @description Value of the positions as routed. Over several assets, stablecoins are added at par. */
      routed_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      routed_value_exact?: string;
      /** @description Value in the baseline of the same deposits, reduced by the same fraction at each withdrawal. Over several assets, stablecoins are added at par. */
      baseline_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      baseline_value_exact?: string;
      /** @description Uplift settled by withdrawals: the amount paid out less the value of the same fraction of the baseline. */
      settled_uplift: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      settled_uplift_exact?: string;
      /** @description Costs of moves between vaults; a baseline never moves. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Uplift before costs: `uplift` + `costs`. */
      gross_uplift: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      gross_uplift_exact?: string;
      /** @description Routed value less baseline value, plus settled uplift, net of costs; negative where routing lost. Constant for a closed position. */
      uplift: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      uplift_exact?: string;
      /** @description Uplift as a fraction of the time-weighted capital (principal times days, over the days since the first deposit): 0.01 is 1 %. null without capital. */
      uplift_pct: number | null;
    };
    UpliftReport: {
      /**
       * Format: date-time
       * @description Moment of the figures: now, or `to`.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * Format: date-time
       * @description The requested `from`: settled uplift, costs and uplift are since then. null: all time.
       * @example null
       */
      from: string | null;
      /**
       * @description The requested asset; null: all.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /**
       * @description Number of positions, including closed ones.
       * @example 2
       */
      positions: number;
      /** @description Passive baselines that routing is compared with. */
      baselines: components['schemas']['UpliftBaselines'];
    };
    UpliftReportAnswer: {
      /** @enum {string} */
      object: 'uplift';
      data: components['schemas']['UpliftReport'];
    };
    /**
     * @example {
     *       "opening_value": 1000,
     *       "deposits": 500,
     *       "withdrawals": 200,
     *       "yield": 4.2,
     *       "costs": 0.2,
     *       "closing_value": 1304,
     *       "performance_fee": 0.4,
     *       "partner_revenue": 0.16,
     *       "protocol_revenue": 0.24,
     *       "carried_loss": 0,
     *       "uplift": {
     *         "lending": 1.5,
     *         "hold": 0.5
     *       },
     *       "expected_costs": 0.25,
     *       "asset": "USDC"
     *     }
     */
    UserAssetStatement: {
      /** @description Value of positions at the start of the period. */
      opening_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      opening_value_exact?: string;
      /** @description Deposits of the period, net of voids. */
      deposits: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      deposits_exact?: string;
      /** @description Withdrawals of the period, net of voids. */
      withdrawals: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      withdrawals_exact?: string;
      /** @description Yield of the period before `costs`; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of moves between vaults. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Value of positions at the end: opening value + deposits - withdrawals + yield - costs. */
      closing_value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      closing_value_exact?: string;
      /** @description Performance fee settled in the period. */
      performance_fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      performance_fee_exact?: string;
      /** @description The partner's part of the fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description The protocol's part of the fee. */
      protocol_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      protocol_revenue_exact?: string;
      /** @description Losses carried forward at the end. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Uplift of the period, net of costs. Values of end-users are rounded down by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
      /** @description The end-user's part of the statement's `expected_costs`, by the value that moved; null: not known, because a move of the period was booked before the upgrade to a version that keeps the part. */
      expected_costs: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      expected_costs_exact?: string;
      /**
       * @description Asset of the row.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    /**
     * @example {
     *       "asset": "USDC",
     *       "value": 250.412345,
     *       "available": 250.412345,
     *       "positions": 2
     *     }
     */
    UserBalance: {
      /**
       * @description Asset symbol.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Sum of the values of the user's open positions in the asset. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description What can be withdrawn now: `value` less what open withdrawals reserve. null in a report as of a past moment. */
      available: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      available_exact?: string;
      /** @description Number of open positions in the asset. */
      positions: number;
    };
    UserId: string;
    UserIdOrNull: string | null;
    /**
     * @example {
     *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "ledger_entry",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "type": "deposit",
     *       "amount": 250,
     *       "cost": 0,
     *       "apy": 0.0523,
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "note": "Deposited 250 USDC into vlt_harbor_lend_usdc.",
     *       "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "recorded_at": "2026-01-31T12:00:00.000Z",
     *       "fee": 0.0412,
     *       "partner_revenue": 0.0164,
     *       "carried_loss": 0,
     *       "performance_fee_bps": 1000,
     *       "revenue_share_bps": 4000,
     *       "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
     *       "chain": null,
     *       "explorer_url": null,
     *       "voids": null
     *     }
     */
    UserLedgerEvent: {
      id: string;
      /** @enum {string} */
      object: 'ledger_entry';
      /** @description End-user of the entry. */
      user_id: string;
      /** @description Position of the entry. */
      position_id: string;
      /**
       * @description Asset of the position.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description `deposit`, `withdrawal`: funds came in or were paid out. `rebalance`: funds moved to another vault; within one vault and without a decision, the cost of a payment that it cut short. `yield_accrual`: yield since the previous entry.
       * @enum {string}
       */
      type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
      /** @description Amount in whole asset units, negative only for the accrual of a loss; for a rebalance, the amount that arrived. Deposits + accruals - withdrawals - costs = the position's value at its last entry. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description The position's part of a move's or a payment's cost, in proportion to value; 0 in other entries. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description The vault's last known annual yield at that time, as a fraction: 0.0523 is 5.23 %; 0 in cash. */
      apy: number;
      /** @description Vault of the amount; for a rebalance, the new one. */
      vault_id: string;
      /** @description The entry in a sentence, for people. */
      note: string;
      /** @description Decision that chose the vault of a deposit or the move; for an accrual, the move that brought a surplus. null for other entries. */
      decision_id: string | null;
      /**
       * Format: date-time
       * @description Value date: when it takes effect.
       */
      at: string;
      /**
       * Format: date-time
       * @description Booking time, which orders ids and pages.
       */
      recorded_at: string;
      /** @description Performance fee of the entry. Fees of entries sum to the revenue report for any end-user, asset and period; an end-user's entries in an asset settle in the order of `at`, `id`. */
      fee: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      fee_exact?: string;
      /** @description The partner's part of that fee. */
      partner_revenue: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      partner_revenue_exact?: string;
      /** @description Change of the end-user's carried loss in the asset; negative where it recovers. */
      carried_loss: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      carried_loss_exact?: string;
      /** @description Performance fee at which an accrual is settled, in basis points; null for other entries. */
      performance_fee_bps: number | null;
      /** @description The partner's share of that fee, in basis points; null for other entries. */
      revenue_share_bps: number | null;
      /** @description Hash of its transfer; of a rebalance, as its executor reported it: of several, the last one. null without one. */
      tx_hash: string | null;
      /** @description Chain of that transfer; null where unknown. */
      chain: string | null;
      /** @description Explorer page of the transfer; null where the chain has no known explorer. */
      explorer_url: string | null;
      /** @description Hash of the transfer that the entry reverses because it did not settle; null for other entries. Statements deduct a voided deposit from `deposits`, and a voided withdrawal from `withdrawals`. */
      voids: string | null;
    };
    UserLedgerEventList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['UserLedgerEvent'][];
      meta: components['schemas']['ListMeta'];
    };
    UserRecord: {
      /** @example usr_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example user
       * @enum {string}
       */
      object: 'user';
      /**
       * @description The account's own identifier; unique within the account.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description Display name of the user.
       * @example User 1042
       */
      label: string;
      /**
       * @description Email address; null without one.
       * @example user@acme.example
       */
      email: string | null;
      /**
       * @description The partner's notes.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * @description Wallet addresses, checksummed (EIP-55), in the order given.
       * @example [
       *       "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
       *     ]
       */
      wallets: string[];
      /**
       * @description `active` on creation; `blocked`: deposits are refused, withdrawals stay possible.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'blocked';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the user was last changed.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
    };
    UserRecordAnswer: {
      /** @enum {string} */
      object: 'user';
      data: components['schemas']['UserRecord'];
    };
    UserStatement: {
      /**
       * @example user_statement
       * @enum {string}
       */
      object: 'user_statement';
      /**
       * @description The end-user.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Your id of the end-user.
       * @example acme:user-1042
       */
      external_id: string;
      /** @description A row per asset with an entry up to the end of the period. */
      assets: components['schemas']['UserAssetStatement'][];
      /** @description Over these assets; stablecoins are added at par. */
      totals: components['schemas']['StatementSums'];
    };
    UserStatementList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['UserStatement'][];
      meta: components['schemas']['ListMeta'];
    };
    UserWithBalances: {
      /** @example usr_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example user
       * @enum {string}
       */
      object: 'user';
      /**
       * @description The account's own identifier; unique within the account.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description Display name of the user.
       * @example User 1042
       */
      label: string;
      /**
       * @description Email address; null without one.
       * @example user@acme.example
       */
      email: string | null;
      /**
       * @description The partner's notes.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata: {
        [key: string]: unknown;
      };
      /**
       * @description Wallet addresses, checksummed (EIP-55), in the order given.
       * @example [
       *       "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
       *     ]
       */
      wallets: string[];
      /**
       * @description `active` on creation; `blocked`: deposits are refused, withdrawals stay possible.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'blocked';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the user was last changed.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
      /** @description What the user has, by asset; empty without an open position. */
      balances: components['schemas']['UserBalance'][];
    };
    UserWithBalancesAnswer: {
      /** @enum {string} */
      object: 'user';
      data: components['schemas']['UserWithBalances'];
    };
    /**
     * @example {
     *       "id": "vlt_harbor_lend_usdc",
     *       "object": "vault",
     *       "name": "Harbor Lend USDC",
     *       "venue": "Harbor Lend",
     *       "chain": "ethereum",
     *       "address": "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
     *       "asset": "USDC",
     *       "risk_tier": "low",
     *       "source": "simulated",
     *       "active": true,
     *       "lending_baseline": true,
     *       "capacity": 25000000,
     *       "apy": 0.0523,
     *       "apy_7d": 0.0511,
     *       "tvl": 812345678.12,
     *       "assets": 812345678.12,
     *       "liquidity": 152003211.4,
     *       "observed_at": "2026-01-31T12:00:00.000Z",
     *       "stale": false,
     *       "quarantined_until": "2026-01-31T12:00:00.000Z",
     *       "quarantine_reason": null
     *     }
     */
    Vault: {
      /** @description Id of the vault: a readable slug. */
      id: string;
      /** @enum {string} */
      object: 'vault';
      /** @description Name of the vault. */
      name: string;
      /** @description Protocol that runs it. */
      venue: string;
      /** @description Chain of its contract; null for one that is on none. */
      chain: string | null;
      /** @description Contract that funds are sent to: the vault, Aave's pool, or Compound's market; null where none is known. */
      address: string | null;
      /**
       * @description Asset that it takes.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Risk tier, by which its yield is discounted: least in `low`.
       * @enum {string}
       */
      risk_tier: 'low' | 'medium' | 'high';
      /**
       * @description Source of its yield: `chain`, the share price of its contract; `defillama`, a public index of yields; `simulated`, nothing is real.
       * @enum {string}
       */
      source: 'chain' | 'defillama' | 'simulated';
      /** @description Whether it takes deposits. */
      active: boolean;
      /** @description Whether it is the asset's passive baseline. */
      lending_baseline: boolean;
      /** @description Maximum that may be held there, in whole asset units; null: no limit. */
      capacity: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      capacity_exact?: string;
      /** @description Last observed annual yield, as a fraction: 0.0523 is 5.23 %; null before the first observation. It applies from the next hour on, in the sandbox from its own. */
      apy: number | null;
      /** @description For a vault with a share price: annual yield over 7 days, where `apy` covers 24 hours; null with too few prices. Absent for other vaults. */
      apy_7d?: number | null;
      /** @description Last total value locked as its source counts it, in whole asset units: for some vaults all deposits, for others the part not lent out. null where unknown. */
      tvl: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      tvl_exact?: string;
      /** @description All deposits of that observation, lent out or not; null where unknown. */
      assets: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      assets_exact?: string;
      /** @description Part of them that can be withdrawn at once; null where unknown. Routing then assumes a tenth of `assets`; where `assets` is unknown, it uses liquidity instead; without both no deposit goes there. */
      liquidity: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      liquidity_exact?: string;
      /**
       * Format: date-time
       * @description Hour of that observation; null before the first one.
       */
      observed_at: string | null;
      /** @description True when the last observation is over 24 hours old or missing. A stale vault earns nothing and takes no funds. */
      stale: boolean;
      /**
       * Format: date-time
       * @description End of its quarantine after a loss of value or assets; null: not in quarantine. An administrator may end it earlier.
       */
      quarantined_until: string | null;
      /**
       * @description `index`: its share value fell by 0.5 % within a day; `outflow`: its assets fell to half of their median of a week. null: not in quarantine.
       * @enum {string|null}
       */
      quarantine_reason: 'index' | 'outflow' | null;
    };
    VaultAnswer: {
      /** @enum {string} */
      object: 'vault';
      data: components['schemas']['Vault'];
    };
    VaultHistory: {
      /**
       * @description Vault of the series.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description Length of a point.
       * @example hour
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /** @description Oldest first. An hour without a record has no point. */
      points: components['schemas']['VaultPoint'][];
    };
    VaultHistoryAnswer: {
      /** @enum {string} */
      object: 'vault_history';
      data: components['schemas']['VaultHistory'];
      meta: components['schemas']['SpanMeta'];
    };
    VaultList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Vault'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "apy": 0.0523,
     *       "reward_apy": 0.0071,
     *       "expected_risk_adjusted_apy": 0.0441,
     *       "tvl": 812345678.12,
     *       "assets": 812345678.12,
     *       "liquidity": 152003211.4,
     *       "index": 1.004321987654
     *     }
     */
    VaultPoint: {
      /**
       * Format: date-time
       * @description Beginning of the hour or day.
       */
      at: string;
      /** @description Observed annual base yield, which accrues, as a fraction: 0.0523 is 5.23 %; for a day, the mean of the known hours. null where not observed. */
      apy: number | null;
      /** @description Annual yield of reward tokens, which are claimed apart: neither `apy` nor `index` includes them, and nothing is routed by them. null where the source does not name it. */
      reward_apy: number | null;
      /** @description `expected_risk_adjusted_apy` of its signal in that hour; for a day, the mean of the known hours. null with too little history, and for old hours. */
      expected_risk_adjusted_apy: number | null;
      /** @description Total value locked as the vault's source counts it, in whole asset units; for a day, at its newest known hour. null where unknown. */
      tvl: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      tvl_exact?: string;
      /** @description All deposits, lent out or not, likewise. */
      assets: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      assets_exact?: string;
      /** @description Part of them that could be withdrawn at once, likewise. */
      liquidity: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      liquidity_exact?: string;
      /** @description Value of a share at the start of the hour, or of a day's newest hour; 1 when the vault was first seen. */
      index: number;
    };
    /**
     * @example {
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "value": 751.237035,
     *       "share": 1
     *     }
     */
    VaultTvl: {
      /** @description Vault that holds funds. */
      vault_id: string;
      /** @description Value in the vault. Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Share of the asset's net TVL, as a fraction; null where that is 0. */
      share: number | null;
    };
    Webhook: {
      /** @example wh_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example webhook
       * @enum {string}
       */
      object: 'webhook';
      /**
       * @description Partner that owns it.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string;
      /**
       * @description Receiver address.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Subscribed event types.
       * @example [
       *       "position.opened",
       *       "system.status"
       *     ]
       */
      events: (
        | 'position.opened'
        | 'position.active'
        | 'position.rebalanced'
        | 'position.withdrawn'
        | 'position.closed'
        | 'yield.threshold'
        | 'system.status'
      )[];
      /**
       * @description Your own note; null without one.
       * @example Ledger service
       */
      description: string | null;
      /**
       * @description Signing secret: in full only in the answer that creates it, masked otherwise.
       * @example whsec_****cGxl
       */
      secret: string;
      /**
       * Format: date-time
       * @description When the previous secret stops signing; null without one.
       * @example null
       */
      previous_secret_expires_at: string | null;
      /**
       * @description Whether events are sent to it.
       * @example true
       */
      active: boolean;
      /**
       * Format: date-time
       * @description When its receiver last answered 2xx; null if it never did.
       * @example 2026-01-31T12:00:00.000Z
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description Time of the first failure since then; null if the last send succeeded or nothing was sent.
       * @example null
       */
      failing_since: string | null;
      /**
       * @description Failed sends since the last success, interrupted ones not counted.
       * @example 0
       */
      consecutive_failures: number;
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
    };
    WebhookAnswer: {
      /** @enum {string} */
      object: 'webhook';
      data: components['schemas']['Webhook'];
    };
    WebhookCheck: {
      /**
       * @example webhook_check
       * @enum {string}
       */
      object: 'webhook_check';
      /**
       * @description The URL that was tried.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Whether an event would be delivered there.
       * @example true
       */
      passed: boolean;
      /** @description Each step, in order. */
      steps: components['schemas']['WebhookCheckStep'][];
      /**
       * @description The receiver's HTTP status; null without a response.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Milliseconds of the whole send; null when nothing was sent.
       * @example 84
       */
      latency_ms: number | null;
      /**
       * @description Secret that signed this one event, for verifying what the receiver got; null when nothing was sent. No endpoint uses it.
       * @example whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=
       */
      secret: string | null;
      /**
       * @description Value of the `Webhook-Signature` header; null when nothing was sent.
       * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      signature: string | null;
      /**
       * @description The event that was sent; null when none was.
       * @example null
       */
      payload: components['schemas']['EventEnvelope'] | null;
    };
    WebhookCheckAnswer: {
      /** @enum {string} */
      object: 'webhook_check';
      data: components['schemas']['WebhookCheck'];
    };
    WebhookCheckStep: {
      /**
       * @description What was tried, in this order.
       * @example connect
       * @enum {string}
       */
      step: 'parse' | 'resolve' | 'judge' | 'connect' | 'tls' | 'answer';
      /**
       * @description Whether it succeeded; null if not tried.
       * @example true
       */
      passed: boolean | null;
      /**
       * @description The result in words, with the remedy.
       * @example A connection was opened.
       */
      message: string;
    };
    WebhookId: string;
    WebhookList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Webhook'][];
      meta: components['schemas']['ListMeta'];
    };
    WithdrawPositionRequest: {
      /**
       * @description Amount to withdraw. Absent: the whole value of the position. In whole asset units, at most 6 decimals.
       * @example 100
       */
      amount?: number;
    };
    /**
     * @example {
     *       "id": "wdr_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "withdrawal",
     *       "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "amount": 100,
     *       "wallet": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
     *       "status": "paid",
     *       "parts": [
     *         {
     *           "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *           "vault_id": "vlt_harbor_lend_usdc",
     *           "amount": 100
     *         }
     *       ],
     *       "cost": 0,
     *       "paid_amount": 100,
     *       "tx_hash": "0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a",
     *       "chain": "ethereum",
     *       "explorer_url": "https://etherscan.io/tx/0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a",
     *       "requested_at": "2026-01-31T12:00:00.000Z",
     *       "expires_at": "2026-01-31T12:00:00.000Z",
     *       "taken_at": "2026-01-31T12:00:00.000Z",
     *       "taken_by": null,
     *       "paid_at": "2026-01-31T12:00:00.000Z",
     *       "ended_at": "2026-01-31T12:00:00.000Z",
     *       "failure": null,
     *       "note": null
     *     }
     */
    Withdrawal: {
      id: string;
      /** @enum {string} */
      object: 'withdrawal';
      /** @description Partner of the end-user. */
      partner_id: string;
      /** @description End-user that is paid. */
      user_id: string;
      /**
       * @description Asset that is withdrawn.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description What leaves the positions, in whole asset units: the sum of `parts`. Of everything, what they are worth now. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description Wallet that is paid; null: the end-user has none, or several and none was named. */
      wallet: string | null;
      /**
       * @description `requested`: its parts are reserved, and no executor has taken it. `taken`: an executor is paying it. `paid`: booked. `failed`: see `failure`. `lapsed`: no executor took it in time; nothing is reserved any more.
       * @enum {string}
       */
      status: 'requested' | 'taken' | 'paid' | 'failed' | 'lapsed';
      /** @description Positions that pay it: cash first, then the vault with the lowest expected risk-adjusted yield, then the oldest; what a move has in transit pays last. */
      parts: components['schemas']['WithdrawalPart'][];
      /** @description Part of the amount that vaults did not pay out, in whole asset units. */
      cost: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      cost_exact?: string;
      /** @description What the end-user was paid: `amount` less `cost`; null before that. */
      paid_amount: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      paid_amount_exact?: string;
      /** @description Hash of the payment; null before that, and where the server paid. */
      tx_hash: string | null;
      /** @description Chain of the payment; null where it is not known. */
      chain: string | null;
      /** @description Explorer page of the payment; null where the chain has no known explorer. */
      explorer_url: string | null;
      /**
       * Format: date-time
       * @description When it was requested.
       */
      requested_at: string;
      /**
       * Format: date-time
       * @description When it lapses, with the next hour, if no executor has taken it.
       */
      expires_at: string;
      /**
       * Format: date-time
       * @description When an executor took it; null before that, and where the server paid.
       */
      taken_at: string | null;
      /** @description Key or session of that executor; null before that. */
      taken_by: string | null;
      /**
       * Format: date-time
       * @description When it was paid; null before that.
       */
      paid_at: string | null;
      /**
       * Format: date-time
       * @description When it was paid, failed or lapsed; null before that.
       */
      ended_at: string | null;
      /**
       * @description `reported`: the executor reported that it paid nothing. `voided`: the chain contradicted the payment, which was taken back. null if it did not fail.
       * @enum {string|null}
       */
      failure: 'reported' | 'voided' | null;
      /** @description Why it failed, in words; null if it did not. */
      note: string | null;
    };
    WithdrawalAnswer: {
      /** @enum {string} */
      object: 'withdrawal';
      data: components['schemas']['Withdrawal'];
    };
    WithdrawalId: string;
    WithdrawalIdOrNull: string | null;
    WithdrawalList: {
      /** @enum {string} */
      object: 'list';
      data: components['schemas']['Withdrawal'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @example {
     *       "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "vault_id": "vlt_harbor_lend_usdc",
     *       "amount": 100
     *     }
     */
    WithdrawalPart: {
      /** @description Position that pays it. */
      position_id: string;
      /** @description Vault that its funds are in, or were paid from. */
      vault_id: string;
      /** @description What leaves the position, in whole asset units. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
    };
    /**
     * @example {
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "amount": 100,
     *       "available": 250.412345,
     *       "wallet": null,
     *       "parts": [
     *         {
     *           "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *           "vault_id": "vlt_harbor_lend_usdc",
     *           "amount": 100
     *         }
     *       ]
     *     }
     */
    WithdrawalPreview: {
      /** @description End-user that would be paid. */
      user_id: string;
      /**
       * @description Asset to withdraw.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description What would leave the positions: the sum of `parts`. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
      /** @description What can be withdrawn now. */
      available: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      available_exact?: string;
      /** @description Wallet that would be paid; null: none is known. */
      wallet: string | null;
      /** @description Positions that would pay, in their order. */
      parts: components['schemas']['WithdrawalPart'][];
    };
    WithdrawalPreviewAnswer: {
      /** @enum {string} */
      object: 'withdrawal_preview';
      data: components['schemas']['WithdrawalPreview'];
    };
    /**
     * @example {
     *       "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
     *       "object": "position",
     *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
     *       "asset": "USDC",
     *       "deposit_id": null,
     *       "vault_id": "vlt_meridian_usdc",
     *       "origin_vault_id": "vlt_harbor_lend_usdc",
     *       "status": "active",
     *       "principal": 250,
     *       "value": 250.412345,
     *       "yield": 0.412345,
     *       "costs": 0.000517,
     *       "apy": 0.0523,
     *       "opened_at": "2026-01-31T12:00:00.000Z",
     *       "active_at": "2026-01-31T12:00:00.000Z",
     *       "closed_at": null,
     *       "amount": 100
     *     }
     */
    WithdrawnPosition: {
      id: string;
      /** @enum {string} */
      object: 'position';
      /** @description End-user of the position. */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description Deposit that was split into several positions; null: not split. */
      deposit_id: string | null;
      /** @description Its vault; for a closed position, the last one. Funds that no vault accepts yet, or that are in transit, are in the asset's idle vault such as `vlt_idle_usdc`, which yields 0. */
      vault_id: string;
      /** @description Its first yield vault; null before that. */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault has accepted the deposit yet; each hour tries again. `active` from its first yield vault on. `closed` once everything was withdrawn.
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /** @description Deposits less withdrawals; negative once withdrawals exceed deposits. */
      principal: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      principal_exact?: string;
      /** @description Current value: `principal` + `yield`, which accrues by the millisecond. */
      value: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      value_exact?: string;
      /** @description Yield so far, net of costs; negative after a loss. */
      yield: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      yield_exact?: string;
      /** @description Costs of its moves between vaults so far, and of payments whose vault paid out less than was withdrawn. */
      costs: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      costs_exact?: string;
      /** @description Last observed annual yield of its vault, as a fraction: 0.0523 is 5.23 %. null where unknown or over 24 hours old, and for a closed position. */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened.
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it entered its first yield vault; null before that.
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When everything was withdrawn; null before that.
       */
      closed_at: string | null;
      /** @description Amount that this withdrawal paid out. */
      amount: number;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      amount_exact?: string;
    };
    WithdrawnPositionAnswer: {
      /** @enum {string} */
      object: 'position';
      data: components['schemas']['WithdrawnPosition'];
    };
    YieldHistory: {
      /**
       * @description Asset of the series.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Length of a point.
       * @example hour
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /** @description Oldest first. An hour without a record has no point. */
      points: components['schemas']['YieldPoint'][];
      /**
       * @description Blended annual yield at the newest recorded hour, whatever the requested span, as a fraction; null where unknown.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Mean of the known points, as an annual fraction; null without one.
       * @example 0.0518
       */
      average_apy: number | null;
    };
    YieldHistoryAnswer: {
      /** @enum {string} */
      object: 'yield_history';
      data: components['schemas']['YieldHistory'];
      meta: components['schemas']['SpanMeta'];
    };
    /**
     * @example {
     *       "at": "2026-01-31T12:00:00.000Z",
     *       "apy": 0.0523,
     *       "tvl": 812345678.12,
     *       "vaults": 4
     *     }
     */
    YieldPoint: {
      /**
       * Format: date-time
       * @description Beginning of the hour or day.
       */
      at: string;
      /** @description Annual yield of the asset's observed active vaults, as a fraction, weighted by TVL (equally where none is known); for a day, the mean of the known hours. null where none was observed. */
      apy: number | null;
      /** @description Total assets of those vaults, in whole asset units; for a day, at its newest hour. null where unknown. */
      tvl: number | null;
      /** @description The amount beside it to the micro-unit, or points to the millionth; only beyond 2^33 units. */
      tvl_exact?: string;
      /** @description Number of vaults included; for a day, at its newest hour. */
      vaults: number;
    };
    /** @description A yield crossed a threshold */
    YieldThresholdEvent: {
      /** @example evt_01kaabcdefghjkmnpqrstvwxyz */
      id: string;
      /**
       * @example yield.threshold
       * @enum {string}
       */
      type: 'yield.threshold';
      /**
       * Format: date-time
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      data: components['schemas']['ThresholdCrossing'];
    };
  };
  responses: {
    /** @description - `headers_too_large`: The head of the request is too large. */
    HeadersTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
     *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
     */
    IdempotencyInProgressOrQuotaExceeded: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
     *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
     *     - `advance_in_progress`: Another request is advancing the account's clock.
     */
    IdempotencyInProgressOrQuotaExceededOrAdvanceInProgress: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
     *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
     *     - `partner_disabled`: The partner is disabled.
     */
    IdempotencyInProgressOrQuotaExceededOrPartnerDisabled: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
     *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
     *     - `webhook_limit_reached`: The partner has the maximum number of webhooks.
     */
    IdempotencyInProgressOrQuotaExceededOrWebhookLimitReached: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
    IdempotencyKeyReused: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request.
     *     - `webhook_url_forbidden`: The URL leads to an address to which no webhook may be sent.
     */
    IdempotencyKeyReusedOrWebhookUrlForbidden: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `insufficient_scope`: The key has none of the required scopes, or is a session where a key is required. */
    InsufficientScope: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `insufficient_scope`: The key has none of the required scopes, or is a session where a key is required.
     *     - `partner_key_required`: The key is not bound to a partner.
     */
    InsufficientScopeOrPartnerKeyRequired: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `internal_error`: The server failed. */
    InternalError: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `not_acceptable`: The `Accept` header excludes JSON. */
    NotAcceptable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `not_found`: No such record, or not one of this partner. */
    NotFound: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `not_found`: No such record, or not one of this partner.
     *     - `event_removed`: The event to continue `after` is not among yours, or not any more; later ones may be gone too. Read without `after`.
     */
    NotFoundOrEventRemoved: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
    NotReceived: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description - `payload_too_large`: The body is larger than 64 KiB. */
    PayloadTooLarge: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `rate_limited`: Too many points in a minute, too many concurrent requests, or too many unknown keys from one address; see `RateLimit-Reason` and `Retry-After`. */
    RateLimited: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Reason': components['headers']['RateLimit-Reason'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
    Received: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description - `request_timeout`: The request did not arrive in time. */
    RequestTimeout: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `service_unavailable`: The service is unavailable, or its storage is nearly full and it accepts no writes; see `Retry-After`. */
    ServiceUnavailable: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `missing_api_key`: No credential was sent.
     *     - `invalid_api_key`: The key is unknown, revoked, expired or mistyped, or not sent as `Bearer <API_KEY>`; or the one-time code has expired.
     *     - `wrong_environment`: A live key was sent to a sandbox, or the reverse.
     */
    Unauthorized: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'WWW-Authenticate': components['headers']['WWW-Authenticate'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `unsupported_media_type`: The body is not sent as JSON. */
    UnsupportedMediaType: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /** @description - `validation_failed`: A field is missing, unknown or invalid, or the path is malformed; `details` names each. */
    ValidationFailed: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `validation_failed`: A field is missing, unknown or invalid, or the path is malformed; `details` names each.
     *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
     */
    ValidationFailedOrInvalidCursor: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
    /**
     * @description - `validation_failed`: A field is missing, unknown or invalid, or the path is malformed; `details` names each.
     *     - `malformed_json`: The body is not well-formed JSON.
     */
    ValidationFailedOrMalformedJson: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
  };
  parameters: {
    /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
    AsOf: string;
    /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
    Cursor: string;
    /**
     * @description The vault.
     * @example vlt_harbor_lend_usdc
     */
    EndSimulatedQuarantineId: string;
    /**
     * @description The partner.
     * @example ptn_01kaabcdefghjkmnpqrstvwxyz
     */
    GetPartnerId: string;
    /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
    IdempotencyKey: string;
    /** @description Only these end-users. Ids of other partners are ignored. */
    Ids: string;
    /** @description `hour`: a point per hour. `day`: a point per UTC day, over its requested hours. */
    Interval: 'hour' | 'day';
    /** @description Only changes made with this key or one of its sessions. */
    KeyId: string;
    /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
    Limit: number;
    /** @description Only events after this one: the last one that you handled. A `cursor` takes precedence. */
    ListAlertsAfter: string;
    /** @description Only changes from this time on. ISO 8601 with any offset, or a date: the start of that UTC day. */
    ListAuditFrom: string;
    /** @description Only changes up to this time. ISO 8601 with any offset, or a date: the end of that UTC day. */
    ListAuditTo: string;
    /**
     * @description The partner.
     * @example ptn_01kaabcdefghjkmnpqrstvwxyz
     */
    ListInvoicesId: string;
    /** @description Only invoices of this month. */
    ListPartnerInvoicesPeriod: string;
    /** @description Only invoices of this status. */
    ListPartnerInvoicesStatus: 'open' | 'paid' | 'void';
    /** @description Only entries booked after this one, oldest first. */
    ListPartnerJournalAfter: string;
    /** @description Only entries of this asset. */
    ListPartnerJournalAsset: 'USDC' | 'USDT';
    /** @description Only entries with a value date at or after this moment. An accrual dated exactly then belongs to the period that ends there: midnight ends a day. ISO 8601 with any offset, or a date: the start of that UTC day. */
    ListPartnerJournalFrom: string;
    /** @description Only entries with a value date before this moment, and accruals dated exactly then: from one midnight to another, exactly the entries of the statement. ISO 8601 with any offset, or a date: the end of that UTC day. */
    ListPartnerJournalTo: string;
    /** @description Only records of this status. */
    ListPartnersStatus: 'active' | 'disabled';
    /**
     * @description The end-user.
     * @example usr_01kaabcdefghjkmnpqrstvwxyz
     */
    ListUserPositionsId: string;
    /** @description Only withdrawals in this state. */
    ListUserWithdrawalsStatus: 'requested' | 'taken' | 'paid' | 'failed' | 'lapsed';
    /** @description Only changes made by this operation or command. */
    Operation: string;
    /** @description Only entries of this position. */
    PositionId: string;
    /**
     * @description The year, YYYY, the month, YYYY-MM, or the UTC day, YYYY-MM-DD.
     * @example 2026-01
     */
    ReadPartnerStatementPeriod: string;
    /**
     * @description The asset.
     * @example USDC
     */
    ReadPartnerYieldHistoryAsset: 'USDC' | 'USDT';
    /** @description Start; default: 30 days before `to`. Without `to`, an answer ends after 2000 points, and `meta.next_from` is the next `from`. ISO 8601 with any offset, or a date: the start of that UTC day. */
    ReadPartnerYieldHistoryFrom: string;
    /** @description End; default: now. A span of more than 2000 points is refused. ISO 8601 with any offset, or a date: the end of that UTC day. */
    ReadPartnerYieldHistoryTo: string;
    /**
     * @description The position.
     * @example pos_01kaabcdefghjkmnpqrstvwxyz
     */
    ReadPositionId: string;
    /**
     * @description The end-user.
     * @example usr_01kaabcdefghjkmnpqrstvwxyz
     */
    ReadUserId: string;
    /** @description Only changes to the record with this id, which may be deleted. */
    Subject: string;
    /** @description Only entries of this type. */
    Type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
    /** @description Only events of these types, separated by commas. */
    Types: string;
    /** @description Only events that this endpoint did not receive. The endpoint may be deleted. */
    UndeliveredTo: string;
    /** @description Only entries of this end-user. */
    UserId: string;
    /** @description Version to read, one of the last 1000. Default: the newest. */
    Version: number;
    /**
     * @description Id of the event, as in the body.
     * @example evt_01kaabcdefghjkmnpqrstvwxyz
     */
    WebhookId: string;
    /**
     * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
     * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
     */
    WebhookSignature: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Identifies this answer; quote it to the operator.
     * @example req_01kaabcdefghjkmnpqrstvwxyz
     */
    'X-Request-Id': string;
    /**
     * @description `true` when this is the stored answer to an earlier request; absent otherwise.
     * @example true
     */
    'Idempotency-Replayed': 'true';
    /**
     * @description Since when this operation is deprecated, in Unix seconds (RFC 9745).
     * @example @1793491200
     */
    Deprecation: string;
    /**
     * @description The operation to call instead, by the relation `successor-version` (RFC 5829).
     * @example </api/v1/yield/history/USDC>; rel="successor-version"
     */
    Link: string;
    /**
     * @description Points (`q`) per window of `w` seconds, for the partner or, for an unbound key, the key (draft-ietf-httpapi-ratelimit-headers-10). Absent if nothing is limited or no key was recognised.
     * @example "default";q=6000;w=60
     */
    'RateLimit-Policy': string;
    /**
     * @description Points left in the window (`r`), and the seconds until it ends (`t`).
     * @example "default";r=5999;t=60
     */
    RateLimit: string;
    /**
     * @description Limit that the request exceeded: concurrent requests, or points. Absent if the request was refused for its address and has no valid key.
     * @example points
     */
    'RateLimit-Reason': 'concurrency' | 'points';
    /**
     * @description Time at which this operation is removed (RFC 8594); absent while no date is set.
     * @example Sat, 31 Jul 2027 23:59:59 GMT
     */
    Sunset: string;
    /**
     * @description Seconds to wait before the next try.
     * @example 2
     */
    'Retry-After': number;
    /**
     * @description How to authenticate.
     * @example Bearer
     */
    'WWW-Authenticate': 'Bearer';
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listAlerts: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only events that this endpoint did not receive. The endpoint may be deleted. */
        undelivered_to?: string;
        /** @description Only events of these types, separated by commas. */
        types?: string;
        /** @description Only events after this one: the last one that you handled. A `cursor` takes precedence. */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['KeptEvent'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFoundOrEventRemoved'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAlertWebhooks: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of endpoints. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['AlertWebhook'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createAlertWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.acme.example/vaultline",
         *       "description": "Ledger service",
         *       "active": true
         *     }
         */
        'application/json': components['schemas']['CreateAlertWebhookInput'];
      };
    };
    responses: {
      /** @description The endpoint, with its full signing secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "webhook",
           *       "data": {
           *         "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "webhook",
           *         "url": "https://hooks.acme.example/vaultline",
           *         "events": [
           *           "position.opened",
           *           "system.status"
           *         ],
           *         "description": "Ledger service",
           *         "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=",
           *         "previous_secret_expires_at": null,
           *         "active": true,
           *         "last_success_at": "2026-01-31T12:00:00.000Z",
           *         "failing_since": null,
           *         "consecutive_failures": 0,
           *         "created_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            object: 'webhook';
            data: components['schemas']['AlertWebhook'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrWebhookLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReusedOrWebhookUrlForbidden'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteAlertWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The webhook endpoint.
         * @example wh_01kaabcdefghjkmnpqrstvwxy3
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint is gone. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'webhook';
            data: components['schemas']['DeletedWebhook'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  testAlertWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example wh_01kaabcdefghjkmnpqrstvwxy2
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The record of the delivery. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'delivery';
            data: components['schemas']['AlertDelivery'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readAdvice: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The summary. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'advisor';
            data: components['schemas']['Advisor'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listDecisions: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only decisions that placed or moved funds of this end-user. */
        user_id?: string;
        /** @description Only decisions that placed or moved this position. */
        position_id?: string;
        /** @description Only decisions on this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only decisions of this kind. */
        kind?: 'route' | 'rebalance' | 'hold';
        /** @description Only decisions made at this moment or later. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only decisions made before this moment. A date stands for its end. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description How much of each decision is shown. `summary`: without `inputs`, `alternatives`, `exposure`, `rationale` and `plan`, and with `amount`; `because` stays. */
        view?: 'whole' | 'summary';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of decisions. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Decision'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readRegime: {
    parameters: {
      query?: {
        /** @description Only this asset. */
        asset?: 'USDC' | 'USDT';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The regime. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'regime';
            data: components['schemas']['Regime'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listSignals: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only vaults of this asset, ranked among themselves. */
        asset?: 'USDC' | 'USDT';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of signals, best first. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Signal'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readUplift: {
    parameters: {
      query?: {
        /** @description Only positions of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only positions of this end-user of yours. */
        user_id?: string;
        /** @description Only this position of yours. */
        position_id?: string;
        /** @description Uplift from this moment on: the end of a closed UTC day, or any moment since the last one. Default: since the first deposit. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Uplift up to this moment. Default: now. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The uplift. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'uplift';
            data: components['schemas']['UpliftReport'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listAudit: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only changes from this time on. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only changes up to this time. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description Only changes made with this key or one of its sessions. */
        key_id?: string;
        /** @description Only changes made by this operation or command. */
        operation?: string;
        /** @description Only changes to the record with this id, which may be deleted. */
        subject?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['AuditEntry'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deployment as of now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'deployment';
            data: components['schemas']['Deployment'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only events that this endpoint did not receive. The endpoint may be deleted. */
        undelivered_to?: string;
        /** @description Only events of these types, separated by commas. */
        types?: string;
        /** @description Only events after this one: the last one that you handled. A `cursor` takes precedence. */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['KeptEvent'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFoundOrEventRemoved'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listKeys: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of keys. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['ApiKey'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "Reporting, production",
         *       "scopes": [
         *         "partner:read",
         *         "read"
         *       ],
         *       "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
         *       "environment": "sandbox",
         *       "expires_at": null
         *     }
         */
        'application/json': components['schemas']['CreateKeyInputDto'];
      };
    };
    responses: {
      /** @description The key, with its full secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "api_key",
           *       "data": {
           *         "id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "api_key",
           *         "label": "Reporting, production",
           *         "prefix": "vl_sandbox_9",
           *         "environment": "sandbox",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "last_used_at": null,
           *         "revoked": false,
           *         "suspended": false,
           *         "expires_at": null,
           *         "scopes": [
           *           "partner:read",
           *           "read"
           *         ],
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "secret": "vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            object: 'api_key';
            data: components['schemas']['ApiKey'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrPartnerDisabled'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The key.
         * @example key_01kaabcdefghjkmnpqrstvwxy1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The key is revoked. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'api_key';
            data: components['schemas']['RevokedApiKey'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The key that is replaced.
         * @example key_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "previous_expires_in": 86400
         *     }
         */
        'application/json': components['schemas']['RotateKeyInput'];
      };
    };
    responses: {
      /** @description The new key, with its full secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "api_key",
           *       "data": {
           *         "id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "api_key",
           *         "label": "Reporting, production",
           *         "prefix": "vl_sandbox_9",
           *         "environment": "sandbox",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "last_used_at": null,
           *         "revoked": false,
           *         "suspended": false,
           *         "expires_at": null,
           *         "scopes": [
           *           "partner:read",
           *           "read"
           *         ],
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "secret": "vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            object: 'api_key';
            data: components['schemas']['ApiKey'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrPartnerDisabled'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listMoves: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only moves in this state. */
        status?: 'requested' | 'redeeming' | 'arriving' | 'settled' | 'failed';
        /** @description Only moves whose reported gain has this review status. */
        review?: 'pending_review' | 'approved' | 'rejected';
        /** @description Only the moves of the deposit that opened this position. */
        position_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of moves. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['MoveOrder'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readMove: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The move.
         * @example mov_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The move. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'move_order';
            data: components['schemas']['MoveOrder'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerAudit: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only changes from this time on. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only changes up to this time. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description Only changes made with this key or one of its sessions. */
        key_id?: string;
        /** @description Only changes made by this operation or command. */
        operation?: string;
        /** @description Only changes to the record with this id, which may be deleted. */
        subject?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['AuditEntry'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerDeposits: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deposits. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_deposits';
            data: components['schemas']['PartnerDeposits'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerHistory: {
    parameters: {
      query?: {
        /** @description Only this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Any moment of the first day; default: 365 days before `to`. Without `to`, an answer ends after 2000 points, and `meta.next_from` is the next `from`. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Any moment of the last day; default: now. A span of more than 2000 points is refused. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The closings. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_history';
            data: components['schemas']['PartnerHistory'];
            meta: components['schemas']['SpanMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerInvoices: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only invoices of this status. */
        status?: 'open' | 'paid' | 'void';
        /** @description Only invoices of this month. */
        period?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of invoices. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Invoice'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerJournal: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries with a value date at or after this moment. An accrual dated exactly then belongs to the period that ends there: midnight ends a day. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only entries with a value date before this moment, and accruals dated exactly then: from one midnight to another, exactly the entries of the statement. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual' | 'invoice_paid' | 'invoice_void';
        /** @description Only entries of this end-user. */
        user_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the journal. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['JournalEntry'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerLedger: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries with a value date at or after this moment. An accrual dated exactly then belongs to the period that ends there: midnight ends a day. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only entries with a value date before this moment, and accruals dated exactly then: from one midnight to another, exactly the entries of the statement. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
        /** @description Only entries of this end-user. */
        user_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the ledger. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['PartnerLedgerEvent'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerPoints: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The points. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_points';
            data: components['schemas']['PartnerPoints'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPolicy: {
    parameters: {
      query?: {
        /** @description Version to read, one of the last 1000. Default: the newest. */
        version?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The policy. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_policy';
            data: components['schemas']['PartnerPolicy'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  replacePolicy: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "allowed_vaults": [
         *         "vlt_harbor_lend_usdc"
         *       ],
         *       "max_risk_tier": "medium",
         *       "min_gain": 0.005,
         *       "paused": false,
         *       "max_vault_exposure": {
         *         "medium": 0.4,
         *         "high": 0.1
         *       },
         *       "max_tier_exposure": {
         *         "high": 0.2
         *       }
         *     }
         */
        'application/json': components['schemas']['PolicyInput'];
      };
    };
    responses: {
      /** @description The updated policy. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_policy';
            data: components['schemas']['PartnerPolicy'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      /** @description - `policy_out_of_bounds`: A rule of the policy is wider than the administrator's bound; `details` names both. */
      422: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerRevenue: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revenue share. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'revenue_share';
            data: components['schemas']['RevenueShareOutputDto'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerStatements: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Years, months or UTC days. */
        interval?: 'year' | 'month' | 'day';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of periods. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['ListedStatement'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerStatement: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The year, YYYY, the month, YYYY-MM, or the UTC day, YYYY-MM-DD.
         * @example 2026-01
         */
        period: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The statement. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'statement';
            data: components['schemas']['PartnerStatement'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  downloadPartnerPackage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The month, YYYY-MM.
         * @example 2026-01
         */
        period: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The package, streamed: it has no length. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/zip': string;
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `month_open`: The month is not closed yet; the message says when it is. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerStatementUsers: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only these end-users. Ids of other partners are ignored. */
        ids?: string;
      };
      header?: never;
      path: {
        /**
         * @description The year, YYYY, the month, YYYY-MM, or the UTC day, YYYY-MM-DD.
         * @example 2026-01
         */
        period: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of end-users. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['UserStatement'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerSummary: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The summary. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_summary';
            data: components['schemas']['PartnerSummary'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerTerms: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of terms. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['PartnerTerms'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerTrialBalance: {
    parameters: {
      query?: {
        /** @description The closing: the end of a closed UTC day. Without it, the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
        /** @description Beginning of the period of `debits` and `credits`, a midnight UTC. Without it, the beginning of the month of the last day. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The trial balance. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'trial_balance';
            data: components['schemas']['TrialBalance'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerTvl: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Net TVL. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_tvl';
            data: components['schemas']['PartnerTvl'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUserPositions: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of positions. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['PartnerPosition'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartnerUsers: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
        /** @description Only these end-users. Ids of other partners are ignored. */
        ids?: string;
        /** @description Only the end-user with this identifier of yours. */
        external_id?: string;
        /** @description Only the end-user with this wallet, in any mixture of cases. */
        wallet?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of end-users. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['AttributedUser'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerWithdrawals: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The withdrawals. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_withdrawals';
            data: components['schemas']['PartnerWithdrawals'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerYield: {
    parameters: {
      query?: {
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The yield. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_yield';
            data: components['schemas']['PartnerYield'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerYieldHistory: {
    parameters: {
      query?: {
        /** @description Start; default: 30 days before `to`. Without `to`, an answer ends after 2000 points, and `meta.next_from` is the next `from`. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description End; default: now. A span of more than 2000 points is refused. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point per hour. `day`: a point per UTC day, over its requested hours. */
        interval?: 'hour' | 'day';
      };
      header?: never;
      path: {
        /**
         * @description The asset.
         * @example USDC
         */
        asset: 'USDC' | 'USDT';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The series and its averages. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          Deprecation: components['headers']['Deprecation'];
          Link: components['headers']['Link'];
          Sunset: components['headers']['Sunset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'yield_history';
            data: components['schemas']['YieldHistory'];
            meta: components['schemas']['SpanMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPartners: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only records of this status. */
        status?: 'active' | 'disabled';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of partners. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Partner'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPartner: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Acme Wallet",
         *       "contact_email": "ops@acme.example",
         *       "performance_fee_bps": 1000,
         *       "revenue_share_bps": 4000,
         *       "metadata": {
         *         "tier": "gold"
         *       },
         *       "key_label": "Acme, default key"
         *     }
         */
        'application/json': components['schemas']['CreatePartnerInputDto'];
      };
    };
    responses: {
      /** @description The partner and its first key. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "partner_created",
           *       "data": {
           *         "object": "partner_created",
           *         "partner": {
           *           "id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "partner",
           *           "name": "Acme Wallet",
           *           "status": "active",
           *           "contact_email": "ops@acme.example",
           *           "performance_fee_bps": 1000,
           *           "revenue_share_bps": 4000,
           *           "net_tvl": 111406.335754,
           *           "metadata": {
           *             "tier": "gold"
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "updated_at": "2026-01-31T12:00:00.000Z",
           *           "disabled_at": null
           *         },
           *         "api_key": {
           *           "id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "api_key",
           *           "label": "Reporting, production",
           *           "prefix": "vl_sandbox_9",
           *           "environment": "sandbox",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "last_used_at": null,
           *           "revoked": false,
           *           "suspended": false,
           *           "expires_at": null,
           *           "scopes": [
           *             "partner:read",
           *             "read"
           *           ],
           *           "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "secret": "vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000"
           *         }
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            object: 'partner_created';
            data: components['schemas']['PartnerCreated'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  getPartner: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The partner. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner';
            data: components['schemas']['Partner'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updatePartner: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Acme Wallet",
         *       "contact_email": "ops@acme.example",
         *       "performance_fee_bps": 1000,
         *       "revenue_share_bps": 4000,
         *       "metadata": {
         *         "tier": "gold"
         *       },
         *       "status": "active"
         *     }
         */
        'application/json': components['schemas']['UpdatePartnerInputDto'];
      };
    };
    responses: {
      /** @description The updated partner. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner';
            data: components['schemas']['Partner'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listCampaigns: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only records of this status. */
        status?: 'active' | 'disabled';
      };
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of campaigns. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Campaign'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createCampaign: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Winter double",
         *       "asset": "USDC",
         *       "points_multiplier": 1.5,
         *       "starts_at": "2026-12-01T00:00:00.000Z",
         *       "ends_at": "2027-01-01T00:00:00.000Z",
         *       "metadata": {
         *         "tier": "gold"
         *       }
         *     }
         */
        'application/json': components['schemas']['CreateCampaignInputDto'];
      };
    };
    responses: {
      /** @description The campaign. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'campaign';
            data: components['schemas']['Campaign'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateCampaign: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
        /**
         * @description The campaign.
         * @example cmp_01kaabcdefghjkmnpqrstvwxyz
         */
        campaignId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Winter double",
         *       "asset": "USDC",
         *       "points_multiplier": 1.5,
         *       "starts_at": "2026-12-01T00:00:00.000Z",
         *       "ends_at": "2027-01-01T00:00:00.000Z",
         *       "metadata": {
         *         "tier": "gold"
         *       },
         *       "status": "active"
         *     }
         */
        'application/json': components['schemas']['UpdateCampaignInputDto'];
      };
    };
    responses: {
      /** @description The updated campaign. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'campaign';
            data: components['schemas']['Campaign'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listInvoices: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only invoices of this status. */
        status?: 'open' | 'paid' | 'void';
        /** @description Only invoices of this month. */
        period?: string;
      };
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of invoices. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Invoice'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  settleInvoice: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
        /**
         * @description The invoice.
         * @example inv_01kaabcdefghjkmnpqrstvwxyz
         */
        invoiceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "status": "paid",
         *       "reference": "SEPA 2026-02-03 / 4711"
         *     }
         */
        'application/json': components['schemas']['SettleInvoiceInput'];
      };
    };
    responses: {
      /** @description The settled invoice. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'invoice';
            data: components['schemas']['Invoice'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `invoice_settled`: The invoice is paid or void already; the message says since when and by which reference.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPartnerPolicy: {
    parameters: {
      query?: {
        /** @description Version to read, one of the last 1000. Default: the newest. */
        version?: number;
      };
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The policy. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_policy';
            data: components['schemas']['PartnerPolicy'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  boundPartnerPolicy: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "allowed_vaults": [
         *         "vlt_harbor_lend_usdc"
         *       ],
         *       "max_risk_tier": "medium",
         *       "min_gain": 0.005,
         *       "paused": false,
         *       "max_vault_exposure": {
         *         "medium": 0.4,
         *         "high": 0.1
         *       },
         *       "max_tier_exposure": {
         *         "high": 0.2
         *       }
         *     }
         */
        'application/json': components['schemas']['PolicyInput'];
      };
    };
    responses: {
      /** @description The updated policy. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'partner_policy';
            data: components['schemas']['PartnerPolicy'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listTermsOfPartner: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The partner.
         * @example ptn_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of terms. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['PartnerTerms'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listPositions: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only positions of this end-user. */
        user_id?: string;
        /** @description Only positions of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only positions of this status. */
        status?: 'pending' | 'active' | 'closed';
        /** @description The books at this moment, before any entry dated then or later: the end of a closed UTC day, or any moment since the last one. ISO 8601 with any offset, or a date: the end of that UTC day. */
        as_of?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of positions. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['PartnerPosition'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createPosition: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *       "asset": "USDC",
         *       "amount": 250,
         *       "split": false
         *     }
         */
        'application/json': components['schemas']['CreatePositionRequest'];
      };
    };
    responses: {
      /** @description The position, or with `split: true` the list of positions. It earns from this moment on, to the millisecond. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @enum {string} */
                object: 'position';
                data: components['schemas']['PartnerPosition'];
              }
            | {
                /** @enum {string} */
                object: 'list';
                data: components['schemas']['PartnerPosition'][];
                meta: components['schemas']['ListMeta'];
              };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `user_blocked`: The end-user is blocked: deposits are refused, withdrawals stay possible.
       *     - `advance_in_progress`: Another request is advancing the account's clock.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  previewPosition: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "asset": "USDC",
         *       "amount": 250,
         *       "split": false
         *     }
         */
        'application/json': components['schemas']['PreviewPositionInput'];
      };
    };
    responses: {
      /** @description The decision that the deposit would get. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @enum {string} */
                object: 'decision_preview';
                data: components['schemas']['DecisionPreview'];
              }
            | {
                /** @enum {string} */
                object: 'list';
                data: components['schemas']['DecisionPreview'][];
                meta: components['schemas']['ListMeta'];
              };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readPosition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The position.
         * @example pos_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The position. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'position';
            data: components['schemas']['PartnerPosition'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  withdrawPosition: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The position.
         * @example pos_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "amount": 100
         *     }
         */
        'application/json': components['schemas']['WithdrawPositionRequest'];
      };
    };
    responses: {
      /** @description The position after the withdrawal, and the `amount` that was paid out. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'position';
            data: components['schemas']['WithdrawnPosition'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `position_closed`: The position is closed: everything was withdrawn.
       *     - `insufficient_balance`: The requested amount exceeds what is available; the message says how much.
       *     - `advance_in_progress`: Another request is advancing the account's clock.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "scopes": [
         *         "read"
         *       ],
         *       "expires_in": 43200
         *     }
         */
        'application/json': components['schemas']['CreateSessionInput'];
      };
    };
    responses: {
      /** @description The session, with its secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'session';
            data: components['schemas']['CreatedSession'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session or key of the request. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'session';
            data: components['schemas']['Session'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  endCurrentSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'session';
            data: components['schemas']['EndedSession'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readSimulationClock: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The clock. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'simulation_clock';
            data: components['schemas']['SimulationClock'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  advanceSimulationClock: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "hours": 24
         *     }
         */
        'application/json': components['schemas']['AdvanceClockRequest'];
      };
    };
    responses: {
      /** @description The result of the advance. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'simulation_advance';
            data: components['schemas']['SimulationAdvance'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrAdvanceInProgress'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  simulateEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "type": "position.rebalanced",
         *       "data": {
         *         "amount": 12.5
         *       }
         *     }
         */
        'application/json': components['schemas']['SimulateEventRequest'];
      };
    };
    responses: {
      /** @description The event. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'event';
            data: components['schemas']['SimulatedEventRecord'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  bendSimulatedMarket: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "scenario": "rising"
         *     }
         */
        'application/json': components['schemas']['BendMarketRequest'];
      };
    };
    responses: {
      /** @description The clock, with the scenario. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'simulation_clock';
            data: components['schemas']['SimulationClock'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrAdvanceInProgress'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  resetSimulation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "seed": "release-42"
         *     }
         */
        'application/json': components['schemas']['ResetRequest'];
      };
    };
    responses: {
      /** @description The new clock. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'simulation_clock';
            data: components['schemas']['SimulationClock'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrAdvanceInProgress'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  endSimulatedQuarantine: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The vault.
         * @example vlt_harbor_lend_usdc
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The updated vault. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'vault';
            data: components['schemas']['Vault'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `advance_in_progress`: Another request is advancing the account's clock. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "external_id": "acme:user-1042",
         *       "label": "User 1042",
         *       "wallets": [
         *         "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
         *       ],
         *       "email": "user@acme.example",
         *       "metadata": {
         *         "tier": "gold"
         *       }
         *     }
         */
        'application/json': components['schemas']['CreateUserInputDto'];
      };
    };
    responses: {
      /** @description The user. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'user';
            data: components['schemas']['UserRecord'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `external_id_taken`: A user with this `external_id` exists where it must be unique; `details` name the user if it is yours.
       *     - `wallet_taken`: A wallet belongs to another user of this partner, which `details` name.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The end-user. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'user';
            data: components['schemas']['UserWithBalances'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxy1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user is gone. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'user';
            data: components['schemas']['DeletedUser'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `user_has_positions`: The end-user has or had positions: it can be blocked, not deleted. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "User 1042",
         *       "wallets": [
         *         "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
         *       ],
         *       "email": "user@acme.example",
         *       "metadata": {
         *         "tier": "gold"
         *       },
         *       "status": "active"
         *     }
         */
        'application/json': components['schemas']['UpdateUserInput'];
      };
    };
    responses: {
      /** @description The updated end-user. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'user';
            data: components['schemas']['UserRecord'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `wallet_taken`: A wallet belongs to another user of this partner, which `details` name. */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUserLedger: {
    parameters: {
      query?: {
        /** @description Rows per page: a whole number from 1 to 500. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: string;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries with a value date at or after this moment. An accrual dated exactly then belongs to the period that ends there: midnight ends a day. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description Only entries with a value date before this moment, and accruals dated exactly then: from one midnight to another, exactly the entries of the statement. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
      };
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the ledger. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['UserLedgerEvent'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listUserWithdrawals: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only withdrawals in this state. */
        status?: 'requested' | 'taken' | 'paid' | 'failed' | 'lapsed';
      };
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of withdrawals. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Withdrawal'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWithdrawal: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "asset": "USDC",
         *       "amount": 100
         *     }
         */
        'application/json': components['schemas']['CreateWithdrawalInput'];
      };
    };
    responses: {
      /** @description The withdrawal: `paid`. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'withdrawal';
            data: components['schemas']['Withdrawal'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `insufficient_balance`: The requested amount exceeds what is available; the message says how much.
       *     - `withdrawal_limit_reached`: The end-user has ten open withdrawals, or the amount needs more positions than one withdrawal may have.
       *     - `advance_in_progress`: Another request is advancing the account's clock.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  previewWithdrawal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The end-user.
         * @example usr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "asset": "USDC",
         *       "amount": 100
         *     }
         */
        'application/json': components['schemas']['CreateWithdrawalInput'];
      };
    };
    responses: {
      /** @description The parts that the withdrawal would have. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'withdrawal_preview';
            data: components['schemas']['WithdrawalPreview'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `insufficient_balance`: The requested amount exceeds what is available; the message says how much.
       *     - `withdrawal_limit_reached`: The end-user has ten open withdrawals, or the amount needs more positions than one withdrawal may have.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listVaults: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of vaults. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Vault'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readVaultHistory: {
    parameters: {
      query?: {
        /** @description Start; default: 30 days before `to`. Without `to`, an answer ends after 2000 points, and `meta.next_from` is the next `from`. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description End; default: now. A span of more than 2000 points is refused. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point per hour. `day`: a point per UTC day, over its requested hours. */
        interval?: 'hour' | 'day';
      };
      header?: never;
      path: {
        /**
         * @description The vault.
         * @example vlt_harbor_lend_usdc
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The series. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'vault_history';
            data: components['schemas']['VaultHistory'];
            meta: components['schemas']['SpanMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of endpoints. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Webhook'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.acme.example/vaultline",
         *       "events": [
         *         "position.opened",
         *         "system.status"
         *       ],
         *       "description": "Ledger service",
         *       "active": true
         *     }
         */
        'application/json': components['schemas']['CreateWebhookRequest'];
      };
    };
    responses: {
      /** @description The endpoint, with its full signing secret. */
      201: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "webhook",
           *       "data": {
           *         "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "webhook",
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "url": "https://hooks.acme.example/vaultline",
           *         "events": [
           *           "position.opened",
           *           "system.status"
           *         ],
           *         "description": "Ledger service",
           *         "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=",
           *         "previous_secret_expires_at": null,
           *         "active": true,
           *         "last_success_at": "2026-01-31T12:00:00.000Z",
           *         "failing_since": null,
           *         "consecutive_failures": 0,
           *         "created_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /** @enum {string} */
            object: 'webhook';
            data: components['schemas']['Webhook'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceededOrWebhookLimitReached'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReusedOrWebhookUrlForbidden'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  checkWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.acme.example/vaultline"
         *     }
         */
        'application/json': components['schemas']['CheckWebhookInput'];
      };
    };
    responses: {
      /** @description The result of each step. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'webhook_check';
            data: components['schemas']['WebhookCheck'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only deliveries to this endpoint, which may be deleted. */
        webhook_id?: string;
        /** @description Only deliveries of this status. */
        status?: 'pending' | 'delivered' | 'failed';
        /** @description Only deliveries of this event type. */
        event?:
          | 'position.opened'
          | 'position.active'
          | 'position.rebalanced'
          | 'position.withdrawn'
          | 'position.closed'
          | 'yield.threshold'
          | 'system.status';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of deliveries. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Delivery'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The webhook endpoint.
         * @example wh_01kaabcdefghjkmnpqrstvwxy1
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint is gone. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'webhook';
            data: components['schemas']['DeletedWebhook'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example wh_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "previous_expires_in": 86400
         *     }
         */
        'application/json': components['schemas']['RotateSecretInput'];
      };
    };
    responses: {
      /** @description The endpoint, with its new signing secret in full. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'webhook';
            data: components['schemas']['Webhook'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The storage quota of the partner is used up; the message names the limit and how to free space.
       *     - `rotation_in_progress`: A rotation is in progress; the message says until when.
       */
      409: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The webhook endpoint.
         * @example wh_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The record of the delivery. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          'Idempotency-Replayed': components['headers']['Idempotency-Replayed'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'delivery';
            data: components['schemas']['Delivery'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      409: components['responses']['IdempotencyInProgressOrQuotaExceeded'];
      413: components['responses']['PayloadTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['IdempotencyKeyReused'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  listWithdrawals: {
    parameters: {
      query?: {
        /** @description Rows per page. A page also ends at about 1 MB, with at least one row: continue with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the previous page of the same list with the same filters. */
        cursor?: string;
        /** @description Only withdrawals in this state. */
        status?: 'requested' | 'taken' | 'paid' | 'failed' | 'lapsed';
        /** @description Only withdrawals of this end-user. */
        user_id?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of withdrawals. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'list';
            data: components['schemas']['Withdrawal'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readWithdrawal: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The withdrawal.
         * @example wdr_01kaabcdefghjkmnpqrstvwxyz
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The withdrawal. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'withdrawal';
            data: components['schemas']['Withdrawal'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      404: components['responses']['NotFound'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  readYieldHistory: {
    parameters: {
      query?: {
        /** @description Start; default: 30 days before `to`. Without `to`, an answer ends after 2000 points, and `meta.next_from` is the next `from`. ISO 8601 with any offset, or a date: the start of that UTC day. */
        from?: string;
        /** @description End; default: now. A span of more than 2000 points is refused. ISO 8601 with any offset, or a date: the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point per hour. `day`: a point per UTC day, over its requested hours. */
        interval?: 'hour' | 'day';
      };
      header?: never;
      path: {
        /**
         * @description The asset.
         * @example USDC
         */
        asset: 'USDC' | 'USDT';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The series and its averages. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            object: 'yield_history';
            data: components['schemas']['YieldHistory'];
            meta: components['schemas']['SpanMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      429: components['responses']['RateLimited'];
      431: components['responses']['HeadersTooLarge'];
      500: components['responses']['InternalError'];
      503: components['responses']['ServiceUnavailable'];
    };
  };
  onPositionOpened: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PositionOpenedEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onPositionActive: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PositionActiveEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onPositionRebalanced: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PositionRebalancedEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onPositionWithdrawn: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PositionWithdrawnEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onPositionClosed: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PositionClosedEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onYieldThreshold: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['YieldThresholdEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
  onSystemStatus: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
         * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
         */
        'Webhook-Signature': string;
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SystemStatusEvent'];
      };
    };
    responses: {
      '2XX': components['responses']['Received'];
      default: components['responses']['NotReceived'];
    };
  };
}
