import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, addHours, isUnreached } from '../../kernel/clock.js';
import { LedgerVerifier } from '../../books/ledger/ledger-verifier.js';
import { BASE_MARKET, divergencesOf, MarketService } from '../../markets/hours/market.service.js';
import { MarketRepository } from '../../markets/hours/market.repository.js';
import type { VaultState } from '../../markets/vaults/vault-state.js';
import { COUNT_UNRESOLVED } from '../../routing/settlements/settlement.queries.js';
import { Store } from '../../kernel/store/store.js';
import { isIdle, Catalogue, type Vault } from '../../kernel/catalogue/catalogue.js';
import { double, integer, orNull, rowCount, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

/** The queue's tables are in another schema; the function knows its name. */
const WAITING_JOBS = statement(
  'deployment.waiting_jobs',
  { values: [], row: { task: text(), waiting: integer(), oldestSeconds: double() } },
  `SELECT task, waiting, oldest_seconds AS "oldestSeconds" FROM waiting_jobs()`,
);

/**
 * Number of queued deliveries, up to $1, and the age of the oldest: 0 and null without any. The oldest of each endpoint is the first of its index
 * range, so the cost is bounded by the number of endpoints and $1, not by the backlog (loose index scan).
 */
const QUEUED_DELIVERIES = statement(
  'deployment.queued_deliveries',
  { values: [rowCount()], row: { queued: integer(), oldest: orNull(time()) } },
  `WITH RECURSIVE heads AS (
     (SELECT webhook_id, at FROM deliveries WHERE status = 'queued' ORDER BY webhook_id, at LIMIT 1)
     UNION ALL
     SELECT next.* FROM heads CROSS JOIN LATERAL (
       SELECT d.webhook_id, d.at FROM deliveries d
        WHERE d.status = 'queued' AND d.webhook_id > heads.webhook_id ORDER BY d.webhook_id, d.at LIMIT 1) AS next
   )
   SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE status = 'queued' LIMIT $1) AS counted) AS queued, min(at) AS oldest
     FROM heads`,
);

/** Limit of the count: a count that reaches it means "this many or more". */
const MAX_COUNTED = 100_000;

export type Backlogs = Awaited<ReturnType<BacklogReader['read']>>;

/** Measures the deployment's backlogs and known faults, for operators. Its statements are bounded. */
@Injectable()
export class BacklogReader {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly markets: MarketRepository,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly settings: DomainSettings,
    private readonly checks: LedgerVerifier,
  ) {}

  private countObserved(states: ReadonlyMap<string, VaultState>): number {
    return this.vaults.filter(({ id }) => states.get(id)?.observedHour).length;
  }

  private get vaults(): Vault[] {
    return this.catalogue.vaults.filter((vault) => vault.active && !isIdle(vault));
  }

  /**
   * Reads the deployment's backlogs, which do not depend on the process. Ages in seconds; null: nothing to measure, or a time that lies in the future. `lagSeconds`: since the next hour of the shared market was due. Age of a feed:
   * since its last observed hour, or its first hour in the market where it has none.
   */
  async read() {
    const newestHour = await this.market.newestHour();
    const jobs = await this.store.query(WAITING_JOBS, []);
    const [deliveries] = await this.store.query(QUEUED_DELIVERIES, [MAX_COUNTED]);
    const [states, unseen] = [
      await this.markets.states(BASE_MARKET),
      await this.markets.findUnobserved(BASE_MARKET),
    ];
    const unresolved = await this.store.query(COUNT_UNRESOLVED, []);
    const ledger = await this.checks.last();
    const { maxDivergence } = this.settings.constants.chain;
    const at = this.clock.now();
    const since = (moment: Date | null | undefined): number | null =>
      moment && !isUnreached(moment, at) ? Math.max(0, (at.getTime() - moment.getTime()) / 1000) : null;
    return {
      at,
      tick: {
        newestHour,
        lagSeconds: since(newestHour && addHours(newestHour, 1)),
        vaultsObserved: this.countObserved(states),
      },
      jobs: jobs.map((job) => ({ ...job, oldestSeconds: Math.max(0, job.oldestSeconds) })),
      deliveries: { queued: deliveries!.queued, oldestSeconds: since(deliveries!.oldest) },
      feeds: this.vaults.map(({ id }) => ({
        vaultId: id,
        ageSeconds: since(states.get(id)?.observedHour ?? unseen.get(id)),
      })),
      divergent: divergencesOf(this.catalogue.vaults, states, maxDivergence).map(({ vaultId }) => vaultId),
      /** Transfers that their chain contradicts. */
      unresolved: {
        mismatch: 0,
        not_found: 0,
        ...Object.fromEntries(unresolved.map(({ status, count }) => [status, count])),
      },
      /** Newest verification of the ledger; null: none yet. */
      ledger,
    };
  }
}
