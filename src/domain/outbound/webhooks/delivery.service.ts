import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { notFound } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/identifier.js';
import { Batches } from '../../kernel/store/batches.js';
import { rowsText } from '../../kernel/store/column.js';
import { type Page, type PageRequest, toPage } from '../../kernel/store/page.js';
import { type SpanAttributes, Trace } from '../../kernel/trace.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { type Delivery, type DeliveryStatus, SEND_RESULTS, type SendResult } from './delivery.js';
import * as queries from './delivery.queries.js';
import { EndpointService, type SealedSecrets } from './endpoint.service.js';
import { EventService } from './event.service.js';
import type { EventType } from './event-type.js';
import { hostBounds, type QueuedDelivery } from './backlog.js';
import { Batcher } from './batcher.js';
import { UrlGuard } from '../egress/url-guard.js';
import { eventRequest, type SendOutcome, WebhookSender } from './sender.js';
import { SendSlots } from './send-slots.js';
import { sign } from './signature.js';

export interface DeliveryFilter {
  webhookId?: string;
  status?: DeliveryStatus;
  event?: EventType;
}

type ClaimedSend = Pick<QueuedDelivery, 'id' | 'url' | 'eventId' | 'body'> & {
  partnerId: string;
  signature: string;
};

/** Interval and total time of retries when the database does not accept an outcome; the total is shorter than the shutdown deadline. */
const RECORD_RETRY_MS = 1_000;
const RECORD_PATIENCE_MS = 20_000;
const RECORDS_AT_ONCE = 200;
const ABANDONED_AT_ONCE = 1_000;

/**
 * Deliveries: at most one HTTP request for each event and endpoint. A row is claimed in the database before bytes leave, and only `queued` rows are
 * claimed. A crash therefore leaves a claim without an outcome, which is closed as `interrupted` and never sent again.
 */
@Injectable()
export class DeliveryService {
  readonly sends = Object.fromEntries(SEND_RESULTS.map((result) => [result, 0])) as Record<
    SendResult,
    number
  >;
  private readonly records = new Batcher<EndedDelivery, void>(async (rows) => {
    const numbered = rows.map((row, index) => ({ ...row, place: index }));
    await this.store.query(queries.RECORD, [rowsText(numbered), this.clock.now()]);
    return [];
  }, RECORDS_AT_ONCE);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly events: EventService,
    private readonly endpoints: EndpointService,
    private readonly sender: WebhookSender,
    private readonly storageLimit: StorageLimit,
    private readonly slots: SendSlots,
    private readonly trace: Trace,
    private readonly guard: UrlGuard,
  ) {}

  /**
   * Claims a test send, also for an inactive endpoint; to be run by `SendSlots`.
   * @param at the partner's clock, for the event
   * @throws DomainError `not_found`, `quota_exceeded`; NoSlotError
   */
  async claimTest(partnerId: string, webhookId: string, at: Date): Promise<ClaimedSend> {
    return this.store.transaction(async () => {
      const endpoint = await this.endpoints.lock(partnerId, webhookId);
      this.storageLimit.requireRoom(partnerId, ['traffic']);
      const now = this.clock.now();
      const data = { message: 'Test event from Vaultline.', requested_at: at.toISOString() };
      const eventId = await this.events.record({ type: 'system.status', partnerId, data, at }, true);
      const body = JSON.stringify({ id: eventId, type: 'system.status', created_at: at.toISOString(), data });
      const signature = this.signed(endpoint, body);
      const id = newId('delivery', now);
      const { url } = endpoint;
      const { concurrencyPerEndpoint: maxConcurrent } = this.settings.constants.webhooks;
      const { host, concurrency, perSecond } = hostBounds(this.guard, this.settings, url);
      const bounds = [maxConcurrent, host, concurrency, perSecond] as const;
      const claimed = [id, eventId, webhookId, partnerId, url, signature, now, ...bounds] as const;
      if ((await this.store.query(queries.INSERT_CLAIMED, claimed)).length === 0)
        throw this.slots.noSlot(
          `An endpoint has at most ${maxConcurrent} sends in flight. All your endpoints on one host together may have ${concurrency} in flight, and start ${perSecond} a second.`,
        );
      return { id, partnerId, url, eventId, body, signature };
    });
  }

  async send(claimed: ClaimedSend): Promise<void> {
    // No trace headers are sent: a receiver is outside of our tracing.
    const outcome = await this.trace.record(
      'send',
      'webhook send',
      () => this.sender.send(eventRequest(claimed.url, claimed)),
      (result) => spanAttributes(claimed, result),
    );
    this.sends[outcome.ok ? 'delivered' : outcome.failure]++;
    await this.record(claimed.partnerId, toEndedDelivery(claimed.id, outcome));
  }

  /** Only this process knows the outcome, and writing it twice changes nothing, so it is retried. */
  private async record(partnerId: string, row: EndedDelivery): Promise<void> {
    const until = performance.now() + RECORD_PATIENCE_MS;
    for (;;) {
      try {
        return await this.records.ask(partnerId, row);
      } catch (error) {
        if (performance.now() > until) throw error;
        await sleep(RECORD_RETRY_MS * (0.5 + Math.random()));
      }
    }
  }

  async get(partnerId: string, id: string): Promise<Delivery> {
    const [delivery] = await this.store.query(queries.FIND_DELIVERY, [id, partnerId]);
    if (!delivery) throw notFound('delivery');
    return delivery;
  }

  /**
   * Newest first.
   * @throws DomainError `not_found` for an endpoint that the partner neither has nor had; a deleted one is recognised by its deliveries
   */
  async list(partnerId: string, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>> {
    const rows = await this.store.query(queries.LIST_DELIVERIES, [
      partnerId,
      this.settings.constants.webhooks.deliveriesKept,
      page.limit + 1,
      page.after?.at ?? null,
      page.after?.id ?? null,
      filter.webhookId ?? null,
      filter.status ?? null,
      filter.event ?? null,
    ]);
    // Any delivery proves that the endpoint belongs to the partner; without one, the endpoint is looked up.
    if (filter.webhookId !== undefined && rows.length === 0)
      await this.checkEndpoint(partnerId, filter.webhookId);
    return toPage(rows, page.limit, ({ at, id }) => ({ at, id }), rows[0]?.found);
  }

  /** @throws DomainError `not_found` for an endpoint that the partner neither has nor had, as far as its deliveries show */
  async checkEndpoint(partnerId: string, webhookId: string): Promise<void> {
    const [endpoint] = await this.store.query(queries.FIND_KNOWN_ENDPOINT, [partnerId, webhookId]);
    if (!endpoint) throw notFound('webhook');
  }

  /** Closes claims whose process must have died: older than the deadline of a send plus a grace period. @returns how many */
  async closeInterrupted(): Promise<number> {
    const { webhookTimeoutMs: timeoutMs } = this.settings;
    const graceMs = this.settings.constants.webhooks.interruptedGraceSeconds * 1000;
    const closed = await this.store.change(queries.CLOSE_INTERRUPTED, [timeoutMs + graceMs]);
    this.sends.interrupted += closed;
    return closed;
  }

  /** After a restore: closes every delivery without an outcome as interrupted, because it may have been sent since. Returns how many. */
  abandon(): Promise<number> {
    const batches = new Batches(ABANDONED_AT_ONCE, Infinity);
    return batches.run((rows) => this.store.change(queries.ABANDON, [rows, this.clock.now()]));
  }

  /** Signature with both secrets during a rotation, at wall time, which receivers compare with theirs, even where events follow a simulated clock. */
  signed(endpoint: SealedSecrets & { id: string }, body: string): string {
    const now = this.clock.wall();
    const { secret, previous } = this.endpoints.secretsOf(endpoint, now);
    return sign(secret, Math.floor(now.getTime() / 1000), body, previous);
  }
}

/** The URL may contain a token, so it is no attribute. */
const spanAttributes = ({ eventId }: ClaimedSend, outcome: SendOutcome): SpanAttributes => ({
  'vaultline.event_id': eventId,
  'vaultline.outcome': outcome.ok ? 'delivered' : outcome.failure,
  ...(outcome.status !== null && { 'http.response.status_code': outcome.status }),
});

type EndedDelivery = Pick<
  Delivery,
  'id' | 'status' | 'attempts' | 'responseStatus' | 'failure' | 'latencyMs'
>;

function toEndedDelivery(id: string, outcome: SendOutcome): EndedDelivery {
  const { ok, status: responseStatus, latencyMs } = outcome;
  const fields = { id, responseStatus, latencyMs };
  if (ok) return { ...fields, status: 'delivered', attempts: 1, failure: null };
  return { ...fields, status: 'failed', attempts: outcome.attempted ? 1 : 0, failure: outcome.failure };
}
