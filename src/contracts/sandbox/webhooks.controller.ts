import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { List } from '../../http/envelope.js';
import { CurrentExchange, type Exchange, PartnerId } from '../../http/exchange.js';
import { Operation } from '../../http/openapi/operation.js';
import { PathId } from '../../http/path.js';
import { DeliveryLog, DeliveryQuery, TEST_DESCRIPTION } from '../shared/delivery-log.js';
import { WebhookDelivery } from '../shared/webhook.dto.js';
import { WEBHOOK_ACCESS as access } from '../shared/webhooks.controller.js';

/** What only the sandbox contract says about webhooks. */
@ApiTags('Webhooks')
@Controller('webhooks')
export class SandboxWebhooksController {
  constructor(private readonly log: DeliveryLog) {}

  @Get('events')
  @Operation({
    summary: 'List deliveries',
    description:
      'The delivery log: the newest 10,000 deliveries to your endpoints, newest first. (In the partner contract this path is the catalogue of event types.)',
    access,
    success: { object: 'list', data: WebhookDelivery, description: 'A page of deliveries.' },
  })
  listWebhookDeliveries(
    @PartnerId() partnerId: string,
    @Query() query: DeliveryQuery,
  ): Promise<List<WebhookDelivery>> {
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
    @CurrentExchange() exchange: Exchange,
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.') id: string,
  ): Promise<string> {
    return this.log.sendTest(exchange, partnerId, id);
  }
}
