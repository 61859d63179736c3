import { Client } from './client.js';
import type { components, paths } from './generated/partner.js';

/** The records of the partner contract by their names in its document: `PartnerSchemas['UserRecord']`. */
export type PartnerSchemas = components['schemas'];

/**
 * The live contract. `keys`, `partners` and `campaigns` take an administrator's key; the rest takes a partner's own.
 */
export class VaultlinePartner extends Client<paths> {
  /** API keys of the deployment. */
  readonly keys = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/keys'),
    list: this.calls.list('/keys'),
    /** Revokes a key at once and for good. */
    revoke: this.calls.remove('/keys/{id}'),
    /** Creates a key to replace this one, which ends a day later or as requested. */
    rotate: this.calls.create('/keys/{id}/rotate'),
  };

  /** A short-lived key derived from the calling one. */
  readonly sessions = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/sessions'),
    current: this.calls.read('/sessions/current'),
    /** Signs out. */
    end: this.calls.remove('/sessions/current'),
  };

  /** The state of the service, for administrators. */
  readonly deployment = { get: this.calls.read('/deployment') };

  readonly partners = {
    /** Creates a partner with its first key, whose full `secret` only this answer shows. */
    create: this.calls.create('/partners'),
    list: this.calls.list('/partners'),
    get: this.calls.read('/partners/{id}'),
    /** Disabling revokes the partner's keys. */
    update: this.calls.change('/partners/{id}'),
    policy: this.calls.find('/partners/{id}/policy'),
    /** Bounds that the partner's own policy cannot loosen. */
    boundPolicy: this.calls.replace('/partners/{id}/policy'),
  };

  /** Campaigns of a partner, whose id is the first argument. */
  readonly campaigns = {
    create: this.calls.create('/partners/{id}/campaigns'),
    list: this.calls.list('/partners/{id}/campaigns'),
    update: this.calls.change('/partners/{id}/campaigns/{campaignId}'),
  };

  /** Your end-users. */
  readonly users = {
    create: this.calls.create('/users'),
    /** Lists users with their holdings. */
    list: this.calls.list('/partner/users'),
    update: this.calls.change('/users/{id}'),
    /** Deletes a user that has no positions. */
    delete: this.calls.remove('/users/{id}'),
    /** Every entry of a user's ledger, newest first. */
    ledger: this.calls.list('/users/{id}/ledger'),
    positions: this.calls.list('/partner/user/{id}/positions'),
  };

  readonly positions = {
    /** Reports a deposit that was settled on chain, with a key of the scope `write`. */
    create: this.calls.create('/positions'),
    list: this.calls.list('/positions'),
    get: this.calls.read('/positions/{id}'),
    /** The decision that a deposit would get now; nothing is stored. */
    preview: this.calls.create('/positions/preview'),
    /** Reports a withdrawal that was settled on chain, with a key of the scope `write`. */
    withdraw: this.calls.create('/positions/{id}/withdrawals'),
    /** Reports that a received deposit is in its vault. */
    allocate: this.calls.create('/positions/{id}/allocated'),
  };

  /** Moves to be carried out on chains, and reports on them; for keys with the scope `write`. Administrators `review` gains. */
  readonly moves = {
    list: this.calls.list('/moves'),
    get: this.calls.read('/moves/{id}'),
    take: this.calls.act('/moves/{id}/taken'),
    redeemed: this.calls.create('/moves/{id}/redeemed'),
    settled: this.calls.create('/moves/{id}/settled'),
    failed: this.calls.create('/moves/{id}/failed'),
    review: this.calls.create('/moves/{id}/review'),
  };

  /** Reported transfers compared with their chains; for keys with the scope `write`. */
  readonly settlements = {
    list: this.calls.list('/settlements'),
    resolve: this.calls.create('/settlements/{id}/resolve'),
  };

  /** Reports on your users' funds. */
  readonly reports = {
    summary: this.calls.read('/partner/summary'),
    deposits: this.calls.read('/partner/deposits'),
    withdrawals: this.calls.read('/partner/withdrawals'),
    tvl: this.calls.read('/partner/tvl'),
    yield: this.calls.read('/partner/yield'),
    points: this.calls.read('/partner/points'),
    revenue: this.calls.read('/partner/revenue'),
  };

  /** Your rules for where your funds go. */
  readonly policy = {
    get: this.calls.find('/partner/policy'),
    /** Replaces the whole policy: a body with a missing rule is refused. */
    replace: this.calls.replace('/partner/policy'),
  };

  readonly vaults = {
    list: this.calls.list('/vaults'),
    /** The yield of a vault, by the hour or the day. */
    history: this.calls.find('/vaults/{id}/history'),
  };

  readonly analytics = {
    /** The blended yield of an asset, by the hour or the day. */
    yieldHistory: this.calls.find('/yield/history/{asset}'),
    signals: this.calls.list('/analytics/signals'),
    regime: this.calls.find('/analytics/regime'),
    /** The uplift of routing over a passive baseline. */
    uplift: this.calls.find('/analytics/uplift'),
    /** Decisions, with the reasons why funds went where they are. */
    decisions: this.calls.list('/analytics/decisions'),
    /** The reports at the end of each day. */
    closings: this.calls.find('/partner/history'),
  };

  /** Receivers of alerts to the deployment's administrators. */
  readonly alerts = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/alerts/webhooks'),
    list: this.calls.list('/alerts/webhooks'),
    delete: this.calls.remove('/alerts/webhooks/{id}'),
    test: this.calls.act('/alerts/webhooks/{id}/test'),
    events: this.calls.list('/alerts/events'),
  };

  readonly webhooks = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/webhooks'),
    list: this.calls.list('/webhooks'),
    update: this.calls.change('/webhooks/{id}'),
    delete: this.calls.remove('/webhooks/{id}'),
    /** Sends a `system.status` event and returns the delivery's outcome. */
    test: this.calls.act('/webhooks/{id}/test'),
    /** Tries a receiver step by step, and stores nothing. */
    check: this.calls.create('/webhooks/check'),
    /** Creates a new signing secret; the former one also signs for a day, or as requested. */
    rotateSecret: this.calls.create('/webhooks/{id}/secret/rotate'),
    /** Events, oldest first; with `undelivered_to` those that a receiver missed. */
    events: this.calls.list('/events'),
    /** The types of events. */
    eventTypes: this.calls.read('/webhooks/events'),
    /** Deliveries, newest first. */
    deliveries: this.calls.list('/webhooks/deliveries'),
  };
}
