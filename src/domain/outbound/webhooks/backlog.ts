import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock } from '../../kernel/clock.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { UrlGuard } from '../egress/url-guard.js';
import { Store } from '../../kernel/store/store.js';
import * as queries from './delivery.queries.js';
import { Batcher } from './batcher.js';

/** Endpoint with its partner; queues are served by partner in round-robin order. */
export interface DeliveryTarget {
  webhookId: string;
  partnerId: string;
}

/** Queued delivery with everything that its send needs. */
export type Queued = RowFrom<typeof queries.FIND_QUEUED>;

/** `full`: the endpoint, or its host, has its maximum of sends. `stale`: the endpoint's secret or URL was replaced after it was read. */
type Claimed = 'claimed' | 'full' | 'stale' | 'unwanted';

interface AskedClaim {
  id: string;
  url: string;
  signature: string;
  secretSealed: Buffer;
}

const BATCH = 20;
/** Bytes of bodies read at a time. A partner may have 50 endpoints, so its share of memory is at most fifty times this. */
const BATCH_BYTES = 128 * 1024;
const READ_AT_ONCE = 100;
/** Deliveries that one statement claims. A claimed delivery must be sent within moments, so the number is small. */
const CLAIMS_AT_ONCE = 100;

/** Queued deliveries of an endpoint that were read together, oldest first. A lane removes the ones it takes. */
export interface Batch {
  waiting: Queued[];
  /** Whether the queue may hold more than was read. */
  mayGoOn: boolean;
}

/** Queue of deliveries: reads and claims them in batches over many endpoints, in round-robin order of partners. */
@Injectable()
export class Backlog {
  private readonly batches = new Batcher((webhookIds: string[]) => this.readAll(webhookIds), READ_AT_ONCE);
  private readonly claims = new Batcher((asked: AskedClaim[]) => this.claimAll(asked), CLAIMS_AT_ONCE);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly guard: UrlGuard,
  ) {}

  /** The oldest queued deliveries that endpoint and partner still want. */
  read({ webhookId, partnerId }: DeliveryTarget): Promise<Batch> {
    return this.batches.ask(partnerId, webhookId);
  }

  claim({ partnerId }: DeliveryTarget, claim: AskedClaim): Promise<Claimed> {
    return this.claims.ask(partnerId, claim);
  }

  private async readAll(webhookIds: string[]): Promise<Batch[]> {
    const rows = await this.store.query(queries.FIND_QUEUED, [webhookIds, BATCH, BATCH_BYTES]);
    const byEndpoint = Map.groupBy(rows, ({ webhookId }) => webhookId);
    return webhookIds.map((id) => {
      const waiting = byEndpoint.get(id) ?? [];
      const read = waiting[0]?.read ?? 0;
      return { waiting, mayGoOn: read === BATCH || read > waiting.length };
    });
  }

  private async claimAll(asked: AskedClaim[]): Promise<Claimed[]> {
    const { concurrencyPerEndpoint, concurrencyPerHost, sendsPerSecondPerHost } =
      this.settings.constants.webhooks;
    const rows = await this.store.query(queries.CLAIM, [
      asked.map(({ id }) => id),
      asked.map(({ signature }) => signature),
      asked.map(({ secretSealed }) => secretSealed),
      asked.map(({ url }) => url),
      asked.map(({ url }) => this.guard.boundedHost(url)),
      this.clock.now(),
      concurrencyPerEndpoint,
      concurrencyPerHost,
      sendsPerSecondPerHost,
    ]);
    const claims = new Map(rows.map((row) => [row.id, row]));
    return asked.map(({ id }) => {
      const row = claims.get(id);
      if (!row) return 'unwanted';
      if (row.isClaimed) return 'claimed';
      return row.isStale ? 'stale' : 'full';
    });
  }
}
