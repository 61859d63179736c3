import { Inject, Injectable } from '@nestjs/common';
import type { TaskList } from 'graphile-worker';
import type { Logger } from 'pino';
import { LedgerVerifier } from '../domain/books/ledger/ledger-verifier.js';
import { AccountService } from '../domain/cycle/accounts/account.service.js';
import { HourlyCycle, type RoutedHour } from '../domain/cycle/hourly-cycle.service.js';
import { Clock } from '../domain/kernel/clock.js';
import { instant } from '../domain/kernel/store/column.js';
import { Trace } from '../domain/kernel/trace.js';
import { BASE_MARKET } from '../domain/markets/hours/market-view.js';
import { PastHours } from '../domain/markets/hours/past-hours.service.js';
import { PriceHistory } from '../domain/markets/hours/price-history.js';
import type { DeliveryTarget } from '../domain/outbound/webhooks/backlog.js';
import { Dispatcher } from '../domain/outbound/webhooks/dispatcher.js';
import { JOBS } from '../domain/outbound/webhooks/event.service.js';
import { FanOutService } from '../domain/outbound/webhooks/fan-out.service.js';
import { MoveOrderService } from '../domain/routing/allocation/move-order.service.js';
import { type Deviation, deviationRate, ReportBounds } from '../domain/routing/orders/report-bounds.js';
import { isAlarming, SettlementChecks } from '../domain/routing/settlements/settlement-checks.js';
import { LOGGER } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { Retention } from './retention.js';

/** What the queue's jobs do, and what is logged and counted of it. */
@Injectable()
export class Tasks {
  private stopping = false;

  constructor(
    private readonly fanOut: FanOutService,
    private readonly cycle: HourlyCycle,
    orders: MoveOrderService,
    reports: ReportBounds,
    private readonly accounts: AccountService,
    private readonly dispatcher: Dispatcher,
    private readonly retention: Retention,
    private readonly history: PriceHistory,
    private readonly past: PastHours,
    private readonly settlements: SettlementChecks,
    private readonly ledger: LedgerVerifier,
    private readonly clock: Clock,
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    fanOut.onQueued = (targets) => targets.forEach((target) => dispatcher.wake(target));
    dispatcher.onStopped = (error) =>
      log.warn({ err: error }, 'sending stopped; queued deliveries are sent later');
    cycle.onRouted = (routed) => this.logHour(routed);
    orders.onFailed = (failed) => this.log.warn(failed, 'an order to move funds was not executed');
    reports.onDeviation = (deviation) => this.logDeviation(deviation);
  }

  /** @param running resolves once no job runs any more */
  async stop(running: Promise<unknown>): Promise<void> {
    this.stopping = true;
    this.history.stop();
    // After a lost wake-up, the remaining events are fanned out by the sweep for overdue ones.
    const fanOut = running.then(() => this.fanOut.stop()).catch(fanOutStopped(this.log));
    await Promise.all([this.dispatcher.stop(), fanOut]);
  }

  list(): TaskList {
    const tasks: Record<string, (payload: never) => Promise<void>> = {
      // Neither waits, for its partner's turn or for hanging receivers: it would occupy a slot of the queue.
      [JOBS.fanOut]: async () => void this.fanOut.fanOut().catch(fanOutStopped(this.log)),
      [JOBS.drain]: async (target: DeliveryTarget) => this.dispatcher.wake(target),
      sweep: () => this.retention.sweep(),
      prune: () => this.retention.prune(),
      settlements: () => this.checkSettlements(),
      verify: () => this.verify(),
      tick: ({ at }: { at?: string }) => this.trace.record('tick', 'tick', () => this.tick(at)),
      history: () => this.readHistory(),
    };
    return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, this.counted(name, task)]));
  }

  /**
   * @param at hour to process; default: now.
   * @throws Error when it has not begun by this process's clock: another process may take it, or this one later
   */
  private async tick(at?: string): Promise<void> {
    if (at !== undefined && this.clock.now() < instant(at))
      throw new Error(`By the clock of this process it is not ${at} yet.`);
    // Accounts have clocks of their own and are not affected by trouble with the shared market.
    const { hours, silent, troubles, divergent, accruals, moves, moved } = await this.cycle
      .run()
      .finally(() => this.accounts.followAll());
    for (const trouble of troubles) this.log.warn({ trouble }, 'feed');
    if (silent.length > 0) this.log.warn({ vaults: silent }, 'some vaults were not observed');
    for (const { vaultId, apy, otherApy } of divergent)
      this.log.warn(
        { vault: vaultId, apy, second_opinion: otherApy },
        'a share price and its second source disagree: the vault takes no deposits',
      );
    if (hours + accruals + moved > 0)
      this.log.info({ hours, accruals, moves, moved }, 'market is up to date');
  }

  /** @throws Error when more may be readable: the queue retries later */
  private async readHistory(): Promise<void> {
    const { prices, unfinished } = await this.history.read();
    // Waits until everything readable was read, because hours are prepended to a market once.
    if (unfinished.length > 0 && !this.stopping && prices > 0)
      throw new Error(`More past prices may be readable on ${unfinished.join(', ')}.`);
    if (this.stopping) return;
    const hours = await this.past.prepend();
    if (hours === null) throw new Error('The market has not begun yet; its past is added later.');
    if (prices > 0) this.log.info({ prices, hours }, 'read past share prices');
  }

  private async checkSettlements(): Promise<void> {
    const checked = await this.settlements.pass();
    if (!checked) return;
    const { changes, silent } = checked;
    if (silent.length > 0)
      this.log.warn({ chains: silent }, 'settlements were not checked: no reliable RPC provider');
    for (const change of changes.filter(isAlarming))
      this.log.error(change, 'the chain contradicts a reported transfer: resolve it');
    this.metrics.countSettlements(changes.map(({ status }) => status));
  }

  private logHour({ marketId, evictions, policyMoves, outcomes }: RoutedHour): void {
    for (const eviction of evictions) this.log.warn(eviction, 'funds are evicted from a vault');
    for (const move of policyMoves)
      this.log.info(move, 'funds leave a vault that the policy of their partner excludes');
    this.metrics.countRouting(
      marketId === BASE_MARKET ? 'base' : 'account',
      { evictions: evictions.length, policyMoves: policyMoves.length },
      outcomes,
    );
  }

  private logDeviation(deviation: Deviation): void {
    this.metrics.deviations.inc();
    const { order, keyId } = deviation;
    const rate = deviationRate(deviation);
    this.log.warn(
      { move: order.id, key_id: keyId, deviation: rate },
      'a report on a move deviates from the books',
    );
  }

  private counted(
    name: string,
    task: (payload: never) => Promise<void>,
  ): (payload: unknown) => Promise<void> {
    return async (payload) => {
      try {
        await task(payload as never);
        this.metrics.jobs.inc({ task: name, outcome: 'done' });
      } catch (error) {
        this.metrics.jobs.inc({ task: name, outcome: 'failed' });
        throw error;
      }
    };
  }

  /** Every night: the ledger since the last checkpoint. The seal in the log proves later that the checkpoint was not rewritten. */
  private async verify(): Promise<void> {
    const checked = await this.ledger.run(false, (difference) =>
      this.log.error(difference, 'stored data differ from the ledger'),
    );
    this.log.info(checked, 'the ledger was verified');
  }
}

/** Logs a failed fan-out. Its events are found again as overdue. */
const fanOutStopped =
  (log: Logger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'fan-out stopped; its events are fanned out later');
