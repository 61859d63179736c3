import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AlertService } from '../../domain/cycle/alerts/alert.service.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { DEPLOYMENT } from '../../domain/kernel/deployment/replicas.js';
import type { Delivery } from '../../domain/outbound/webhooks/delivery.js';
import { EndpointService } from '../../domain/outbound/webhooks/endpoint.service.js';
import { omitFields } from '../../http/answer/answer-fields.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Charge, ChargePoints } from '../../http/limits/points.guard.js';
import { FlagField, TextField } from '../../http/request/fields.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { DeliveryLog, TEST_DESCRIPTION } from './delivery-log.js';
import { EventsQuery, KeptEventDto } from './event.dto.js';
import { EventLog } from './events.controller.js';
import {
  ACTIVE,
  DeletedResource,
  DESCRIPTION,
  secretFields,
  URL,
  WebhookDelivery,
  WebhookEndpoint,
} from './webhook.dto.js';

/** There is no choice of events, because the deployment receives a single type. */
class CreateAlertWebhookInputDto {
  @TextField(URL) url: string;
  @TextField(DESCRIPTION) description?: string | null;
  @FlagField({ ...ACTIVE, default: true }) active?: boolean;
}

/** Endpoint that no partner owns. */
class AlertWebhook extends omitFields(WebhookEndpoint, ['partner_id']) {}

class AlertDelivery extends omitFields(WebhookDelivery, ['partner_id']) {}

const alertWebhookView = viewOf(AlertWebhook, secretFields);

const alertDeliveryView = viewOf(AlertDelivery, ({ payload }: Delivery) => ({ payload }));

const access = { scopes: ['partner:admin'] } as const;

/** Endpoints of the deployment itself, for alerts to administrators. Partners see neither them nor what is sent to them. */
@ApiTags('Alerts')
@Controller('alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertService,
    private readonly endpoints: EndpointService,
    private readonly deliveries: DeliveryLog,
    private readonly events: EventLog,
    private readonly paging: Paginator,
  ) {}

  @Post('webhooks')
  @Operation({
    summary: 'Register a receiver of alerts',
    description:
      "Registers a receiver for the administrators of this deployment. It receives `system.status` events (evicted or silent vaults, a late tick, settlements that the chain contradicts, announcements), signed like a partner's; never a partner's own events. Only this answer shows the full signing `secret`.",
    access,
    extension: true,
    success: {
      status: 201,
      object: 'webhook',
      data: AlertWebhook,
      description: 'The endpoint, with its full signing secret.',
    },
    errors: ['webhook_url_forbidden', 'webhook_limit_reached'],
  })
  createAlertWebhook(
    @Body() { url, description, active }: CreateAlertWebhookInputDto,
    @Idempotent() once: Once<AlertWebhook>,
  ) {
    return once(
      async () => {
        const { endpoint, secret } = await this.alerts.register({ url, ...defined({ description, active }) });
        return { ...alertWebhookView(endpoint), secret };
      },
      { before: () => this.endpoints.checkUrl(url) },
    );
  }

  @Get('webhooks')
  @Operation({
    summary: 'List receivers of alerts',
    description: 'The endpoints of the deployment, newest first. Signing secrets are masked.',
    access,
    extension: true,
    success: { object: 'list', data: AlertWebhook, description: 'A page of endpoints.' },
  })
  listAlertWebhooks(@Query() query: PageQuery) {
    return this.paging.serve(
      ['alert webhooks'],
      query,
      (page) => this.endpoints.list(DEPLOYMENT, page),
      alertWebhookView,
    );
  }

  @Post('webhooks/:id/test')
  @Operation({
    summary: 'Send a test event to a receiver of alerts',
    description: TEST_DESCRIPTION,
    access,
    extension: true,
    success: {
      status: 200,
      object: 'delivery',
      data: AlertDelivery,
      description: 'The record of the delivery.',
    },
  })
  testAlertWebhook(
    @PathId('id', 'webhook', 'The webhook endpoint.', DEMO_IDS.alertWebhook) id: string,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<AlertDelivery>,
  ) {
    return this.deliveries.sendTest(DEPLOYMENT, id, { view: alertDeliveryView, once, charge });
  }

  @Delete('webhooks/:id')
  @Operation({
    summary: 'Delete a receiver of alerts',
    description: 'Deletes an endpoint. Nothing more is sent to it.',
    access,
    extension: true,
    success: { object: 'webhook', data: DeletedResource, description: 'The endpoint is gone.' },
  })
  async deleteAlertWebhook(
    @PathId('id', 'webhook', 'The webhook endpoint.', DEMO_IDS.deletableAlertWebhook) id: string,
    @Recorded() recorded: RecordedWork,
  ) {
    await recorded(() => this.endpoints.remove(DEPLOYMENT, id));
    return { id, deleted: true };
  }

  @Get('events')
  @Operation({
    summary: 'List alerts',
    description:
      'Alerts and announcements of the last 30 days, oldest first, each with its deliveries; also those without a receiver. `data.alert.state` is `begun` or `over`. `undelivered_to` lists what a receiver missed; `after` continues after the last event that you handled.',
    access,
    extension: true,
    success: { object: 'list', data: KeptEventDto, description: 'A page of events.' },
    errors: ['event_removed'],
  })
  listAlerts(@Query() query: EventsQuery) {
    return this.events.list(DEPLOYMENT, query);
  }
}
