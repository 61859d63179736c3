import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { MarketService } from '../../domain/markets/hours/market.service.js';
import {
  CHECK_STEPS,
  type CheckStepName,
  EndpointCheck,
  type EndpointChecked,
} from '../../domain/outbound/webhooks/endpoint-check.service.js';
import { EndpointService } from '../../domain/outbound/webhooks/endpoint.service.js';
import { SendSlots } from '../../domain/outbound/webhooks/send-slots.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import { type Charge, ChargePoints, EVENT_POINTS } from '../../http/limits/points.guard.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Recorded, type RecordedWork } from '../../http/request/recorded.decorator.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { TextField } from '../../http/request/fields.js';
import { PageQuery, Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import { throwRateLimited } from './delivery-log.js';
import { PREVIOUS_SECONDS } from './previous-seconds.js';
import {
  createdWebhookView,
  CreateWebhookInputDto,
  DeletedResource,
  EventEnvelope,
  RotateSecretInputDto,
  WebhookEndpoint,
  webhookView,
} from './webhook.dto.js';

class CheckWebhookInputDto {
  @TextField({
    description: 'The URL to check.',
    max: 2048,
    example: 'https://hooks.acme.example/vaultline',
  })
  url: string;
}

class WebhookCheckStep {
  @Shown.choice(CHECK_STEPS, 'What was tried, in this order.', 'connect') step: CheckStepName;
  @ShownOrNull.flag('Whether it succeeded; null if not tried.', true) passed: boolean | null;
  @Shown.text('The result in words, with the remedy.', 'A connection was opened.') message: string;
}

class WebhookCheck {
  @Shown.kind('webhook_check') object: 'webhook_check';
  @Shown.text('The URL that was tried.', 'https://hooks.acme.example/vaultline') url: string;
  @Shown.flag('Whether an event would be delivered there.', true) passed: boolean;
  @Shown.records(() => WebhookCheckStep, 'Each step, in order.') steps: readonly WebhookCheckStep[];
  @ShownOrNull.integer("The receiver's HTTP status; null without a response.", 200)
  response_status: number | null;
  @ShownOrNull.integer('Milliseconds of the whole send; null when nothing was sent.', 84)
  latency_ms: number | null;
  @ShownOrNull.text(
    'Secret that signed this one event, for verifying what the receiver got; null when nothing was sent. No endpoint uses it.',
    'whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=',
  )
  secret: string | null;
  @ShownOrNull.text(
    'Value of the `Webhook-Signature` header; null when nothing was sent.',
    `t=1769860800,v1=${'5f'.repeat(32)}`,
  )
  signature: string | null;
  @ShownOrNull.record(() => EventEnvelope, 'The event that was sent; null when none was.')
  payload: EventEnvelope | null;
}

const webhookCheckView = viewOf(WebhookCheck, ({ steps, sent, status }: EndpointChecked) => ({
  passed: steps.every(({ passed }) => passed !== false),
  steps,
  response_status: status,
  ...(sent ?? { secret: null, signature: null, payload: null }),
}));

export const WEBHOOK_ACCESS = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly endpoints: EndpointService,
    private readonly checks: EndpointCheck,
    private readonly slots: SendSlots,
    private readonly market: MarketService,
    private readonly paging: Paginator,
  ) {}

  @Post()
  @Operation({
    summary: 'Register a webhook',
    description:
      'Registers a receiver. Only this answer shows the full signing `secret`: store it. ' +
      'Each event is sent once, without redirects, and signed in the header `Webhook-Signature: t=<unix seconds>,v1=<hex>`, with a second `v1` while a secret is being replaced.',
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
  ) {
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
      'Tries a URL without registering it: parses it, resolves its name, checks its addresses, connects, and sends one `system.status` event, signed with a secret of its own. ' +
      'The answer has the result of each step up to the first failure, and the secret; nothing is stored, except that an `Idempotency-Key` keeps the answer for retries.',
    access: WEBHOOK_ACCESS,
    extension: true,
    success: {
      status: 200,
      object: 'webhook_check',
      data: WebhookCheck,
      description: 'The result of each step.',
    },
  })
  checkWebhook(
    @PartnerId() partnerId: string,
    @Body() { url }: CheckWebhookInputDto,
    @ChargePoints() charge: Charge,
    @Idempotent() once: Once<WebhookCheck>,
  ) {
    let checked: EndpointChecked;
    return once(
      () => {
        charge(EVENT_POINTS);
        return Promise.resolve(webhookCheckView(checked));
      },
      {
        before: async () => {
          const at = await this.market.now(this.market.marketOf(partnerId));
          checked = await this.slots
            .runTest(partnerId, () => this.checks.run(url, at))
            .catch(throwRateLimited);
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
  listWebhooks(@PartnerId() partnerId: string, @Query() query: PageQuery) {
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
      'Creates a new signing secret, which only this answer shows in full. For `previous_expires_in` seconds every send is signed with both secrets (`t=...,v1=<new>,v1=<old>`); then the old one is erased.',
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
  ) {
    return once(async () => createdWebhookView(await this.endpoints.rotate(partnerId, id, seconds)));
  }

  @Delete(':id')
  @Operation({
    summary: 'Delete a webhook',
    description: 'Deletes an endpoint. Nothing more is sent to it. Its deliveries stay in the log.',
    access: WEBHOOK_ACCESS,
    success: { object: 'webhook', data: DeletedResource, description: 'The endpoint is gone.' },
  })
  async deleteWebhook(
    @PartnerId() partnerId: string,
    @PathId('id', 'webhook', 'The webhook endpoint.', DEMO_IDS.deletableWebhook) id: string,
    @Recorded() recorded: RecordedWork,
  ) {
    await recorded(() => this.endpoints.remove(partnerId, id));
    return { id, deleted: true };
  }
}
