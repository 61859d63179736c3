import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import {
  EndpointCheck,
  type EndpointChecked,
} from '../../domain/outbound/webhooks/endpoint-check.service.js';
import { EndpointService } from '../../domain/outbound/webhooks/endpoint.service.js';
import { SendSlots } from '../../domain/outbound/webhooks/send-slots.js';
import { defined } from '../../http/defined.js';
import { type Charge, ChargePoints, PartnerId } from '../../http/request/caller.decorators.js';
import { Idempotent, type Once } from '../../http/request/idempotent.decorator.js';
import { Recorded, type Recording } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { type Listed, PageQuery, Paging } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { EVENT_POINTS } from '../../http/limits/points.guard.js';
import { refused } from './delivery-log.js';
import { PREVIOUS_SECONDS } from './previous-seconds.js';
import { CheckWebhookInputDto, WebhookCheck, webhookCheckView } from './webhook-check.dto.js';
import {
  CreateWebhookInputDto,
  createdWebhookView,
  DeletedResource,
  RotateSecretInputDto,
  WebhookEndpoint,
  webhookView,
} from './webhook.dto.js';

export const WEBHOOK_ACCESS = { scopes: ['partner:read'], partner: true } as const;

/** Operations on webhooks that both contracts share. */
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly checks: EndpointCheck,
    private readonly slots: SendSlots,
    private readonly market: MarketService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @Operation({
    summary: 'Register a webhook',
    description:
      'Registers a receiver. The answer is the only one that shows the full signing `secret`: store it. Each event is sent once, signed in the ' +
      'header `Webhook-Signature: t=<unix seconds>,v1=<hex>`, an HMAC-SHA256 over `<t>.<raw body>` keyed with the whole secret string; accept a second `,v1=<hex>`, which is there while a secret is being replaced. ' +
      'Receivers should allow 300 seconds between `t` and their clock. Redirects are not followed.',
    access: WEBHOOK_ACCESS,
    success: {
      status: 201,
      object: 'webhook',
      data: WebhookEndpoint,
      description: 'The endpoint, with its full signing secret.',
    },
    errors: ['webhook_url_forbidden', 'webhook_limit_reached'],
  })
  createWebhook(
    @PartnerId() partnerId: string,
    @Body() { url, events, description, active }: CreateWebhookInputDto,
    @Idempotent() once: Once<WebhookEndpoint>,
  ): Promise<WebhookEndpoint> {
    return once(
      async () => {
        const input = { url, ...defined({ events, description, active }) };
        return createdWebhookView(await this.endpoints.register(partnerId, input));
      },
      { before: () => this.endpoints.checkUrl(url) },
    );
  }

  @Post('check')
  @Operation({
    summary: 'Check a receiver',
    description:
      'Tries a URL without registering it: reads it, resolves its name, judges where it leads, connects, and sends one `system.status` event, signed with a secret that is made for this and is ' +
      'shown in the answer alone. It answers what became of each step, in words, and stores nothing. Where a step failed, the ones behind it were not tried: nothing is connected to that may ' +
      'not be sent to. An `Idempotency-Key` keeps the answer, secret included, for its retries.',
    access: WEBHOOK_ACCESS,
    extension: true,
    success: {
      status: 200,
      object: 'webhook_check',
      data: WebhookCheck,
      description: 'What became of each step.',
    },
  })
  checkWebhook(
    @PartnerId() partnerId: string,
    @Body() { url }: CheckWebhookInputDto,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<WebhookCheck>,
  ): Promise<WebhookCheck> {
    let checked: EndpointChecked;
    return once(
      () => {
        charge(EVENT_POINTS);
        return Promise.resolve(webhookCheckView(checked));
      },
      {
        before: async () => {
          const at = await this.market.now(this.market.marketOf(partnerId));
          checked = await this.slots.forTest(partnerId, () => this.checks.run(url, at)).catch(refused);
        },
      },
    );
  }

  @Get()
  @Operation({
    summary: 'List webhooks',
    description: 'Your endpoints, newest first. Signing secrets are masked.',
    access: WEBHOOK_ACCESS,
    success: { object: 'list', data: WebhookEndpoint, description: 'A page of endpoints.' },
  })
  listWebhooks(@PartnerId() partnerId: string, @Query() query: PageQuery): Promise<Listed<WebhookEndpoint>> {
    return this.paging.serve(
      ['webhooks', partnerId],
      query,
      (page) => this.endpoints.list(partnerId, page),
      webhookView,
    );
  }

  @Post(':id/secret/rotate')
  @Operation({
    summary: 'Replace a signing secret',
    description:
      'Makes a new signing secret, which this answer alone shows in full. For `previous_expires_in` seconds every send is signed with both, as ' +
      '`t=...,v1=<new>,v1=<old>`, so that a receiver which knows either of them accepts it; then the old one is erased.',
    access: WEBHOOK_ACCESS,
    extension: true,
    success: {
      status: 200,
      object: 'webhook',
      data: WebhookEndpoint,
      description: 'The endpoint, with its new signing secret in full.',
    },
    errors: ['rotation_in_progress'],
  })
  rotateWebhookSecret(
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.') id: string,
    @Body() { previous_expires_in: seconds = PREVIOUS_SECONDS }: RotateSecretInputDto,
    @Idempotent() once: Once<WebhookEndpoint>,
  ): Promise<WebhookEndpoint> {
    return once(async () => createdWebhookView(await this.endpoints.rotate(partnerId, id, seconds)));
  }

  @Delete(':id')
  @Operation({
    summary: 'Delete a webhook',
    description: 'Removes an endpoint: nothing is sent to it any more. Its deliveries stay in the log.',
    access: WEBHOOK_ACCESS,
    success: { object: 'webhook', data: DeletedResource, description: 'The endpoint is gone.' },
  })
  async deleteWebhook(
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.', DEMO_IDS.deletableWebhook) id: string,
    @Recorded() recorded: Recording,
  ): Promise<DeletedResource> {
    await recorded(() => this.endpoints.remove(partnerId, id));
    return { id, deleted: true };
  }
}
