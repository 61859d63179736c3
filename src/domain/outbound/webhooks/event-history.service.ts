import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { DomainError } from '../../kernel/domain-error.js';
import { isId } from '../../kernel/identifier.js';
import { BEGINNING, type Page, type PageKey, type PageRequest, toPage } from '../../kernel/store/page.js';
import { Store } from '../../kernel/store/store.js';
import type { Delivery, EventDelivery } from './delivery.js';
import { DeliveryService } from './delivery.service.js';
import * as queries from './event-history.queries.js';
import { EVENT_TYPES, type EventType } from './event-type.js';

export interface KeptEvent {
  id: string;
  payload: Delivery['payload'];
  recordedAt: Date;
  /** Endpoints that were subscribed when it was raised, and have not received it. */
  undeliveredTo: string[];
  deliveries: EventDelivery[];
}

export interface EventFilter {
  undeliveredTo?: string;
  types?: readonly EventType[];
  /** Event to continue after. A page cursor overrides it. */
  after?: string;
}

/** Event history: a partner's events of the last month in the order of recording, and those that an endpoint has missed. */
@Injectable()
export class EventHistory {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
    private readonly deliveries: DeliveryService,
  ) {}

  /**
   * Oldest first. A reader that continues after the last event of a page misses none: an event that may still be committed before others, or that
   * awaits its fan-out, ends the page.
   * @throws DomainError `not_found` for an endpoint, or an event to continue after, that the partner does not have (any more)
   */
  async list(partnerId: string, filter: EventFilter, page: PageRequest): Promise<Page<KeptEvent>> {
    const { undeliveredTo, types = EVENT_TYPES, after } = filter;
    // Checked first, so that nothing is looked up for another partner's endpoint.
    if (undeliveredTo !== undefined) await this.deliveries.checkEndpoint(partnerId, undeliveredTo);
    const from = page.after ?? (after === undefined ? BEGINNING : await this.placeOf(partnerId, after));
    const [horizon] = await this.store.query(queries.FIND_HORIZON, []);
    const chosen = [...new Set(types)];
    const values = [partnerId, this.days, horizon!.at, from.at, from.id, page.limit + 1, chosen] as const;
    const rows = await (undeliveredTo === undefined
      ? this.store.query(queries.LIST_EVENTS, values)
      : this.store.query(queries.LIST_UNDELIVERED, [...values, undeliveredTo]));
    return toPage(rows, page.limit, ({ recordedAt, id }) => ({ at: recordedAt, id }), rows[0]?.found);
  }

  private async placeOf(partnerId: string, eventId: string): Promise<PageKey> {
    const [place] = isId('event', eventId)
      ? await this.store.query(queries.FIND_PLACE, [partnerId, eventId, this.days])
      : [];
    if (place) return place;
    throw new DomainError(
      'not_found',
      'No such event, or it was removed and later events may be gone. Read without `after`, from the oldest event.',
    );
  }

  private get days(): number {
    return this.settings.constants.retention.eventsDays;
  }
}
