import { Controller, Get, Injectable, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventHistory } from '../../domain/outbound/webhooks/event-history.service.js';
import type { EventType } from '../../domain/outbound/webhooks/event-type.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { defined } from '../../http/defined.js';
import { Operation } from '../../http/openapi/operation.js';
import { PartnerId } from '../../http/access/caller.js';
import { type ListPage, Paginator } from '../../http/request/paging.js';
import { EventsQuery, KeptEventDto, keptEventView } from './event.dto.js';
import { WEBHOOK_ACCESS } from './webhooks.controller.js';

/** Event history, of a partner and of the deployment alike. */
@Injectable()
export class EventLog {
  constructor(
    private readonly history: EventHistory,
    private readonly paging: Paginator,
  ) {}

  list(ownerId: string, query: EventsQuery): Promise<ListPage<KeptEventDto>> {
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

/** Events that were raised, whether or not they were sent, for receivers that were down. */
@ApiTags('Webhooks')
@Controller('events')
export class EventsController {
  constructor(private readonly log: EventLog) {}

  @Get()
  @Operation({
    summary: 'List events',
    description:
      `Your events of the last ${placeholder('eventsKept')}, oldest first, each with its deliveries. ` +
      'To catch up, send the id of the last event that you handled as `after`; `undelivered_to` limits the list to events that an endpoint missed. ' +
      'Where events, deliveries and stored answers exceed half of your storage quota, the oldest events are deleted earlier, and an `after` that was deleted is answered 404 `event_removed`.',
    access: WEBHOOK_ACCESS,
    extension: true,
    success: { object: 'list', data: KeptEventDto, description: 'A page of events.' },
    errors: ['event_removed'],
  })
  listEvents(@PartnerId() partnerId: string, @Query() query: EventsQuery) {
    return this.log.list(partnerId, query);
  }
}
