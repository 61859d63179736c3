import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { Clock, addHours } from '../../kernel/clock.js';
import { LedgerChecks } from '../../books/ledger/ledger-checks.service.js';
import { BASE_MARKET, divergencesOf, MarketService } from '../../markets/hours/market.service.js';
import { MarketRepository } from '../../markets/hours/market.repository.js';
import { COUNT_UNRESOLVED } from '../../routing/settlements/settlement.queries.js';
import { Store } from '../../kernel/store/store.js';
import { isIdle, Catalogue } from '../../kernel/catalogue/catalogue.js';
import * as queries from './identity-check.js';

/** Limit of the count: it stands for "as many or more". */
const MOST_COUNTED = 100_000;

export type Backlogs = Awaited<ReturnType<BacklogReader['read']>>;

/** Measures the backlogs of the deployment, and what it knows to be wrong, for operators. Its statements are bounded. */
@Injectable()
export class BacklogReader {
  constructor(
    private readonly store: Store,
    private readonly market: MarketService,
    private readonly markets: MarketRepository,
    private readonly clock: Clock,
    private readonly catalogue: Catalogue,
    private readonly settings: DomainSettings,
    private readonly checks: LedgerChecks,
  ) {}

  /**
   * The same for each process. Ages in seconds; null: nothing to measure. `lagSeconds`: since the next hour of the shared market was due. Age of a feed:
   * since its last observed hour, or its first hour in the market where it has none.
   */
  async read() {
    const newestHour = await this.market.newestHour();
    const jobs = await this.store.query(queries.WAITING_JOBS, []);
    const [deliveries] = await this.store.query(queries.QUEUED_DELIVERIES, [MOST_COUNTED]);
    const [states, unseen] = [await this.markets.states(BASE_MARKET), await this.markets.unseen(BASE_MARKET)];
    const unresolved = await this.store.query(COUNT_UNRESOLVED, []);
    const ledger = await this.checks.last();
    const vaults = this.catalogue.vaults.filter((vault) => vault.active && !isIdle(vault));
    const { maxDivergence } = this.settings.constants.chain;
    const at = this.clock.now();
    const since = (moment: Date | null | undefined): number | null =>
      moment ? Math.max(0, (at.getTime() - moment.getTime()) / 1000) : null;
    return {
      at,
      tick: {
        newestHour,
        lagSeconds: since(newestHour && addHours(newestHour, 1)),
        vaultsObserved: vaults.filter(({ id }) => states.get(id)?.observedHour).length,
      },
      jobs: jobs.map((job) => ({ ...job, oldestSeconds: Math.max(0, job.oldestSeconds) })),
      deliveries: { queued: deliveries!.queued, oldestSeconds: since(deliveries!.oldest) },
      feeds: vaults.map(({ id }) => ({
        vaultId: id,
        ageSeconds: since(states.get(id)?.observedHour ?? unseen.get(id)),
      })),
      divergent: divergencesOf(this.catalogue.vaults, states, maxDivergence).map(({ vaultId }) => vaultId),
      /** Transfers that their chain contradicts. */
      unresolved: {
        ...{ mismatch: 0, not_found: 0 },
        ...Object.fromEntries(unresolved.map(({ status, count }) => [status, count])),
      },
      /** Newest verification of the ledger; null: none yet. */
      ledger,
    };
  }
}
