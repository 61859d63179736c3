import { Client } from './client.js';
import type { components, paths } from './generated/sandbox.js';
import { Simulation } from './simulation.js';

/** The records of the sandbox contract by their names in its document: `SandboxSchemas['UserRecord']`. */
export type SandboxSchemas = components['schemas'];

/**
 * The simulated contract. `keys`, `partners` and `campaigns` take an administrator's key; the rest takes an account's own.
 */
export class VaultlineSandbox extends Client<paths> {
  /** API keys of the deployment. */
  readonly keys = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/keys'),
    list: this.calls.list('/keys'),
    /** At once, and for good. */
    revoke: this.calls.remove('/keys/{id}'),
    /** Another key in its place; the old one works for a day more, or for as long as is asked for. */
    rotate: this.calls.create('/keys/{id}/rotate'),
  };

  /** A key for some hours in place of the one that asks for it. */
  readonly sessions = {
    /** The answer is the only one that shows the full `secret`. */
    create: this.calls.create('/sessions'),
    current: this.calls.read('/sessions/current'),
    /** Signs out. */
    end: this.calls.remove('/sessions/current'),
  };

  /** How the service itself is; for administrators. */
  readonly deployment = { get: this.calls.read('/deployment') };

  readonly partners = {
    /** With its first key, whose full `secret` is in this answer alone. */
    create: this.calls.create('/partners'),
    list: this.calls.list('/partners'),
    get: this.calls.read('/partners/{id}'),
    /** Disabling revokes the partner's keys. */
    update: this.calls.change('/partners/{id}'),
    policy: this.calls.find('/partners/{id}/policy'),
    /** Bounds that the partner's own policy cannot loosen. */
    boundPolicy: this.calls.replace('/partners/{id}/policy'),
  };

  /** Of a partner, whose id is the first argument. */
  readonly campaigns = {
    create: this.calls.create('/partners/{id}/campaigns'),
    list: this.calls.list('/partners/{id}/campaigns'),
    update: this.calls.change('/partners/{id}/campaigns/{campaignId}'),
  };

  /** Your end-users. */
  readonly users = {
    create: this.calls.create('/users'),
    /** With what each of them holds. */
    list: this.calls.list('/partner/users'),
    update: this.calls.change('/users/{id}'),
    /** Only one without positions. */
    delete: this.calls.remove('/users/{id}'),
    /** Every entry of a user's ledger, newest first. */
    ledger: this.calls.list('/users/{id}/ledger'),
    positions: this.calls.list('/partner/user/{id}/positions'),
  };

  readonly positions = {
    /** A simulated deposit. */
    create: this.calls.create('/positions'),
    list: this.calls.list('/positions'),
    get: this.calls.read('/positions/{id}'),
    /** The decision that a deposit would get now; nothing is stored. */
    preview: this.calls.create('/positions/preview'),
    /** A simulated withdrawal; of all of it where no amount is given. */
    withdraw: this.calls.create('/positions/{id}/withdrawals'),
  };

  /** What came of your users' money. */
  readonly reports = {
    summary: this.calls.read('/partner/summary'),
    deposits: this.calls.read('/partner/deposits'),
    withdrawals: this.calls.read('/partner/withdrawals'),
    tvl: this.calls.read('/partner/tvl'),
    yield: this.calls.read('/partner/yield'),
    points: this.calls.read('/partner/points'),
    revenue: this.calls.read('/partner/revenue'),
  };

  /** What you ask of where your funds go. */
  readonly policy = {
    get: this.calls.find('/partner/policy'),
    /** Whole: what is left out is refused. */
    replace: this.calls.replace('/partner/policy'),
  };

  readonly vaults = {
    list: this.calls.list('/vaults'),
    /** What it yielded, by the hour or the day. */
    history: this.calls.find('/vaults/{id}/history'),
  };

  readonly analytics = {
    /** The blended yield of an asset, by the hour or the day. */
    yieldHistory: this.calls.find('/yield/history/{asset}'),
    signals: this.calls.list('/analytics/signals'),
    regime: this.calls.find('/analytics/regime'),
    /** What routing brought over two passive baselines. */
    uplift: this.calls.find('/analytics/uplift'),
    /** Why money went where it is. */
    decisions: this.calls.list('/analytics/decisions'),
    /** What the reports said as each day ended. */
    closings: this.calls.find('/partner/history'),
    /** The same in sentences made from templates. */
    advice: this.calls.read('/analytics/advisor'),
  };

  /** Receivers of what the deployment tells its administrators. */
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
    delete: this.calls.remove('/webhooks/{id}'),
    /** Sends a `system.status` and answers with how it went. */
    test: this.calls.act('/webhooks/{id}/test'),
    /** Tries a receiver step by step, and stores nothing. */
    check: this.calls.create('/webhooks/check'),
    /** Another signing secret; both sign for a day, or for as long as is asked for. */
    rotateSecret: this.calls.create('/webhooks/{id}/secret/rotate'),
    /** What happened, oldest first; with `undelivered_to` what a receiver missed. */
    events: this.calls.list('/events'),
    /** What was sent, newest first. */
    deliveries: this.calls.list('/webhooks/events'),
  };

  /** The account's clock and market. */
  readonly simulation = new Simulation(this.calls);
}
