import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { Catalogue } from '../../kernel/catalogue/catalogue.js';
import { EndpointService } from '../../outbound/webhooks/endpoint.service.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import type { EventType } from '../../outbound/webhooks/event-type.js';
import { FanOutService } from '../../outbound/webhooks/fan-out.service.js';
import { syntheticData } from './synthetic-event.js';
import { isIdle } from '../../kernel/catalogue/vault.js';

export interface SimulatedEvent {
  type: EventType;
  /** Only to this endpoint; null: to all subscribed ones. */
  webhookId: string | null;
  /** Overrides of fields of the synthetic data. */
  data: Record<string, unknown>;
}

/** Raised event, as endpoints receive it. */
export interface RaisedEvent {
  id: string;
  type: EventType;
  createdAt: Date;
  data: Record<string, unknown>;
  /** Endpoints that get it. */
  sends: number;
}

/** Simulated events on request; they take the path of real ones. */
@Injectable()
export class SimulatedEventService {
  constructor(
    private readonly store: Store,
    private readonly catalogue: Catalogue,
    private readonly market: MarketService,
    private readonly events: EventService,
    private readonly fanOut: FanOutService,
    private readonly endpoints: EndpointService,
    private readonly storageLimit: StorageLimit,
  ) {}

  /**
   * Stores an event at the account's time, and queues its deliveries.
   * @throws DomainError `not_found` (webhook), `validation_failed` (the named endpoint is inactive or not subscribed), `quota_exceeded`
   */
  async raise(partnerId: string, event: SimulatedEvent): Promise<RaisedEvent> {
    const { type, webhookId, data: given } = event;
    return this.store.transaction(async () => {
      this.storageLimit.requireRoom(partnerId, ['traffic']);
      const at = await this.market.now(this.market.marketOf(partnerId));
      const asset = this.catalogue.assets[0]!;
      const [vault, other] = this.catalogue.vaults.filter((one) => one.asset === asset && !isIdle(one));
      const setting = { at, asset, vaultId: vault!.id, otherVaultId: (other ?? vault!).id };
      const data = { ...syntheticData(type, setting), ...given };
      if (webhookId === null) {
        const sends = await this.endpoints.countSubscribed(partnerId, type);
        const [id] = await this.events.raise([{ type, partnerId, data, at }]);
        return { id: id!, type, createdAt: at, data, sends };
      }
      const endpoint = await this.endpoints.get(partnerId, webhookId);
      if (!endpoint.active) throw invalid('webhook_id', 'is inactive: it gets no events');
      if (!endpoint.events.includes(type)) throw invalid('webhook_id', `is not subscribed to ${type}`);
      const id = await this.events.hold({ type, partnerId, data, at });
      await this.fanOut.deliverTo({ eventId: id, webhookId, partnerId });
      return { id, type, createdAt: at, data, sends: 1 };
    });
  }
}
