import {
  CHECK_STEPS,
  type CheckStepName,
  type EndpointChecked,
} from '../../domain/outbound/webhooks/endpoint-check.service.js';
import { TextField } from '../../http/request/fields.js';
import { Shown } from '../../http/answer/shown.js';
import { EventEnvelope } from './webhook.dto.js';

export class CheckWebhookInputDto {
  @TextField({
    description: 'The URL to try, as it would be registered.',
    max: 2048,
    example: 'https://hooks.acme.example/vaultline',
  })
  url: string;
}

export class WebhookCheckStep {
  @Shown.choice(CHECK_STEPS, 'What was tried, in this order.', 'connect') step: CheckStepName;
  @Shown.nullableFlag('Whether it succeeded; null where it was not tried.', true) passed: boolean | null;
  @Shown.text('The same in words, with what to do about it.', 'A connection was opened.') message: string;
}

export class WebhookCheck {
  @Shown.kind('webhook_check') object: 'webhook_check';
  @Shown.text('The URL that was tried.', 'https://hooks.acme.example/vaultline') url: string;
  @Shown.flag('Whether an event would be delivered there.', true) passed: boolean;
  @Shown.records(() => WebhookCheckStep, 'Each step, in order.') steps: readonly WebhookCheckStep[];
  @Shown.integer("The receiver's HTTP status; null when it gave none.", 200, { nullable: true })
  response_status: number | null;
  @Shown.integer('Milliseconds of the whole send; null when nothing was sent.', 84, { nullable: true })
  latency_ms: number | null;
  @Shown.text(
    'The secret that this one event was signed with, to verify by what the receiver got; null when nothing was sent. No endpoint has it.',
    'whsec_bm90IGEgcmVhbCBzZWNyZXQsIGp1c3QgYSBzYW1wbGU=',
    { nullable: true },
  )
  secret: string | null;
  @Shown.text(
    'Value of the `Webhook-Signature` header; null when nothing was sent.',
    `t=1769860800,v1=${'5f'.repeat(32)}`,
    { nullable: true },
  )
  signature: string | null;
  @Shown.record(() => EventEnvelope, 'The event that was sent; null when none was.', { nullable: true })
  payload: EventEnvelope | null;
}

export const webhookCheckView = ({ url, steps, sent, status, latencyMs }: EndpointChecked): WebhookCheck => ({
  object: 'webhook_check',
  url,
  passed: steps.every(({ passed }) => passed !== false),
  steps,
  response_status: status,
  latency_ms: latencyMs,
  secret: sent?.secret ?? null,
  signature: sent?.signature ?? null,
  payload: sent?.payload ?? null,
});
