import { Injectable } from '@nestjs/common';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import {
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../domain/outbound/webhooks/delivery.js';
import { DeliveryService } from '../../domain/outbound/webhooks/delivery.service.js';
import { EVENT_TYPES, type EventType } from '../../domain/outbound/webhooks/event-type.js';
import { NoSlotError, SendSlots } from '../../domain/outbound/webhooks/send-slots.js';
import { defined } from '../../http/defined.js';
import { ChoiceField } from '../../http/request/fields.js';
import { type Charge, EVENT_POINTS } from '../../http/limits/points.guard.js';
import { rateLimited } from '../../http/answer/http-error.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { type ListPage, PageQuery, Paginator } from '../../http/request/paging.js';
import { deliveryView, type WebhookDelivery } from './webhook.dto.js';
import { IdFilterField } from '../../http/request/query-fields.js';

export class DeliveryQuery extends PageQuery {
  @IdFilterField({
    description: 'Only deliveries to this endpoint, which may be deleted.',
    kind: 'webhook',
  })
  webhook_id?: string;

  @ChoiceField({
    description: 'Only deliveries of this status.',
    of: DELIVERY_STATUSES,
    optional: true,
  })
  status?: DeliveryStatus;

  @ChoiceField({
    description: 'Only deliveries of this event type.',
    of: EVENT_TYPES,
    kind: 'EventType',
    optional: true,
  })
  event?: EventType;
}

export const TEST_DESCRIPTION =
  "Sends a signed synthetic `system.status` event to the endpoint, active or not, in one real HTTP request. The answer is the delivery's record, even when the receiver failed: see `status` and `failure`.";

/** Delivery log and test send, which the contracts mount under different paths and statuses. */
@Injectable()
export class DeliveryLog {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly market: MarketService,
    private readonly paging: Paginator,
    private readonly slots: SendSlots,
  ) {}

  list(partnerId: string, query: DeliveryQuery): Promise<ListPage<WebhookDelivery>> {
    const { webhook_id: webhookId, status, event } = query;
    return this.paging.serve(
      ['deliveries', partnerId, webhookId, status, event],
      query,
      (page) => this.deliveries.list(partnerId, defined({ webhookId, status, event }), page),
      deliveryView,
    );
  }

  /** The claim is committed before anything is sent: after a crash, a retry is answered with one `failed: interrupted` record. */
  sendTest<View extends object>(
    partnerId: string,
    webhookId: string,
    { view, once, charge }: { view: (delivery: Delivery) => View; once: Once<View>; charge: Charge },
  ): Promise<View> {
    let claimed: Awaited<ReturnType<DeliveryService['claimTest']>>;
    return once.inTwoSteps({
      around: (steps) => this.slots.runTest(partnerId, steps).catch(throwRateLimited),
      begin: async () => {
        const at = await this.market.now(this.market.marketOf(partnerId));
        claimed = await this.deliveries.claimTest(partnerId, webhookId, at);
        return claimed.id;
      },
      perform: () => {
        charge(EVENT_POINTS);
        return this.deliveries.send(claimed);
      },
      read: async (id) => {
        await this.deliveries.closeInterrupted();
        const delivery = await this.deliveries.get(partnerId, id);
        return delivery.status === 'pending' ? null : view(delivery);
      },
    });
  }
}

/** Test send without a free slot. @throws HttpError `rate_limited` */
export function throwRateLimited(error: unknown): never {
  if (!(error instanceof NoSlotError)) throw error;
  throw rateLimited(error.reason, error.retryAfterSeconds, 'concurrency');
}
