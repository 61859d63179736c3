import { roundRate } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import type { PositionRecord } from '../../books/positions/quotes.js';
import { Catalogue, isIdle } from '../../kernel/catalogue/catalogue.js';
import { invalid } from '../../kernel/domain-error.js';
import { newId } from '../../kernel/identifier.js';
import { StorageLimit } from '../../kernel/store/storage-limit.js';
import { Store } from '../../kernel/store/store.js';
import { MarketService } from '../../markets/hours/market.service.js';
import { EndpointService } from '../../outbound/webhooks/endpoint.service.js';
import type { EventType } from '../../outbound/webhooks/event-type.js';
import { EventService } from '../../outbound/webhooks/event.service.js';
import { FanOutService } from '../../outbound/webhooks/fan-out.service.js';

interface Setting {
  at: Date;
  asset: string;
  vaultId: string;
  otherVaultId: string;
}

/** Data in the shape of a real event, about a position that does not exist. @returns JSON for the event's `data` */
function syntheticData(
  type: EventType,
  { at, asset, vaultId, otherVaultId }: Setting,
): Record<string, unknown> {
  const time = at.toISOString();
  const position: PositionRecord = {
    id: newId('position', at),
    object: 'position',
    user_id: newId('user', at),
    asset,
    deposit_id: null,
    vault_id: vaultId,
    origin_vault_id: vaultId,
    status: 'active',
    principal: 250,
    value: 250.4123,
    yield: 0.4123,
    costs: 0,
    apy: roundRate(0.0523),
    opened_at: time,
    active_at: time,
    closed_at: null,
  };
  const decisionId = newId('decision', at);
  switch (type) {
    case 'position.opened':
    case 'position.active':
      return { ...position, value: 250, yield: 0, decision_id: decisionId };
    case 'position.rebalanced':
      return {
        ...position,
        vault_id: otherVaultId,
        value: 250.4023,
        yield: 0.4023,
        costs: 0.01,
        decision_id: decisionId,
        amount: 250.4023,
        cost: 0.01,
      };
    case 'position.withdrawn':
      return {
        ...position,
        principal: 150,
        value: 150.4123,
        decision_id: null,
        amount: 100,
        withdrawal_id: null,
      };
    case 'position.closed':
      return {
        ...position,
        status: 'closed',
        principal: -0.4123,
        value: 0,
        apy: null,
        closed_at: time,
        decision_id: null,
      };
    case 'yield.threshold':
      return { asset, threshold: 0.05, direction: 'above', apy: 0.0512, previous_apy: 0.0497, at: time };
    case 'system.status':
      return { message: 'Simulated event from Vaultline.', requested_at: time };
  }
}

interface SimulatedEvent {
  type: EventType;
  /** Only to this endpoint; null: to all subscribed ones. */
  webhookId: string | null;
  data: Record<string, unknown>;
}

/** Raises simulated events on request, which are delivered like real ones. */
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
   * Stores an event at the account's time, and queues its deliveries. `sends`: endpoints that get it.
   * @throws DomainError `not_found` (webhook), `validation_failed` (the named endpoint is inactive or not subscribed), `quota_exceeded`
   */
  async raise(partnerId: string, event: SimulatedEvent) {
    const { type, webhookId, data: overrides } = event;
    return this.store.transaction(async () => {
      this.storageLimit.requireRoom(partnerId, ['traffic']);
      const at = await this.market.now(this.market.marketOf(partnerId));
      const asset = this.catalogue.assets[0]!;
      const [vault, other] = this.catalogue.vaults.filter((vault) => vault.asset === asset && !isIdle(vault));
      const setting = { at, asset, vaultId: vault!.id, otherVaultId: (other ?? vault!).id };
      const data = { ...syntheticData(type, setting), ...overrides };
      if (webhookId === null) {
        const sends = await this.endpoints.countSubscribed(partnerId, type);
        const [id] = await this.events.raise([{ type, partnerId, data, at }]);
        return { id: id!, type, createdAt: at, data, sends };
      }
      const endpoint = await this.endpoints.get(partnerId, webhookId);
      if (!endpoint.active) throw invalid('webhook_id', 'is inactive: it gets no events');
      if (!endpoint.events.includes(type)) throw invalid('webhook_id', `is not subscribed to ${type}`);
      const id = await this.events.record({ type, partnerId, data, at }, false);
      await this.fanOut.deliverTo(id, { webhookId, partnerId });
      return { id, type, createdAt: at, data, sends: 1 };
    });
  }
}
