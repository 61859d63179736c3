import { OmitType } from '@nestjs/swagger';
import type { Delivery } from '../../domain/outbound/webhooks/delivery.js';
import type { EndpointWithHealth } from '../../domain/outbound/webhooks/endpoint.service.js';
import { FlagField, TextField } from '../../http/request/fields.js';
import {
  ACTIVE,
  DESCRIPTION,
  deliveryView,
  URL,
  WebhookDelivery,
  WebhookEndpoint,
  webhookView,
} from './webhook.dto.js';

/** There is no choice of events, because the deployment receives a single type. */
export class CreateAlertWebhookInputDto {
  @TextField(URL) url: string;
  @TextField(DESCRIPTION) description?: string | null;
  @FlagField({ ...ACTIVE, default: true }) active?: boolean;
}

/** Endpoint that no partner owns. */
export class AlertWebhook extends OmitType(WebhookEndpoint, ['partner_id'] as const) {}

export class AlertDelivery extends OmitType(WebhookDelivery, ['partner_id'] as const) {}

export function alertWebhookView(endpoint: EndpointWithHealth): AlertWebhook {
  const { partner_id: _, ...view } = webhookView(endpoint);
  return view;
}

export function alertDeliveryView(delivery: Delivery): AlertDelivery {
  const { partner_id: _, ...view } = deliveryView(delivery);
  return view;
}
