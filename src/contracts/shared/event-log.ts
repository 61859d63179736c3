import { Injectable } from '@nestjs/common';
import { EventHistory } from '../../domain/outbound/webhooks/event-history.service.js';
import type { EventType } from '../../domain/outbound/webhooks/event-type.js';
import { defined } from '../../http/defined.js';
import { type Listed, Paging } from '../../http/request/paging.js';
import { type EventsQuery, type KeptEventDto, keptEventView } from './event.dto.js';

/** Event history, of a partner and of the deployment alike. */
@Injectable()
export class EventLog {
  constructor(
    private readonly history: EventHistory,
    private readonly paging: Paging,
  ) {}

  list(ownerId: string, query: EventsQuery): Promise<Listed<KeptEventDto>> {
    const { undelivered_to: undeliveredTo, types, after } = query;
    const filter = defined({ undeliveredTo, types: types?.split(',') as EventType[] | undefined, after });
    return this.paging.serve(
      ['events', ownerId, undeliveredTo, types, after],
      query,
      (page) => this.history.list(ownerId, filter, page),
      keptEventView,
    );
  }
}
