import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { addHours, Clock, HOUR_MS, isUnreached } from '../../kernel/clock.js';
import { DEPLOYMENT } from '../../kernel/deployment/replicas.js';
import { MarketPlan } from '../../markets/hours/market-view.js';
import { BASE_MARKET, MarketService } from '../../markets/hours/market.service.js';
import { MarketRepository } from '../../markets/hours/market.repository.js';
import type { FundsByVault, WorkedHour } from '../../markets/hours/market-hours.service.js';
import { vaultRules } from '../../routing/allocation/routing-constants.js';
import { Store } from '../../kernel/store/store.js';
import {
  type CreatedEndpoint,
  EndpointService,
  type NewEndpoint,
} from '../../outbound/webhooks/endpoint.service.js';
import { type Alert, alertOf, type Fact, type KnownFact, partsOf } from '../../outbound/alerts/alert.js';
import { AlertEvents } from '../../outbound/alerts/alert-events.service.js';
import type { ReservesReading } from '../../reporting/reserves/reserves.service.js';
import { isOfReserves, watchReserves } from './reserve-alerts.js';
import { isOfVaults, type WatchedVault, watchVaults } from './vault-alerts.js';
import { integer, jsonb, orNull, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';

const FACT = {
  kind: text<Fact['kind']>(),
  subject: text(),
  why: text(),
  since: time(),
  until: orNull(time()),
};

/** Open facts of a market, and those that ended before everybody concerned was notified of the end. */
const FIND = statement(
  'alerts.find',
  { values: [text()], row: FACT },
  `SELECT kind, subject, why, since, until FROM alerts WHERE market_id = $1`,
);

const BEGIN = statement(
  'alerts.begin',
  { values: [text(), jsonb<string>()], row: FACT },
  `INSERT INTO alerts (market_id, kind, subject, why, since)
   SELECT $1, kind, subject, why, since FROM jsonb_to_recordset($2) AS new(kind text, subject text, why text, since timestamptz)
   ON CONFLICT DO NOTHING
   RETURNING kind, subject, why, since, until`,
);

/** Ends open facts of market $1 that are listed in $2 (JSON), at $3. */
const END = statement(
  'alerts.end',
  { values: [text(), jsonb<string>(), time()], row: FACT },
  `UPDATE alerts a SET until = greatest($3, a.since) FROM jsonb_to_recordset($2) AS old(kind text, subject text)
    WHERE a.market_id = $1 AND a.kind = old.kind AND a.subject = old.subject AND a.until IS NULL
   RETURNING a.kind, a.subject, a.why, a.since, a.until`,
);

const FORGET = statement(
  'alerts.forget',
  { values: [text(), text<Fact['kind']>(), text()], row: {} },
  `DELETE FROM alerts WHERE market_id = $1 AND kind = $2 AND subject = $3 AND until IS NOT NULL`,
);

/** The next $4 partners with funds in vault $3 that were not notified of fact $2, marked as notified. */
const TAKE_CONCERNED = statement(
  'alerts.take_concerned',
  { values: [text(), text<Fact['kind']>(), text(), integer()], row: { partnerId: text() } },
  `INSERT INTO alerted_partners (market_id, kind, subject, partner_id)
   SELECT $1, $2, $3, held.partner_id
     FROM (SELECT DISTINCT b.partner_id FROM book_shares b
            WHERE b.market_id = $1 AND b.book = 'routed' AND b.vault_id = $3 AND b.positions > 0
              AND NOT EXISTS (SELECT FROM alerted_partners t
                               WHERE t.market_id = $1 AND t.kind = $2 AND t.subject = $3 AND t.partner_id = b.partner_id)
            ORDER BY b.partner_id LIMIT $4::int) AS held
   ON CONFLICT DO NOTHING
   RETURNING partner_id AS "partnerId"`,
);

/** The next $4 partners that were notified of a fact and not yet of its end. */
const TAKE_NOTIFIED = statement(
  'alerts.take_told',
  { values: [text(), text<Fact['kind']>(), text(), integer()], row: { partnerId: text() } },
  `DELETE FROM alerted_partners t USING (
     SELECT partner_id FROM alerted_partners WHERE market_id = $1 AND kind = $2 AND subject = $3
      ORDER BY partner_id LIMIT $4::int FOR UPDATE) AS next
    WHERE t.market_id = $1 AND t.kind = $2 AND t.subject = $3 AND t.partner_id = next.partner_id
   RETURNING t.partner_id AS "partnerId"`,
);

/** Partners that one transaction notifies. */
const AT_ONCE = 200;

/** Alerts about vaults and the tick: each fact is sent once when it begins and once when it ends, whichever process notices it and however often. */
@Injectable()
export class AlertService {
  /** When this process began to wait for the market's first hour. */
  private watchedSince: Date | null = null;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly market: MarketService,
    private readonly markets: MarketRepository,
    private readonly plan: MarketPlan,
    private readonly events: AlertEvents,
    private readonly endpoints: EndpointService,
  ) {}

  /** Registers an administrators' endpoint whose URL has passed the check. @throws DomainError `webhook_limit_reached` */
  register(input: Omit<NewEndpoint, 'events'>): Promise<CreatedEndpoint> {
    return this.endpoints.register(DEPLOYMENT, { ...input, events: ['system.status'] });
  }

  /**
   * Evaluates the vaults of a market at an hour. Call it after routing and before the decisions are executed, while the partners concerned still hold
   * the vaults. In a shared market administrators are notified in the transaction of the fact; partners page by page, each page in a transaction, and
   * pages left by a crashed process are continued. An account is notified of vaults that it holds; its hour without change costs no statement.
   * @param holdings current holdings
   * @param before open facts, in the transaction that found them; absent: they are read
   * @returns open facts after, and the number of changes
   */
  async watch(hour: WorkedHour, holdings: FundsByVault, before?: readonly KnownFact[]) {
    const { marketId } = hour;
    const facts = before ?? (await this.find(marketId));
    const view = await hour.view(holdings);
    if (view.hour === null) return { facts, changes: 0 };
    const isShared = this.plan.ownerOf(marketId) === null;
    const vaults = [...view.vaults.values()];
    // Simulated vaults of an account are observed from their first hour on.
    const hasUnobserved =
      isShared && vaults.some(({ vault, state }) => vault.active && state.observedHour === null);
    const unobserved = hasUnobserved ? await this.markets.findUnobserved(marketId) : new Map<string, Date>();
    const watched = watchVaults(vaults, vaultFacts(facts), {
      rules: vaultRules(this.settings),
      silentHours: this.settings.constants.alerts.silentHours,
      hour: view.hour,
      unseen: unobserved,
      onlyHeld: !isShared,
    });
    const changes = watched.begun.length + watched.over.length;
    const open = changes === 0 ? facts : await this.change(marketId, watched, view.now);
    if (isShared) for (const fact of vaultFacts(open)) await this.notifyConcerned(fact, view.now);
    return { facts: open, changes };
  }

  find(marketId: string): Promise<KnownFact[]> {
    return this.store.query(FIND, [marketId]);
  }

  /**
   * Checks that the shared market's hours are computed in time. Any process may call it periodically, since the one that runs the tick may be the one
   * that died.
   */
  async watchTick(): Promise<void> {
    if (!this.clock.isRight) return;
    const newest = await this.market.newestHour();
    const now = this.clock.now();
    // Before any feed has answered, there is no hour to count from.
    const due = newest === null ? (this.watchedSince ??= now) : addHours(newest, 1);
    const { lateHours } = this.settings.constants.alerts;
    const isAhead = isUnreached(due, now);
    const isLate = isAhead || now.getTime() - due.getTime() >= lateHours * HOUR_MS;
    const facts = (await this.find(BASE_MARKET)).filter(({ kind }) => kind === 'tick_late');
    const open = facts.filter(({ until }) => until === null);
    // A process died before it deleted them.
    for (const fact of facts) if (fact.until !== null) await this.forget(BASE_MARKET, fact);
    if (isLate === open.length > 0) return;
    const why =
      newest === null
        ? `has no data: no feed has answered for ${lateHours} hours`
        : isAhead
          ? `has data for ${newest.toISOString()}, which is in the future: its tick has stopped`
          : `has no data for ${due.toISOString()} yet: its tick is ${lateHours} hours late`;
    await this.change(
      BASE_MARKET,
      isLate
        ? { begun: [{ kind: 'tick_late', subject: '', why, since: due }], over: [] }
        : { begun: [], over: open },
      now,
    );
    for (const fact of open) await this.forget(BASE_MARKET, fact);
  }

  /** Notifies administrators, and the partner whose accounts they are, of reserves that began or ceased to differ from the books. May be repeated. */
  async watchReserves(reading: ReservesReading): Promise<WatchedVault> {
    const facts = (await this.find(BASE_MARKET)).filter(isOfReserves);
    // A process died before it deleted them.
    for (const fact of facts) if (fact.until !== null) await this.forget(BASE_MARKET, fact);
    const open = facts.filter(({ until }) => until === null);
    const changes = watchReserves(reading, open);
    if (changes.begun.length + changes.over.length > 0)
      await this.change(BASE_MARKET, changes, this.clock.now());
    for (const fact of changes.over) await this.forget(BASE_MARKET, fact);
    return changes;
  }

  /** Open facts on reserves. */
  async openOfReserves(): Promise<KnownFact[]> {
    return (await this.find(BASE_MARKET)).filter((fact) => isOfReserves(fact) && fact.until === null);
  }

  /** @returns open facts after the change */
  private async change(marketId: string, { begun, over }: WatchedVault, at: Date): Promise<KnownFact[]> {
    const owner = this.plan.ownerOf(marketId);
    return this.store.transaction(async () => {
      const changed = [
        ...(over.length === 0 ? [] : await this.store.query(END, [marketId, JSON.stringify(over), at])),
        ...(begun.length === 0 ? [] : await this.store.query(BEGIN, [marketId, JSON.stringify(begun)])),
      ];
      const alerts = changed.map((fact) => this.toAlert(fact));
      if (owner === null) {
        await this.events.notifyAdministrators(alerts, at);
        const ofPartners = changed.flatMap((fact) => {
          const { partnerId } = partsOf(fact);
          return partnerId === null ? [] : [{ alert: this.toAlert(fact), partnerIds: [partnerId] }];
        });
        await this.events.notifyPartners(ofPartners, at);
      } else {
        await this.events.notifyPartners(
          alerts.map((alert) => ({ alert, partnerIds: [owner] })),
          at,
        );
        for (const fact of changed) if (fact.until !== null) await this.forget(marketId, fact);
      }
      return this.find(marketId);
    });
  }

  /** Notifies partners with funds in the vault, once; of the end of a fact, those that were notified of its beginning. */
  private async notifyConcerned(fact: KnownFact, at: Date): Promise<void> {
    const { kind, subject, until } = fact;
    const take = until === null ? TAKE_CONCERNED : TAKE_NOTIFIED;
    for (let notified = AT_ONCE; notified === AT_ONCE;)
      notified = await this.store.transaction(async () => {
        const rows = await this.store.query(take, [BASE_MARKET, kind, subject, AT_ONCE]);
        const partnerIds = rows.map(({ partnerId }) => partnerId);
        await this.events.notifyPartners([{ alert: this.toAlert(fact), partnerIds }], at);
        return rows.length;
      });
    if (until !== null) await this.forget(BASE_MARKET, fact);
  }

  private async forget(marketId: string, { kind, subject }: KnownFact): Promise<void> {
    await this.store.query(FORGET, [marketId, kind, subject]);
  }

  private toAlert(fact: KnownFact): Alert {
    return alertOf(fact, this.settings.vaults.find(({ id }) => id === partsOf(fact).vaultId)?.name);
  }
}

const vaultFacts = (facts: readonly KnownFact[]): KnownFact[] => facts.filter(isOfVaults);
