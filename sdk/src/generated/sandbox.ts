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
     * @description What was sent, or was to be sent, to the endpoints of the deployment in the last 30 days, oldest first, each with what became of it. It begins with the first endpoint that was ever registered. As of partners: `undelivered_to` shows what a receiver has missed, and `after` goes on behind the last event that was handled.
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
     * @description Registers a receiver for the administrators of this deployment. It gets `system.status` events: of vaults that are left or silent, of a tick that is late, of settlements that are not what the chain says, and announcements; never a partner's other events. They are sent and signed as partners' are, and the full signing `secret` is shown in this answer alone.
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
     * @description Removes an endpoint: nothing is sent to it any more.
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
     * @description Sends a signed synthetic `system.status` event to the endpoint, active or not, in one real HTTP request, and answers with its record; also when the receiver failed: see `status` and `failure`.
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
     * @description How yields behave, the best vaults after risk, and what routing brought, in figures and in sentences made from templates: they say nothing that the figures do not.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Where your end-users' deposits went, when their funds were moved, and when a better vault was passed by; newest first. Each with its inputs, the alternatives that lost and every gate's value: of gates on how full a vault is, to two significant digits. Funds of yours in one vault are judged together: a decision to hold them names no end-user, and is listed where neither `user_id` nor `position_id` is given.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description How yields behave now: over all assets, and asset by asset. A new regime holds once two hours in a row agree on it. With too little history it is null, at once: never guessed.
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
     * @description Every vault with what the last week of hourly snapshots says of its yield, ranked by `expected_risk_adjusted_apy`: the yield to expect over the next 10 days, discounted by risk. `risk_adjusted_apy` is the same of the yield of now. With too little history, what it takes is null: nothing is guessed. `insufficient_history` is true exactly when `volatility` or `trend` is. The ranking is made anew each hour.
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
     * @description What routing brought your end-users over two passive baselines, to which each deposit and withdrawal is applied as well: the lending vault of each asset, and the vault that each position began in. And what it would bring at today's rates.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Each change, newest first: who made it, when, from which address, what it concerned, and what changed. No secret is in it. An entry is written in the transaction of its change, and never changes; `hash` chains it to the entry before it.
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
     * Read how the deployment is
     * @description How far the hourly tick and the queue are behind, what sends came to, and which processes there are. The same figures, and more, are at `/metrics` on the management port. What cannot be said is null.
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
     * @description Your events of the last 30 days, oldest first, each with what became of it at your endpoints. With `undelivered_to`, only those that an endpoint subscribed to and has not got, whether the send failed, was interrupted, has not ended, or was never made because the endpoint was inactive. To catch up, handle a page, keep the id of its last event, and go on with it as `after`: none is passed by. Events are kept for 30 days however many they are; where events, deliveries and stored answers take more than half of what a partner may have stored, its oldest events go before that, and an `after` whose event is gone is 404.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description All keys of the deployment, revoked ones included, newest first. Secrets are masked.
     *
     *     **Scope:** `keys:admin`.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create an API key
     * @description Creates a key. The answer is the only one that shows its full `secret`: store it. A key for a disabled partner is refused.
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
     * @description Revokes a key. It is refused from the moment this is answered, on every replica. Revoking once more is no error.
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
     * @description Creates another key of the same label, scopes and partner, without an end, and shows its `secret` once. The key that it replaces gets an end, `previous_expires_in` seconds from now unless it has an earlier one, and its sessions end with it. One that is revoked or expired is not rotated.
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
  '/partner/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List changes by your keys
     * @description Each change, newest first: who made it, when, from which address, what it concerned, and what changed. No secret is in it. An entry is written in the transaction of its change, and never changes; `hash` chains it to the entry before it. What administrators did is not listed.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description What your end-users deposited so far, by asset and in all.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description What your reports said as each UTC day ended, a row a day and asset: value, deposits, yield, costs, revenue and points, and the two passive baselines. They are written once, with the daily statement.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
  '/partner/journal': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the journal
     * @description The entries of the ledger as debits and credits over six accounts. Each balances, and so does any sum of them.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description All entries of your end-users' positions, newest first. They are in the order of booking: with `after`, the id of the last entry that you have, you get the ones booked since, oldest first, and miss none.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Points that your end-users earned so far, by the campaign that multiplied them. A position carries the best campaign that ran when it was opened; outside the time in which that runs, its points count once.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description What you ask of where your funds go, what an administrator bounds it by, and what is in force. Each decision names the version that it was made by.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
     */
    get: operations['readPolicy'];
    /**
     * Replace your policy
     * @description Replaces what you ask for, whole. Deposits follow it from now on; funds in a vault that it does not allow leave it in the next hour, the largest positions first, for the best vault that it does or for cash, and pay for the move. A rule that is wider than an administrator's bound is refused with that bound; null stands for the bound itself. The same once more changes nothing.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description The performance fee on yield, net of what moves cost, beyond what each end-user lost before in the asset, and how it is shared. It is settled whenever yield is posted, at the terms of that time. It is reported, never taken from positions.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Months, or UTC days, with a closed day, newest first.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description A month or a UTC day of your books, by asset and in all: opening value, deposits, withdrawals, yield, costs and closing value, the fee and its parts, and the uplift of the period.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
  '/partner/statements/{period}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a statement by end-user
     * @description The same figures of each end-user, newest first: they sum to the statement.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Everything of your end-users' positions in a few figures, by asset and in all.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
  '/partner/tvl': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read net TVL
     * @description What your end-users' positions are worth now, by asset and vault.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Positions of one of your end-users, newest first, each with what it is worth now.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Your end-users, newest first, each with what its positions are worth now.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description What your end-users withdrew so far, by asset and in all.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description What your end-users' positions earned so far, by asset: what is posted to ledgers, and what has grown since.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Deprecated: call `GET /yield/history/{asset}`, which answers the same and takes any key that reads. The headers `Deprecation` and `Link` say so too.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description All partners, newest first.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['listPartners'];
    put?: never;
    /**
     * Create a partner
     * @description Creates a partner, and a key bound to it. The answer is the only one that shows the full `secret` of that key. A session makes no keys, and so no partner.
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
     * @description Changes the fields that are sent. With `status: disabled`, all keys of the partner are revoked at once and its deliveries stop; its history stays. With `status: active` it is enabled again, but no key comes back: create a new one.
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
     * @description Creates a campaign of the partner: a time in which its deposits earn more points.
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
     * @description Changes the fields that are sent. A disabled campaign is kept.
     *
     *     **Scope:** `partner:admin`.
     */
    patch: operations['updateCampaign'];
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
     * @description What the partner asks for, its bounds, and what is in force.
     *
     *     **Scope:** `partner:admin`.
     */
    get: operations['readPartnerPolicy'];
    /**
     * Bound a partner's policy
     * @description Replaces the bounds of a partner's policy, whole: the partner can ask for less, and for nothing wider. What it asks for stays as it is and holds as far as the bounds let it; `in_force` shows both together. The same once more changes nothing.
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
  '/positions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List positions
     * @description Your account's positions with what each is worth now, newest first.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
     */
    get: operations['listPositions'];
    put?: never;
    /**
     * Open a position
     * @description Simulates a deposit: opens a position in the vault that the routing chooses for it, at the time of your account. Each deposit is a position of its own.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description The decision that a deposit of one of your end-users would get now: the vault, every alternative with its gates, and why. Nothing is stored, so it ignores an `Idempotency-Key`, and it costs what a read does. A deposit right after it gets the same decision, but where the amount comes within the rounding of how full a vault is: what others hold there is judged here as you are shown it, to two significant digits.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description A position with what it is worth now.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Simulates a withdrawal of an amount, or of everything: no body is the same as `{}`. The position is closed when nothing is left.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Creates a session: what a browser keeps in place of a key. It does what its `scopes` say, for the same partner, is sent as a key is, and ends after twelve hours at most, when it is signed out, and with its key. It makes neither keys nor sessions. A key has 20 sessions; with another one the oldest ends. The answer is the only one that shows its `secret`.
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
     * @description The session that this is asked with, or the key, as a session is shown: what it may do, for whom, and until when.
     *
     *     **Scope:** `read` or `write` or `keys:admin` or `partner:admin` or `partner:read`.
     */
    get: operations['readCurrentSession'];
    put?: never;
    post?: never;
    /**
     * Sign out
     * @description Ends the session that this is asked with. It is refused from the moment this is answered, on every replica. A key that asks itself is told 404: it is revoked, not signed out.
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
     * @description The time of your account: wall time and the hours that it was advanced by. All of your account's figures are as of it; no other account has it.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Runs every hour of your account's time in order: market, accruals, routing, statements, events. All of them or none: an advance that is interrupted has not happened.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Raises an event of any type with synthetic data of the true shape. It is signed and delivered like a real one; see the delivery log.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * Bend the account's market
     * @description Sets what your account's market does from its next hour on, for your account alone. A new scenario takes the place of the one before; a reset ends it.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Makes your account's positions, ledger, decisions, deliveries, clock, scenario and market as new; no body is the same as `{}`. Keys, end-users, campaigns and webhooks stay, and no other account is touched. Answers that are remembered for an `Idempotency-Key` are remembered still.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description The vault may take new funds of your account again; without a quarantine nothing changes. One that is in distress still is in quarantine again with the account's next hour.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Creates an end-user attributed to your partner. Never an upsert: an `external_id` that is taken is a 409.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an end-user
     * @description Removes an end-user that never had a position: its external id and its wallets are free again. One that has or had positions is a 409, as their record stays: block it instead.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
     */
    delete: operations['deleteUser'];
    options?: never;
    head?: never;
    /**
     * Update an end-user
     * @description Changes the fields that are sent; `wallets` replaces all that there were. The external id stays. From the moment at which `status: blocked` is answered no deposit of the user is taken; withdrawals are, and `status: active` ends it.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Deposits, withdrawals, rebalances and accruals of yield over all positions of one of your end-users, newest first. Entries never change. They are in the order of booking: with `after`, the id of the last entry that you have, you get the ones booked since, oldest first, and miss none. Yield is posted before each movement, and at the end of each UTC day.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
  '/vaults': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List vaults
     * @description The vaults that deposits are routed between, by id, each with its last observed yield. A yield that is not known is null, never 0.
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
     * @description What a vault was observed to yield and to hold, hour by hour or day by day, what its signal made of that, and the index that shares are valued by. A key that is bound to a partner reads its own market where it has one.
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
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Register a webhook
     * @description Registers a receiver. The answer is the only one that shows the full signing `secret`: store it. Each event is sent once, signed in the header `Webhook-Signature: t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 over `<t>.<raw body>` keyed with the whole secret string; accept a second `,v1=<hex>`, which is there while a secret is being replaced. Receivers should allow 300 seconds between `t` and their clock. Redirects are not followed.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Tries a URL without registering it: reads it, resolves its name, judges where it leads, connects, and sends one `system.status` event, signed with a secret that is made for this and is shown in the answer alone. It answers what became of each step, in words, and stores nothing. Where a step failed, the ones behind it were not tried: nothing is connected to that may not be sent to. An `Idempotency-Key` keeps the answer, secret included, for its retries.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Removes an endpoint: nothing is sent to it any more. Its deliveries stay in the log.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Makes a new signing secret, which this answer alone shows in full. For `previous_expires_in` seconds every send is signed with both, as `t=...,v1=<new>,v1=<old>`, so that a receiver which knows either of them accepts it; then the old one is erased.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
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
     * @description Sends a signed synthetic `system.status` event to the endpoint, active or not, in one real HTTP request, and answers with its record; also when the receiver failed: see `status` and `failure`.
     *
     *     **Scope:** `partner:read`, with a key that is bound to a partner.
     */
    post: operations['testWebhook'];
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
     * @description The blended yield over the active vaults of an asset, hour by hour or day by day. It is of the market, by the size of its vaults, and not of anything that is held here. What was not known is null or left out, never 0 and never filled in.
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
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     * @description A position was moved to another vault, which `vault_id` names now: `amount` arrived, for a `cost`. `decision_id` names the decision behind it.
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     * @description A part of a position, or all of it, was withdrawn: `amount`. The position is as it was left.
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     * @description The blended yield of an asset reached one of the deployment's thresholds from below, or fell under it. A yield that stays close to a threshold is told once: it has to move away first.
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
     * @description Tells about the service itself. A test send is one of these, to one endpoint; an announcement goes to every endpoint that subscribed. An alert has `alert`: it is sent once when what it tells of begins, and once when that is over, to those whom it concerns: partners with funds in a vault that is left or silent, the partner of a settlement that is not what the chain says.
     *
     *     Verify `Webhook-Signature` over the raw body before you read it: see *Verifying webhooks*.
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
       * @description Whole hours to go ahead; a month at most.
       * @example 24
       */
      hours: number;
    };
    Advisor: {
      /**
       * Format: date-time
       * @description The moment that it is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description The whole in two or three sentences, for people. Where feeds are silent for more than three hours, it begins with `Outage:`.
       * @example Yields are stable. Harbor Lend USDC has the best expected risk-adjusted APY, 4.82 %.
       */
      headline: string;
      /** @description How yields behave: the answer of `/analytics/regime`. */
      regime: components['schemas']['Regime'];
      /** @description The best of `/analytics/signals` that take deposits, ranked among themselves: at most three, only such with enough history, and none to `reduce`. They are of the market: a vault that your policy does not allow may be among them. */
      opportunities: components['schemas']['Signal'][];
      /** @description What routing brought: the answer of `/analytics/uplift`. */
      uplift: components['schemas']['UpliftReport'];
      /**
       * @description The reasons in sentences, for people. Every figure in them is one of those above, rounded.
       * @example [
       *       "USDC: the regime is stable at 5.23 %, with a trend of 0.030 pp a day."
       *     ]
       */
      rationale: string[];
      /**
       * @description How the sentences are made: from templates, without a language model.
       * @example template
       * @enum {string}
       */
      generator: 'template';
    };
    AlertDelivery: {
      /**
       * @description Id of the delivery.
       * @example del_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example delivery
       * @enum {string}
       */
      object: 'delivery';
      /**
       * @description Endpoint that it was for; it may be deleted since.
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
       * @description `pending`: being sent. `delivered`: the receiver answered 2xx. `failed`: see `failure`; it is not tried again.
       * @example delivered
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 when nothing left this server, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null when it gave none.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why it failed; null otherwise. `interrupted`: the server stopped in between, so the event may or may not have arrived. `dropped`: more was queued for the partner than may be, and this was among the oldest; nothing was sent.
       * @example null
       * @enum {string|null}
       */
      failure:
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome: so far while it is `pending`, and 0 where it was `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    AlertWebhook: {
      /**
       * @description Id of the endpoint.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description Your own note; null when none was given.
       * @example Ledger service
       */
      description: string | null;
      /**
       * @description Signing secret: in full only in the answer that creates it, masked ever after.
       * @example whsec_****cGxl
       */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the secret of before signs, too; null when none does. UTC, ISO 8601 with milliseconds.
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
       * @description When its receiver last answered 2xx; null when it never did. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description Of the first failure since then; null when the last send succeeded, or there was none. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      failing_since: string | null;
      /**
       * @description Sends that failed since the last success. What was interrupted does not count.
       * @example 0
       */
      consecutive_failures: number;
      /**
       * Format: date-time
       * @description When the endpoint was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
    };
    ApiKey: {
      /**
       * @description Id of the key.
       * @example key_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example api_key
       * @enum {string}
       */
      object: 'api_key';
      /**
       * @description What people call the key.
       * @example Reporting, production
       */
      label: string;
      /**
       * @description The first 12 characters of the secret, to identify it by.
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
       * @description When the key was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description Second of the last use, never before `created_at`; shown within 15 seconds of it. null until first used. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      last_used_at: string | null;
      /**
       * @description True once the key is revoked; it is refused from then on.
       * @example false
       */
      revoked: boolean;
      /**
       * Format: date-time
       * @description From when on the key is refused; null: never. UTC, ISO 8601 with milliseconds.
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
       * @description Partner that the key is bound to; null for none.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description In full only in the answer that creates the key; masked ever after.
       * @example vl_sandbox_9****
       */
      secret: string;
    };
    AssetFlow: {
      /**
       * @description Asset that moved.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description How much in all, in whole asset units.
       * @example 750
       */
      amount: number;
      /**
       * @description How many movements.
       * @example 3
       */
      count: number;
    };
    AssetRegime: {
      /**
       * @description Why the regime is not known. `silent_feed`: the newest observation is over three hours old. `short_history`: there are too few observations, or too few hours in a row that agree since there are enough. null where it is known.
       * @example null
       * @enum {string|null}
       */
      reason: 'short_history' | 'silent_feed' | null;
      /**
       * @description Yield a year of the vaults, weighted by their TVL, as a fraction; null where it is not known or too old. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Change of that yield, a day, as a fraction: 0.001 is 0.10 percentage points a day. null while there is too little history. At most 12 decimals.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Sample standard deviation of that yield over the last week, as a fraction; null while there is too little history. At most 12 decimals.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Asset whose yields it is about.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Hours of the last week of which it is known.
       * @example 168
       */
      observations: number;
      /**
       * @description `volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these. null: not known, see `reason`; never guessed.
       * @example stable
       * @enum {string|null}
       */
      regime: 'rising' | 'falling' | 'stable' | 'volatile' | null;
    };
    AssetRevenue: {
      /**
       * @description What was earned so far, accrued and pending, net of costs, in whole asset units: `yield` of the summary, `total` of the yield report. In `totals`: Stablecoins are added at par.
       * @example 1.253037
       */
      yield: number;
      /**
       * @description What of the yield is posted to users' ledgers, in whole asset units: `accrued` of the yield report; below 0 where more was lost than earned. The fee is on gains beyond what the same end-user lost before in the asset, costs of moves included. In `totals`: Stablecoins are added at par.
       * @example 1.237035
       */
      accrued: number;
      /**
       * @description Performance fee that was settled, in whole asset units: the sum of the two parts below. Reported, never taken from positions. In `totals`: Stablecoins are added at par.
       * @example 0.123704
       */
      performance_fee: number;
      /**
       * @description The partner's part of the fee, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 0.049481
       */
      partner_revenue: number;
      /**
       * @description The protocol's part of the fee, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 0.074223
       */
      protocol_revenue: number;
      /**
       * @description Asset that the fee is on.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    AssetStatement: {
      /**
       * @description What positions were worth at its beginning, in whole asset units.
       * @example 1000
       */
      opening_value: number;
      /**
       * @description Deposited in it, in whole asset units, less what was voided.
       * @example 500
       */
      deposits: number;
      /**
       * @description Withdrawn in it, in whole asset units, less what was voided.
       * @example 200
       */
      withdrawals: number;
      /**
       * @description Yield in it, in whole asset units; below 0 after a loss.
       * @example 4.2
       */
      yield: number;
      /**
       * @description What moves between vaults cost, in whole asset units.
       * @example 0.2
       */
      costs: number;
      /**
       * @description What positions were worth at its end, in whole asset units: opening value, deposits less withdrawals, yield less costs.
       * @example 1304
       */
      closing_value: number;
      /**
       * @description Performance fee settled in it, in whole asset units.
       * @example 0.4
       */
      performance_fee: number;
      /**
       * @description The partner's part of the fee, in whole asset units.
       * @example 0.16
       */
      partner_revenue: number;
      /**
       * @description The protocol's part of the fee, in whole asset units.
       * @example 0.24
       */
      protocol_revenue: number;
      /**
       * @description Losses carried forward at its end, in whole asset units.
       * @example 0
       */
      carried_loss: number;
      /**
       * @description The closing value to the micro-unit, where a JSON number would not hold it. Else null.
       * @example 9000000000.000001
       */
      closing_value_exact: string | null;
      /** @description What routing brought in the period, net of costs. Values of end-users are rounded down, position by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
      /**
       * @description Asset that the row is of.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
    };
    AssetSummary: {
      /**
       * @description Deposited so far, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 1000
       */
      deposits: number;
      /**
       * @description Withdrawn so far, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 250
       */
      withdrawals: number;
      /**
       * @description Deposits less withdrawals, in whole asset units; below 0 once more was withdrawn than was deposited. In `totals`: Stablecoins are added at par.
       * @example 750
       */
      net_deposits: number;
      /**
       * @description What all positions are worth, in whole asset units. Rounded down once a vault: it may exceed the sum of the positions' own values by less than 0.000001 a position. In `totals`: Stablecoins are added at par.
       * @example 751.237035
       */
      net_tvl: number;
      /**
       * @description Net TVL less net deposits, in whole asset units: what was earned so far, accrued and pending, taken out or not; below 0 where it lost. In `totals`: Stablecoins are added at par.
       * @example 1.237035
       */
      yield: number;
      /**
       * @description Asset that the sums are of.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Last observed yield a year of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held, or a vault that holds something has no yield that is known and at most 24 hours old. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
    };
    AssetTvl: {
      /**
       * @description Asset that is held.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description What its positions are worth, in whole asset units. Rounded down once a vault: it may exceed the sum of the positions' own values by less than 0.000001 a position.
       * @example 751.237035
       */
      net_tvl: number;
      /** @description Where it is, by vault id; empty where nothing is held. */
      vaults: components['schemas']['VaultTvl'][];
    };
    AssetYield: {
      /**
       * @description Asset that earned.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Yield that is posted to users' ledgers, net of costs, in whole asset units; below 0 where more was lost than earned.
       * @example 1.237035
       */
      accrued: number;
      /**
       * @description What was earned since, and is posted before the next movement or at the end of the UTC day; in whole asset units. Rounded down once a vault: it may exceed the sum over the positions by less than 0.000001 a position.
       * @example 0.016002
       */
      pending: number;
      /**
       * @description Accrued and pending, in whole asset units: `yield` of the other reports.
       * @example 1.253037
       */
      total: number;
      /**
       * @description What moves between vaults cost, in whole asset units: taken off `accrued`, and so off every yield.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held or it is not known. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
    };
    AttributedUser: {
      /**
       * @description Id of the user.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example attributed_user
       * @enum {string}
       */
      object: 'attributed_user';
      /**
       * @description The account's own identifier; unique within the account.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description What people call the user.
       * @example User 1042
       */
      label: string;
      /**
       * @description `blocked`: nothing is deposited, while withdrawals go on.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'blocked';
      /**
       * @description Wallet addresses, checksummed (EIP-55), in the order given.
       * @example [
       *       "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
       *     ]
       */
      wallets: string[];
      /** @description How many positions the user has. */
      positions: components['schemas']['PositionCounts'];
      /**
       * @description What the user's positions are worth, in whole units over all assets. Stablecoins are added at par. Rounded down once a vault: it may exceed the sum of the positions' own values by less than 0.000001 a position.
       * @example 250.412345
       */
      net_tvl: number;
      /**
       * Format: date-time
       * @description When the user was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
    };
    AuditActor: {
      /**
       * @description A key, a session of a key, a command of an operator, or the deployment itself.
       * @example key
       * @enum {string}
       */
      kind: 'key' | 'session' | 'cli' | 'system';
      /**
       * @description The key; null for a command.
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
    AuditEntryDto: {
      /**
       * @description Id of the entry.
       * @example aud_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example audit_entry
       * @enum {string}
       */
      object: 'audit_entry';
      /**
       * Format: date-time
       * @description When the change was made. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /** @description Who made it. */
      actor: components['schemas']['AuditActor'];
      /**
       * @description Address that the request came from; null for a command.
       * @example 203.0.113.7
       */
      address: string | null;
      /**
       * @description `operationId` of the operation, or words of the command.
       * @example updatePartner
       */
      operation: string;
      /**
       * @description Ids of the records that it concerns.
       * @example [
       *       "ptn_01kaabcdefghjkmnpqrstvwxyz"
       *     ]
       */
      subjects: string[];
      /**
       * @description Fields that changed, by the id of their record, as they were; null where nothing was there.
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
       * @description The same fields as they are since, without secrets; of transfers, and of what no record shows, what was asked for.
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
       * @description Request that made it; null for a command.
       * @example req_01kaabcdefghjkmnpqrstvwxyz
       */
      request_id: string | null;
      /**
       * @description Place of the entry in the chain; null within the first second, and for a partner, to whom it would show how much others do.
       * @example 1
       */
      number: number | null;
      /**
       * @description SHA-256, in hex, over the hash of the entry before it in the chain and the JSON of this one.
       * @example 5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      hash: string | null;
    };
    BaselineAmounts: {
      /**
       * @description Of the asset's lending vault, in whole asset units.
       * @example 1.5
       */
      lending: number;
      /**
       * @description Of each position's first vault, in whole asset units.
       * @example 0.5
       */
      hold: number;
    };
    BaselineValues: {
      /**
       * @description What the same deposits are worth in the asset's lending vault, in whole asset units.
       * @example 1009.2
       */
      lending_value: number;
      /**
       * @description What they are worth in each position's first vault, in whole asset units.
       * @example 1010.2
       */
      hold_value: number;
    };
    BendMarketRequest: {
      /**
       * @description What the market does from the next hour on: `calm` (a quarter of the usual noise, no spikes), `rising` and `falling` (the regime says so within 8 days), `volatile` (a day of six times the noise), `outage` (the lending vaults' feeds are silent for 30 hours), `loss` (each asset's vault of the highest risk loses 5 % at once), `run` (70 % of the assets of that vault leave within 12 hours), `failing` (its assets leave over a week, while its yield climbs beyond 30 % and nothing can be withdrawn any more; then it loses 40 %).
       * @example rising
       * @enum {string}
       */
      scenario: 'calm' | 'rising' | 'falling' | 'volatile' | 'outage' | 'loss' | 'run' | 'failing';
    };
    Campaign: {
      /**
       * @description Id of the campaign.
       * @example cmp_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description Whether it can earn points.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'disabled';
      /**
       * @description Asset that it is limited to; null for every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /**
       * @description Points are earned this many times; 1 to 10, two decimals.
       * @example 1.5
       */
      points_multiplier: number;
      /**
       * Format: date-time
       * @description When it begins. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      starts_at: string;
      /**
       * Format: date-time
       * @description When it ends; null for an open end. UTC, ISO 8601 with milliseconds.
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
       * @description When the campaign was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the campaign was last changed. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
    };
    CampaignPoints: {
      /**
       * @description Campaign that multiplied the points; null: those that were earned outside any.
       * @example cmp_01kaabcdefghjkmnpqrstvwxyz
       */
      campaign_id: string | null;
      /**
       * @description What the campaign multiplies by while it runs, at most two decimals; 1 outside campaigns. What was earned before a change stays as it was.
       * @example 1.5
       */
      multiplier: number;
      /**
       * @description Points, to 0.000001, rounded down.
       * @example 562.5
       */
      points: number;
    };
    CheckWebhookInputDto: {
      /**
       * @description The URL to try, as it would be registered.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
    };
    CreateAlertWebhookInputDto: {
      /**
       * @description Where events are sent: http or https, without credentials and fragment. Loopback, private, link-local and metadata addresses are refused, now and at every send. A name that does not resolve yet is accepted.
       * @example https://hooks.acme.example/vaultline
       */
      url: string;
      /**
       * @description Your own note.
       * @example Ledger service
       */
      description?: string | null;
      /**
       * @description An inactive endpoint gets test sends only.
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
       * @description Only deposits of this asset; null or absent: of every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset?: 'USDC' | 'USDT' | null;
      /**
       * @description Points are earned this many times while the campaign runs; 1 to 10, at most two decimals.
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
       * @description Your own notes: flat texts. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
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
       * @description What people call the key.
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
       * @description When given, must be the deployment's own environment.
       * @example sandbox
       * @enum {string}
       */
      environment?: 'sandbox';
      /**
       * Format: date-time
       * @description From when on the key is refused, in UTC: a time in the future. null: never.
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
       * @description Whom to write to.
       * @example ops@acme.example
       */
      contact_email?: string | null;
      /**
       * @description Performance fee, in basis points of yield beyond carried losses. A change holds from now on: yield up to now is posted first, at the old terms.
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
       * @description Your own notes: flat texts. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
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
       * @description How much is deposited. In whole asset units, at most 6 decimals.
       * @example 250
       */
      amount: number;
      /**
       * @description `true`: up to eight positions of equal amounts, one unit each at least, which share a `deposit_id`. Each is routed after the one before, by the same rules and limits, so that a large deposit is spread over vaults. The answer is then `object: "list"`, with all of them.
       * @default false
       * @example false
       */
      split?: boolean;
    };
    CreateSessionInputDto: {
      /** @description What the session may do: some of what its key may. Default: `read` and `partner:read`, as far as the key has them; with a one-time code, all that its key may. */
      scopes?: ('read' | 'write' | 'keys:admin' | 'partner:admin' | 'partner:read')[];
      /**
       * @description For how many seconds the session is valid; it ends with its key at the latest.
       * @default 43200
       */
      expires_in?: number;
      /** @description A one-time code of a link to the console, in place of a key: in a request without `Authorization`. */
      code?: string;
    };
    CreateUserInputDto: {
      /**
       * @description Your own identifier of the end-user. Unique within your account.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description What people call the end-user. Default: the external id.
       * @example User 1042
       */
      label?: string;
      /**
       * @description Wallet addresses, stored with their EIP-55 checksum. Mixed case must carry a valid one. A wallet belongs to one of your users.
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
       * @description Your own notes: flat texts. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
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
       * @description Where events are sent: http or https, without credentials and fragment. Loopback, private, link-local and metadata addresses are refused, now and at every send. A name that does not resolve yet is accepted.
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
       * @description An inactive endpoint gets test sends only.
       * @default true
       */
      active?: boolean;
    };
    CreatedSessionOutputDto: {
      /**
       * @description Id of the session, `ses_...`; of a key that reads this itself, its own.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description Partner that its key is bound to; null for none.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description Environment that it belongs to.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * Format: date-time
       * @description From when on it is refused; null for a key without an end. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description What people call its key.
       * @example Reporting, production
       */
      label: string;
      /**
       * @description Its secret, in this answer alone: send it as a key is sent.
       * @example vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000
       */
      secret: string;
    };
    /** @description The whole list, without pages, a million rows at most (RFC 4180): a header row, then a row for each record. Fields of a record within a record have its name before a dot (`settlement.status`); lists and free objects are JSON. Amounts have all six decimals, null is empty. A text that a spreadsheet would take for a formula has an apostrophe in front. */
    Csv: string;
    Decision: {
      /**
       * @description `route`: where a deposit went. `rebalance`: funds were moved to another vault. `hold`: a better vault failed a gate, and funds stayed.
       * @example route
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /**
       * @description Why. `best_vault`: a deposit, or cash, into the best vault within its limits; `insufficient_history`: the same into the lending vault, or a hold, as too little was known to compare; `no_open_vault`: no vault took it: it is cash, and each hour tries again; `all_gates_passed`: a move; `evicted`: a move out of a vault that was not to be kept, whatever there was to gain; `policy`: a move out of a vault that your policy did not allow, whatever there was to gain; `already_best`: a hold, as no vault was better; `gate_failed`: a hold, as the better vault failed a gate, or leaving cost as much as was there.
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
        | 'already_best'
        | 'gate_failed';
      /**
       * @description Asset of the funds.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Vault that the funds were in; null of a deposit.
       * @example null
       */
      from_vault_id: string | null;
      /**
       * @description Vault that they went to; null of a hold.
       * @example vlt_harbor_lend_usdc
       */
      to_vault_id: string | null;
      /**
       * Format: date-time
       * @description The hour whose snapshots were judged. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      snapshot_hour: string;
      /**
       * @description Names the configuration that it was made by.
       * @example 5f0c1a2b3d4e
       */
      config_version: string;
      /** @description What it depended on, all but what is held in each vault. */
      inputs: components['schemas']['DecisionInputs'];
      /** @description Best first: every vault of the asset, staying among them. */
      alternatives: components['schemas']['DecisionAlternative'][];
      /** @description What the choice was expected to bring. */
      expected_uplift: components['schemas']['ExpectedUplift'];
      /** @description Parts of what you hold of the asset, its cash included, as fractions. */
      exposure: components['schemas']['DecisionExposure'];
      /**
       * @description The reason in words, made of the figures above.
       * @example Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best of 1 vaults that is within its limits, 0.00 pp over the lending vault.
       */
      rationale: string;
      /**
       * Format: date-time
       * @description When it was made. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Id of the decision; ledger notes and events name it.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example decision
       * @enum {string}
       */
      object: 'decision';
      /**
       * @description End-user who deposited; null of funds that were judged together.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string | null;
      /**
       * @description Position that the deposit opened; null of funds that were judged together.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      position_id: string | null;
      /**
       * @description How many of your positions it was about.
       * @example 1
       */
      positions: number;
      /**
       * @description What a move brought; null of what is no move, and until its horizon has passed.
       * @example null
       */
      outcome: components['schemas']['DecisionOutcome'] | null;
      /**
       * @description The move that carries it out; null where nothing is to be carried out, and in the sandbox.
       * @example null
       */
      order: components['schemas']['DecisionOrder'] | null;
      /** @description What it was decided with. */
      plan: components['schemas']['DecisionPlan'];
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
       * @description Its last observed yield a year, as a fraction; null: none was. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Its expected yield a year over the next 10 days, as a fraction; null: too little history. At most 12 decimals.
       * @example 0.0507
       */
      expected_apy: number | null;
      /**
       * @description Its `apy` discounted by risk, as in the signals; null: too little history, or a record of before it was kept. At most 12 decimals.
       * @example 0.0493
       */
      risk_adjusted_apy: number | null;
      /**
       * @description Its `expected_apy` with the same discounts; null: too little history. At most 12 decimals.
       * @example 0.0482
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description What the amount finds there, as a fraction: the expected risk-adjusted yield, less what the amount itself takes from it; null: too little history. At most 12 decimals.
       * @example 0.0481
       */
      rate: number | null;
      /**
       * @description Rate over that of where the funds were, as a fraction; null for a deposit, and where one of the two is not known. At most 12 decimals.
       * @example null
       */
      delta: number | null;
      /** @description What it was held against; of `hold`, what a vault must be to be kept. */
      gates: components['schemas']['DecisionGate'][];
      /**
       * @description Whether it is what was done.
       * @example true
       */
      chosen: boolean;
    };
    DecisionCandidate: {
      /**
       * @description The vault.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description Whether it took deposits.
       * @example true
       */
      active: boolean;
      /**
       * @description Whether it is its asset's passive baseline.
       * @example true
       */
      lending_baseline: boolean;
      /**
       * @description Its risk, as the catalogue had it; null in records of before it was kept.
       * @example low
       * @enum {string|null}
       */
      risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description Last observed yield a year, as a fraction; null: none was. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Expected yield a year over the next 10 days, as a fraction; null: too little history. At most 12 decimals.
       * @example 0.0507
       */
      expected_apy: number | null;
      /**
       * @description `expected_apy` discounted by risk, as in the signals; null: too little history. At most 12 decimals.
       * @example 0.0482
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description Yield a year that a promise is made of, as a fraction: expected over the horizon from what was observed last; null: too little history. A promise is the worse of two, by it and by the mean of 6 hours. At most 12 decimals.
       * @example 0.0514
       */
      promised_apy: number | null;
      /**
       * @description Risk-adjusted yield a year that its long average would leave, as a fraction; null: too little history. At most 12 decimals.
       * @example 0.0465
       */
      lasting_apy: number | null;
      /**
       * @description As `promised_apy`, over `lasting_horizon_days`. At most 12 decimals.
       * @example 0.0502
       */
      promised_lasting_apy: number | null;
      /**
       * @description Value held in it by everybody, in whole asset units; null: not known.
       * @example 812345678.12
       */
      tvl: number | null;
      /**
       * @description All its deposits, in whole asset units; null: not known.
       * @example 812345678.12
       */
      assets: number | null;
      /**
       * @description What could be withdrawn of them, in whole asset units; null: not known.
       * @example 92345678.12
       */
      liquidity: number | null;
      /**
       * @description Most that this service may hold in it, in whole asset units; null: no bound.
       * @example 25000000
       */
      capacity: number | null;
      /**
       * @description `pool`: an amount lowers the rate that it finds there; `none`: it does not.
       * @example pool
       * @enum {string}
       */
      dilution: 'pool' | 'none';
      /**
       * @description Change of its index against the highest within a day, as a fraction; null: not known. At most 12 decimals.
       * @example 0
       */
      index_change: number | null;
      /**
       * @description Change of its assets against their median of a week, as a fraction; null: not known. At most 12 decimals.
       * @example -0.012
       */
      assets_change: number | null;
      /**
       * @description Hours until it may take funds again after a loss; null: it is not in quarantine.
       * @example null
       */
      quarantine_hours: number | null;
      /**
       * @description Cost of moving the funds there from where they were, in whole asset units; 0 of a deposit, and of where they were.
       * @example 2
       */
      cost: number;
      /**
       * @description Median base fee of the vault's chain over 24 hours, in gwei, from which its part of `cost` follows. Absent where the cost is fixed.
       * @example 1.2
       */
      base_fee_gwei?: number;
      /**
       * @description Hours from leaving it until the funds can go elsewhere.
       * @example 0
       */
      exit_delay_hours: number;
      /**
       * @description Hours since it was last observed; null: never.
       * @example 0
       */
      hours_since_observed: number | null;
      /**
       * @description Hours since these funds were last moved out of it; null: never.
       * @example null
       */
      hours_since_left: number | null;
    };
    DecisionConstants: {
      /**
       * @description Days over which a gain is expected.
       * @example 20
       */
      horizon_days: number;
      /**
       * @description Days over which a difference counts that the long averages have too.
       * @example 60
       */
      lasting_horizon_days: number;
      /**
       * @description Days within which cash has to pay for its move.
       * @example 365
       */
      cash_horizon_days: number;
      /**
       * @description What the target must be better by, in expected risk-adjusted yield a year, as a fraction. At most 12 decimals.
       * @example 0.001
       */
      min_delta: number;
      /**
       * @description Least gain over the horizon, in times the cost of the move.
       * @example 1.5
       */
      min_gain_multiple: number;
      /**
       * @description Least promise, the cost taken off, in times the cost of the move.
       * @example 1
       */
      min_promise_multiple: number;
      /**
       * @description Least gain over the horizon, the cost taken off, in whole asset units.
       * @example 1
       */
      min_net_gain: number;
      /**
       * @description Hours that funds stay in a vault at least.
       * @example 6
       */
      min_hours_in_vault: number;
      /**
       * @description Hours for which going back to a vault takes `return_gain_multiple`.
       * @example 168
       */
      return_window_hours: number;
      /**
       * @description Least gain of going back to a vault that was left so recently, in times the cost.
       * @example 3
       */
      return_gain_multiple: number;
      /**
       * @description Least size of the target, in times the amount.
       * @example 10
       */
      min_size_multiple: number;
      /**
       * @description Most of the target's size that this service may hold, as a fraction. At most 12 decimals.
       * @example 0.15
       */
      max_vault_share: number;
      /**
       * @description Most hours since a vault was last observed.
       * @example 24
       */
      max_gap_hours: number;
      /**
       * @description Part of its index that a vault may lose within a day, as a fraction. At most 12 decimals.
       * @example 0.005
       */
      max_index_loss: number;
      /**
       * @description Part of its assets, of their median of a week, at whose loss funds leave, as a fraction. At most 12 decimals.
       * @example 0.5
       */
      max_assets_loss: number;
      /**
       * @description The same loss, from which on none enter. At most 12 decimals.
       * @example 0.3
       */
      max_thinning: number;
      /**
       * @description Most hours since the newest reading of a vault that funds enter.
       * @example 3
       */
      max_reading_hours: number;
      /**
       * @description Part of the assets that is lent out, beyond which little liquidity is a reason to leave. At most 12 decimals.
       * @example 0.97
       */
      max_utilisation: number;
      /**
       * @description Part that is lent out, beyond which a pool pays by what is left in it. At most 12 decimals.
       * @example 0.9
       */
      kink: number;
    };
    DecisionExposure: {
      /** @description Before the decision; of a deposit, without it. What holds nothing is left out. */
      before: components['schemas']['ExposureShares'];
      /** @description After it; of a hold, the same. */
      after: components['schemas']['ExposureShares'];
      /** @description Largest parts that were allowed, of what is named in either; 1: no limit. A position that exceeds the limit of its vault by itself may be in it alone. */
      limits: components['schemas']['ExposureShares'];
    };
    DecisionGate: {
      /**
       * @description What was asked for. `active`: the vault takes deposits (1 or 0); `fresh`: hours since it was observed, at most; `history`: enough history to judge it (1 or 0); `capacity`: what this service would hold there, in whole asset units, at most; `reading`: of funds that enter, hours since its newest reading, at most; `size`: the vault's size in times the amount, at least: its deposits, or five times its liquidity where that is less; `share`: part of the vault's size that this service would hold, as a fraction, at most; `index`: change of its index against the highest within a day, as a fraction, above the bound; `outflow`: change of its assets against their median of a week, as a fraction, above the bound; `assets`: the same, of funds that enter; `liquidity`: of a vault that is nearly all lent out, its highest liquidity of 6 hours in times what this service holds there, at least; `quarantine`: hours until it may take funds again after a loss; none; `exposure`: part of the partner's book that would be in the vault, its tier or its venue, as a fraction, at most; `exit`: what can be withdrawn from where the funds are, in whole asset units, at least; `step`: of a vault that is followed by its share price, the change that its index has yet to take, as a fraction, at most in either direction; `divergence`: of such a vault, its yield a year less what its second opinion says, as a fraction, at most in either direction; `policy`: of a partner with a policy, that the vault keeps its `rules` (1 or 0); `cost`: of funds that have to go, the cost of the move in whole asset units, below what is there; `delta`: gain in expected risk-adjusted yield a year, as a fraction, at least; `gain`: gain over the horizon, in whole asset units, at least: a multiple of the cost; `net_gain`: gain over the horizon less the cost, in whole asset units, at least; `promise`: what the move promises, in whole asset units, at least: its gain less the cost, the worse of two, by the newest yields of both vaults and by their means of 6 hours, against a multiple of the cost; `time_in_vault`: hours that the funds have been where they are, at least; `return`: gain over the horizon, in whole asset units, at least, where the vault was left not long ago: a multiple of what another move needs.
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
       * @description What was found, in the gate's unit; of `capacity`, `size` and `share` to two significant digits. null: not known, or never. At most 12 decimals.
       * @example 0
       */
      value: number | null;
      /**
       * @description Its bound, in the same unit; null: none applied. At most 12 decimals.
       * @example 24
       */
      threshold: number | null;
      /**
       * @description Whether the value kept to it, before it was rounded.
       * @example true
       */
      passed: boolean;
      /**
       * @description Only of `policy`: the rules of the partner's policy that the vault does not keep.
       * @example []
       */
      rules?: ('allowed_vaults' | 'max_risk_tier' | 'paused')[];
    };
    DecisionInputs: {
      /**
       * @description Asset of the funds.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description What was deposited, or was held in the current vault, in whole asset units.
       * @example 1000
       */
      amount: number;
      /**
       * @description What was held in the current vault in all, in whole asset units: more than the amount where only a part fits.
       * @example 1000
       */
      group_amount: number;
      /**
       * @description Where the funds were; null: they were a deposit.
       * @example null
       */
      current_vault_id: string | null;
      /**
       * @description Hours that they had been there; 0 for a deposit.
       * @example 0
       */
      hours_in_vault: number;
      /**
       * Format: date-time
       * @description The hour whose snapshots were judged. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      snapshot_hour: string;
      /**
       * @description Names the configuration that the constants are from.
       * @example 5f0c1a2b3d4e
       */
      config_version: string;
      /** @description What the gates ask for. */
      constants: components['schemas']['DecisionConstants'];
      /**
       * @description What the partner's policy asked for; null: it had none.
       * @example null
       */
      policy: components['schemas']['DecisionPolicy'] | null;
      /** @description Every vault of the asset, as it was then. */
      candidates: components['schemas']['DecisionCandidate'][];
    };
    DecisionOrder: {
      /**
       * @description Id of the move.
       * @example mov_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description `decided`: nothing has happened yet. `taken_up`: an executor carries it out. `redeemed`: the funds left their vault. `arrived`: they are in the new one. `lapsed`, `failed`: it is not carried out.
       * @example decided
       * @enum {string}
       */
      state: 'decided' | 'taken_up' | 'redeemed' | 'arrived' | 'lapsed' | 'failed';
    };
    DecisionOutcome: {
      /**
       * @description What the move promised: its gain over the horizon by the `promised_apy` of both vaults (`promised_lasting_apy` over the longer one), less its cost, in whole asset units. What must leave its vault may be promised less than nothing; any other move passed the gate `promise`.
       * @example 3.479452
       */
      promised: number;
      /**
       * @description What it brought over staying until the end of the horizon, by what both vaults yielded, less its cost, in whole asset units.
       * @example 3.912345
       */
      realised: number;
      /**
       * Format: date-time
       * @description The end of the horizon. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
    };
    DecisionPlan: {
      /** @description Your other decisions on the asset that were made with it, up to 50: of the same hour, or the other parts of a split deposit. */
      decisions: components['schemas']['PlanDecision'][];
      /** @description What decisions on funds of others, made before it in the same hour, bring to a vault less what they take out. Its rate was judged with that. */
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
       * @description What a move has to beat staying by, in expected risk-adjusted yield a year, as a fraction; null: nothing beyond `min_delta`. At most 12 decimals.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Which version of the policy it was.
       * @example 3
       */
      version: number;
      /**
       * @description Names what was in force, of all assets.
       * @example 0f6b2c9d41aa
       */
      digest: string;
    };
    DecisionPreview: {
      /**
       * @description `route`: where a deposit went. `rebalance`: funds were moved to another vault. `hold`: a better vault failed a gate, and funds stayed.
       * @example route
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /**
       * @description Why. `best_vault`: a deposit, or cash, into the best vault within its limits; `insufficient_history`: the same into the lending vault, or a hold, as too little was known to compare; `no_open_vault`: no vault took it: it is cash, and each hour tries again; `all_gates_passed`: a move; `evicted`: a move out of a vault that was not to be kept, whatever there was to gain; `policy`: a move out of a vault that your policy did not allow, whatever there was to gain; `already_best`: a hold, as no vault was better; `gate_failed`: a hold, as the better vault failed a gate, or leaving cost as much as was there.
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
        | 'already_best'
        | 'gate_failed';
      /**
       * @description Asset of the funds.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Vault that the funds were in; null of a deposit.
       * @example null
       */
      from_vault_id: string | null;
      /**
       * @description Vault that they went to; null of a hold.
       * @example vlt_harbor_lend_usdc
       */
      to_vault_id: string | null;
      /**
       * Format: date-time
       * @description The hour whose snapshots were judged. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      snapshot_hour: string;
      /**
       * @description Names the configuration that it was made by.
       * @example 5f0c1a2b3d4e
       */
      config_version: string;
      /** @description What it depended on, all but what is held in each vault. */
      inputs: components['schemas']['DecisionInputs'];
      /** @description Best first: every vault of the asset, staying among them. */
      alternatives: components['schemas']['DecisionAlternative'][];
      /** @description What the choice was expected to bring. */
      expected_uplift: components['schemas']['ExpectedUplift'];
      /** @description Parts of what you hold of the asset, its cash included, as fractions. */
      exposure: components['schemas']['DecisionExposure'];
      /**
       * @description The reason in words, made of the figures above.
       * @example Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best of 1 vaults that is within its limits, 0.00 pp over the lending vault.
       */
      rationale: string;
      /**
       * Format: date-time
       * @description When it was made. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Kind of this record.
       * @example decision_preview
       * @enum {string}
       */
      object: 'decision_preview';
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
    DeletedWebhook: {
      /**
       * @description Id of what was deleted.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Always true.
       * @example true
       */
      deleted: boolean;
    };
    Delivery: {
      /**
       * @description Id of the delivery.
       * @example del_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example delivery
       * @enum {string}
       */
      object: 'delivery';
      /**
       * @description Endpoint that it was for; it may be deleted since.
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
       * @description `pending`: being sent. `delivered`: the receiver answered 2xx. `failed`: see `failure`; it is not tried again.
       * @example delivered
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 when nothing left this server, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null when it gave none.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why it failed; null otherwise. `interrupted`: the server stopped in between, so the event may or may not have arrived. `dropped`: more was queued for the partner than may be, and this was among the oldest; nothing was sent.
       * @example null
       * @enum {string|null}
       */
      failure:
        | 'blocked_address'
        | 'dns_error'
        | 'connect_error'
        | 'tls_error'
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome: so far while it is `pending`, and 0 where it was `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    Deployment: {
      /**
       * @description Kind of this record.
       * @example deployment
       * @enum {string}
       */
      object: 'deployment';
      /**
       * @description Environment that it is.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * @description Version of the process that answers.
       * @example 0.1.0
       */
      version: string;
      /**
       * Format: date-time
       * @description When this was looked at. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /** @description The hourly tick. */
      tick: components['schemas']['DeploymentTick'];
      /** @description What waits. */
      queue: components['schemas']['DeploymentQueue'];
      /** @description Verification of the ledger, which runs every night. */
      ledger: components['schemas']['DeploymentLedger'];
      /** @description Webhooks that the replicas sent since each was started, by outcome. */
      sends: components['schemas']['DeploymentSends'][];
      /** @description Processes that have not ended in order, the youngest first; 100 at most. One that was killed is listed for an hour, or until it is restarted. */
      replicas: components['schemas']['Replica'][];
    };
    DeploymentLedger: {
      /**
       * Format: date-time
       * @description When the ledger was last verified; null before the first time. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      verified_at: string | null;
      /**
       * @description Whether every entry was read then, and not only those since the verification before.
       * @example false
       */
      full: boolean;
      /**
       * @description Entries that were read.
       * @example 20418
       */
      entries: number | null;
      /**
       * @description Differences between the ledger and what is stored; the log names each.
       * @example 0
       */
      differences: number | null;
    };
    DeploymentQueue: {
      /**
       * @description Jobs that are due and that nobody has taken up.
       * @example 0
       */
      jobs_waiting: number;
      /**
       * @description For how many seconds the oldest of them has been due; null where there is none.
       * @example null
       */
      oldest_job_seconds: number | null;
      /**
       * @description Deliveries that wait to be sent; 100000 means so many or more.
       * @example 12
       */
      deliveries_queued: number;
      /**
       * @description For how many seconds the oldest of them has waited; null where there is none.
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
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped';
      /**
       * @description How many.
       * @example 1204
       */
      sends: number;
    };
    DeploymentTick: {
      /**
       * Format: date-time
       * @description Newest hour of everybody's market; null before the first one. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      newest_hour: string | null;
      /**
       * @description Whole seconds since the next hour was due: 0 while it is up to date.
       * @example 0
       */
      lag_seconds: number | null;
    };
    EndedSession: {
      /**
       * @description Id of the session.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
          | 'rate_limited'
          | 'headers_too_large'
          | 'internal_error'
          | 'service_unavailable'
          | 'not_found'
          | 'external_id_taken'
          | 'wallet_taken'
          | 'partner_disabled'
          | 'user_blocked'
          | 'user_has_positions'
          | 'advance_in_progress'
          | 'insufficient_balance'
          | 'position_closed'
          | 'settlement_already_recorded'
          | 'settlement_unresolved'
          | 'settlement_resolved'
          | 'move_not_open'
          | 'move_already_reported'
          | 'vault_refused'
          | 'amount_out_of_bounds'
          | 'policy_out_of_bounds'
          | 'webhook_limit_reached'
          | 'rotation_in_progress'
          | 'quota_exceeded'
          | 'webhook_url_forbidden'
          | 'idempotency_in_progress'
          | 'idempotency_key_reused';
        /** @description For people: what was wrong and what to do. */
        message: string;
        /**
         * @description The same as the `X-Request-Id` header.
         * @example req_01kaabcdefghjkmnpqrstvwxyz
         */
        request_id: string;
        /** @description Which fields were wrong; absent where no field is to blame. */
        details?: {
          /**
           * @description Dotted path.
           * @example wallets.0
           */
          field: string;
          /**
           * @description What is wrong with it.
           * @example is named twice
           */
          message: string;
        }[];
      };
    };
    EventEnvelope: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
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
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
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
    EventOutcome: {
      /**
       * @description Id of the delivery.
       * @example del_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Endpoint that it was for.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id: string;
      /**
       * @description As in the delivery log.
       * @example failed
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description Attempts made: 0 when nothing left this server, else 1.
       * @example 1
       */
      attempts: number;
      /**
       * @description The receiver's HTTP status; null when it gave none.
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
        | 'timeout'
        | 'http_status'
        | 'interrupted'
        | 'dropped'
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome: so far while it is `pending`, and 0 where it was `dropped`.
       * @example 84
       */
      latency_ms: number;
    };
    ExpectedUplift: {
      /**
       * @description Rate of the choice over staying, a year, as a fraction; of a deposit over the lending vault. null where not known. At most 12 decimals.
       * @example 0
       */
      apy_delta: number | null;
      /**
       * @description Days over which the amount is expected.
       * @example 20
       */
      horizon_days: number;
      /**
       * @description Gain over those days at that hour's rates, before the cost, in whole asset units; 0 of a hold. null where not known.
       * @example 0
       */
      amount: number | null;
      /**
       * @description Cost of the move, in whole asset units.
       * @example 0
       */
      cost: number;
      /**
       * @description Net present value: the gain less the cost, in whole asset units. null where not known.
       * @example 0
       */
      npv: number | null;
    };
    ExposureShares: {
      /**
       * @description By vault, cash among them.
       * @example {
       *       "vlt_harbor_lend_usdc": 1
       *     }
       */
      vaults: {
        [key: string]: number;
      };
      /**
       * @description By tier of risk; cash has none.
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
    JournalAccounts: {
      /**
       * @description Assets in vaults, in whole asset units.
       * @example 250
       */
      vaults: number;
      /**
       * @description What is owed to end-users.
       * @example -250
       */
      end_users: number;
      /**
       * @description Costs of moves: taken from end-users and paid from vaults, so that nothing stays here.
       * @example 0
       */
      costs_of_moves: number;
      /**
       * @description Fees that were settled and not yet received.
       * @example 0
       */
      fees_receivable: number;
      /**
       * @description Fee income: the protocol's part.
       * @example 0
       */
      fee_income: number;
      /**
       * @description The partner's part of fees.
       * @example 0
       */
      owed_to_partner: number;
    };
    JournalEntry: {
      /**
       * @description Id of the ledger entry.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example journal_entry
       * @enum {string}
       */
      object: 'journal_entry';
      /**
       * Format: date-time
       * @description Its value date. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description When it was booked. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description End-user whose entry it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset of all amounts.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /** @description What it adds to each account, in whole asset units: above 0 a debit, below 0 a credit. They sum to 0. */
      accounts: components['schemas']['JournalAccounts'];
      /**
       * @description The entry in a sentence, for people.
       * @example Yield of 0.412345 USDC accrued.
       */
      note: string;
    };
    KeptEventDto: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
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
       * @description When it was recorded: the order of this list. In the sandbox the wall time, whatever your clock says. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description Endpoints that subscribed to it and have not got it, known for as long as it is kept.
       * @example [
       *       "wh_01kaabcdefghjkmnpqrstvwxyz"
       *     ]
       */
      undelivered_to: string[];
      /** @description Its deliveries, as far as the delivery log still has them. */
      deliveries: components['schemas']['EventOutcome'][];
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
       * @description What a move has to beat staying by, in expected risk-adjusted yield a year, as a fraction; null: nothing beyond `min_delta`. At most 12 decimals.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Largest part in one vault, by its tier of risk, as a fraction of what the partner holds of the asset.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure: {
        [key: string]: number;
      };
      /**
       * @description Largest part in all vaults of a tier of risk together.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure: {
        [key: string]: number;
      };
      /**
       * @description Largest part in all vaults of a venue together.
       * @example {
       *       "Harbor Lend": 0.5
       *     }
       */
      max_venue_exposure: {
        [key: string]: number;
      };
    };
    /** @description Where a list goes on. */
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
    MoneySums: {
      /**
       * @description Deposited so far, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 1000
       */
      deposits: number;
      /**
       * @description Withdrawn so far, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 250
       */
      withdrawals: number;
      /**
       * @description Deposits less withdrawals, in whole asset units; below 0 once more was withdrawn than was deposited. In `totals`: Stablecoins are added at par.
       * @example 750
       */
      net_deposits: number;
      /**
       * @description What all positions are worth, in whole asset units. Rounded down once a vault: it may exceed the sum of the positions' own values by less than 0.000001 a position. In `totals`: Stablecoins are added at par.
       * @example 751.237035
       */
      net_tvl: number;
      /**
       * @description Net TVL less net deposits, in whole asset units: what was earned so far, accrued and pending, taken out or not; below 0 where it lost. In `totals`: Stablecoins are added at par.
       * @example 1.237035
       */
      yield: number;
    };
    Partner: {
      /**
       * @description Id of the partner.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example partner
       * @enum {string}
       */
      object: 'partner';
      /**
       * @description Name of the partner.
       * @example Acme Wallet
       */
      name: string;
      /**
       * @description A disabled partner has no valid key and gets no deliveries.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'disabled';
      /**
       * @description Whom to write to; null when none was given.
       * @example ops@acme.example
       */
      contact_email: string | null;
      /**
       * @description Performance fee on yield, in basis points (0 to 10000).
       * @example 1000
       */
      performance_fee_bps: number;
      /**
       * @description Share of the performance fee, in basis points (0 to 10000).
       * @example 4000
       */
      revenue_share_bps: number;
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
       * @description When the partner was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the partner was last changed. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
      /**
       * Format: date-time
       * @description Since when the partner is disabled; null while active. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      disabled_at: string | null;
    };
    PartnerClosing: {
      /**
       * Format: date-time
       * @description Beginning of the UTC day that closed. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description The moment that the figures are of: the day's end, before anything of the next day. Reports with that `as_of` say the same. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description Asset that the row is of.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description What all positions were worth, in whole asset units: as in the summary.
       * @example 1012.5
       */
      net_tvl: number;
      /**
       * @description Deposited up to then, in whole asset units.
       * @example 1000
       */
      deposits: number;
      /**
       * @description Withdrawn up to then, in whole asset units.
       * @example 0
       */
      withdrawals: number;
      /**
       * @description Earned up to then, net of costs, in whole asset units.
       * @example 12.5
       */
      yield: number;
      /**
       * @description What moves between vaults had cost, in whole asset units.
       * @example 0.2
       */
      costs: number;
      /**
       * @description The partner's share of the performance fee up to then, in whole asset units.
       * @example 0.49
       */
      revenue: number;
      /**
       * @description Points earned up to then with deposits of the asset, to 0.000001.
       * @example 562.5
       */
      points: number;
      /** @description The value of the two passive baselines. */
      baselines: components['schemas']['BaselineValues'];
      /** @description Uplift that withdrawals took with them. */
      settled_uplift: components['schemas']['BaselineAmounts'];
      /** @description What routing had brought, net of costs: net TVL less the baseline, and settled uplift. With `costs` it is what it would have been were moves free. */
      uplift: components['schemas']['BaselineAmounts'];
    };
    PartnerCreated: {
      /**
       * @description Kind of this record.
       * @example partner_created
       * @enum {string}
       */
      object: 'partner_created';
      /** @description The new partner. */
      partner: components['schemas']['Partner'];
      /** @description A key bound to it (`partner:read`, `read`), with its full secret: store it. */
      api_key: components['schemas']['ApiKey'];
    };
    PartnerDeposits: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description How much in all, in whole units over all assets. Stablecoins are added at par.
       * @example 750
       */
      total: number;
      /**
       * @description How many movements, over all assets.
       * @example 3
       */
      count: number;
      /** @description A row an asset of the deployment, also where nothing ever happened. */
      assets: components['schemas']['AssetFlow'][];
    };
    PartnerHistory: {
      /**
       * @description The asset that was asked for; null: all.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /** @description A row a day and asset, oldest first. A day on which nothing was held has none, and neither has one whose end the deployment did not see. */
      points: components['schemas']['PartnerClosing'][];
    };
    PartnerLedgerEvent: {
      /**
       * @description Id of the entry.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example ledger_entry
       * @enum {string}
       */
      object: 'ledger_entry';
      /**
       * @description End-user whose entry it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Position that it is about.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      position_id: string;
      /**
       * @description Asset of the position.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description `deposit` and `withdrawal`: money came or went. `rebalance`: it was moved to another vault. `yield_accrual`: what was earned since the entry before.
       * @example deposit
       * @enum {string}
       */
      type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
      /**
       * @description How much, in whole asset units. Above 0, but for the accrual of a loss; of a rebalance, what arrived. Deposits and accruals less withdrawals and costs are what the position was worth at its last entry.
       * @example 250
       */
      amount: number;
      /**
       * @description What a rebalance cost the position beside the amount, in whole asset units: its part of the move's cost, in proportion to value. 0 in other entries.
       * @example 0
       */
      cost: number;
      /**
       * @description The vault's last observed yield a year at that time, as a fraction: 0.0523 is 5.23 %. During an outage it is that of before. 0 in cash. At most 12 decimals.
       * @example 0.0523
       */
      apy: number;
      /**
       * @description Vault that the amount is in, or was withdrawn from; of a rebalance, that it went to.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description The entry in a sentence, for people.
       * @example Deposited 250 USDC into vlt_harbor_lend_usdc.
       */
      note: string;
      /**
       * @description Decision that chose the vault of a deposit, or the move; of an accrual, the move with which more arrived than was expected. null of other entries.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      decision_id: string | null;
      /**
       * Format: date-time
       * @description Its value date: when it has its effect. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description When it was booked: ids and pages run by it. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description What it added to the performance fee, in whole asset units. The sum over entries is the fee of the revenue report, for any end-user, asset and time; an end-user's entries of an asset are taken by `at` and `id`.
       * @example 0.0412
       */
      fee: number;
      /**
       * @description What it added to the partner's part of the fee, in whole asset units.
       * @example 0.0164
       */
      partner_revenue: number;
      /**
       * @description What it added to the loss that the end-user carries forward in the asset, in whole asset units; below 0 where it made good.
       * @example 0
       */
      carried_loss: number;
      /**
       * @description Hash of its transfer; null where nothing was transferred.
       * @example 0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      tx_hash: string | null;
      /**
       * @description Chain of that transaction; null where it is not known.
       * @example null
       */
      chain: string | null;
      /**
       * @description Page that shows it to people; null where none is known of its chain.
       * @example null
       */
      explorer_url: string | null;
      /**
       * @description The amount to the micro-unit, where a JSON number would not hold it: from 9,000,000,000 units on. Else null.
       * @example 9000000000.000001
       */
      amount_exact: string | null;
    };
    PartnerPoints: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description All points, to 0.000001, rounded down once: it may exceed the sum of `campaigns` by less than 0.000001 a row. A point is earned by each USD of net principal a day, unless the deployment is set otherwise.
       * @example 562.5
       */
      total: number;
      /** @description Points by campaign; the row outside campaigns is first and always there. */
      campaigns: components['schemas']['CampaignPoints'][];
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
       * @description What a move has to beat staying by, in expected risk-adjusted yield a year, as a fraction; null: nothing beyond `min_delta`. At most 12 decimals.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description Whether deposits wait in cash and positions stay.
       * @example false
       */
      paused: boolean;
      /**
       * @description Largest part in one vault, by its tier of risk, as a fraction of what the partner holds of the asset.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure: {
        [key: string]: number;
      };
      /**
       * @description Largest part in all vaults of a tier of risk together.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure: {
        [key: string]: number;
      };
      /**
       * @description Largest part in all vaults of a venue together.
       * @example {
       *       "Harbor Lend": 0.5
       *     }
       */
      max_venue_exposure: {
        [key: string]: number;
      };
      /**
       * @description Kind of this record.
       * @example partner_policy
       * @enum {string}
       */
      object: 'partner_policy';
      /**
       * @description Counts the changes, of either side; 0: nothing was asked for yet.
       * @example 3
       */
      version: number;
      /**
       * @description Names what is in force: two versions with the same digest ask for the same.
       * @example 0f6b2c9d41aa
       */
      digest: string;
      /** @description What an administrator asks for: nothing of the partner may be wider. */
      bounds: components['schemas']['LimitedRules'];
      /** @description Both together, the narrower of each: what decisions are made by. Limits on exposure that neither sets are those of the service. */
      in_force: components['schemas']['LimitedRules'];
      /**
       * Format: date-time
       * @description When this version was made; null: nothing was asked for yet. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string | null;
    };
    PartnerPosition: {
      /**
       * @description Id of the position.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example position
       * @enum {string}
       */
      object: 'position';
      /**
       * @description End-user whose it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Deposit that was split into several positions, which share it; null: this one alone.
       * @example null
       */
      deposit_id: string | null;
      /**
       * @description Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.
       * @example vlt_meridian_usdc
       */
      vault_id: string;
      /**
       * @description First yield vault that it was in; null before that.
       * @example vlt_harbor_lend_usdc
       */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, net of costs, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description What its moves between vaults cost so far, in whole asset units.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it came into its first yield vault; null before that. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
    };
    PartnerStatement: {
      /**
       * @description Kind of this record.
       * @example statement
       * @enum {string}
       */
      object: 'statement';
      /**
       * @description The month or UTC day.
       * @example 2026-01
       */
      period: string;
      /**
       * Format: date-time
       * @description Its beginning. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description Its end; of a period that goes on, the end of its last closed day. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Whether all its days are closed: what is closed never changes.
       * @example true
       */
      closed: boolean;
      /** @description A row an asset of the deployment. */
      assets: components['schemas']['AssetStatement'][];
      /** @description Over all assets; stablecoins are added at par. */
      totals: components['schemas']['StatementFigures'];
    };
    PartnerSummary: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description The partner.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string;
      /**
       * @description End-users of the partner, with and without positions.
       * @example 3
       */
      users: number;
      /** @description How many positions there are. */
      positions: components['schemas']['PositionCounts'];
      /** @description A row an asset of the deployment, also where nothing ever happened. */
      assets: components['schemas']['AssetSummary'][];
      /** @description Over all assets. Stablecoins are added at par. */
      totals: components['schemas']['MoneySums'];
      /**
       * @description Points earned so far, to 0.000001: `total` of the points report.
       * @example 562.5
       */
      points: number;
      /**
       * @description The partner's share of the performance fee so far, in whole units over all assets. Stablecoins are added at par. Reported, never taken from positions.
       * @example 0.049481
       */
      revenue: number;
    };
    PartnerTvl: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description What all positions are worth, in whole units over all assets. Stablecoins are added at par.
       * @example 751.237035
       */
      net_tvl: number;
      /** @description A row an asset of the deployment, also where nothing is held. */
      assets: components['schemas']['AssetTvl'][];
    };
    PartnerWithdrawals: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description How much in all, in whole units over all assets. Stablecoins are added at par.
       * @example 750
       */
      total: number;
      /**
       * @description How many movements, over all assets.
       * @example 3
       */
      count: number;
      /** @description A row an asset of the deployment, also where nothing ever happened. */
      assets: components['schemas']['AssetFlow'][];
    };
    PartnerYield: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description What was earned so far, in whole units over all assets. Stablecoins are added at par.
       * @example 1.253037
       */
      total: number;
      /** @description A row an asset of the deployment, also where nothing was earned. */
      assets: components['schemas']['AssetYield'][];
    };
    PlanDecision: {
      /**
       * @description Id of the decision.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description What was decided.
       * @example rebalance
       * @enum {string}
       */
      kind: 'route' | 'rebalance' | 'hold';
      /**
       * @description Vault that the funds were in; null of a deposit.
       * @example null
       */
      from_vault_id: string | null;
      /**
       * @description Vault that they went to; null of a hold.
       * @example vlt_harbor_lend_usdc
       */
      to_vault_id: string | null;
      /**
       * @description What it was about, in whole asset units.
       * @example 1000
       */
      amount: number;
    };
    PlanInflow: {
      /**
       * @description The vault.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description What they bring, in whole asset units, to two significant digits; below 0: what they take.
       * @example 120000
       */
      amount: number;
    };
    PolicyInputDto: {
      /**
       * @description Ids of the vaults that may hold funds, each once; what is in another one leaves it in the next hour. null: all. An empty list: none, so that all funds are cash.
       * @example [
       *       "vlt_harbor_lend_usdc"
       *     ]
       */
      allowed_vaults: string[] | null;
      /**
       * @description Highest risk of a vault that may hold funds; what is in a riskier one leaves it in the next hour. null: any.
       * @example medium
       * @enum {string|null}
       */
      max_risk_tier: 'low' | 'medium' | 'high' | null;
      /**
       * @description What a move has to beat staying by, in expected risk-adjusted yield a year, 0.005 for 0.5 percentage points, where the service itself asks for less (`min_delta`). Deposits and cash are not asked for it. null: nothing more. At most 6 decimals.
       * @example 0.005
       */
      min_gain: number | null;
      /**
       * @description While true, deposits wait in cash and what is in a vault stays there; only what has to leave an unsafe vault goes into cash.
       * @example false
       */
      paused: boolean;
      /**
       * @description Largest part in one vault, by its tier of risk, as a fraction of what the partner holds of the asset, its cash included. A position that is larger by itself may go into a vault on its own. Left out: as it was. null, and what is not named: the bound, or where there is none the default of the service.
       * @example {
       *       "medium": 0.4,
       *       "high": 0.1
       *     }
       */
      max_vault_exposure?: {
        [key: string]: number;
      } | null;
      /**
       * @description Largest part in all vaults of a tier together, as a fraction of what the partner holds of the asset, its cash included. Left out: as it was. null, and what is not named: the bound, or where there is none the default of the service.
       * @example {
       *       "high": 0.2
       *     }
       */
      max_tier_exposure?: {
        [key: string]: number;
      } | null;
      /**
       * @description Largest part in all vaults of a venue together, by `venue` of `GET /vaults`, as a fraction of what the partner holds of the asset, its cash included. Left out: as it was. null, and what is not named: the bound, or where there is none the default of the service.
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
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example position.active
       * @enum {string}
       */
      type: 'position.active';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['PositionChange'];
    };
    PositionChange: {
      /**
       * @description Id of the position.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example position
       * @enum {string}
       */
      object: 'position';
      /**
       * @description End-user whose it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Deposit that was split into several positions, which share it; null: this one alone.
       * @example null
       */
      deposit_id: string | null;
      /**
       * @description Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.
       * @example vlt_meridian_usdc
       */
      vault_id: string;
      /**
       * @description First yield vault that it was in; null before that.
       * @example vlt_harbor_lend_usdc
       */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, net of costs, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description What its moves between vaults cost so far, in whole asset units.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it came into its first yield vault; null before that. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
      /**
       * @description The decision that chose its vault, when it was opened or moved; null when money was withdrawn.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      decision_id: string | null;
    };
    /** @description A position was closed */
    PositionClosedEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example position.closed
       * @enum {string}
       */
      type: 'position.closed';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['PositionChange'];
    };
    PositionCounts: {
      /**
       * @description Positions with something in them.
       * @example 3
       */
      open: number;
      /**
       * @description Positions of which all was withdrawn.
       * @example 1
       */
      closed: number;
    };
    PositionMove: {
      /**
       * @description Id of the position.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example position
       * @enum {string}
       */
      object: 'position';
      /**
       * @description End-user whose it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Deposit that was split into several positions, which share it; null: this one alone.
       * @example null
       */
      deposit_id: string | null;
      /**
       * @description Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.
       * @example vlt_meridian_usdc
       */
      vault_id: string;
      /**
       * @description First yield vault that it was in; null before that.
       * @example vlt_harbor_lend_usdc
       */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, net of costs, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description What its moves between vaults cost so far, in whole asset units.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it came into its first yield vault; null before that. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
      /**
       * @description The decision that chose its vault, when it was opened or moved; null when money was withdrawn.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      decision_id: string | null;
      /**
       * @description What arrived of it in its vault, in whole asset units.
       * @example 249.95
       */
      amount: number;
      /**
       * @description Its part of what the move cost, over all that was reported of it, in whole asset units.
       * @example 0.05
       */
      cost: number;
    };
    /** @description A position was opened */
    PositionOpenedEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example position.opened
       * @enum {string}
       */
      type: 'position.opened';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['PositionChange'];
    };
    /** @description A position was moved */
    PositionRebalancedEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example position.rebalanced
       * @enum {string}
       */
      type: 'position.rebalanced';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['PositionMove'];
    };
    PositionWithdrawal: {
      /**
       * @description Id of the position.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example position
       * @enum {string}
       */
      object: 'position';
      /**
       * @description End-user whose it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Deposit that was split into several positions, which share it; null: this one alone.
       * @example null
       */
      deposit_id: string | null;
      /**
       * @description Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.
       * @example vlt_meridian_usdc
       */
      vault_id: string;
      /**
       * @description First yield vault that it was in; null before that.
       * @example vlt_harbor_lend_usdc
       */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, net of costs, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description What its moves between vaults cost so far, in whole asset units.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it came into its first yield vault; null before that. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
      /**
       * @description The decision that chose its vault, when it was opened or moved; null when money was withdrawn.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      decision_id: string | null;
      /**
       * @description What the withdrawal paid out, in whole asset units.
       * @example 100
       */
      amount: number;
    };
    /** @description Money was withdrawn */
    PositionWithdrawnEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example position.withdrawn
       * @enum {string}
       */
      type: 'position.withdrawn';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['PositionWithdrawal'];
    };
    PreviewPositionInputDto: {
      /**
       * @description Asset of the deposit.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description How much would be deposited. In whole asset units, at most 6 decimals.
       * @example 250
       */
      amount: number;
      /**
       * @description `true`: up to eight positions of equal amounts, one unit each at least, which share a `deposit_id`. Each is routed after the one before, by the same rules and limits, so that a large deposit is spread over vaults. The answer is then `object: "list"`, with all of them.
       * @default false
       * @example false
       */
      split?: boolean;
    };
    Regime: {
      /**
       * @description Why the regime is not known. `silent_feed`: the newest observation is over three hours old. `short_history`: there are too few observations, or too few hours in a row that agree since there are enough. null where it is known.
       * @example null
       * @enum {string|null}
       */
      reason: 'short_history' | 'silent_feed' | null;
      /**
       * @description Yield a year of the vaults, weighted by their TVL, as a fraction; null where it is not known or too old. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Change of that yield, a day, as a fraction: 0.001 is 0.10 percentage points a day. null while there is too little history. At most 12 decimals.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Sample standard deviation of that yield over the last week, as a fraction; null while there is too little history. At most 12 decimals.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Of all assets together, or of the one that was asked for. `volatile`: the last day changed far more than the last week. `rising`, `falling`: a significant trend. `stable`: none of these. null: not known, see `reason`; never guessed.
       * @example stable
       * @enum {string|null}
       */
      regime: 'rising' | 'falling' | 'stable' | 'volatile' | null;
      /**
       * Format: date-time
       * @description The hour that it is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /** @description Asset by asset. */
      assets: components['schemas']['AssetRegime'][];
    };
    Replica: {
      /**
       * @description Name of its machine or container.
       * @example vaultline-partner-7c9f
       */
      name: string;
      /**
       * @description What it does.
       * @example all
       */
      role: string;
      /**
       * @description Version that it runs.
       * @example 0.1.0
       */
      version: string;
      /**
       * Format: date-time
       * @description When it was started. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      started_at: string;
      /**
       * Format: date-time
       * @description Its last heartbeat; there is one every 20 seconds. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      seen_at: string;
      /**
       * @description True after a minute without one: it hangs, was killed, or does not reach the database.
       * @example false
       */
      silent: boolean;
    };
    ResetRequest: {
      /**
       * @description Seed of the new market: the same seed makes the same market, whenever it begins. Absent: the one that it had.
       * @example release-42
       */
      seed?: string;
    };
    RevenueShareOutputDto: {
      /**
       * Format: date-time
       * @description The moment that the report is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * @description Performance fee from now on, in basis points of yield beyond carried losses (0 to 10000).
       * @example 1000
       */
      performance_fee_bps: number;
      /**
       * @description The partner's part of the fee from now on, in basis points (0 to 10000). What is settled was settled at the terms of its time.
       * @example 4000
       */
      revenue_share_bps: number;
      /** @description A row an asset of the deployment, also where nothing was settled. */
      assets: components['schemas']['AssetRevenue'][];
      /** @description Over all assets. Stablecoins are added at par. */
      totals: components['schemas']['RevenueSums'];
    };
    RevenueSums: {
      /**
       * @description What was earned so far, accrued and pending, net of costs, in whole asset units: `yield` of the summary, `total` of the yield report. In `totals`: Stablecoins are added at par.
       * @example 1.253037
       */
      yield: number;
      /**
       * @description What of the yield is posted to users' ledgers, in whole asset units: `accrued` of the yield report; below 0 where more was lost than earned. The fee is on gains beyond what the same end-user lost before in the asset, costs of moves included. In `totals`: Stablecoins are added at par.
       * @example 1.237035
       */
      accrued: number;
      /**
       * @description Performance fee that was settled, in whole asset units: the sum of the two parts below. Reported, never taken from positions. In `totals`: Stablecoins are added at par.
       * @example 0.123704
       */
      performance_fee: number;
      /**
       * @description The partner's part of the fee, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 0.049481
       */
      partner_revenue: number;
      /**
       * @description The protocol's part of the fee, in whole asset units. In `totals`: Stablecoins are added at par.
       * @example 0.074223
       */
      protocol_revenue: number;
    };
    RevokedApiKey: {
      /**
       * @description Id of the key.
       * @example key_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Always true.
       * @example true
       */
      revoked: boolean;
    };
    RotateKeyInputDto: {
      /**
       * @description For how many seconds the key that is replaced is still valid; 0 ends it at once.
       * @default 86400
       * @example 86400
       */
      previous_expires_in?: number;
    };
    RotateSecretInputDto: {
      /**
       * @description Seconds for which the secret of before signs beside the new one. 0: it ends at once, and so does one that was being replaced.
       * @default 86400
       * @example 86400
       */
      previous_expires_in?: number;
    };
    Session: {
      /**
       * @description Id of the session, `ses_...`; of a key that reads this itself, its own.
       * @example ses_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description Partner that its key is bound to; null for none.
       * @example ptn_01kaabcdefghjkmnpqrstvwxyz
       */
      partner_id: string | null;
      /**
       * @description Environment that it belongs to.
       * @example sandbox
       * @enum {string}
       */
      environment: 'sandbox';
      /**
       * Format: date-time
       * @description From when on it is refused; null for a key without an end. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      expires_at: string | null;
      /**
       * @description What people call its key.
       * @example Reporting, production
       */
      label: string;
    };
    Signal: {
      /**
       * @description Kind of this record.
       * @example signal
       * @enum {string}
       */
      object: 'signal';
      /**
       * @description Place among all that were asked for, from 1: the highest `expected_risk_adjusted_apy` first.
       * @example 1
       */
      rank: number;
      /**
       * @description Vault that it is about.
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
       * @description How much its yield is discounted for risk: least in `low`.
       * @example low
       * @enum {string}
       */
      risk_tier: 'low' | 'medium' | 'high';
      /**
       * @description Newest observed yield a year within the last week, as a fraction: 0.0523 is 5.23 %. null where there is none, never 0. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Mean of the observed yields of the last week, as a fraction; null where there is none. At most 12 decimals.
       * @example 0.0518
       */
      mean_apy: number | null;
      /**
       * @description Sample standard deviation of the yield a year over the last week, as a fraction. null while there is too little history. At most 12 decimals.
       * @example 0.0021
       */
      volatility: number | null;
      /**
       * @description Change of the yield a year, a day, as a fraction: 0.001 is 0.10 percentage points a day. The Theil-Sen slope over the medians of the last seven complete UTC days. null while there is too little history. At most 12 decimals.
       * @example 0.0003
       */
      trend: number | null;
      /**
       * @description Yield a year in 24 hours, as a fraction, were half a day of the trend to go on; never below 0. It is naive: trends of yields fade, and it knows nothing but the past week. Nothing is routed by it. null while there is too little history. At most 12 decimals.
       * @example 0.05245
       */
      forecast_apy: number | null;
      /**
       * @description Average yield a year to expect over the next 10 days, as a fraction: that of the last hours, returning to the average of the last months. null while there is too little history. At most 12 decimals.
       * @example 0.0507
       */
      expected_apy: number | null;
      /**
       * @description `apy` discounted by risk tier and by the volatility below its mean, as a fraction: never above `apy`, and possibly below 0. null while there is too little history. At most 12 decimals.
       * @example 0.0493
       */
      risk_adjusted_apy: number | null;
      /**
       * @description `expected_apy` with the same discounts, as a fraction: never above `expected_apy`, and possibly below 0. Signals are ranked by it, and deposits and moves are routed by it. null while there is too little history. At most 12 decimals.
       * @example 0.0482
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description `increase`: the best of its asset that takes deposits. `reduce`: that one is better by a percentage point or more. `hold`: neither, or too little history.
       * @example increase
       * @enum {string}
       */
      recommendation: 'increase' | 'hold' | 'reduce';
      /**
       * @description True exactly when `volatility` or `trend` is null: while there are too few hourly snapshots for the one, or too few whole days for the other.
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
       * @description The hour that it is of. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
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
       * @description Only to this endpoint, which must be active and subscribed. Absent: to all that subscribed.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      webhook_id?: string;
      /**
       * @description Fields put over the synthetic `data`, at most 16 KiB of JSON. Absent: it is sent as it is. At most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "amount": 12.5
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
    };
    SimulatedEventRecord: {
      /**
       * @description Id of the event.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description When it was raised, in the account's time. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * @description What endpoints are sent as its `data`.
       * @example {
       *       "asset": "USDC",
       *       "threshold": 0.05
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    SimulationAdvance: {
      /**
       * @description Kind of this record.
       * @example simulation_advance
       * @enum {string}
       */
      object: 'simulation_advance';
      /**
       * Format: date-time
       * @description The account's time before. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description The account's time now. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Hours that were run, each in order.
       * @example 24
       */
      hours: number;
      /**
       * @description Positions that were moved from vault to vault.
       * @example 2
       */
      rebalances: number;
      /**
       * @description Entries of yield that daily statements posted.
       * @example 4
       */
      accruals: number;
      /**
       * @description Events that were raised; their deliveries follow.
       * @example 3
       */
      events: number;
    };
    SimulationClock: {
      /**
       * @description Kind of this record.
       * @example simulation_clock
       * @enum {string}
       */
      object: 'simulation_clock';
      /**
       * Format: date-time
       * @description The account's time. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      now: string;
      /**
       * Format: date-time
       * @description The wall's time. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      wall_time: string;
      /**
       * @description Whole hours that the account is ahead of the wall.
       * @example 24
       */
      hours_ahead: number;
      /**
       * Format: date-time
       * @description The newest hour that was run. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      hour: string;
      /**
       * @description Seed of its market: the same seed makes the same market.
       * @example release-42
       */
      seed: string;
      /**
       * @description What bends its market; null: nothing.
       * @example rising
       * @enum {string|null}
       */
      scenario: 'calm' | 'rising' | 'falling' | 'volatile' | 'outage' | 'loss' | 'run' | 'failing' | null;
      /**
       * Format: date-time
       * @description The first hour that the scenario bends; null without one. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      scenario_from: string | null;
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
       * @description Send it as `from` for the points that follow. Absent where none do.
       */
      next_from?: string;
    };
    StatementFigures: {
      /**
       * @description What positions were worth at its beginning, in whole asset units.
       * @example 1000
       */
      opening_value: number;
      /**
       * @description Deposited in it, in whole asset units, less what was voided.
       * @example 500
       */
      deposits: number;
      /**
       * @description Withdrawn in it, in whole asset units, less what was voided.
       * @example 200
       */
      withdrawals: number;
      /**
       * @description Yield in it, in whole asset units; below 0 after a loss.
       * @example 4.2
       */
      yield: number;
      /**
       * @description What moves between vaults cost, in whole asset units.
       * @example 0.2
       */
      costs: number;
      /**
       * @description What positions were worth at its end, in whole asset units: opening value, deposits less withdrawals, yield less costs.
       * @example 1304
       */
      closing_value: number;
      /**
       * @description Performance fee settled in it, in whole asset units.
       * @example 0.4
       */
      performance_fee: number;
      /**
       * @description The partner's part of the fee, in whole asset units.
       * @example 0.16
       */
      partner_revenue: number;
      /**
       * @description The protocol's part of the fee, in whole asset units.
       * @example 0.24
       */
      protocol_revenue: number;
      /**
       * @description Losses carried forward at its end, in whole asset units.
       * @example 0
       */
      carried_loss: number;
      /**
       * @description The closing value to the micro-unit, where a JSON number would not hold it. Else null.
       * @example 9000000000.000001
       */
      closing_value_exact: string | null;
      /** @description What routing brought in the period, net of costs. Values of end-users are rounded down, position by position: their sum may differ from the statement's by a micro-unit a position. */
      uplift: components['schemas']['StatementUplift'];
    };
    StatementPeriod: {
      /**
       * @description Kind of this record.
       * @example statement
       * @enum {string}
       */
      object: 'statement';
      /**
       * @description The month or UTC day.
       * @example 2026-01
       */
      period: string;
      /**
       * Format: date-time
       * @description Its beginning. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      from: string;
      /**
       * Format: date-time
       * @description Its end; of a period that goes on, the end of its last closed day. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      to: string;
      /**
       * @description Whether all its days are closed: what is closed never changes.
       * @example true
       */
      closed: boolean;
    };
    StatementUplift: {
      /**
       * @description Uplift of the period over the asset's lending vault, in whole asset units.
       * @example 1.5
       */
      lending: number;
      /**
       * @description Uplift of the period over each position's first vault, in whole asset units.
       * @example 0.5
       */
      hold: number;
    };
    StatusAlert: {
      /**
       * @description `vault_evicted`: all funds leave a vault. `vault_silent`: a vault is not observed. `tick_late`: the market gets no new hours. `settlement_mismatch`: a transfer is not what the chain says. `report_deviates`: a report on a move is not what the books expect.
       * @example vault_evicted
       * @enum {string}
       */
      kind: 'vault_evicted' | 'vault_silent' | 'tick_late' | 'settlement_mismatch' | 'report_deviates';
      /**
       * @description Whether it begins, or is over.
       * @example begun
       * @enum {string}
       */
      state: 'begun' | 'over';
      /**
       * Format: date-time
       * @description Since when it is so. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      since: string;
      /**
       * Format: date-time
       * @description When it was over; null while it stands. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      until: string | null;
      /**
       * @description The vault that it is about; null where it is about none.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string | null;
      /**
       * @description The settlement that it is about; null where it is about none.
       * @example null
       */
      settlement_id: string | null;
      /**
       * @description The move that it is about; null where it is about none.
       * @example null
       */
      move_id: string | null;
      /**
       * @description What is to be done, and by whom.
       * @example The operator looks at its feed and the log.
       */
      what_to_do: string;
    };
    SystemStatus: {
      /**
       * @description What there is to say of the service.
       * @example Test event from Vaultline.
       */
      message: string;
      /**
       * Format: date-time
       * @description When it was asked for, or raised. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      requested_at: string;
      /** @description Of an alert; absent of a test send and of an announcement. */
      alert?: components['schemas']['StatusAlert'];
    };
    /** @description The service's state */
    SystemStatusEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example system.status
       * @enum {string}
       */
      type: 'system.status';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
      data: components['schemas']['SystemStatus'];
    };
    ThresholdCrossing: {
      /**
       * @description Asset whose yield it is.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description The threshold, as a fraction: 0.05 is 5 %. At most 12 decimals.
       * @example 0.05
       */
      threshold: number;
      /**
       * @description `above`: it was reached from below. `below`: the yield fell under it.
       * @example above
       * @enum {string}
       */
      direction: 'above' | 'below';
      /**
       * @description Blended yield a year over the vaults of the asset now, as a fraction. At most 12 decimals.
       * @example 0.0512
       */
      apy: number;
      /**
       * @description The same when it was last known before, as a fraction. At most 12 decimals.
       * @example 0.0497
       */
      previous_apy: number;
      /**
       * Format: date-time
       * @description The hour of the yield. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
    };
    UpdateCampaignInputDto: {
      /**
       * @description Name of the campaign.
       * @example Winter double
       */
      name?: string;
      /**
       * @description Only deposits of this asset; null or absent: of every asset.
       * @example USDC
       * @enum {string|null}
       */
      asset?: 'USDC' | 'USDT' | null;
      /**
       * @description Points are earned this many times while the campaign runs; 1 to 10, at most two decimals.
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
       * @description Your own notes: flat texts. Replaces what was there. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description A disabled campaign is kept and earns nobody anything.
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
       * @description Whom to write to.
       * @example ops@acme.example
       */
      contact_email?: string | null;
      /**
       * @description Performance fee, in basis points of yield beyond carried losses. A change holds from now on: yield up to now is posted first, at the old terms.
       * @example 1000
       */
      performance_fee_bps?: number;
      /**
       * @description The partner's share of the performance fee, in basis points.
       * @example 4000
       */
      revenue_share_bps?: number;
      /**
       * @description Your own notes: flat texts. Replaces what was there. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
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
    UpdateUserInputDto: {
      /**
       * @description What people call the end-user.
       * @example User 1042
       */
      label?: string;
      /**
       * @description Wallet addresses, stored with their EIP-55 checksum. Mixed case must carry a valid one. A wallet belongs to one of your users. Replaces all that there were.
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
       * @description Your own notes: flat texts. Replaces what was there. Any JSON values, nested at most 4 levels deep, the object itself included; at most 4096 bytes of JSON in UTF-8.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: unknown;
      };
      /**
       * @description `blocked`: nothing is deposited any more, while withdrawals go on.
       * @enum {string}
       */
      status?: 'active' | 'blocked';
    };
    UpliftAgainst: {
      /** @description What routing has brought so far. */
      realized: components['schemas']['UpliftRealized'];
      /** @description What it would bring in a year if today's expected yields stayed. */
      projected: components['schemas']['UpliftProjected'];
    };
    UpliftBaselines: {
      /** @description The lending vault of each asset throughout, whether or not your policy allows it. */
      lending: components['schemas']['UpliftAgainst'];
      /** @description The vault that each position began in throughout, whether or not your policy still allows it. */
      hold: components['schemas']['UpliftAgainst'];
    };
    UpliftProjected: {
      /**
       * @description What it is made of: the yields that are expected today, were they to stay. It is no forecast.
       * @example current_rates
       * @enum {string}
       */
      basis: 'current_rates';
      /**
       * @description Days that the projection looks ahead.
       * @example 365
       */
      horizon_days: number;
      /**
       * @description Expected yield a year of the vaults that hold the funds, weighted by value, as a fraction. null while any of them has too little history, or nothing is held. At most 12 decimals.
       * @example 0.0482
       */
      routed_apy: number | null;
      /**
       * @description The same of the baseline, weighted by the baseline within an asset and by what is routed over the assets, as a fraction. null while any of its vaults has too little history, or nothing is held. At most 12 decimals.
       * @example 0.0431
       */
      baseline_apy: number | null;
      /**
       * @description What the routed value would earn over those days at the one rate more than at the other, in whole asset units, were neither to change; below 0 where less. null where one of the rates is.
       * @example 5.16375
       */
      uplift: number | null;
    };
    UpliftRealized: {
      /**
       * @description What the positions are worth as routed, in whole asset units. Over several assets, stablecoins are added at par.
       * @example 1012.5
       */
      routed_value: number;
      /**
       * @description What the same deposits, less the same fraction at each withdrawal, are worth in the baseline, in whole asset units. Over several assets, stablecoins are added at par.
       * @example 1009.2
       */
      baseline_value: number;
      /**
       * @description Uplift that withdrawals took with them, in whole asset units: what was paid out less what the same fraction of the baseline was worth then.
       * @example 0.4
       */
      settled_uplift: number;
      /**
       * @description What moves between vaults cost, in whole asset units; a baseline never moves.
       * @example 0.2
       */
      costs: number;
      /**
       * @description Uplift as it would be were moves free, in whole asset units: `uplift` and `costs`.
       * @example 3.9
       */
      gross_uplift: number;
      /**
       * @description Routed value less baseline value, and settled uplift, in whole asset units: net of costs. Below 0 where routing cost. Of a closed position it stands still.
       * @example 3.7
       */
      uplift: number;
      /**
       * @description The uplift as a fraction of the time-weighted capital, which is principal times days over the days since the first deposit: 0.01 is 1 %. null where there is none. At most 12 decimals.
       * @example 0.0037
       */
      uplift_pct: number | null;
    };
    UpliftReport: {
      /**
       * Format: date-time
       * @description The moment that it is of: now, or `to`. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      as_of: string;
      /**
       * Format: date-time
       * @description The `from` that was asked for: settled uplift, costs and uplift are those since then. null: of all time. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      from: string | null;
      /**
       * @description The asset that was asked for; null: all.
       * @example USDC
       * @enum {string|null}
       */
      asset: 'USDC' | 'USDT' | null;
      /**
       * @description How many positions it is of, closed ones included: what a withdrawal took with it is settled uplift.
       * @example 2
       */
      positions: number;
      /** @description What routing is measured against. */
      baselines: components['schemas']['UpliftBaselines'];
    };
    UserLedgerEvent: {
      /**
       * @description Id of the entry.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example ledger_entry
       * @enum {string}
       */
      object: 'ledger_entry';
      /**
       * @description End-user whose entry it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Position that it is about.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      position_id: string;
      /**
       * @description Asset of the position.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description `deposit` and `withdrawal`: money came or went. `rebalance`: it was moved to another vault. `yield_accrual`: what was earned since the entry before.
       * @example deposit
       * @enum {string}
       */
      type: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
      /**
       * @description How much, in whole asset units. Above 0, but for the accrual of a loss; of a rebalance, what arrived. Deposits and accruals less withdrawals and costs are what the position was worth at its last entry.
       * @example 250
       */
      amount: number;
      /**
       * @description What a rebalance cost the position beside the amount, in whole asset units: its part of the move's cost, in proportion to value. 0 in other entries.
       * @example 0
       */
      cost: number;
      /**
       * @description The vault's last observed yield a year at that time, as a fraction: 0.0523 is 5.23 %. During an outage it is that of before. 0 in cash. At most 12 decimals.
       * @example 0.0523
       */
      apy: number;
      /**
       * @description Vault that the amount is in, or was withdrawn from; of a rebalance, that it went to.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description The entry in a sentence, for people.
       * @example Deposited 250 USDC into vlt_harbor_lend_usdc.
       */
      note: string;
      /**
       * @description Decision that chose the vault of a deposit, or the move; of an accrual, the move with which more arrived than was expected. null of other entries.
       * @example dec_01kaabcdefghjkmnpqrstvwxyz
       */
      decision_id: string | null;
      /**
       * Format: date-time
       * @description Its value date: when it has its effect. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description When it was booked: ids and pages run by it. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      recorded_at: string;
      /**
       * @description What it added to the performance fee, in whole asset units. The sum over entries is the fee of the revenue report, for any end-user, asset and time; an end-user's entries of an asset are taken by `at` and `id`.
       * @example 0.0412
       */
      fee: number;
      /**
       * @description What it added to the partner's part of the fee, in whole asset units.
       * @example 0.0164
       */
      partner_revenue: number;
      /**
       * @description What it added to the loss that the end-user carries forward in the asset, in whole asset units; below 0 where it made good.
       * @example 0
       */
      carried_loss: number;
      /**
       * @description Hash of its transfer; null where nothing was transferred.
       * @example 0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
       */
      tx_hash: string | null;
      /**
       * @description Chain of that transaction; null where it is not known.
       * @example null
       */
      chain: string | null;
      /**
       * @description Page that shows it to people; null where none is known of its chain.
       * @example null
       */
      explorer_url: string | null;
      /**
       * @description The amount to the micro-unit, where a JSON number would not hold it: from 9,000,000,000 units on. Else null.
       * @example 9000000000.000001
       */
      amount_exact: string | null;
    };
    UserRecord: {
      /**
       * @description Id of the user.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description What people call the user.
       * @example User 1042
       */
      label: string;
      /**
       * @description Email address; null when none was recorded.
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
       * @description `active` on creation; `blocked`: nothing is deposited, while withdrawals go on.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'blocked';
      /**
       * Format: date-time
       * @description When the user was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When the user was last changed. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      updated_at: string;
    };
    UserStatement: {
      /**
       * @description Kind of this record.
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
      /** @description A row an asset with any entry until the end of the period. */
      assets: components['schemas']['AssetStatement'][];
    };
    Vault: {
      /**
       * @description Id of the vault: a readable slug.
       * @example vlt_harbor_lend_usdc
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example vault
       * @enum {string}
       */
      object: 'vault';
      /**
       * @description Name of the vault.
       * @example Harbor Lend USDC
       */
      name: string;
      /**
       * @description Protocol that runs it.
       * @example Harbor Lend
       */
      venue: string;
      /**
       * @description Chain of its contract; null for one that is on none.
       * @example ethereum
       */
      chain: string | null;
      /**
       * @description Contract that funds are sent to: the vault, Aave's pool, or Compound's market; null where none is known.
       * @example 0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2
       */
      address: string | null;
      /**
       * @description Asset that it takes.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description How much its yield is discounted for risk: least in `low`.
       * @example low
       * @enum {string}
       */
      risk_tier: 'low' | 'medium' | 'high';
      /**
       * @description Where its yield comes from: `chain`, the share price that its contract says; `defillama`, a public index of yields, or `simulated`, where nothing is real.
       * @example simulated
       * @enum {string}
       */
      source: 'chain' | 'defillama' | 'simulated';
      /**
       * @description Whether it takes deposits.
       * @example true
       */
      active: boolean;
      /**
       * @description Whether it is its asset's passive baseline.
       * @example true
       */
      lending_baseline: boolean;
      /**
       * @description Most that may be held there, in whole asset units; null: no bound.
       * @example 25000000
       */
      capacity: number | null;
      /**
       * @description Last observed yield a year, as a fraction: 0.0523 is 5.23 %. null before the first observation, never 0. What is observed within an hour is earned from the next hour on; in the sandbox, where it is known as the hour begins, from that hour on. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Of a vault that is followed by its share price: its yield a year over 7 days, where `apy` is that over 24 hours; null until prices tell it. Absent of any other. At most 12 decimals.
       * @example 0.0511
       */
      apy_7d?: number | null;
      /**
       * @description Last total value locked as its source counts it, in whole asset units: all deposits of some vaults, and of others the part that is not lent out. null where unknown.
       * @example 812345678.12
       */
      tvl: number | null;
      /**
       * @description All deposits of that observation, lent out or not; null where unknown.
       * @example 812345678.12
       */
      assets: number | null;
      /**
       * @description Part of them that could be withdrawn at once; null where unknown. Routing then counts with a tenth of `assets`; where `assets` is unknown, with this in its place; without either no deposit goes there.
       * @example 152003211.4
       */
      liquidity: number | null;
      /**
       * Format: date-time
       * @description Hour of that observation; null before the first one. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      observed_at: string | null;
      /**
       * @description True when the last observation is more than 24 hours old, or there is none: it earns nothing and takes nothing until it is seen again.
       * @example false
       */
      stale: boolean;
      /**
       * Format: date-time
       * @description Until when it takes no new funds, as it lost value or assets; null: it is not in quarantine. An administrator may end it earlier. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      quarantined_until: string | null;
      /**
       * @description `index`: what its shares are worth fell by 0.5 % within a day; `outflow`: its assets fell to half of their median of a week. null: it is not in quarantine.
       * @example null
       * @enum {string|null}
       */
      quarantine_reason: 'index' | 'outflow' | null;
    };
    VaultHistory: {
      /**
       * @description Vault that the series is of.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description What a point is of.
       * @example hour
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /** @description Oldest first. An hour that nothing was recorded of has no point. */
      points: components['schemas']['VaultPoint'][];
    };
    VaultPoint: {
      /**
       * Format: date-time
       * @description Beginning of the hour or day. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description What the vault was observed to yield a year, as a fraction: 0.0523 is 5.23 %. Of a day: the mean of the hours that are known. null where it was not observed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description What `expected_risk_adjusted_apy` of its signal was in that hour. Of a day: the mean of the hours that have one. null while history was short, and of hours before this was kept. At most 12 decimals.
       * @example 0.0441
       */
      expected_risk_adjusted_apy: number | null;
      /**
       * @description Total value locked as the vault's source counts it, in whole asset units: all deposits of some vaults, and of others the part that is not lent out. Of a day, at the newest of its hours that is known. null where it is not.
       * @example 812345678.12
       */
      tvl: number | null;
      /**
       * @description All deposits, lent out or not, likewise.
       * @example 812345678.12
       */
      assets: number | null;
      /**
       * @description Part of them that could be withdrawn at once, likewise.
       * @example 152003211.4
       */
      liquidity: number | null;
      /**
       * @description What a share is worth at the beginning of the hour, of a day at that of its newest hour; 1 where the vault was first seen.
       * @example 1.004321987654
       */
      index: number;
    };
    VaultTvl: {
      /**
       * @description Vault that holds something.
       * @example vlt_harbor_lend_usdc
       */
      vault_id: string;
      /**
       * @description What is in it, in whole asset units. Rounded down once a vault: it may exceed the sum of the positions' own values by less than 0.000001 a position.
       * @example 751.237035
       */
      value: number;
      /**
       * @description Part of the asset's net TVL, as a fraction; null where that is 0. At most 12 decimals.
       * @example 1
       */
      share: number | null;
    };
    Webhook: {
      /**
       * @description Id of the endpoint.
       * @example wh_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
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
       * @description Your own note; null when none was given.
       * @example Ledger service
       */
      description: string | null;
      /**
       * @description Signing secret: in full only in the answer that creates it, masked ever after.
       * @example whsec_****cGxl
       */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the secret of before signs, too; null when none does. UTC, ISO 8601 with milliseconds.
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
       * @description When its receiver last answered 2xx; null when it never did. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      last_success_at: string | null;
      /**
       * Format: date-time
       * @description Of the first failure since then; null when the last send succeeded, or there was none. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      failing_since: string | null;
      /**
       * @description Sends that failed since the last success. What was interrupted does not count.
       * @example 0
       */
      consecutive_failures: number;
      /**
       * Format: date-time
       * @description When the endpoint was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
    };
    WebhookCheck: {
      /**
       * @description Kind of this record.
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
       * @description The receiver's HTTP status; null when it gave none.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Milliseconds of the whole send; null when nothing was sent.
       * @example 84
       */
      latency_ms: number | null;
      /**
       * @description The secret that this one event was signed with, to verify by what the receiver got; null when nothing was sent. No endpoint has it.
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
    WebhookCheckStep: {
      /**
       * @description What was tried, in this order.
       * @example connect
       * @enum {string}
       */
      step: 'parse' | 'resolve' | 'judge' | 'connect' | 'tls' | 'answer';
      /**
       * @description Whether it succeeded; null where it was not tried.
       * @example true
       */
      passed: boolean | null;
      /**
       * @description The same in words, with what to do about it.
       * @example A connection was opened.
       */
      message: string;
    };
    WithdrawPositionRequest: {
      /**
       * @description How much is withdrawn. Absent: everything that the position is worth. In whole asset units, at most 6 decimals.
       * @example 100
       */
      amount?: number;
    };
    WithdrawnPosition: {
      /**
       * @description Id of the position.
       * @example pos_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Kind of this record.
       * @example position
       * @enum {string}
       */
      object: 'position';
      /**
       * @description End-user whose it is.
       * @example usr_01kaabcdefghjkmnpqrstvwxyz
       */
      user_id: string;
      /**
       * @description Asset that was deposited.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description Deposit that was split into several positions, which share it; null: this one alone.
       * @example null
       */
      deposit_id: string | null;
      /**
       * @description Vault that it is in; of a closed one, that it was in last. While no vault may take the funds, or they are on the way from one that pays out late, they are in the asset's idle vault, such as `vlt_idle_usdc`, which yields 0.
       * @example vlt_meridian_usdc
       */
      vault_id: string;
      /**
       * @description First yield vault that it was in; null before that.
       * @example vlt_harbor_lend_usdc
       */
      origin_vault_id: string | null;
      /**
       * @description `pending`: no vault could take the deposit yet, each hour tries again. `active` from its first yield vault on. `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'pending' | 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth at this moment, in whole asset units: `principal` and `yield`, which runs by the millisecond.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, net of costs, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description What its moves between vaults cost so far, in whole asset units.
       * @example 0.000517
       */
      costs: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * Format: date-time
       * @description When it was opened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      opened_at: string;
      /**
       * Format: date-time
       * @description When it came into its first yield vault; null before that. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      active_at: string | null;
      /**
       * Format: date-time
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
      /**
       * @description What this withdrawal paid out, in whole asset units.
       * @example 100
       */
      amount: number;
    };
    YieldHistory: {
      /**
       * @description Asset that the series is of.
       * @example USDC
       * @enum {string}
       */
      asset: 'USDC' | 'USDT';
      /**
       * @description What a point is of.
       * @example hour
       * @enum {string}
       */
      interval: 'hour' | 'day';
      /** @description Oldest first. An hour that nothing was recorded of has no point. */
      points: components['schemas']['YieldPoint'][];
      /**
       * @description Blended yield a year at the newest hour that is recorded, whatever was asked for, as a fraction; null where it is not known. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Mean of the points that are known, as a fraction a year; null where none is. At most 12 decimals.
       * @example 0.0518
       */
      average_apy: number | null;
    };
    YieldPoint: {
      /**
       * Format: date-time
       * @description Beginning of the hour or day. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Blended yield a year over the active vaults of the asset, as a fraction: 0.0523 is 5.23 %. Weighted by the vaults' own TVL, whatever this service holds there; the same weight for each where no TVL is known. A vault that was not observed has no part. Of a day: the mean of the hours that are known. null where none was observed: never guessed. At most 12 decimals.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description What those vaults hold of everybody, in whole asset units; of a day, at the newest of its hours. null where that is not known.
       * @example 812345678.12
       */
      tvl: number | null;
      /**
       * @description How many vaults it is made of; of a day, at the newest of its hours.
       * @example 4
       */
      vaults: number;
    };
    /** @description A yield crossed a threshold */
    YieldThresholdEvent: {
      /**
       * @description Id of the event: persist it, and treat a repeat as one.
       * @example evt_01kaabcdefghjkmnpqrstvwxyz
       */
      id: string;
      /**
       * @description Type of the event.
       * @example yield.threshold
       * @enum {string}
       */
      type: 'yield.threshold';
      /**
       * Format: date-time
       * @description When the event happened. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
      /** @description What happened. */
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
     *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
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
    /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call, or is a session where a key is needed. */
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
     * @description - `insufficient_scope`: The key holds none of the scopes that admit the call, or is a session where a key is needed.
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
    /** @description - `internal_error`: Something went wrong on our side. */
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
    /** @description - `rate_limited`: The partner, or the key that is bound to none, used up its points of the minute or has too many requests under way, or too many unknown keys came from its address; see `Retry-After`. */
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
    /** @description - `service_unavailable`: The service cannot answer right now, or stores nothing new because its storage is nearly full; see `Retry-After`. */
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
     *     - `invalid_api_key`: The key is unknown, revoked, expired or mistyped, or not sent as `Bearer <API_KEY>`; or a one-time code is no longer one.
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
    /** @description - `validation_failed`: A field is missing, unknown or not as described, or the path is no URL; `details` names each. */
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
     * @description - `validation_failed`: A field is missing, unknown or not as described, or the path is no URL; `details` names each.
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
     * @description - `validation_failed`: A field is missing, unknown or not as described, or the path is no URL; `details` names each.
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
    /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
    IdempotencyKey: string;
    /**
     * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included. A second `v1` is there while a secret is being replaced: one of them must match.
     * @example t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f
     */
    WebhookSignature: string;
    /**
     * @description Id of the event, as in the body.
     * @example evt_01kaabcdefghjkmnpqrstvwxyz
     */
    WebhookId: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description Identifies this answer; quote it when you ask us.
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
     * @description Points that the partner, or the key that is bound to none, has in how many seconds (draft-ietf-httpapi-ratelimit-headers-10). Absent where nothing is limited, or no key was recognised.
     * @example "default";q=6000;w=60
     */
    'RateLimit-Policy': string;
    /**
     * @description Points that are left (`r`), and the seconds in which all are back (`t`).
     * @example "default";r=5999;t=60
     */
    RateLimit: string;
    /**
     * @description Limit that the request exceeded: concurrent requests, or points. Absent where the limit is of an address without a valid key.
     * @example points
     */
    'RateLimit-Reason': 'concurrency' | 'points';
    /**
     * @description From when on this operation is gone (RFC 8594); absent as long as no date is set.
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only events that this endpoint has not got, also when it is deleted since. */
        undelivered_to?: string;
        /** @description Only events of these types, with commas between them. */
        types?: string;
        /** @description Only events behind this one: the last one that you have handled. A `cursor` goes before it. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "event",
           *           "type": "system.status",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "data": {
           *             "message": "Maintenance at noon.",
           *             "requested_at": "2026-01-31T12:00:00.000Z"
           *           },
           *           "recorded_at": "2026-01-31T12:00:00.000Z",
           *           "undelivered_to": [
           *             "wh_01kaabcdefghjkmnpqrstvwxyz"
           *           ],
           *           "deliveries": [
           *             {
           *               "id": "del_01kaabcdefghjkmnpqrstvwxyz",
           *               "webhook_id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *               "status": "failed",
           *               "attempts": 1,
           *               "response_status": 503,
           *               "failure": "http_status",
           *               "at": "2026-01-31T12:00:00.000Z",
           *               "latency_ms": 84
           *             }
           *           ]
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['KeptEventDto'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "webhook",
           *           "url": "https://hooks.acme.example/vaultline",
           *           "events": [
           *             "position.opened",
           *             "system.status"
           *           ],
           *           "description": "Ledger service",
           *           "secret": "whsec_****cGxl",
           *           "previous_secret_expires_at": null,
           *           "active": true,
           *           "last_success_at": "2026-01-31T12:00:00.000Z",
           *           "failing_since": null,
           *           "consecutive_failures": 0,
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
        'application/json': components['schemas']['CreateAlertWebhookInputDto'];
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `webhook_limit_reached`: The partner has as many webhooks as it may.
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
      /**
       * @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request.
       *     - `webhook_url_forbidden`: The URL leads where no webhook may be sent.
       */
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
          /**
           * @example {
           *       "object": "webhook",
           *       "data": {
           *         "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "deleted": true
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "delivery",
           *       "data": {
           *         "id": "del_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "delivery",
           *         "webhook_id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "url": "https://hooks.acme.example/vaultline",
           *         "event": "system.status",
           *         "payload": {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "type": "system.status",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "data": {
           *             "message": "Test event from Vaultline.",
           *             "requested_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         },
           *         "signature": "t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *         "status": "delivered",
           *         "attempts": 1,
           *         "response_status": 200,
           *         "failure": null,
           *         "at": "2026-01-31T12:00:00.000Z",
           *         "latency_ms": 84
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
          /**
           * @example {
           *       "object": "advisor",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "headline": "Yields are stable. Harbor Lend USDC has the best expected risk-adjusted APY, 4.82 %.",
           *         "regime": {
           *           "reason": null,
           *           "apy": 0.0523,
           *           "trend": 0.0003,
           *           "volatility": 0.0021,
           *           "regime": "stable",
           *           "as_of": "2026-01-31T12:00:00.000Z",
           *           "assets": [
           *             {
           *               "reason": null,
           *               "apy": 0.0523,
           *               "trend": 0.0003,
           *               "volatility": 0.0021,
           *               "asset": "USDC",
           *               "observations": 168,
           *               "regime": "stable"
           *             }
           *           ]
           *         },
           *         "opportunities": [
           *           {
           *             "object": "signal",
           *             "rank": 1,
           *             "vault_id": "vlt_harbor_lend_usdc",
           *             "name": "Harbor Lend USDC",
           *             "asset": "USDC",
           *             "risk_tier": "low",
           *             "apy": 0.0523,
           *             "mean_apy": 0.0518,
           *             "volatility": 0.0021,
           *             "trend": 0.0003,
           *             "forecast_apy": 0.05245,
           *             "expected_apy": 0.0507,
           *             "risk_adjusted_apy": 0.0493,
           *             "expected_risk_adjusted_apy": 0.0482,
           *             "recommendation": "increase",
           *             "insufficient_history": false,
           *             "observations": 168,
           *             "as_of": "2026-01-31T12:00:00.000Z"
           *           }
           *         ],
           *         "uplift": {
           *           "as_of": "2026-01-31T12:00:00.000Z",
           *           "from": null,
           *           "asset": "USDC",
           *           "positions": 2,
           *           "baselines": {
           *             "lending": {
           *               "realized": {
           *                 "routed_value": 1012.5,
           *                 "baseline_value": 1009.2,
           *                 "settled_uplift": 0.4,
           *                 "costs": 0.2,
           *                 "gross_uplift": 3.9,
           *                 "uplift": 3.7,
           *                 "uplift_pct": 0.0037
           *               },
           *               "projected": {
           *                 "basis": "current_rates",
           *                 "horizon_days": 365,
           *                 "routed_apy": 0.0482,
           *                 "baseline_apy": 0.0431,
           *                 "uplift": 5.16375
           *               }
           *             },
           *             "hold": {
           *               "realized": {
           *                 "routed_value": 1012.5,
           *                 "baseline_value": 1009.2,
           *                 "settled_uplift": 0.4,
           *                 "costs": 0.2,
           *                 "gross_uplift": 3.9,
           *                 "uplift": 3.7,
           *                 "uplift_pct": 0.0037
           *               },
           *               "projected": {
           *                 "basis": "current_rates",
           *                 "horizon_days": 365,
           *                 "routed_apy": 0.0482,
           *                 "baseline_apy": 0.0431,
           *                 "uplift": 5.16375
           *               }
           *             }
           *           }
           *         },
           *         "rationale": [
           *           "USDC: the regime is stable at 5.23 %, with a trend of 0.030 pp a day."
           *         ],
           *         "generator": "template"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only decisions that sent funds of this end-user somewhere. */
        user_id?: string;
        /** @description Only decisions that sent this position somewhere. */
        position_id?: string;
        /** @description Only decisions on this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only decisions of this kind. */
        kind?: 'route' | 'rebalance' | 'hold';
        /** @description Only decisions made at this moment or later. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only decisions made before this moment. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "kind": "route",
           *           "reason": "best_vault",
           *           "asset": "USDC",
           *           "from_vault_id": null,
           *           "to_vault_id": "vlt_harbor_lend_usdc",
           *           "snapshot_hour": "2026-01-31T12:00:00.000Z",
           *           "config_version": "5f0c1a2b3d4e",
           *           "inputs": {
           *             "asset": "USDC",
           *             "amount": 1000,
           *             "group_amount": 1000,
           *             "current_vault_id": null,
           *             "hours_in_vault": 0,
           *             "snapshot_hour": "2026-01-31T12:00:00.000Z",
           *             "config_version": "5f0c1a2b3d4e",
           *             "constants": {
           *               "horizon_days": 20,
           *               "lasting_horizon_days": 60,
           *               "cash_horizon_days": 365,
           *               "min_delta": 0.001,
           *               "min_gain_multiple": 1.5,
           *               "min_promise_multiple": 1,
           *               "min_net_gain": 1,
           *               "min_hours_in_vault": 6,
           *               "return_window_hours": 168,
           *               "return_gain_multiple": 3,
           *               "min_size_multiple": 10,
           *               "max_vault_share": 0.15,
           *               "max_gap_hours": 24,
           *               "max_index_loss": 0.005,
           *               "max_assets_loss": 0.5,
           *               "max_thinning": 0.3,
           *               "max_reading_hours": 3,
           *               "max_utilisation": 0.97,
           *               "kink": 0.9
           *             },
           *             "policy": null,
           *             "candidates": [
           *               {
           *                 "vault_id": "vlt_harbor_lend_usdc",
           *                 "active": true,
           *                 "lending_baseline": true,
           *                 "risk_tier": "low",
           *                 "apy": 0.0523,
           *                 "expected_apy": 0.0507,
           *                 "expected_risk_adjusted_apy": 0.0482,
           *                 "promised_apy": 0.0514,
           *                 "lasting_apy": 0.0465,
           *                 "promised_lasting_apy": 0.0502,
           *                 "tvl": 812345678.12,
           *                 "assets": 812345678.12,
           *                 "liquidity": 92345678.12,
           *                 "capacity": 25000000,
           *                 "dilution": "pool",
           *                 "index_change": 0,
           *                 "assets_change": -0.012,
           *                 "quarantine_hours": null,
           *                 "cost": 2,
           *                 "base_fee_gwei": 1.2,
           *                 "exit_delay_hours": 0,
           *                 "hours_since_observed": 0,
           *                 "hours_since_left": null
           *               }
           *             ]
           *           },
           *           "alternatives": [
           *             {
           *               "vault_id": "vlt_harbor_lend_usdc",
           *               "action": "deposit",
           *               "apy": 0.0523,
           *               "expected_apy": 0.0507,
           *               "risk_adjusted_apy": 0.0493,
           *               "expected_risk_adjusted_apy": 0.0482,
           *               "rate": 0.0481,
           *               "delta": null,
           *               "gates": [
           *                 {
           *                   "gate": "fresh",
           *                   "value": 0,
           *                   "threshold": 24,
           *                   "passed": true,
           *                   "rules": []
           *                 }
           *               ],
           *               "chosen": true
           *             }
           *           ],
           *           "expected_uplift": {
           *             "apy_delta": 0,
           *             "horizon_days": 20,
           *             "amount": 0,
           *             "cost": 0,
           *             "npv": 0
           *           },
           *           "exposure": {
           *             "before": {
           *               "vaults": {
           *                 "vlt_harbor_lend_usdc": 1
           *               },
           *               "tiers": {
           *                 "low": 1
           *               },
           *               "venues": {
           *                 "Harbor Lend": 1
           *               }
           *             },
           *             "after": {
           *               "vaults": {
           *                 "vlt_harbor_lend_usdc": 1
           *               },
           *               "tiers": {
           *                 "low": 1
           *               },
           *               "venues": {
           *                 "Harbor Lend": 1
           *               }
           *             },
           *             "limits": {
           *               "vaults": {
           *                 "vlt_harbor_lend_usdc": 1
           *               },
           *               "tiers": {
           *                 "low": 1
           *               },
           *               "venues": {
           *                 "Harbor Lend": 1
           *               }
           *             }
           *           },
           *           "rationale": "Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best of 1 vaults that is within its limits, 0.00 pp over the lending vault.",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "id": "dec_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "decision",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *           "positions": 1,
           *           "outcome": null,
           *           "order": null,
           *           "plan": {
           *             "decisions": [
           *               {
           *                 "id": "dec_01kaabcdefghjkmnpqrstvwxyz",
           *                 "kind": "rebalance",
           *                 "from_vault_id": null,
           *                 "to_vault_id": "vlt_harbor_lend_usdc",
           *                 "amount": 1000
           *               }
           *             ],
           *             "inflows_of_others": [
           *               {
           *                 "vault_id": "vlt_harbor_lend_usdc",
           *                 "amount": 120000
           *               }
           *             ]
           *           }
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
          /**
           * @example {
           *       "object": "regime",
           *       "data": {
           *         "reason": null,
           *         "apy": 0.0523,
           *         "trend": 0.0003,
           *         "volatility": 0.0021,
           *         "regime": "stable",
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "assets": [
           *           {
           *             "reason": null,
           *             "apy": 0.0523,
           *             "trend": 0.0003,
           *             "volatility": 0.0021,
           *             "asset": "USDC",
           *             "observations": 168,
           *             "regime": "stable"
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "object": "signal",
           *           "rank": 1,
           *           "vault_id": "vlt_harbor_lend_usdc",
           *           "name": "Harbor Lend USDC",
           *           "asset": "USDC",
           *           "risk_tier": "low",
           *           "apy": 0.0523,
           *           "mean_apy": 0.0518,
           *           "volatility": 0.0021,
           *           "trend": 0.0003,
           *           "forecast_apy": 0.05245,
           *           "expected_apy": 0.0507,
           *           "risk_adjusted_apy": 0.0493,
           *           "expected_risk_adjusted_apy": 0.0482,
           *           "recommendation": "increase",
           *           "insufficient_history": false,
           *           "observations": 168,
           *           "as_of": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Only what was brought from this moment on: the end of a closed UTC day, or a moment since the last one. A date stands for its beginning. Default: all of it. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only what was brought before this moment. A date stands for its end. Default: now. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "uplift",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "from": null,
           *         "asset": "USDC",
           *         "positions": 2,
           *         "baselines": {
           *           "lending": {
           *             "realized": {
           *               "routed_value": 1012.5,
           *               "baseline_value": 1009.2,
           *               "settled_uplift": 0.4,
           *               "costs": 0.2,
           *               "gross_uplift": 3.9,
           *               "uplift": 3.7,
           *               "uplift_pct": 0.0037
           *             },
           *             "projected": {
           *               "basis": "current_rates",
           *               "horizon_days": 365,
           *               "routed_apy": 0.0482,
           *               "baseline_apy": 0.0431,
           *               "uplift": 5.16375
           *             }
           *           },
           *           "hold": {
           *             "realized": {
           *               "routed_value": 1012.5,
           *               "baseline_value": 1009.2,
           *               "settled_uplift": 0.4,
           *               "costs": 0.2,
           *               "gross_uplift": 3.9,
           *               "uplift": 3.7,
           *               "uplift_pct": 0.0037
           *             },
           *             "projected": {
           *               "basis": "current_rates",
           *               "horizon_days": 365,
           *               "routed_apy": 0.0482,
           *               "baseline_apy": 0.0431,
           *               "uplift": 5.16375
           *             }
           *           }
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only changes from this time on. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only changes up to this time. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description Only changes made with this key, or a session of it. */
        key_id?: string;
        /** @description Only changes by this operation. */
        operation?: string;
        /** @description Only changes that concern the record with this id, also when it is gone. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "aud_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "audit_entry",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "actor": {
           *             "kind": "key",
           *             "key_id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *             "session_id": "ses_01kaabcdefghjkmnpqrstvwxyz",
           *             "label": "Reporting, production",
           *             "user": null,
           *             "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz"
           *           },
           *           "address": "203.0.113.7",
           *           "operation": "updatePartner",
           *           "subjects": [
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz"
           *           ],
           *           "before": {
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz": {
           *               "revenue_share_bps": 4000
           *             }
           *           },
           *           "after": {
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz": {
           *               "revenue_share_bps": 4500
           *             }
           *           },
           *           "request_id": "req_01kaabcdefghjkmnpqrstvwxyz",
           *           "number": 1,
           *           "hash": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['AuditEntryDto'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
          /**
           * @example {
           *       "object": "deployment",
           *       "data": {
           *         "object": "deployment",
           *         "environment": "sandbox",
           *         "version": "0.1.0",
           *         "at": "2026-01-31T12:00:00.000Z",
           *         "tick": {
           *           "newest_hour": "2026-01-31T12:00:00.000Z",
           *           "lag_seconds": 0
           *         },
           *         "queue": {
           *           "jobs_waiting": 0,
           *           "oldest_job_seconds": null,
           *           "deliveries_queued": 12,
           *           "oldest_delivery_seconds": 3
           *         },
           *         "ledger": {
           *           "verified_at": "2026-01-31T12:00:00.000Z",
           *           "full": false,
           *           "entries": 20418,
           *           "differences": 0
           *         },
           *         "sends": [
           *           {
           *             "outcome": "delivered",
           *             "sends": 1204
           *           }
           *         ],
           *         "replicas": [
           *           {
           *             "name": "vaultline-partner-7c9f",
           *             "role": "all",
           *             "version": "0.1.0",
           *             "started_at": "2026-01-31T12:00:00.000Z",
           *             "seen_at": "2026-01-31T12:00:00.000Z",
           *             "silent": false
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only events that this endpoint has not got, also when it is deleted since. */
        undelivered_to?: string;
        /** @description Only events of these types, with commas between them. */
        types?: string;
        /** @description Only events behind this one: the last one that you have handled. A `cursor` goes before it. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "event",
           *           "type": "system.status",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "data": {
           *             "message": "Maintenance at noon.",
           *             "requested_at": "2026-01-31T12:00:00.000Z"
           *           },
           *           "recorded_at": "2026-01-31T12:00:00.000Z",
           *           "undelivered_to": [
           *             "wh_01kaabcdefghjkmnpqrstvwxyz"
           *           ],
           *           "deliveries": [
           *             {
           *               "id": "del_01kaabcdefghjkmnpqrstvwxyz",
           *               "webhook_id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *               "status": "failed",
           *               "attempts": 1,
           *               "response_status": 503,
           *               "failure": "http_status",
           *               "at": "2026-01-31T12:00:00.000Z",
           *               "latency_ms": 84
           *             }
           *           ]
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['KeptEventDto'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "api_key",
           *           "label": "Reporting, production",
           *           "prefix": "vl_sandbox_9",
           *           "environment": "sandbox",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "last_used_at": null,
           *           "revoked": false,
           *           "expires_at": null,
           *           "scopes": [
           *             "partner:read",
           *             "read"
           *           ],
           *           "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "secret": "vl_sandbox_9****"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `partner_disabled`: The partner is disabled.
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
          /**
           * @example {
           *       "object": "api_key",
           *       "data": {
           *         "id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *         "revoked": true
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
        'application/json': components['schemas']['RotateKeyInputDto'];
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `partner_disabled`: The partner is disabled.
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
  listPartnerAudit: {
    parameters: {
      query?: {
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only changes from this time on. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only changes up to this time. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description Only changes made with this key, or a session of it. */
        key_id?: string;
        /** @description Only changes by this operation. */
        operation?: string;
        /** @description Only changes that concern the record with this id, also when it is gone. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "aud_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "audit_entry",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "actor": {
           *             "kind": "key",
           *             "key_id": "key_01kaabcdefghjkmnpqrstvwxyz",
           *             "session_id": "ses_01kaabcdefghjkmnpqrstvwxyz",
           *             "label": "Reporting, production",
           *             "user": null,
           *             "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz"
           *           },
           *           "address": "203.0.113.7",
           *           "operation": "updatePartner",
           *           "subjects": [
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz"
           *           ],
           *           "before": {
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz": {
           *               "revenue_share_bps": 4000
           *             }
           *           },
           *           "after": {
           *             "ptn_01kaabcdefghjkmnpqrstvwxyz": {
           *               "revenue_share_bps": 4500
           *             }
           *           },
           *           "request_id": "req_01kaabcdefghjkmnpqrstvwxyz",
           *           "number": 1,
           *           "hash": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['AuditEntryDto'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_deposits",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "total": 750,
           *         "count": 3,
           *         "assets": [
           *           {
           *             "asset": "USDC",
           *             "amount": 750,
           *             "count": 3
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description A moment of the first day that is asked for. Default: so that there are 365 days up to `to`. An answer has at most 2000 points: without `to` it ends with the last whole day of them, and `meta.next_from` is the `from` to go on with. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description A moment of the last day that is asked for. Default: now. A span of more than 2000 points is refused. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_history",
           *       "data": {
           *         "asset": "USDC",
           *         "points": [
           *           {
           *             "at": "2026-01-31T12:00:00.000Z",
           *             "as_of": "2026-01-31T12:00:00.000Z",
           *             "asset": "USDC",
           *             "net_tvl": 1012.5,
           *             "deposits": 1000,
           *             "withdrawals": 0,
           *             "yield": 12.5,
           *             "costs": 0.2,
           *             "revenue": 0.49,
           *             "points": 562.5,
           *             "baselines": {
           *               "lending_value": 1009.2,
           *               "hold_value": 1010.2
           *             },
           *             "settled_uplift": {
           *               "lending": 1.5,
           *               "hold": 0.5
           *             },
           *             "uplift": {
           *               "lending": 1.5,
           *               "hold": 0.5
           *             }
           *           }
           *         ]
           *       },
           *       "meta": {
           *         "has_more": false
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  listPartnerJournal: {
    parameters: {
      query?: {
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries dated at this moment or later. A date stands for its beginning. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only entries dated before this moment. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "journal_entry",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "recorded_at": "2026-01-31T12:00:00.000Z",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "asset": "USDC",
           *           "accounts": {
           *             "vaults": 250,
           *             "end_users": -250,
           *             "costs_of_moves": 0,
           *             "fees_receivable": 0,
           *             "fee_income": 0,
           *             "owed_to_partner": 0
           *           },
           *           "note": "Yield of 0.412345 USDC accrued."
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['JournalEntry'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries dated at this moment or later. A date stands for its beginning. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only entries dated before this moment. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "ledger_entry",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *           "asset": "USDC",
           *           "type": "deposit",
           *           "amount": 250,
           *           "cost": 0,
           *           "apy": 0.0523,
           *           "vault_id": "vlt_harbor_lend_usdc",
           *           "note": "Deposited 250 USDC into vlt_harbor_lend_usdc.",
           *           "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "recorded_at": "2026-01-31T12:00:00.000Z",
           *           "fee": 0.0412,
           *           "partner_revenue": 0.0164,
           *           "carried_loss": 0,
           *           "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *           "chain": null,
           *           "explorer_url": null,
           *           "amount_exact": "9000000000.000001"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['PartnerLedgerEvent'][];
            meta: components['schemas']['ListMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrInvalidCursor'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_points",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "total": 562.5,
           *         "campaigns": [
           *           {
           *             "campaign_id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
           *             "multiplier": 1.5,
           *             "points": 562.5
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description This version in place of the newest: one of the newest 1000. */
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
          /**
           * @example {
           *       "object": "partner_policy",
           *       "data": {
           *         "allowed_vaults": [
           *           "vlt_harbor_lend_usdc"
           *         ],
           *         "max_risk_tier": "medium",
           *         "min_gain": 0.005,
           *         "paused": false,
           *         "max_vault_exposure": {
           *           "medium": 0.4,
           *           "high": 0.1
           *         },
           *         "max_tier_exposure": {
           *           "high": 0.2
           *         },
           *         "max_venue_exposure": {
           *           "Harbor Lend": 0.5
           *         },
           *         "object": "partner_policy",
           *         "version": 3,
           *         "digest": "0f6b2c9d41aa",
           *         "bounds": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "in_force": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'partner_policy';
            data: components['schemas']['PartnerPolicy'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        'application/json': components['schemas']['PolicyInputDto'];
      };
    };
    responses: {
      /** @description The policy as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "partner_policy",
           *       "data": {
           *         "allowed_vaults": [
           *           "vlt_harbor_lend_usdc"
           *         ],
           *         "max_risk_tier": "medium",
           *         "min_gain": 0.005,
           *         "paused": false,
           *         "max_vault_exposure": {
           *           "medium": 0.4,
           *           "high": 0.1
           *         },
           *         "max_tier_exposure": {
           *           "high": 0.2
           *         },
           *         "max_venue_exposure": {
           *           "Harbor Lend": 0.5
           *         },
           *         "object": "partner_policy",
           *         "version": 3,
           *         "digest": "0f6b2c9d41aa",
           *         "bounds": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "in_force": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "revenue_share",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "performance_fee_bps": 1000,
           *         "revenue_share_bps": 4000,
           *         "assets": [
           *           {
           *             "yield": 1.253037,
           *             "accrued": 1.237035,
           *             "performance_fee": 0.123704,
           *             "partner_revenue": 0.049481,
           *             "protocol_revenue": 0.074223,
           *             "asset": "USDC"
           *           }
           *         ],
           *         "totals": {
           *           "yield": 1.253037,
           *           "accrued": 1.237035,
           *           "performance_fee": 0.123704,
           *           "partner_revenue": 0.049481,
           *           "protocol_revenue": 0.074223
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Months or UTC days. */
        interval?: 'month' | 'day';
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "object": "statement",
           *           "period": "2026-01",
           *           "from": "2026-01-31T12:00:00.000Z",
           *           "to": "2026-01-31T12:00:00.000Z",
           *           "closed": true
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'list';
            data: components['schemas']['StatementPeriod'][];
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
         * @description The month, YYYY-MM, or the UTC day, YYYY-MM-DD.
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
          /**
           * @example {
           *       "object": "statement",
           *       "data": {
           *         "object": "statement",
           *         "period": "2026-01",
           *         "from": "2026-01-31T12:00:00.000Z",
           *         "to": "2026-01-31T12:00:00.000Z",
           *         "closed": true,
           *         "assets": [
           *           {
           *             "opening_value": 1000,
           *             "deposits": 500,
           *             "withdrawals": 200,
           *             "yield": 4.2,
           *             "costs": 0.2,
           *             "closing_value": 1304,
           *             "performance_fee": 0.4,
           *             "partner_revenue": 0.16,
           *             "protocol_revenue": 0.24,
           *             "carried_loss": 0,
           *             "closing_value_exact": "9000000000.000001",
           *             "uplift": {
           *               "lending": 1.5,
           *               "hold": 0.5
           *             },
           *             "asset": "USDC"
           *           }
           *         ],
           *         "totals": {
           *           "opening_value": 1000,
           *           "deposits": 500,
           *           "withdrawals": 200,
           *           "yield": 4.2,
           *           "costs": 0.2,
           *           "closing_value": 1304,
           *           "performance_fee": 0.4,
           *           "partner_revenue": 0.16,
           *           "protocol_revenue": 0.24,
           *           "carried_loss": 0,
           *           "closing_value_exact": "9000000000.000001",
           *           "uplift": {
           *             "lending": 1.5,
           *             "hold": 0.5
           *           }
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  listPartnerStatementUsers: {
    parameters: {
      query?: {
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The month, YYYY-MM, or the UTC day, YYYY-MM-DD.
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "object": "user_statement",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "external_id": "acme:user-1042",
           *           "assets": [
           *             {
           *               "opening_value": 1000,
           *               "deposits": 500,
           *               "withdrawals": 200,
           *               "yield": 4.2,
           *               "costs": 0.2,
           *               "closing_value": 1304,
           *               "performance_fee": 0.4,
           *               "partner_revenue": 0.16,
           *               "protocol_revenue": 0.24,
           *               "carried_loss": 0,
           *               "closing_value_exact": "9000000000.000001",
           *               "uplift": {
           *                 "lending": 1.5,
           *                 "hold": 0.5
           *               },
           *               "asset": "USDC"
           *             }
           *           ]
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_summary",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "users": 3,
           *         "positions": {
           *           "open": 3,
           *           "closed": 1
           *         },
           *         "assets": [
           *           {
           *             "deposits": 1000,
           *             "withdrawals": 250,
           *             "net_deposits": 750,
           *             "net_tvl": 751.237035,
           *             "yield": 1.237035,
           *             "asset": "USDC",
           *             "apy": 0.0523
           *           }
           *         ],
           *         "totals": {
           *           "deposits": 1000,
           *           "withdrawals": 250,
           *           "net_deposits": 750,
           *           "net_tvl": 751.237035,
           *           "yield": 1.237035
           *         },
           *         "points": 562.5,
           *         "revenue": 0.049481
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  readPartnerTvl: {
    parameters: {
      query?: {
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_tvl",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "net_tvl": 751.237035,
           *         "assets": [
           *           {
           *             "asset": "USDC",
           *             "net_tvl": 751.237035,
           *             "vaults": [
           *               {
           *                 "vault_id": "vlt_harbor_lend_usdc",
           *                 "value": 751.237035,
           *                 "share": 1
           *               }
           *             ]
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "position",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "asset": "USDC",
           *           "deposit_id": null,
           *           "vault_id": "vlt_meridian_usdc",
           *           "origin_vault_id": "vlt_harbor_lend_usdc",
           *           "status": "active",
           *           "principal": 250,
           *           "value": 250.412345,
           *           "yield": 0.412345,
           *           "costs": 0.000517,
           *           "apy": 0.0523,
           *           "opened_at": "2026-01-31T12:00:00.000Z",
           *           "active_at": "2026-01-31T12:00:00.000Z",
           *           "closed_at": null
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        as_of?: string;
        /** @description Only these end-users. */
        ids?: string;
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "attributed_user",
           *           "external_id": "acme:user-1042",
           *           "label": "User 1042",
           *           "status": "active",
           *           "wallets": [
           *             "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
           *           ],
           *           "positions": {
           *             "open": 3,
           *             "closed": 1
           *           },
           *           "net_tvl": 250.412345,
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_withdrawals",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "total": 750,
           *         "count": 3,
           *         "assets": [
           *           {
           *             "asset": "USDC",
           *             "amount": 750,
           *             "count": 3
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "partner_yield",
           *       "data": {
           *         "as_of": "2026-01-31T12:00:00.000Z",
           *         "total": 1.253037,
           *         "assets": [
           *           {
           *             "asset": "USDC",
           *             "accrued": 1.237035,
           *             "pending": 0.016002,
           *             "total": 1.253037,
           *             "costs": 0.000517,
           *             "apy": 0.0523
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The first moment that is asked for. Default: so that there are 30 days up to `to`. An answer has at most 2000 points: without `to` it ends where they do, and `meta.next_from` is the `from` to go on with. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description The last moment that is asked for. Default: now. A span of more than 2000 points is refused. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point an hour. `day`: a point a UTC day, over those of its hours that are asked for. */
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
      /** @description The series and what it comes to. */
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
          /**
           * @example {
           *       "object": "yield_history",
           *       "data": {
           *         "asset": "USDC",
           *         "interval": "hour",
           *         "points": [
           *           {
           *             "at": "2026-01-31T12:00:00.000Z",
           *             "apy": 0.0523,
           *             "tvl": 812345678.12,
           *             "vaults": 4
           *           }
           *         ],
           *         "apy": 0.0523,
           *         "average_apy": 0.0518
           *       },
           *       "meta": {
           *         "has_more": false
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only those of this status. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "partner",
           *           "name": "Acme Wallet",
           *           "status": "active",
           *           "contact_email": "ops@acme.example",
           *           "performance_fee_bps": 1000,
           *           "revenue_share_bps": 4000,
           *           "metadata": {
           *             "tier": "gold"
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "updated_at": "2026-01-31T12:00:00.000Z",
           *           "disabled_at": null
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
          /**
           * @example {
           *       "object": "partner",
           *       "data": {
           *         "id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "partner",
           *         "name": "Acme Wallet",
           *         "status": "active",
           *         "contact_email": "ops@acme.example",
           *         "performance_fee_bps": 1000,
           *         "revenue_share_bps": 4000,
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "disabled_at": null
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /** @description The partner as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "partner",
           *       "data": {
           *         "id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "partner",
           *         "name": "Acme Wallet",
           *         "status": "active",
           *         "contact_email": "ops@acme.example",
           *         "performance_fee_bps": 1000,
           *         "revenue_share_bps": 4000,
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z",
           *         "disabled_at": null
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only those of this status. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "campaign",
           *           "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "name": "Winter double",
           *           "status": "active",
           *           "asset": "USDC",
           *           "points_multiplier": 1.5,
           *           "starts_at": "2026-01-31T12:00:00.000Z",
           *           "ends_at": null,
           *           "metadata": {
           *             "tier": "gold"
           *           },
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "updated_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "campaign",
           *       "data": {
           *         "id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "campaign",
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "name": "Winter double",
           *         "status": "active",
           *         "asset": "USDC",
           *         "points_multiplier": 1.5,
           *         "starts_at": "2026-01-31T12:00:00.000Z",
           *         "ends_at": null,
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /** @description The campaign as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "campaign",
           *       "data": {
           *         "id": "cmp_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "campaign",
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "name": "Winter double",
           *         "status": "active",
           *         "asset": "USDC",
           *         "points_multiplier": 1.5,
           *         "starts_at": "2026-01-31T12:00:00.000Z",
           *         "ends_at": null,
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /** @description - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room. */
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
  readPartnerPolicy: {
    parameters: {
      query?: {
        /** @description This version in place of the newest: one of the newest 1000. */
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
          /**
           * @example {
           *       "object": "partner_policy",
           *       "data": {
           *         "allowed_vaults": [
           *           "vlt_harbor_lend_usdc"
           *         ],
           *         "max_risk_tier": "medium",
           *         "min_gain": 0.005,
           *         "paused": false,
           *         "max_vault_exposure": {
           *           "medium": 0.4,
           *           "high": 0.1
           *         },
           *         "max_tier_exposure": {
           *           "high": 0.2
           *         },
           *         "max_venue_exposure": {
           *           "Harbor Lend": 0.5
           *         },
           *         "object": "partner_policy",
           *         "version": 3,
           *         "digest": "0f6b2c9d41aa",
           *         "bounds": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "in_force": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'application/json': components['schemas']['PolicyInputDto'];
      };
    };
    responses: {
      /** @description The policy as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "partner_policy",
           *       "data": {
           *         "allowed_vaults": [
           *           "vlt_harbor_lend_usdc"
           *         ],
           *         "max_risk_tier": "medium",
           *         "min_gain": 0.005,
           *         "paused": false,
           *         "max_vault_exposure": {
           *           "medium": 0.4,
           *           "high": 0.1
           *         },
           *         "max_tier_exposure": {
           *           "high": 0.2
           *         },
           *         "max_venue_exposure": {
           *           "Harbor Lend": 0.5
           *         },
           *         "object": "partner_policy",
           *         "version": 3,
           *         "digest": "0f6b2c9d41aa",
           *         "bounds": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "in_force": {
           *           "allowed_vaults": [
           *             "vlt_harbor_lend_usdc"
           *           ],
           *           "max_risk_tier": "medium",
           *           "min_gain": 0.005,
           *           "paused": false,
           *           "max_vault_exposure": {
           *             "medium": 0.4,
           *             "high": 0.1
           *           },
           *           "max_tier_exposure": {
           *             "high": 0.2
           *           },
           *           "max_venue_exposure": {
           *             "Harbor Lend": 0.5
           *           }
           *         },
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  listPositions: {
    parameters: {
      query?: {
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only positions of this end-user. */
        user_id?: string;
        /** @description Only positions of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only positions of this status. */
        status?: 'pending' | 'active' | 'closed';
        /** @description The books as they were at this moment, before anything dated at it or later: the end of a closed UTC day, or any moment since the last one. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "position",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "asset": "USDC",
           *           "deposit_id": null,
           *           "vault_id": "vlt_meridian_usdc",
           *           "origin_vault_id": "vlt_harbor_lend_usdc",
           *           "status": "active",
           *           "principal": 250,
           *           "value": 250.412345,
           *           "yield": 0.412345,
           *           "costs": 0.000517,
           *           "apy": 0.0523,
           *           "opened_at": "2026-01-31T12:00:00.000Z",
           *           "active_at": "2026-01-31T12:00:00.000Z",
           *           "closed_at": null
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
      /** @description The position; with `split: true`, the list of them. Its value is the deposit: what it earns runs from this moment on, to the millisecond. */
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
           *       "object": "position",
           *       "data": {
           *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "position",
           *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "asset": "USDC",
           *         "deposit_id": null,
           *         "vault_id": "vlt_meridian_usdc",
           *         "origin_vault_id": "vlt_harbor_lend_usdc",
           *         "status": "active",
           *         "principal": 250,
           *         "value": 250.412345,
           *         "yield": 0.412345,
           *         "costs": 0.000517,
           *         "apy": 0.0523,
           *         "opened_at": "2026-01-31T12:00:00.000Z",
           *         "active_at": "2026-01-31T12:00:00.000Z",
           *         "closed_at": null
           *       }
           *     }
           */
          'application/json':
            | {
                /**
                 * @description Kind of `data`.
                 * @enum {string}
                 */
                object: 'position';
                data: components['schemas']['PartnerPosition'];
              }
            | {
                /**
                 * @description Kind of `data`.
                 * @enum {string}
                 */
                object: 'list';
                data: components['schemas']['PartnerPosition'][];
                meta: components['schemas']['ListMeta'];
              };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `user_blocked`: The end-user is blocked: nothing is deposited, while withdrawals go on.
       *     - `advance_in_progress`: The account's time is being moved by another request.
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
        'application/json': components['schemas']['PreviewPositionInputDto'];
      };
    };
    responses: {
      /** @description The decision, which was not made. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "decision_preview",
           *       "data": {
           *         "kind": "route",
           *         "reason": "best_vault",
           *         "asset": "USDC",
           *         "from_vault_id": null,
           *         "to_vault_id": "vlt_harbor_lend_usdc",
           *         "snapshot_hour": "2026-01-31T12:00:00.000Z",
           *         "config_version": "5f0c1a2b3d4e",
           *         "inputs": {
           *           "asset": "USDC",
           *           "amount": 1000,
           *           "group_amount": 1000,
           *           "current_vault_id": null,
           *           "hours_in_vault": 0,
           *           "snapshot_hour": "2026-01-31T12:00:00.000Z",
           *           "config_version": "5f0c1a2b3d4e",
           *           "constants": {
           *             "horizon_days": 20,
           *             "lasting_horizon_days": 60,
           *             "cash_horizon_days": 365,
           *             "min_delta": 0.001,
           *             "min_gain_multiple": 1.5,
           *             "min_promise_multiple": 1,
           *             "min_net_gain": 1,
           *             "min_hours_in_vault": 6,
           *             "return_window_hours": 168,
           *             "return_gain_multiple": 3,
           *             "min_size_multiple": 10,
           *             "max_vault_share": 0.15,
           *             "max_gap_hours": 24,
           *             "max_index_loss": 0.005,
           *             "max_assets_loss": 0.5,
           *             "max_thinning": 0.3,
           *             "max_reading_hours": 3,
           *             "max_utilisation": 0.97,
           *             "kink": 0.9
           *           },
           *           "policy": null,
           *           "candidates": [
           *             {
           *               "vault_id": "vlt_harbor_lend_usdc",
           *               "active": true,
           *               "lending_baseline": true,
           *               "risk_tier": "low",
           *               "apy": 0.0523,
           *               "expected_apy": 0.0507,
           *               "expected_risk_adjusted_apy": 0.0482,
           *               "promised_apy": 0.0514,
           *               "lasting_apy": 0.0465,
           *               "promised_lasting_apy": 0.0502,
           *               "tvl": 812345678.12,
           *               "assets": 812345678.12,
           *               "liquidity": 92345678.12,
           *               "capacity": 25000000,
           *               "dilution": "pool",
           *               "index_change": 0,
           *               "assets_change": -0.012,
           *               "quarantine_hours": null,
           *               "cost": 2,
           *               "base_fee_gwei": 1.2,
           *               "exit_delay_hours": 0,
           *               "hours_since_observed": 0,
           *               "hours_since_left": null
           *             }
           *           ]
           *         },
           *         "alternatives": [
           *           {
           *             "vault_id": "vlt_harbor_lend_usdc",
           *             "action": "deposit",
           *             "apy": 0.0523,
           *             "expected_apy": 0.0507,
           *             "risk_adjusted_apy": 0.0493,
           *             "expected_risk_adjusted_apy": 0.0482,
           *             "rate": 0.0481,
           *             "delta": null,
           *             "gates": [
           *               {
           *                 "gate": "fresh",
           *                 "value": 0,
           *                 "threshold": 24,
           *                 "passed": true,
           *                 "rules": []
           *               }
           *             ],
           *             "chosen": true
           *           }
           *         ],
           *         "expected_uplift": {
           *           "apy_delta": 0,
           *           "horizon_days": 20,
           *           "amount": 0,
           *           "cost": 0,
           *           "npv": 0
           *         },
           *         "exposure": {
           *           "before": {
           *             "vaults": {
           *               "vlt_harbor_lend_usdc": 1
           *             },
           *             "tiers": {
           *               "low": 1
           *             },
           *             "venues": {
           *               "Harbor Lend": 1
           *             }
           *           },
           *           "after": {
           *             "vaults": {
           *               "vlt_harbor_lend_usdc": 1
           *             },
           *             "tiers": {
           *               "low": 1
           *             },
           *             "venues": {
           *               "Harbor Lend": 1
           *             }
           *           },
           *           "limits": {
           *             "vaults": {
           *               "vlt_harbor_lend_usdc": 1
           *             },
           *             "tiers": {
           *               "low": 1
           *             },
           *             "venues": {
           *               "Harbor Lend": 1
           *             }
           *           }
           *         },
           *         "rationale": "Deposited 1000 USDC into vlt_harbor_lend_usdc: its expected risk-adjusted APY of 4.82 % is the best of 1 vaults that is within its limits, 0.00 pp over the lending vault.",
           *         "at": "2026-01-31T12:00:00.000Z",
           *         "object": "decision_preview"
           *       }
           *     }
           */
          'application/json':
            | {
                /**
                 * @description Kind of `data`.
                 * @enum {string}
                 */
                object: 'decision_preview';
                data: components['schemas']['DecisionPreview'];
              }
            | {
                /**
                 * @description Kind of `data`.
                 * @enum {string}
                 */
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
          /**
           * @example {
           *       "object": "position",
           *       "data": {
           *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "position",
           *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "asset": "USDC",
           *         "deposit_id": null,
           *         "vault_id": "vlt_meridian_usdc",
           *         "origin_vault_id": "vlt_harbor_lend_usdc",
           *         "status": "active",
           *         "principal": 250,
           *         "value": 250.412345,
           *         "yield": 0.412345,
           *         "costs": 0.000517,
           *         "apy": 0.0523,
           *         "opened_at": "2026-01-31T12:00:00.000Z",
           *         "active_at": "2026-01-31T12:00:00.000Z",
           *         "closed_at": null
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
      /** @description The position as it is now, and the `amount` that was paid out. */
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
           *       "object": "position",
           *       "data": {
           *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "position",
           *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "asset": "USDC",
           *         "deposit_id": null,
           *         "vault_id": "vlt_meridian_usdc",
           *         "origin_vault_id": "vlt_harbor_lend_usdc",
           *         "status": "active",
           *         "principal": 250,
           *         "value": 250.412345,
           *         "yield": 0.412345,
           *         "costs": 0.000517,
           *         "apy": 0.0523,
           *         "opened_at": "2026-01-31T12:00:00.000Z",
           *         "active_at": "2026-01-31T12:00:00.000Z",
           *         "closed_at": null,
           *         "amount": 100
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `position_closed`: The position is closed: all of it was withdrawn.
       *     - `insufficient_balance`: The position is worth less than was asked for.
       *     - `advance_in_progress`: The account's time is being moved by another request.
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
        'application/json': components['schemas']['CreateSessionInputDto'];
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
          /**
           * @example {
           *       "object": "session",
           *       "data": {
           *         "id": "ses_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "session",
           *         "scopes": [
           *           "partner:read",
           *           "read"
           *         ],
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "environment": "sandbox",
           *         "expires_at": "2026-01-31T12:00:00.000Z",
           *         "label": "Reporting, production",
           *         "secret": "vl_sandbox_9NotARealKeyNotARealKeyNotARealKey0000"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'session';
            data: components['schemas']['CreatedSessionOutputDto'];
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
      /** @description Who calls. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "session",
           *       "data": {
           *         "id": "ses_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "session",
           *         "scopes": [
           *           "partner:read",
           *           "read"
           *         ],
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "environment": "sandbox",
           *         "expires_at": "2026-01-31T12:00:00.000Z",
           *         "label": "Reporting, production"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
          /**
           * @example {
           *       "object": "session",
           *       "data": {
           *         "id": "ses_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "session",
           *         "ended": true
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'session';
            data: components['schemas']['EndedSession'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
          /**
           * @example {
           *       "object": "simulation_clock",
           *       "data": {
           *         "object": "simulation_clock",
           *         "now": "2026-01-31T12:00:00.000Z",
           *         "wall_time": "2026-01-31T12:00:00.000Z",
           *         "hours_ahead": 24,
           *         "hour": "2026-01-31T12:00:00.000Z",
           *         "seed": "release-42",
           *         "scenario": "rising",
           *         "scenario_from": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
      /** @description What happened. */
      200: {
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
           *       "object": "simulation_advance",
           *       "data": {
           *         "object": "simulation_advance",
           *         "from": "2026-01-31T12:00:00.000Z",
           *         "to": "2026-01-31T12:00:00.000Z",
           *         "hours": 24,
           *         "rebalances": 2,
           *         "accruals": 4,
           *         "events": 3
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `advance_in_progress`: The account's time is being moved by another request.
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
  simulateEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "event",
           *       "data": {
           *         "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "event",
           *         "type": "position.rebalanced",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "data": {
           *           "asset": "USDC",
           *           "threshold": 0.05
           *         }
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'event';
            data: components['schemas']['SimulatedEventRecord'];
          };
        };
      };
      400: components['responses']['ValidationFailedOrMalformedJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "simulation_clock",
           *       "data": {
           *         "object": "simulation_clock",
           *         "now": "2026-01-31T12:00:00.000Z",
           *         "wall_time": "2026-01-31T12:00:00.000Z",
           *         "hours_ahead": 24,
           *         "hour": "2026-01-31T12:00:00.000Z",
           *         "seed": "release-42",
           *         "scenario": "rising",
           *         "scenario_from": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `advance_in_progress`: The account's time is being moved by another request.
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
  resetSimulation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "simulation_clock",
           *       "data": {
           *         "object": "simulation_clock",
           *         "now": "2026-01-31T12:00:00.000Z",
           *         "wall_time": "2026-01-31T12:00:00.000Z",
           *         "hours_ahead": 24,
           *         "hour": "2026-01-31T12:00:00.000Z",
           *         "seed": "release-42",
           *         "scenario": "rising",
           *         "scenario_from": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `advance_in_progress`: The account's time is being moved by another request.
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
      /** @description The vault as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "vault",
           *       "data": {
           *         "id": "vlt_harbor_lend_usdc",
           *         "object": "vault",
           *         "name": "Harbor Lend USDC",
           *         "venue": "Harbor Lend",
           *         "chain": "ethereum",
           *         "address": "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
           *         "asset": "USDC",
           *         "risk_tier": "low",
           *         "source": "simulated",
           *         "active": true,
           *         "lending_baseline": true,
           *         "capacity": 25000000,
           *         "apy": 0.0523,
           *         "apy_7d": 0.0511,
           *         "tvl": 812345678.12,
           *         "assets": 812345678.12,
           *         "liquidity": 152003211.4,
           *         "observed_at": "2026-01-31T12:00:00.000Z",
           *         "stale": false,
           *         "quarantined_until": "2026-01-31T12:00:00.000Z",
           *         "quarantine_reason": null
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'vault';
            data: components['schemas']['Vault'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScopeOrPartnerKeyRequired'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      406: components['responses']['NotAcceptable'];
      408: components['responses']['RequestTimeout'];
      /** @description - `advance_in_progress`: The account's time is being moved by another request. */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "user",
           *       "data": {
           *         "id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "user",
           *         "external_id": "acme:user-1042",
           *         "label": "User 1042",
           *         "email": "user@acme.example",
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "wallets": [
           *           "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
           *         ],
           *         "status": "active",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `external_id_taken`: A user with this `external_id` exists where it must be unique; see the field.
       *     - `wallet_taken`: A wallet belongs to another user of this partner.
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
          /**
           * @example {
           *       "object": "user",
           *       "data": {
           *         "id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "deleted": true
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'application/json': components['schemas']['UpdateUserInputDto'];
      };
    };
    responses: {
      /** @description The user as it is now. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "user",
           *       "data": {
           *         "id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "user",
           *         "external_id": "acme:user-1042",
           *         "label": "User 1042",
           *         "email": "user@acme.example",
           *         "metadata": {
           *           "tier": "gold"
           *         },
           *         "wallets": [
           *           "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
           *         ],
           *         "status": "active",
           *         "created_at": "2026-01-31T12:00:00.000Z",
           *         "updated_at": "2026-01-31T12:00:00.000Z"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /** @description - `wallet_taken`: A wallet belongs to another user of this partner. */
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
        /** @description Rows a page: a whole number from 1 to 500. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: string;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only entries dated at this moment or later. A date stands for its beginning. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description Only entries dated before this moment. A date stands for its end. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description Only entries of this type. */
        type?: 'deposit' | 'withdrawal' | 'rebalance' | 'yield_accrual';
        /** @description Only entries of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only entries of this position. */
        position_id?: string;
        /** @description Only entries booked after this one, oldest first. */
        after?: string;
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "ledger_entry",
           *           "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
           *           "position_id": "pos_01kaabcdefghjkmnpqrstvwxyz",
           *           "asset": "USDC",
           *           "type": "deposit",
           *           "amount": 250,
           *           "cost": 0,
           *           "apy": 0.0523,
           *           "vault_id": "vlt_harbor_lend_usdc",
           *           "note": "Deposited 250 USDC into vlt_harbor_lend_usdc.",
           *           "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "recorded_at": "2026-01-31T12:00:00.000Z",
           *           "fee": 0.0412,
           *           "partner_revenue": 0.0164,
           *           "carried_loss": 0,
           *           "tx_hash": "0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *           "chain": null,
           *           "explorer_url": null,
           *           "amount_exact": "9000000000.000001"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  listVaults: {
    parameters: {
      query?: {
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "vlt_harbor_lend_usdc",
           *           "object": "vault",
           *           "name": "Harbor Lend USDC",
           *           "venue": "Harbor Lend",
           *           "chain": "ethereum",
           *           "address": "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
           *           "asset": "USDC",
           *           "risk_tier": "low",
           *           "source": "simulated",
           *           "active": true,
           *           "lending_baseline": true,
           *           "capacity": 25000000,
           *           "apy": 0.0523,
           *           "apy_7d": 0.0511,
           *           "tvl": 812345678.12,
           *           "assets": 812345678.12,
           *           "liquidity": 152003211.4,
           *           "observed_at": "2026-01-31T12:00:00.000Z",
           *           "stale": false,
           *           "quarantined_until": "2026-01-31T12:00:00.000Z",
           *           "quarantine_reason": null
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description The first moment that is asked for. Default: so that there are 30 days up to `to`. An answer has at most 2000 points: without `to` it ends where they do, and `meta.next_from` is the `from` to go on with. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description The last moment that is asked for. Default: now. A span of more than 2000 points is refused. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point an hour. `day`: a point a UTC day, over those of its hours that are asked for. */
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
          /**
           * @example {
           *       "object": "vault_history",
           *       "data": {
           *         "vault_id": "vlt_harbor_lend_usdc",
           *         "interval": "hour",
           *         "points": [
           *           {
           *             "at": "2026-01-31T12:00:00.000Z",
           *             "apy": 0.0523,
           *             "expected_risk_adjusted_apy": 0.0441,
           *             "tvl": 812345678.12,
           *             "assets": 812345678.12,
           *             "liquidity": 152003211.4,
           *             "index": 1.004321987654
           *           }
           *         ]
           *       },
           *       "meta": {
           *         "has_more": false
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
            object: 'vault_history';
            data: components['schemas']['VaultHistory'];
            meta: components['schemas']['SpanMeta'];
          };
        };
      };
      400: components['responses']['ValidationFailed'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['InsufficientScope'];
      /** @description - `not_found`: No such record, or not one of this partner. */
      404: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "webhook",
           *           "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "url": "https://hooks.acme.example/vaultline",
           *           "events": [
           *             "position.opened",
           *             "system.status"
           *           ],
           *           "description": "Ledger service",
           *           "secret": "whsec_****cGxl",
           *           "previous_secret_expires_at": null,
           *           "active": true,
           *           "last_success_at": "2026-01-31T12:00:00.000Z",
           *           "failing_since": null,
           *           "consecutive_failures": 0,
           *           "created_at": "2026-01-31T12:00:00.000Z"
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
      /**
       * @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed.
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `webhook_limit_reached`: The partner has as many webhooks as it may.
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
      /**
       * @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request.
       *     - `webhook_url_forbidden`: The URL leads where no webhook may be sent.
       */
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
  checkWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 printable ASCII characters; a random UUID is a good one. */
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
        'application/json': components['schemas']['CheckWebhookInputDto'];
      };
    };
    responses: {
      /** @description What became of each step. */
      200: {
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
           *       "object": "webhook_check",
           *       "data": {
           *         "object": "webhook_check",
           *         "url": "https://hooks.acme.example/vaultline",
           *         "passed": true,
           *         "steps": [
           *           {
           *             "step": "connect",
           *             "passed": true,
           *             "message": "A connection was opened."
           *           }
           *         ],
           *         "response_status": 200,
           *         "latency_ms": 84,
           *         "secret": "whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=",
           *         "signature": "t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *         "payload": null
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        /** @description Rows a page. A page also ends at about 1 MB, with one row at least: go on with `meta.next_cursor` while `meta.has_more` is true. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only deliveries of this endpoint, also when it is deleted since. */
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
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "del_01kaabcdefghjkmnpqrstvwxyz",
           *           "object": "delivery",
           *           "webhook_id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *           "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *           "url": "https://hooks.acme.example/vaultline",
           *           "event": "system.status",
           *           "payload": {
           *             "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *             "type": "system.status",
           *             "created_at": "2026-01-31T12:00:00.000Z",
           *             "data": {
           *               "message": "Test event from Vaultline.",
           *               "requested_at": "2026-01-31T12:00:00.000Z"
           *             }
           *           },
           *           "signature": "t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *           "status": "delivered",
           *           "attempts": 1,
           *           "response_status": 200,
           *           "failure": null,
           *           "at": "2026-01-31T12:00:00.000Z",
           *           "latency_ms": 84
           *         }
           *       ],
           *       "meta": {
           *         "has_more": true,
           *         "next_cursor": "AQAAAZwzqJQAa2V5XzAxa2FhYmNkZWZnaGprbW5wcXJzdHZ3eHl6"
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
          /**
           * @example {
           *       "object": "webhook",
           *       "data": {
           *         "id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "deleted": true
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
        'application/json': components['schemas']['RotateSecretInputDto'];
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
           *         "secret": "whsec_****cGxl",
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
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
       *     - `quota_exceeded`: The partner has as much stored as it may; the message says which bound it is, and what makes room.
       *     - `rotation_in_progress`: A secret is being replaced already; the message says until when.
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
        'Idempotency-Key'?: components['parameters']['IdempotencyKey'];
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
          /**
           * @example {
           *       "object": "delivery",
           *       "data": {
           *         "id": "del_01kaabcdefghjkmnpqrstvwxyz",
           *         "object": "delivery",
           *         "webhook_id": "wh_01kaabcdefghjkmnpqrstvwxyz",
           *         "partner_id": "ptn_01kaabcdefghjkmnpqrstvwxyz",
           *         "url": "https://hooks.acme.example/vaultline",
           *         "event": "system.status",
           *         "payload": {
           *           "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
           *           "type": "system.status",
           *           "created_at": "2026-01-31T12:00:00.000Z",
           *           "data": {
           *             "message": "Test event from Vaultline.",
           *             "requested_at": "2026-01-31T12:00:00.000Z"
           *           }
           *         },
           *         "signature": "t=1769860800,v1=5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
           *         "status": "delivered",
           *         "attempts": 1,
           *         "response_status": 200,
           *         "failure": null,
           *         "at": "2026-01-31T12:00:00.000Z",
           *         "latency_ms": 84
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
  readYieldHistory: {
    parameters: {
      query?: {
        /** @description The first moment that is asked for. Default: so that there are 30 days up to `to`. An answer has at most 2000 points: without `to` it ends where they do, and `meta.next_from` is the `from` to go on with. ISO 8601, with any offset from UTC. A date is the beginning of that UTC day. */
        from?: string;
        /** @description The last moment that is asked for. Default: now. A span of more than 2000 points is refused. ISO 8601, with any offset from UTC. A date is the end of that UTC day. */
        to?: string;
        /** @description `hour`: a point an hour. `day`: a point a UTC day, over those of its hours that are asked for. */
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
      /** @description The series and what it comes to. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          'RateLimit-Policy': components['headers']['RateLimit-Policy'];
          RateLimit: components['headers']['RateLimit'];
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "yield_history",
           *       "data": {
           *         "asset": "USDC",
           *         "interval": "hour",
           *         "points": [
           *           {
           *             "at": "2026-01-31T12:00:00.000Z",
           *             "apy": 0.0523,
           *             "tvl": 812345678.12,
           *             "vaults": 4
           *           }
           *         ],
           *         "apy": 0.0523,
           *         "average_apy": 0.0518
           *       },
           *       "meta": {
           *         "has_more": false
           *       }
           *     }
           */
          'application/json': {
            /**
             * @description Kind of `data`.
             * @enum {string}
             */
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "position.opened",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
         *         "object": "position",
         *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *         "asset": "USDC",
         *         "deposit_id": null,
         *         "vault_id": "vlt_meridian_usdc",
         *         "origin_vault_id": "vlt_harbor_lend_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "costs": 0.000517,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "active_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz"
         *       }
         *     }
         */
        'application/json': components['schemas']['PositionOpenedEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "position.active",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
         *         "object": "position",
         *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *         "asset": "USDC",
         *         "deposit_id": null,
         *         "vault_id": "vlt_meridian_usdc",
         *         "origin_vault_id": "vlt_harbor_lend_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "costs": 0.000517,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "active_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz"
         *       }
         *     }
         */
        'application/json': components['schemas']['PositionActiveEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "position.rebalanced",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
         *         "object": "position",
         *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *         "asset": "USDC",
         *         "deposit_id": null,
         *         "vault_id": "vlt_meridian_usdc",
         *         "origin_vault_id": "vlt_harbor_lend_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "costs": 0.000517,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "active_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
         *         "amount": 249.95,
         *         "cost": 0.05
         *       }
         *     }
         */
        'application/json': components['schemas']['PositionRebalancedEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "position.withdrawn",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
         *         "object": "position",
         *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *         "asset": "USDC",
         *         "deposit_id": null,
         *         "vault_id": "vlt_meridian_usdc",
         *         "origin_vault_id": "vlt_harbor_lend_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "costs": 0.000517,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "active_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz",
         *         "amount": 100
         *       }
         *     }
         */
        'application/json': components['schemas']['PositionWithdrawnEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "position.closed",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "id": "pos_01kaabcdefghjkmnpqrstvwxyz",
         *         "object": "position",
         *         "user_id": "usr_01kaabcdefghjkmnpqrstvwxyz",
         *         "asset": "USDC",
         *         "deposit_id": null,
         *         "vault_id": "vlt_meridian_usdc",
         *         "origin_vault_id": "vlt_harbor_lend_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "costs": 0.000517,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "active_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz"
         *       }
         *     }
         */
        'application/json': components['schemas']['PositionClosedEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "yield.threshold",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "asset": "USDC",
         *         "threshold": 0.05,
         *         "direction": "above",
         *         "apy": 0.0512,
         *         "previous_apy": 0.0497,
         *         "at": "2026-01-31T12:00:00.000Z"
         *       }
         *     }
         */
        'application/json': components['schemas']['YieldThresholdEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
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
        'Webhook-Signature': components['parameters']['WebhookSignature'];
        /**
         * @description Id of the event, as in the body.
         * @example evt_01kaabcdefghjkmnpqrstvwxyz
         */
        'Webhook-Id': components['parameters']['WebhookId'];
      };
      path?: never;
      cookie?: never;
    };
    /** @description The event, as it was signed. */
    requestBody: {
      content: {
        /**
         * @example {
         *       "id": "evt_01kaabcdefghjkmnpqrstvwxyz",
         *       "type": "system.status",
         *       "created_at": "2026-01-31T12:00:00.000Z",
         *       "data": {
         *         "message": "Test event from Vaultline.",
         *         "requested_at": "2026-01-31T12:00:00.000Z",
         *         "alert": {
         *           "kind": "vault_evicted",
         *           "state": "begun",
         *           "since": "2026-01-31T12:00:00.000Z",
         *           "until": null,
         *           "vault_id": "vlt_harbor_lend_usdc",
         *           "settlement_id": null,
         *           "move_id": null,
         *           "what_to_do": "The operator looks at its feed and the log."
         *         }
         *       }
         *     }
         */
        'application/json': components['schemas']['SystemStatusEvent'];
      };
    };
    responses: {
      /** @description Received: the delivery is recorded as `delivered`. The body is not kept. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Anything else, redirects included, is recorded as `failed`. It is not sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
