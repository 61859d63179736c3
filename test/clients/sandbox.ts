// Generated from the OpenAPI document of this contract by `npm run openapi`. Do not edit.

export interface paths {
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
     *     **Scope:** `keys:admin`.
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
     * @description Creates a partner, and a key bound to it. The answer is the only one that shows the full `secret` of that key.
     *
     *     **Scope:** `partner:admin`.
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
  '/positions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List positions
     * @description Positions with what each is worth now, newest first. A key that is bound to a partner lists that partner's; another one lists all. An unknown `user_id` has none.
     *
     *     **Scope:** `read` or `write` or `partner:read`.
     */
    get: operations['listPositions'];
    put?: never;
    post?: never;
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
     *     **Scope:** `read` or `write` or `partner:read`.
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
     * @description Creates an end-user attributed to your partner. Never an upsert: an `external_id` that exists, with you or with any other partner, is a 409.
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
  '/users/{id}/ledger': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an end-user's ledger
     * @description Deposits, withdrawals, rebalances and accruals of yield over all positions of one of your end-users, newest first. Entries never change. Yield is posted before each movement, and at the end of each UTC day.
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
     *     **Scope:** `read` or `write` or `partner:read`.
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
     * @description Registers a receiver. The answer is the only one that shows the full signing `secret`: store it. Each event is sent once, signed in the header `Webhook-Signature: t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 over `<t>.<raw body>` keyed with the whole secret string. Receivers should allow 300 seconds between `t` and their clock. Redirects are not followed.
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
     * @description A position was moved to another vault, which `vault_id` names now. `decision_id` names the decision behind it.
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
     * @description Tells about the service itself. A test send is one of these, to one endpoint; an announcement goes to every endpoint that subscribed.
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
       * @description Minute of the last use, written with a delay of seconds; null until first used. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      last_used_at: string | null;
      /**
       * @description True once the key is revoked; it is refused from then on.
       * @example false
       */
      revoked: boolean;
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
        [key: string]: string;
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
       * @description Your own notes: flat texts.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string;
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
       * @description The partner's share of the performance fee, in basis points.
       * @default 4000
       * @example 4000
       */
      revenue_share_bps?: number;
      /**
       * @description Your own notes: flat texts.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description Label of the partner's first key.
       * @example Acme, default key
       */
      key_label?: string;
    };
    CreateUserInputDto: {
      /**
       * @description Your own identifier of the end-user. Unique over all partners: put a name of yours before it.
       * @example acme:user-1042
       */
      external_id: string;
      /**
       * @description What people call the end-user. Default: the external id.
       * @example User 1042
       */
      label?: string;
      /**
       * @description Wallet addresses, stored with their EIP-55 checksum. Mixed case must carry a valid one. A wallet belongs to one user.
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
       * @description Your own notes: flat texts.
       * @default {}
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string;
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
       * @description Value of the `Webhook-Signature` header.
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
       * @description Why it failed; null otherwise. `interrupted`: the server stopped in between, so the event may or may not have arrived.
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
        | null;
      /**
       * Format: date-time
       * @description When it was dispatched. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
      /**
       * @description Milliseconds from dispatch to the outcome; null while pending and when interrupted.
       * @example 84
       */
      latency_ms: number | null;
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
          | 'bad_request'
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
          | 'no_vault_available'
          | 'insufficient_balance'
          | 'position_closed'
          | 'settlement_already_recorded'
          | 'webhook_limit_reached'
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
        [key: string]: string;
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
       * @description Vault that it is in; of a closed one, that it was in last.
       * @example vlt_maple_syrup_usdc
       */
      vault_id: string;
      /**
       * @description Vault that it began in.
       * @example vlt_aave_v3_usdc
       */
      origin_vault_id: string;
      /**
       * @description `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth, in whole asset units: `principal` and `yield`.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed.
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
       * @description When the last of it was withdrawn; null before that. UTC, ISO 8601 with milliseconds.
       * @example null
       */
      closed_at: string | null;
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
       * @description Vault that it is in; of a closed one, that it was in last.
       * @example vlt_maple_syrup_usdc
       */
      vault_id: string;
      /**
       * @description Vault that it began in.
       * @example vlt_aave_v3_usdc
       */
      origin_vault_id: string;
      /**
       * @description `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth, in whole asset units: `principal` and `yield`.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed.
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
      data: components['schemas']['PositionChange'];
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
       * @description Vault that it is in; of a closed one, that it was in last.
       * @example vlt_maple_syrup_usdc
       */
      vault_id: string;
      /**
       * @description Vault that it began in.
       * @example vlt_aave_v3_usdc
       */
      origin_vault_id: string;
      /**
       * @description `closed` once all of it was withdrawn.
       * @example active
       * @enum {string}
       */
      status: 'active' | 'closed';
      /**
       * @description Deposited less withdrawn, in whole asset units; below 0 once more was withdrawn than was deposited.
       * @example 250
       */
      principal: number;
      /**
       * @description What it is worth, in whole asset units: `principal` and `yield`.
       * @example 250.412345
       */
      value: number;
      /**
       * @description What it earned so far, in whole asset units; below 0 where it lost.
       * @example 0.412345
       */
      yield: number;
      /**
       * @description Last observed yield a year of its vault, as a fraction: 0.0523 is 5.23 %. null where that is not known or more than 24 hours old, and once the position is closed.
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
    SystemStatus: {
      /**
       * @description What there is to say of the service.
       * @example Test event from Vaultline.
       */
      message: string;
      /**
       * Format: date-time
       * @description When it was asked for. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      requested_at: string;
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
       * @description The threshold, as a fraction: 0.05 is 5 %.
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
       * @description Blended yield a year over the vaults of the asset now, as a fraction.
       * @example 0.0512
       */
      apy: number;
      /**
       * @description The same when it was last known before, as a fraction.
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
       * @description Your own notes: flat texts. Replaces what was there.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string;
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
       * @description The partner's share of the performance fee, in basis points.
       * @example 4000
       */
      revenue_share_bps?: number;
      /**
       * @description Your own notes: flat texts. Replaces what was there.
       * @example {
       *       "tier": "gold"
       *     }
       */
      metadata?: {
        [key: string]: string;
      };
      /**
       * @description `disabled` revokes all keys of the partner and stops its deliveries; `active` restores no key.
       * @enum {string}
       */
      status?: 'active' | 'disabled';
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
       * @description How much, in whole asset units. Above 0, but for the accrual of a loss. Deposits and accruals less withdrawals are what the position was worth at its last entry.
       * @example 250
       */
      amount: number;
      /**
       * @description Yield a year of the vault at that hour, as a fraction: 0.0523 is 5.23 %.
       * @example 0.0523
       */
      apy: number;
      /**
       * @description Vault that the amount is in, or was withdrawn from; of a rebalance, that it went to.
       * @example vlt_aave_v3_usdc
       */
      vault_id: string;
      /**
       * @description The entry in a sentence, for people.
       * @example Deposited 250 USDC into vlt_aave_v3_usdc.
       */
      note: string;
      /**
       * Format: date-time
       * @description When it was posted. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      at: string;
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
       * @description The partner's own identifier; unique over all partners.
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
        [key: string]: string;
      };
      /**
       * @description Wallet addresses, checksummed (EIP-55), in the order given.
       * @example [
       *       "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
       *     ]
       */
      wallets: string[];
      /**
       * @description `active` on creation.
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
    Vault: {
      /**
       * @description Id of the vault: a readable slug.
       * @example vlt_aave_v3_usdc
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
       * @example Aave v3 USDC
       */
      name: string;
      /**
       * @description Protocol that runs it.
       * @example Aave v3
       */
      venue: string;
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
       * @description Last observed yield a year, as a fraction: 0.0523 is 5.23 %. null before the first observation, never 0.
       * @example 0.0523
       */
      apy: number | null;
      /**
       * @description Last observed value held by everybody, in whole asset units; null where unknown.
       * @example 812345678.12
       */
      tvl: number | null;
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
       * @description Signing secret: in full only in the answer that creates the endpoint, masked ever after.
       * @example whsec_****cGxl
       */
      secret: string;
      /**
       * @description Whether events are sent to it.
       * @example true
       */
      active: boolean;
      /**
       * Format: date-time
       * @description When the endpoint was created. UTC, ISO 8601 with milliseconds.
       * @example 2026-01-31T12:00:00.000Z
       */
      created_at: string;
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
    /**
     * @description - `missing_api_key`: No bearer credential was sent.
     *     - `invalid_api_key`: The key is unknown, revoked or mistyped.
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
    /** @description - `rate_limited`: The key sent too many requests; see `Retry-After`. */
    RateLimited: {
      headers: {
        'X-Request-Id': components['headers']['X-Request-Id'];
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ErrorEnvelope'];
      };
    };
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
    /** @description - `service_unavailable`: The service cannot answer right now; see `Retry-After`. */
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
  };
  parameters: {
    /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
    IdempotencyKey: string;
    /**
     * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
  listKeys: {
    parameters: {
      query?: {
        /** @description Rows a page. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
  createKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
         *       "environment": "sandbox"
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
      /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
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
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The key.
         * @example key_01kaabcdefghjkmnpqrstvwxyz
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
  listPartners: {
    parameters: {
      query?: {
        /** @description Rows a page. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
  createPartner: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
      /** @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed. */
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
      /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
  createCampaign: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
      /** @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed. */
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
      /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
        /** @description Rows a page. */
        limit?: number;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
        /** @description Only positions of this end-user. */
        user_id?: string;
        /** @description Only positions of this asset. */
        asset?: 'USDC' | 'USDT';
        /** @description Only positions of this status. */
        status?: 'active' | 'closed';
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
           *           "vault_id": "vlt_maple_syrup_usdc",
           *           "origin_vault_id": "vlt_aave_v3_usdc",
           *           "status": "active",
           *           "principal": 250,
           *           "value": 250.412345,
           *           "yield": 0.412345,
           *           "apy": 0.0523,
           *           "opened_at": "2026-01-31T12:00:00.000Z",
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
           *         "vault_id": "vlt_maple_syrup_usdc",
           *         "origin_vault_id": "vlt_aave_v3_usdc",
           *         "status": "active",
           *         "principal": 250,
           *         "value": 250.412345,
           *         "yield": 0.412345,
           *         "apy": 0.0523,
           *         "opened_at": "2026-01-31T12:00:00.000Z",
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
  createUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
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
       *     - `external_id_taken`: A user with this `external_id` exists, with this or another partner.
       *     - `wallet_taken`: A wallet belongs to another user.
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
      /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
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
  listUserLedger: {
    parameters: {
      query?: {
        /** @description Rows a page: a whole number from 1 to 500. */
        limit?: string;
        /** @description Where the page begins: `meta.next_cursor` of the page before, of the same list with the same filters. */
        cursor?: string;
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
           *           "apy": 0.0523,
           *           "vault_id": "vlt_aave_v3_usdc",
           *           "note": "Deposited 250 USDC into vlt_aave_v3_usdc.",
           *           "at": "2026-01-31T12:00:00.000Z"
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
  listVaults: {
    parameters: {
      query?: {
        /** @description Rows a page. */
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
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "object": "list",
           *       "data": [
           *         {
           *           "id": "vlt_aave_v3_usdc",
           *           "object": "vault",
           *           "name": "Aave v3 USDC",
           *           "venue": "Aave v3",
           *           "asset": "USDC",
           *           "risk_tier": "low",
           *           "active": true,
           *           "lending_baseline": true,
           *           "capacity": 25000000,
           *           "apy": 0.0523,
           *           "tvl": 812345678.12,
           *           "observed_at": "2026-01-31T12:00:00.000Z",
           *           "stale": false
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description - `insufficient_scope`: The key holds none of the scopes that admit the call. */
      403: {
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
        /** @description Rows a page. */
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
           *           "active": true,
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
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
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
           *         "active": true,
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
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
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Rows a page. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `invalid_cursor`: The cursor belongs to another list or other filters, or was changed.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
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
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
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
      /** @description The endpoint is gone. */
      200: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes a retry safe: for 24 hours, the same key with the same request is answered with the first answer, byte for byte. 1 to 255 visible ASCII characters; a random UUID is a good one. */
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
      /**
       * @description - `validation_failed`: A field is missing, unknown or not as described; `details` names each.
       *     - `malformed_json`: The body is not well-formed JSON.
       *     - `bad_request`: The path is not a valid URL.
       */
      400: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
      401: components['responses']['Unauthorized'];
      /**
       * @description - `insufficient_scope`: The key holds none of the scopes that admit the call.
       *     - `partner_key_required`: The key is not bound to a partner.
       */
      403: {
        headers: {
          'X-Request-Id': components['headers']['X-Request-Id'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErrorEnvelope'];
        };
      };
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
      /** @description - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still being processed. */
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
      /** @description - `idempotency_key_reused`: This `Idempotency-Key` was used with another request. */
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
  onPositionOpened: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "vault_id": "vlt_maple_syrup_usdc",
         *         "origin_vault_id": "vlt_aave_v3_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "vault_id": "vlt_maple_syrup_usdc",
         *         "origin_vault_id": "vlt_aave_v3_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "vault_id": "vlt_maple_syrup_usdc",
         *         "origin_vault_id": "vlt_aave_v3_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
         *         "closed_at": null,
         *         "decision_id": "dec_01kaabcdefghjkmnpqrstvwxyz"
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "vault_id": "vlt_maple_syrup_usdc",
         *         "origin_vault_id": "vlt_aave_v3_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "vault_id": "vlt_maple_syrup_usdc",
         *         "origin_vault_id": "vlt_aave_v3_usdc",
         *         "status": "active",
         *         "principal": 250,
         *         "value": 250.412345,
         *         "yield": 0.412345,
         *         "apy": 0.0523,
         *         "opened_at": "2026-01-31T12:00:00.000Z",
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         * @description `t`: when it was signed, in Unix seconds. `v1`: HMAC-SHA256 over `<t>.<raw body>` in lower-case hex, keyed with the endpoint's whole signing secret, `whsec_` included.
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
         *         "requested_at": "2026-01-31T12:00:00.000Z"
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
