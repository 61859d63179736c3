import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EndpointService } from '../../domain/outbound/webhooks/endpoint.service.js';
import { EVENT_TYPES, type EventType } from '../../domain/outbound/webhooks/event-type.js';
import { defined } from '../../http/defined.js';
import { PartnerId } from '../../http/access/caller.js';
import { type Charge, ChargePoints } from '../../http/limits/points.guard.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/request/path.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown } from '../../http/answer/shown.js';
import { DeliveryLog, DeliveryQuery, TEST_DESCRIPTION } from '../shared/delivery-log.js';
import {
  deliveryView,
  UpdateWebhookInputDto,
  WebhookDelivery,
  WebhookEndpoint,
  webhookView,
} from '../shared/webhook.dto.js';
import { WEBHOOK_ACCESS as access } from '../shared/webhooks.controller.js';
import { LimitTextField } from '../../http/request/query-fields.js';

export class WebhookEventTypes {
  @Shown.kind('webhook_events') object: 'webhook_events';
  @Shown.choices(EVENT_TYPES, 'Every event type that an endpoint can subscribe to.', EVENT_TYPES, {
    kind: 'EventType',
  })
  events: readonly EventType[];
}

/** The document has this list's `limit` as a string. */
export class DeliveriesQuery extends DeliveryQuery {
  @LimitTextField() declare limit?: string;
}

@ApiTags('Webhooks')
@Controller('webhooks')
export class PartnerWebhooksController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly log: DeliveryLog,
  ) {}

  @Get('events')
  @Operation({
    summary: 'List event types',
    description:
      'The catalogue of event types. Subscribing to a type does not guarantee that one is ever sent.',
    access,
    success: { object: 'webhook_events', data: WebhookEventTypes, description: 'The catalogue.' },
  })
  listWebhookEventTypes(): WebhookEventTypes {
    return { object: 'webhook_events', events: EVENT_TYPES };
  }

  @Get('deliveries')
  @Operation({
    summary: 'List deliveries',
    description: `The newest ${placeholder('deliveriesKept')} deliveries to your endpoints, newest first.`,
    access,
    success: { object: 'list', data: WebhookDelivery, description: 'A page of deliveries.' },
  })
  listWebhookDeliveries(@PartnerId() partnerId: string, @Query() query: DeliveriesQuery) {
    return this.log.list(partnerId, query);
  }

  @Patch(':id')
  @Operation({
    summary: 'Update a webhook',
    description:
      'Changes the fields that are sent. A new `url` is checked as at registration; the signing secret stays.',
    access,
    success: {
      object: 'webhook',
      data: WebhookEndpoint,
      description: 'The updated endpoint, secret masked.',
    },
    errors: ['webhook_url_forbidden'],
  })
  async updateWebhook(
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.') id: string,
    @Body() { url, events, description, active }: UpdateWebhookInputDto,
    @Recorded() recorded: RecordedWork,
  ) {
    if (url !== undefined) {
      // Before the check, so that the reachability of an address is revealed to the endpoint's owner only.
      const endpoint = await this.endpoints.get(partnerId, id);
      if (url !== endpoint.url) await this.endpoints.checkUrl(url);
    }
    const change = defined({ url, events, description, active });
    return webhookView(await recorded(() => this.endpoints.update(partnerId, id, change)));
  }

  @Post(':id/test')
  @Operation({
    summary: 'Send a test event',
    description: TEST_DESCRIPTION,
    access,
    success: {
      status: 201,
      object: 'delivery',
      data: WebhookDelivery,
      description: 'The record of the delivery.',
    },
  })
  testWebhook(
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.') id: string,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<WebhookDelivery>,
  ) {
    return this.log.sendTest(partnerId, id, { view: deliveryView, once, charge });
  }
}
