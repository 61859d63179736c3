import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PartnerId } from '../../http/access/caller.js';
import { type Charge, ChargePoints } from '../../http/limits/points.guard.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/request/path.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { DeliveryLog, DeliveryQuery, TEST_DESCRIPTION } from '../shared/delivery-log.js';
import { deliveryView, WebhookDelivery } from '../shared/webhook.dto.js';
import { WEBHOOK_ACCESS as access } from '../shared/webhooks.controller.js';

@ApiTags('Webhooks')
@Controller('webhooks')
export class SandboxWebhooksController {
  constructor(private readonly log: DeliveryLog) {}

  @Get('events')
  @Operation({
    summary: 'List deliveries',
    description: `The delivery log: the newest ${placeholder('deliveriesKept')} deliveries to your endpoints, newest first. (In the partner contract this path is the catalogue of event types.)`,
    access,
    success: { object: 'list', data: WebhookDelivery, description: 'A page of deliveries.' },
  })
  listWebhookDeliveries(@PartnerId() partnerId: string, @Query() query: DeliveryQuery) {
    return this.log.list(partnerId, query);
  }

  @Post(':id/test')
  @Operation({
    summary: 'Send a test event',
    description: TEST_DESCRIPTION,
    access,
    success: {
      status: 200,
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
