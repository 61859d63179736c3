import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Clock } from '../clock.js';
import { Store } from '../store/store.js';
import * as queries from './delivery.queries.js';
import type { SealedSecrets } from './endpoint.service.js';
import { Gathered } from './gathered.js';

/** An endpoint, and whose turn it takes. */
export interface Outlet {
  webhookId: string;
  partnerId: string;
}

/** A queued delivery, with all that its sending takes. */
export interface Queued extends SealedSecrets {
  id: string;
  /** Its place among those that were read together. */
  number: number;
  eventId: string;
  body: string;
}

/**
 * What became of a claim: its address where it is ours to send; `full` where as many sends to its endpoint as may be are in flight; `stale` where the
 * endpoint has another secret by now than it was signed with.
 */
export type Claimed = { url: string } | 'full' | 'stale' | 'unwanted';

interface AskedClaim {
  id: string;
  signature: string;
  /** What it was signed with. */
  secretSealed: Buffer;
}

/** Rows read at a time. */
export const BATCH = 20;
/** Of their bodies: a partner's endpoints hold fifty times as much in memory, at most. */
const BATCH_BYTES = 128 * 1024;
/** Endpoints that one statement reads for. */
const READ_AT_ONCE = 100;
/** Deliveries that one claim is for: what is claimed is to be sent within moments. */
const CLAIMS_AT_ONCE = 100;

/** Some of what is queued for an endpoint, oldest first; what a lane has taken is gone from it. */
export class Batch {
  /** @param mayGoOn whether more may be queued behind them */
  constructor(
    private readonly waiting: Queued[],
    public mayGoOn: boolean,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  take(): Queued | undefined {
    return this.waiting.shift();
  }

  /** What is left was read before its endpoint's secret was replaced: it is to be read anew. */
  forget(): void {
    this.waiting.length = 0;
    this.mayGoOn = true;
  }

  /** Where it was: another lane may have put its own back before. */
  putBack(queued: Queued): void {
    const behind = this.waiting.findIndex(({ number }) => number > queued.number);
    this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, queued);
  }
}

/** Deliveries that are queued: reads them and claims them, for many endpoints at once and by partner in turn. */
@Injectable()
export class Backlog {
  private readonly batches = new Gathered((webhookIds: string[]) => this.readAll(webhookIds), READ_AT_ONCE);
  private readonly claims = new Gathered((asked: AskedClaim[]) => this.claimAll(asked), CLAIMS_AT_ONCE);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** The oldest that are still wanted. */
  read({ webhookId, partnerId }: Outlet): Promise<Batch> {
    return this.batches.ask(partnerId, webhookId);
  }

  claim({ partnerId }: Outlet, claim: AskedClaim): Promise<Claimed> {
    return this.claims.ask(partnerId, claim);
  }

  private async readAll(webhookIds: string[]): Promise<Batch[]> {
    const rows = await this.store.query(queries.FIND_QUEUED, [webhookIds, BATCH, BATCH_BYTES]);
    const byEndpoint = Map.groupBy(rows, ({ webhookId }) => webhookId);
    return webhookIds.map((id) => {
      const waiting = byEndpoint.get(id) ?? [];
      const read = waiting[0]?.read ?? 0;
      return new Batch(waiting, read === BATCH || read > waiting.length);
    });
  }

  private async claimAll(asked: AskedClaim[]): Promise<Claimed[]> {
    const ids = asked.map(({ id }) => id);
    const rows = await this.store.query(queries.CLAIM, [
      ids,
      asked.map(({ signature }) => signature),
      asked.map(({ secretSealed }) => secretSealed),
      this.clock.now(),
      this.settings.constants.webhooks.concurrency_per_endpoint,
    ]);
    const told = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = told.get(id);
      if (!row) return 'unwanted';
      if (row.url !== null) return { url: row.url };
      return row.isStale ? 'stale' : 'full';
    });
  }
}
