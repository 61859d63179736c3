import type { Random } from '../../faults/load/random.js';
import { HOUR_MS } from '../../../src/domain/kernel/clock.js';
import type { Api } from '../api.js';
import { A, B, C, IDLE } from '../moves.js';
import type { CustodyWorld } from './custody-world.js';
import type { Sent } from './moved-funds.js';

interface OpenOrder {
  id: string;
  batch: string | null;
  isArriving: boolean;
  isTaken: boolean;
  /** Whether it was not taken so long ago that its funds no longer count as in flight. */
  isFresh: boolean;
}

/** What is in flight for longer is missed where it should be. */
const FRESH = `taken_at IS NULL OR taken_at > $1::timestamptz - interval '20 hours'`;

const WHOLE = 1_000_000;
const micro = (units: number): bigint => BigInt(Math.round(units * WHOLE));
const units = (amount: bigint): number => Number(amount) / WHOLE;
/** Answers that an honest caller waits after, or asks for less: funds that a move or another withdrawal has. */
const LATER = ['insufficient_balance', 'withdrawal_not_open', 'withdrawal_limit_reached', 'move_not_open'];

/** An executor that sends what the API says, and reports what it has sent: soon as a rule, and within the hour. */
export class HonestExecutor {
  /** Transactions on the chain that are reported later. */
  private unreported: { due: number; ids: string[]; report: () => Promise<void> }[] = [];
  /** Withdrawals of everything, whose payment takes what was earned until then. */
  readonly whole = new Set<string>();
  /**
   * What the chain should have beyond the books, micro-units: yield between a transaction and its report, of what had arrived or, less than nothing, of what
   * had left; less what the operator took out.
   */
  beyond = 0;

  constructor(
    private readonly world: CustodyWorld,
    private readonly random: Random,
    /** Number of refusals after which it waited, by code. */
    private readonly done: Record<string, number>,
    private readonly api: Api,
  ) {}

  /** Lets time pass, within the hour. */
  pass(ms: number): void {
    this.world.wait(Math.min(ms, Math.max(0, this.world.restOfHour - 120_000)));
  }

  /** The next step of a withdrawal: takes it, or pays it out of cash and vaults, and reports that. */
  async pay(): Promise<void> {
    const { world, random } = this;
    const open = await world.stage.sql<Omit<OpenOrder, 'batch' | 'isArriving'>>(
      `SELECT id, taken_at IS NOT NULL AS "isTaken", ${FRESH} AS "isFresh" FROM withdrawals WHERE ended_at IS NULL ORDER BY id`,
      [world.now()],
    );
    const waiting = open.filter(({ id }) => !this.isUnreported(id));
    if (waiting.length === 0) return;
    const { id, isTaken, isFresh } = random.pick(waiting);
    if (!isTaken && !(await this.send(`/withdrawals/${id}/taken`))) return;
    if (random.chance(0.2)) return;
    const { calls, amount, parts } = await world.stage.get(
      `/withdrawals/${id}?account=${world.account.address}`,
    );
    if (amount === 0) return;
    const tx_hash = await this.transact(calls);
    if (tx_hash === null) return;
    const sent = world.blockTime;
    const path = `/withdrawals/${id}/paid`;
    const body = { tx_hash, amount, chain: 'ethereum' };
    const isWhole = this.whole.has(id);
    const report = async (): Promise<void> => {
      // What a vault has lost since it paid, it has to earn first: no more is booked than the positions are worth.
      if (!(await this.send(path, body, this.api, ['amount_out_of_bounds']))) {
        this.unreported.push({ due: world.now().getTime() + HOUR_MS, ids: [id], report });
        return;
      }
      for (const { vault_id, amount: paid } of isWhole ? [] : parts)
        if (vault_id !== IDLE)
          this.beyond -= world.rates.yieldOf(vault_id, micro(paid), sent, world.now().getTime());
    };
    if (!isWhole) return this.reportSoon([id], isFresh, report);
    this.pass(random.between(2, 20) * 1_000);
    await report();
  }

  /** The next step of a move, or of its batch: takes it; withdraws, deposits, or does both in one transaction, and reports that. */
  async move(): Promise<void> {
    const { world, random } = this;
    const rows = await world.stage.sql<OpenOrder>(
      `SELECT id, batch_id AS batch, status = 'arriving' OR position_id IS NOT NULL OR from_vault_id = $2 AS "isArriving", taken_at IS NOT NULL AS "isTaken", ${FRESH} AS "isFresh"
         FROM move_orders WHERE ended_at IS NULL ORDER BY id`,
      [world.now(), IDLE],
    );
    const open = rows.filter(({ id }) => !this.isUnreported(id));
    if (open.length === 0) return;
    const first = random.pick(open);
    const alike = open.filter(({ isArriving }) => isArriving === first.isArriving);
    const ofBatch = alike.filter(({ batch }) => batch !== null && batch === first.batch);
    const orders = random.pick([
      [first],
      [first, ...alike.filter((order) => order !== first)].slice(0, 4),
      ofBatch.length > 0 ? ofBatch : [first],
    ]);
    for (const { id, isTaken } of orders) if (!isTaken && !(await this.send(`/moves/${id}/taken`))) return;
    if (random.chance(0.3)) return;
    const isWhole = !first.isArriving && random.chance(0.3);
    const steps = first.isArriving ? ['settled'] : isWhole ? ['redeemed', 'settled'] : ['redeemed'];
    const moves = await Promise.all(
      orders.map(({ id }) => world.stage.get(`/moves/${id}?account=${world.account.address}`)),
    );
    const some = moves.filter(({ amount }) => amount > 0);
    const calls = some.flatMap(({ calls: all }) =>
      all.filter(({ step }: { step: string }) => isWhole || first.isArriving || step === 'withdraw'),
    );
    if (calls.length === 0) return;
    const tx_hash = await this.transact(calls);
    if (tx_hash === null) return;
    const sent = world.blockTime;
    const ids = some.map(({ id }) => id);
    const isBatch =
      ids.length > 1 &&
      orders === ofBatch &&
      rows.filter(({ batch }) => batch === first.batch).length === ids.length;
    const total = some.reduce((sum, { amount }) => sum + micro(amount), 0n);
    const reported =
      isBatch && random.chance(0.5) ? [{ id: ids[0], amount: units(total), batch: true }] : some;
    await this.reportSoon(
      ids,
      orders.every(({ isFresh }) => isFresh),
      async () => {
        for (const step of steps)
          for (const { id, amount, batch } of reported)
            await this.must(`/moves/${id}/${step}`, { tx_hash, amount, ...(batch === true && { batch }) });
        if (!steps.includes('settled')) return;
        for (const { to_vault_id, amount } of some)
          this.beyond += world.rates.yieldOf(to_vault_id, micro(amount), sent, world.now().getTime());
      },
    );
  }

  /** Whether a payment waits for its report. */
  get isOwing(): boolean {
    return this.unreported.length > 0;
  }

  private isUnreported(id: string): boolean {
    return this.unreported.some(({ ids }) => ids.includes(id));
  }

  /** Reports within seconds as a rule, seldom within minutes or the hour. */
  private async reportSoon(ids: string[], isFresh: boolean, report: () => Promise<void>): Promise<void> {
    const seconds = this.random.pick([2, 5, 10, 20, 30, 60, 120, 300, 600, null]);
    if (seconds === null && isFresh) {
      const due = this.world.now().getTime() + this.random.between(60, 3_000) * 1_000;
      this.unreported.push({ due, ids, report });
      return;
    }
    this.pass((seconds ?? 5) * 1_000);
    await report();
  }

  /** Reports now what was to be reported later. */
  async reportWhere(isDue: (later: { due: number }) => boolean): Promise<void> {
    for (const later of this.unreported.filter(isDue)) {
      await later.report();
      this.unreported = this.unreported.filter((other) => other !== later);
    }
  }

  /** @returns what was accepted; null where an honest caller waits */
  async send(path: string, body?: object, api = this.api, codes = LATER): Promise<any> {
    this.world.wait(1);
    const answer = await this.world.stage.post(path, body, {}, api);
    if (answer.status === 201) return answer.body.data;
    const code = answer.body.error?.code as string;
    if (!codes.includes(code)) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    this.done[code] = (this.done[code] ?? 0) + 1;
    return null;
  }

  private async must(path: string, body: object): Promise<void> {
    this.world.wait(1);
    await this.world.stage.done(path, body, this.api);
  }

  /** @returns null where a vault has too little, since payments were reported late: the operator adds to it, and the step is taken later */
  private async transact(calls: readonly Sent[]): Promise<string | null> {
    const hash = await this.world.run(...calls);
    const receipt = (await this.world.anvil.rpc('eth_getTransactionReceipt', hash)) as { status: string };
    if (receipt.status !== '0x1') {
      this.done['reverted'] = (this.done['reverted'] ?? 0) + 1;
      for (const vaultId of [A, B, C]) await this.putIn(vaultId, 1_000_000n);
      return null;
    }
    return hash;
  }

  /** Funds of the operator's own enter a vault. */
  async putIn(vaultId: string, amount: bigint): Promise<void> {
    const { world } = this;
    await world.transfer(world.anvil.accounts[1]!, world.account.address, amount);
    await world.run(...world.calls.enter(vaultId, amount));
    this.beyond += Number(amount);
  }
}
