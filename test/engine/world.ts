import { expect } from '@jest/globals';
import { CampaignService } from '../../src/domain/tenants/partners/campaign.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { differencesOf } from '../support/differences.js';
import type { Engine } from '../support/engine.js';
import { expectReportsToAgree } from './report.audit.js';
import { decisionTroubles, figures, troubles, wholeState } from './audit.js';
import { outcome, type Outcome } from './outcome.js';
import { WithdrawalModel } from './withdrawal.model.js';
import { calm, untilOrdered } from './prelude.js';
import { OrderModel } from './order.model.js';
import { moveTroubles } from './order.rows.js';
import { Executor, type Habit } from '../support/executor.js';
import { listed } from '../support/catalogue.js';

export interface ModelPartner {
  id: string;
  userId: string;
  /** A second user: every other deposit is its own. */
  otherId: string;
  /** The id of an API key of the partner. */
  keyId: string;
  disabled: boolean;
  campaignIds: string[];
  /** Expected figures of its reports, by the answers so far: micro-units and counts. */
  deposited: bigint;
  withdrawn: bigint;
  deposits: number;
  withdrawals: number;
}

export interface ModelPosition {
  id: string;
  partner: ModelPartner;
  userId: string;
  asset: string;
  closed: boolean;
}

const MILLISECONDS_A_STEP = 5_000;

/** The model of a run: its partners and their transfers. Everything else is read from the engine. */
export class World {
  readonly positions: ModelPosition[] = [];
  /** Hashes of recorded transfers. */
  readonly txHashes: string[] = [];
  /** Orders of moves, and who executes them; null: the server itself. */
  readonly reported: { orders: OrderModel; executor: Executor } | null;
  readonly withdrawals = new WithdrawalModel(this);
  private before = new Map<string, string>();
  private readonly checkedDecisions = new Set<string>();

  private constructor(
    readonly engine: Engine,
    readonly partners: readonly ModelPartner[],
    habit: Habit | null,
    seed: number,
  ) {
    const orders = new OrderModel(this);
    const ids = partners.map(({ id }) => id);
    this.reported = habit && { orders, executor: new Executor(engine, habit, seed, ids, orders.report) };
  }

  /**
   * Creates two new partners for each run, with a user and some funds each.
   * @param habit of the executor of their orders; null: the server moves funds itself
   */
  static async begin(engine: Engine, habit: Habit | null = null, seed = 0): Promise<World> {
    if (habit) await calm(engine);
    const partners: ModelPartner[] = [];
    for (let number = 0; number < 2; number++) {
      const id = await engine.createPartner();
      const [userId, otherId] = [await engine.createUser(id), await engine.createUser(id)];
      const { keyId } = await engine.row<{ keyId: string }>(
        'SELECT id AS "keyId" FROM api_keys WHERE partner_id = $1',
        [id],
      );
      const nothing = { deposited: 0n, withdrawn: 0n, deposits: 0, withdrawals: 0 };
      partners.push({ id, userId, otherId, keyId, disabled: false, campaignIds: [], ...nothing });
    }
    // The terms apply from a millisecond on, so that a transfer of the same millisecond would come before them.
    engine.wait();
    const world = new World(engine, partners, habit, seed);
    for (const partner of partners) await world.deposit(partner, 1_000_000_000n, 'USDC', null);
    if (world.reported) {
      // A cost that positions of different values share, and a deposit that is received first.
      for (const partner of partners) await world.deposit(partner, 250_000_000n, 'USDC', null);
      await untilOrdered(world);
      await world.receive(partners[0]!, 500_000_000n, 'USDC');
      // One withdrawal is paid, and one stays reserved.
      const wish = { pick: 1, asset: 'USDC', part: 300_000n };
      for (let count = 0; count < 2; count++) await world.withdrawals.request(wish, false);
      await world.withdrawals.pay(world.withdrawals.open[0]!, 0n, false);
      // It is taken, leaves its vault and arrives, as far as the habit goes.
      for (let turn = 0; turn < 3; turn++) await world.execute();
    }
    world.before = await figures(engine);
    return world;
  }

  /** Begins the next hour where this one is about to end: within a step no hour ends, although each report takes some milliseconds. */
  async reachHour(): Promise<void> {
    const { engine } = this;
    const untilNextHour = HOUR_MS - (engine.now.getTime() % HOUR_MS);
    if (untilNextHour > MILLISECONDS_A_STEP) return;
    engine.wait(untilNextHour);
    await engine.cycle();
    await this.check(null);
  }

  /** Lets the executor look at the orders that hours made. */
  async execute(): Promise<void> {
    if (!this.reported) return;
    expect(await this.reported.orders.troubles()).toEqual([]);
    await this.reported.executor.work();
  }

  /** What became of moves, each with its number: entries by which funds moved, ends of orders and answers to reports. */
  async happened(): Promise<Map<string, number>> {
    const ids = this.partners.map(({ id }) => id);
    const rows = await this.engine.sql<{ what: string; times: number }>(
      `SELECT 'moved' AS what, count(*)::int AS times FROM ledger_entries WHERE type = 'rebalance' AND partner_id = ANY($1)
        UNION ALL SELECT coalesce(failure, status), count(*)::int FROM move_orders WHERE partner_id = ANY($1) GROUP BY 1`,
      [ids],
    );
    const ends = rows.map(({ what, times }) => [what, times] as const);
    return new Map([...ends, ...(this.reported?.orders.answers ?? []), ...this.withdrawals.answers]);
  }

  partner(index: number): ModelPartner {
    return this.partners[index % this.partners.length]!;
  }

  position(index: number): ModelPosition {
    return this.positions[index % this.positions.length]!;
  }

  async deposit(
    partner: ModelPartner,
    amount: bigint,
    asset: string,
    txHash: string | null,
  ): Promise<Outcome> {
    return outcome(async () => {
      const userId = partner.deposits % 2 === 0 ? partner.userId : partner.otherId;
      const { id } = await this.engine.deposit(userId, amount, asset, txHash);
      this.deposited(id, partner, amount, asset, txHash, userId);
    });
  }

  /** Reports a deposit of funds that were received, and are not in a vault yet. */
  async receive(partner: ModelPartner, amount: bigint, asset: string): Promise<Outcome> {
    return outcome(async () => {
      const deposit = { userId: partner.userId, asset, amount, txHash: null, partnerId: null };
      const { id } = await this.engine.context.get(DepositService).deposit({ ...deposit, received: true });
      this.deposited(id, partner, amount, asset, null);
    });
  }

  /** Records an answered deposit in the model. */
  deposited(
    id: string,
    partner: ModelPartner,
    amount: bigint,
    asset: string,
    txHash: string | null,
    userId = partner.userId,
  ): void {
    this.positions.push({ id, partner, userId, asset, closed: false });
    partner.deposited += amount;
    partner.deposits += 1;
    if (txHash) this.txHashes.push(txHash);
  }

  /** Records principal that arrived with a received deposit beyond its amount. */
  topUp(positionId: string | null, amount: bigint): void {
    const position = this.positions.find(({ id }) => id === positionId);
    if (position) position.partner.deposited += amount;
  }

  /** Value of a position beyond what withdrawals of its user reserve, micro-units. */
  async availableIn(position: ModelPosition): Promise<bigint> {
    const value = await this.valueOf(position);
    return value - this.withdrawals.reservedOf(position.id, value);
  }

  async withdraw(position: ModelPosition, amount: bigint, txHash: string | null): Promise<Outcome> {
    return outcome(async () => {
      const { status } = await this.engine.withdraw(position.id, amount, txHash);
      position.closed = status === 'closed';
      position.partner.withdrawn += amount;
      position.partner.withdrawals += 1;
      if (txHash) this.txHashes.push(txHash);
    });
  }

  /** @returns the amount paid, micro-units; null where a position is worth nothing */
  async withdrawAll(position: ModelPosition): Promise<bigint | null> {
    let paid: bigint | null = null;
    const refused = await outcome(async () => {
      paid = BigInt(Math.round((await this.engine.withdraw(position.id, null)).amount * 1e6));
      position.closed = true;
      position.partner.withdrawn += paid;
      position.partner.withdrawals += 1;
    });
    if (refused !== 'done') expect(refused).toBe('insufficient_balance');
    return paid;
  }

  /** The present value of a position, micro-units; where its hour is missing, the value at the hour's beginning. */
  async valueOf({ id }: ModelPosition): Promise<bigint> {
    const { value } = await this.engine.row<{ value: string }>(
      `SELECT div(p.shares * (s.share_index + floor(s.share_index * s.factor * least(ms, 3600000) / 3.6e24)), 1e30) AS value
         FROM positions p JOIN vault_states s USING (market_id, vault_id) JOIN markets m ON m.id = p.market_id
        CROSS JOIN LATERAL (SELECT (extract(epoch FROM $2::timestamptz - m.ticked_hour) * 1000)::numeric(10, 0) AS ms) AS since
        WHERE p.id = $1`,
      [id, this.engine.now],
    );
    return BigInt(value);
  }

  setShare({ id }: ModelPartner, revenueShareBps: number): Promise<unknown> {
    return this.engine.context.get(PartnerService).update(id, { revenueShareBps });
  }

  async setDisabled(partner: ModelPartner, disabled: boolean): Promise<void> {
    const status = disabled ? 'disabled' : 'active';
    await this.engine.context.get(PartnerService).update(partner.id, { status });
    partner.disabled = disabled;
  }

  /** Changes the newest campaign of a partner, or creates its first. */
  async setCampaign(partner: ModelPartner, multiplierHundredths: number, disabled: boolean): Promise<void> {
    const campaigns = this.engine.context.get(CampaignService);
    const campaignId = partner.campaignIds.at(-1);
    const status = disabled ? ('disabled' as const) : ('active' as const);
    if (campaignId) await campaigns.update(partner.id, campaignId, { multiplierHundredths, status });
    else
      partner.campaignIds.push((await campaigns.create(partner.id, { name: 'C', multiplierHundredths })).id);
  }

  /** Expects that an operation is refused, and that no row of any table changed. */
  async expectNoEffect(refused: () => Promise<Outcome>, expected: readonly Outcome[]): Promise<void> {
    const before = await wholeState(this.engine);
    expect(expected).toContain(await refused());
    expect(await wholeState(this.engine)).toEqual(before);
  }

  /**
   * Checks every invariant over the whole database.
   *
   * @param acted partners whose figures may have changed; null: possibly all
   */
  async check(acted: readonly ModelPartner[] | null): Promise<void> {
    const ids = this.partners.map(({ id }) => id);
    const differences = [
      ...(await troubles(this.engine)),
      ...(await differencesOf(this.engine.context)),
      ...(await decisionTroubles(this.engine, ids, this.checkedDecisions)),
      ...(await this.reportTroubles()),
      ...(await moveTroubles(this.engine, ids)),
      ...((await this.reported?.orders.troubles()) ?? []),
      ...(await this.withdrawals.troubles()),
    ];
    const after = await figures(this.engine);
    if (acted !== null) {
      const moved = [...after.keys()].filter((id) => after.get(id) !== this.before.get(id));
      differences.push(
        ...moved
          .filter((id) => !acted.some((partner) => partner.id === id))
          .map((id) => `the figures of ${id} moved, though it did nothing`),
      );
    }
    this.before = after;
    if (differences.length === 0) return;
    throw new Error(
      [...differences.slice(0, 10), ...(this.reported?.orders.log.slice(-10) ?? [])].join('\n'),
    );
  }

  /** Ends orders, checks the reports, and closes open positions, so that the next run begins with a small market. */
  async end(): Promise<void> {
    for (const vault of listed(this.engine.settings)) vault.active = true;
    await this.reachHour();
    for (const withdrawal of this.withdrawals.open) {
      await this.withdrawals.pay(withdrawal, 0n, false);
      if (withdrawal.status !== 'paid') await this.withdrawals.fail(withdrawal);
    }
    await this.reported?.executor.finish();
    for (const order of this.reported?.orders.waiting ?? [])
      await this.reported!.orders.review(order, 'approve');
    for (const { id } of this.partners) await expectReportsToAgree(this.engine, id);
    this.engine.wait(10);
    for (const position of this.positions) {
      // The entries of a user are a millisecond apart, in which funds may be lost.
      this.engine.wait(2);
      const value = position.closed ? 0n : await this.valueOf(position);
      if (value > 0n) expect(await this.withdraw(position, value, null)).toBe('done');
    }
    await this.check(this.partners);
  }

  /** Compares the books with the model. */
  private async reportTroubles(): Promise<string[]> {
    const rows = await this.engine.sql<{ id: string; said: string }>(
      `SELECT partner_id AS id, concat_ws(' ', sum(deposited), sum(withdrawn), sum(deposits), sum(withdrawals)) AS said
         FROM book_totals WHERE partner_id = ANY($1) GROUP BY 1`,
      [this.partners.map(({ id }) => id)],
    );
    return this.partners.flatMap(({ id, deposited, withdrawn, deposits, withdrawals }) => {
      const said = rows.find((row) => row.id === id)?.said ?? '0 0 0 0';
      const answered = [deposited, withdrawn, deposits, withdrawals].join(' ');
      return said === answered ? [] : [`the books of ${id} say ${said}, the answers were ${answered}`];
    });
  }
}
