import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import { bool, bytes, integer, listOf, orNull, text, time } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { UrlGuard } from '../egress/url-guard.js';
import { Store } from '../../kernel/store/store.js';
import { Batcher } from './batcher.js';

/**
 * The oldest $2 queued deliveries of each endpoint that endpoint and partner still want; fewer when their bodies exceed $3 bytes, but at least one.
 * `read`: how many there were before that cut. `LATERAL` with `OFFSET 0` fixes the order of the joins, and `IS NOT FALSE` hides a condition from partial
 * indexes: the statistics usually say that no row is queued, and a scan of all queued rows then seems to cost nothing.
 */
const FIND_QUEUED = statement(
  'webhooks.find_queued',
  {
    values: [listOf(text()), integer(), integer()],
    row: {
      webhookId: text(),
      id: text(),
      url: text(),
      secretSealed: bytes(),
      previousSealed: orNull(bytes()),
      previousExpiresAt: orNull(time()),
      eventId: text(),
      body: text(),
      read: integer(),
    },
  },
  `SELECT w.id AS "webhookId", d.id, w.url, w.secret_sealed AS "secretSealed", w.previous_sealed AS "previousSealed",
          w.previous_expires_at AS "previousExpiresAt", d.event_id AS "eventId", d.body, d.read
     FROM unnest($1::text[]) AS asked(id)
    CROSS JOIN LATERAL (SELECT one.* FROM webhook_endpoints one WHERE one.id = asked.id AND one.active OFFSET 0) AS w
    CROSS JOIN LATERAL (SELECT FROM partners p WHERE p.id = w.partner_id AND p.status = 'active' OFFSET 0) AS p
    CROSS JOIN LATERAL (
      SELECT next.id, next.event_id, next.body, row_number() OVER (ORDER BY next.at, next.id) AS number,
             sum(octet_length(next.body)) OVER (ORDER BY next.at, next.id) AS bytes, (count(*) OVER ())::int AS read
        FROM (
          SELECT one.id, one.at, one.event_id, e.body FROM deliveries one
           CROSS JOIN LATERAL (
             SELECT e.envelope::text AS body FROM events e WHERE e.id = one.event_id AND (e.type = ANY(w.events)) IS NOT FALSE OFFSET 0) AS e
           WHERE one.webhook_id = w.id AND one.status = 'queued'
           ORDER BY one.at, one.id
           LIMIT $2::int) AS next) AS d
    WHERE d.bytes <= $3::int OR d.number = 1
    ORDER BY w.id, d.number`,
);

/**
 * Claim: exactly one process gets a row, and only while endpoint and partner still want it. $1 ids, $2 signatures, $3 sealed secrets that signed, $4
 * URLs and $5 their hosts, $6 time. Bounds, test sends included: $7 sends in flight to an endpoint; $8 in flight, and $9 that begin
 * in a second, of a partner to a host. A row that is not claimed is over a bound, or stale: its secret or URL was replaced.
 */
const CLAIM = statement(
  'webhooks.claim',
  {
    values: [
      listOf(text()),
      listOf(text()),
      listOf(bytes()),
      listOf(text()),
      listOf(text()),
      time(),
      integer(),
      integer(),
      integer(),
    ],
    row: { id: text(), isClaimed: bool(), isStale: bool() },
  },
  `SELECT delivery_id AS id, is_claimed AS "isClaimed", is_stale AS "isStale"
     FROM claim_deliveries($1, $2, $3::bytea[], $4, $5, $6, $7, $8, $9)`,
);

/** Bounds on a partner's sends to the host of a URL: in flight, and those that begin in a second. */
export function hostBounds(guard: UrlGuard, { constants: { webhooks } }: DomainSettings, url: string) {
  const { host, isAllowed } = guard.boundedHost(url);
  const [concurrency, perSecond] = isAllowed
    ? [webhooks.concurrencyPerAllowedHost, webhooks.sendsPerSecondPerAllowedHost]
    : [webhooks.concurrencyPerHost, webhooks.sendsPerSecondPerHost];
  return { host, isAllowed, concurrency, perSecond };
}

/** Endpoint with its partner; queues are served by partner in round-robin order. */
export interface DeliveryTarget {
  webhookId: string;
  partnerId: string;
}

export type QueuedDelivery = RowFrom<typeof FIND_QUEUED>;

/** `full`: the endpoint, or its host, has its maximum of sends. `stale`: the endpoint's secret or URL was replaced after it was read. */
type ClaimOutcome = 'claimed' | 'full' | 'stale' | 'unwanted';

type ClaimRequest = Pick<QueuedDelivery, 'id' | 'url' | 'secretSealed'> & { signature: string };

const BATCH = 20;
/** Bytes of bodies read at a time. A partner may have 50 endpoints, so its share of memory is at most fifty times this. */
const BATCH_BYTES = 128 * 1024;
const ENDPOINTS_PER_READ = 100;
/** Deliveries that one statement claims. A claimed delivery must be sent within moments, so the number is small. */
const CLAIMS_AT_ONCE = 100;

/** Queued deliveries of an endpoint that were read together, oldest first. A lane removes the ones it takes. */
export interface Batch {
  waiting: QueuedDelivery[];
  /** Whether the queue may contain more deliveries than were read. */
  mayHaveMore: boolean;
}

/** Queue of deliveries: reads and claims them in batches over many endpoints, in round-robin order of partners. */
@Injectable()
export class Backlog {
  private readonly batches = new Batcher(
    (webhookIds: string[]) => this.readAll(webhookIds),
    ENDPOINTS_PER_READ,
  );
  private readonly claims = new Batcher(
    (requests: ClaimRequest[]) => this.claimAll(requests),
    CLAIMS_AT_ONCE,
  );

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly guard: UrlGuard,
  ) {}

  read({ webhookId, partnerId }: DeliveryTarget): Promise<Batch> {
    return this.batches.ask(partnerId, webhookId);
  }

  claim({ partnerId }: DeliveryTarget, claim: ClaimRequest): Promise<ClaimOutcome> {
    return this.claims.ask(partnerId, claim);
  }

  private async readAll(webhookIds: string[]): Promise<Batch[]> {
    const rows = await this.store.query(FIND_QUEUED, [webhookIds, BATCH, BATCH_BYTES]);
    const byEndpoint = Map.groupBy(rows, ({ webhookId }) => webhookId);
    return webhookIds.map((id) => {
      const waiting = byEndpoint.get(id) ?? [];
      const read = waiting[0]?.read ?? 0;
      return { waiting, mayHaveMore: read === BATCH || read > waiting.length };
    });
  }

  /** Hosts in allowed networks have bounds of their own, and so a statement of their own. */
  private async claimAll(claims: ClaimRequest[]): Promise<ClaimOutcome[]> {
    const { concurrencyPerEndpoint } = this.settings.constants.webhooks;
    const bounded = claims.map((claim) => ({
      ...claim,
      ...hostBounds(this.guard, this.settings, claim.url),
    }));
    const outcomes = new Map<string, RowFrom<typeof CLAIM>>();
    for (const group of Map.groupBy(bounded, ({ isAllowed }) => isAllowed).values()) {
      const rows = await this.store.query(CLAIM, [
        group.map(({ id }) => id),
        group.map(({ signature }) => signature),
        group.map(({ secretSealed }) => secretSealed),
        group.map(({ url }) => url),
        group.map(({ host }) => host),
        this.clock.now(),
        concurrencyPerEndpoint,
        group[0]!.concurrency,
        group[0]!.perSecond,
      ]);
      for (const row of rows) outcomes.set(row.id, row);
    }
    return claims.map(({ id }) => {
      const row = outcomes.get(id);
      if (!row) return 'unwanted';
      if (row.isClaimed) return 'claimed';
      return row.isStale ? 'stale' : 'full';
    });
  }
}
