import { jsonOf } from '../../kernel/money.js';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/identifier.js';
import { Batches } from '../../kernel/store/batches.js';
import { bool, integer, json, listOf, nothing, orNull, text } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import type { EventType } from './event-type.js';

/** Background jobs by name. `jobs/` binds each to a domain method. */
export const JOBS = {
  fanOut: 'webhooks.fan_out',
  drain: 'webhooks.drain',
} as const;

const ENQUEUE = statement(
  'jobs.enqueue',
  { values: [json<string>()], row: { enqueue: nothing() } },
  'SELECT enqueue($1::json)',
);
const REMOVE_FAILED = statement(
  'jobs.remove_failed',
  { values: [integer(), integer()], row: { removed: integer() } },
  'SELECT remove_failed_jobs($1, $2) AS removed',
);

/**
 * Job queue for the domain: a job added in a transaction exists if and only if that commits. None has a job key: with one, concurrent transactions that
 * add it would block each other.
 */
@Injectable()
export class JobQueue {
  constructor(private readonly store: Store) {}

  async add(identifier: (typeof JOBS)[keyof typeof JOBS], payload: object = {}): Promise<void> {
    await this.store.query(ENQUEUE, [JSON.stringify([{ identifier, payload }])]);
  }

  /** Removes jobs that failed for good, so many hours ago. @returns how many */
  removeFailed(hours: number, batches = new Batches()): Promise<number> {
    return batches.run(async (rows) => (await this.store.query(REMOVE_FAILED, [hours, rows]))[0]!.removed);
  }
}

export interface NewEvent {
  type: EventType;
  /** null: for all partners. */
  partnerId: string | null;
  data: Record<string, unknown>;
  at?: Date;
}

/** The transaction has its id before the events get their time, so that a reader in order sees which ones may still insert earlier events. */
const INSERT_EVENTS = statement(
  'webhooks.insert_events',
  {
    values: [listOf(text()), listOf(orNull(text())), listOf(text<EventType>()), listOf(text()), bool()],
    row: {},
  },
  `WITH begun AS MATERIALIZED (SELECT pg_current_xact_id())
   INSERT INTO events (id, partner_id, type, envelope, envelope_bytes, recorded_at, fanned_out)
   SELECT id, partner_id, type, envelope::json, octet_length(envelope), clock_timestamp(), $5
     FROM begun, unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS new(id, partner_id, type, envelope)`,
);

/** Outbox: events are stored, and their fan-out is queued, in the transaction that caused them. */
@Injectable()
export class EventService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
  ) {}

  /** Raises any number of events with a fixed number of statements. @returns their ids, in order */
  async raise(events: readonly NewEvent[]): Promise<string[]> {
    if (events.length === 0) return [];
    return this.store.transaction(async () => {
      const [ids] = await pipelined([this.insert(events, false), this.jobs.add(JOBS.fanOut)]);
      return ids;
    });
  }

  /** Stores an event that the caller delivers itself. @param isFannedOut whether nothing else is to be queued for it @returns its id */
  async record(event: NewEvent, isFannedOut: boolean): Promise<string> {
    const [id] = await this.insert([event], isFannedOut);
    return id!;
  }

  /** Sends a message about the service's status to every subscribed endpoint of every active partner. @returns the event's id */
  async broadcastStatus(message: string): Promise<string> {
    const data = { message, requested_at: this.clock.now().toISOString() };
    const [id] = await this.raise([{ type: 'system.status', partnerId: null, data }]);
    return id!;
  }

  private async insert(events: readonly NewEvent[], fannedOut: boolean): Promise<string[]> {
    const rows = events.map((event) => {
      const at = event.at ?? this.clock.now();
      const id = newId('event', at);
      const envelope = { id, type: event.type, created_at: at.toISOString(), data: event.data };
      return { id, envelope: jsonOf(envelope), ...event };
    });
    await this.store.query(INSERT_EVENTS, [
      rows.map(({ id }) => id),
      rows.map(({ partnerId }) => partnerId),
      rows.map(({ type }) => type),
      rows.map(({ envelope }) => envelope),
      fannedOut,
    ]);
    return rows.map(({ id }) => id);
  }
}
