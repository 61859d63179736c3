import { Module } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { AlertEvents } from './alerts/alert-events.service.js';
import { SystemResolver } from './egress/system-resolver.js';
import { UrlGuard } from './egress/url-guard.js';
import { Backlog } from './webhooks/backlog.js';
import { DeliveryService } from './webhooks/delivery.service.js';
import { Dispatcher } from './webhooks/dispatcher.js';
import { EndpointCheck } from './webhooks/endpoint-check.service.js';
import { EndpointService } from './webhooks/endpoint.service.js';
import { EventHistory } from './webhooks/event-history.service.js';
import { EventService, JobQueue } from './webhooks/event.service.js';
import { FanOutService } from './webhooks/fan-out.service.js';
import { QueueBound } from './webhooks/queue-bound.js';
import { SendSlots } from './webhooks/send-slots.js';
import { WebhookSender } from './webhooks/sender.js';
import { WebhookRetention } from './webhooks/webhook-retention.service.js';

const OFFERED = [
  AlertEvents,
  DeliveryService,
  Dispatcher,
  EndpointCheck,
  EndpointService,
  EventHistory,
  EventService,
  FanOutService,
  JobQueue,
  QueueBound,
  SendSlots,
  WebhookRetention,
];

/** Outbound traffic: events, webhooks, alerts, and the addresses that a request may go to. */
@Module({
  imports: [KernelModule],
  providers: [
    ...OFFERED,
    {
      provide: WebhookSender,
      inject: [UrlGuard, Settings],
      useFactory: (guard: UrlGuard, { webhookTimeoutMs }: Settings) =>
        new WebhookSender({ guard, timeoutMs: webhookTimeoutMs, userAgent: `Vaultline/${VERSION}` }),
    },
    Backlog,
    SystemResolver,
    {
      provide: UrlGuard,
      inject: [Settings, SystemResolver],
      useFactory: ({ webhookAllowedNetworks, webhookRequireHttps }: Settings, names: SystemResolver) =>
        new UrlGuard({
          allowedNetworks: webhookAllowedNetworks,
          requireHttps: webhookRequireHttps,
          resolve: (hostname, signal) => names.resolve(hostname, signal),
        }),
    },
  ],
  exports: [...OFFERED, WebhookSender],
})
export class OutboundModule {}
