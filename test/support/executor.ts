import { addHours } from '../../src/domain/kernel/clock.js';
import { newId } from '../../src/domain/kernel/identifier.js';
import type { MoveOrder } from '../../src/domain/routing/allocation/move-order.js';
import { MoveOrderService } from '../../src/domain/routing/allocation/move-order.service.js';
import { MoveReportService } from '../../src/domain/routing/orders/move-report.service.js';
import { Random } from '../faults/load/random.js';
import { type Engine, newTxHash } from './engine.js';

/**
 * Habits of executors. `prompt`: takes and reports an order at once. `slow`: takes it hours later, or too late. `partial`: reports batches whole, with less
 * or more than expected. `late`: reports without taking, and an arrival hours after its redemption. `wrong`: makes reports that are refused before each right one. `gone`: takes
 * an order and is not heard of again, until it is reported as failed.
 */
export const HABITS = ['prompt', 'slow', 'partial', 'late', 'wrong', 'gone'] as const;
export type Habit = (typeof HABITS)[number];

/** Report on an order by a key. */
export interface OrderReport {
  step: 'taken' | 'redeemed' | 'settled' | 'allocated' | 'failed';
  id: string;
  /** Partner that reports; null: the operator's executor, whose orders are all. */
  partnerId: string | null;
  /** Position of a received deposit, for `allocated`. */
  positionId: string | null;
  /** Whether all orders of its batch are meant. */
  batch: boolean;
  /** Micro-units. */
  amount: bigint;
  txHash: string;
  keyId: string;
  note: string;
}

/** @throws DomainError as the API answers */
export async function sendReport({ context }: Engine, report: OrderReport): Promise<void> {
  const service = context.get(MoveReportService);
  const { step, positionId, partnerId, keyId, note } = report;
  if (step === 'taken') await service.take(report, keyId);
  else if (step === 'failed') await service.failed(report, note);
  else if (step === 'allocated') await service.allocated(positionId!, partnerId, report);
  else await service[step](report, report);
}

const HOURS_UNTIL_FAILED = 30;
const NONSENSE_AT_ONCE = 4;
const MILLIONTHS = 1_000_000n;
const ALL = { limit: 500, after: null };

/** Executor of the open orders of some partners, with a habit. The same seed makes the same choices. */
export class Executor {
  private readonly random: Random;
  /** Hours that it leaves an order alone, by its id. */
  private readonly patience = new Map<string, number>();
  private keys = 0;
  private wrongs = 0;
  private deviations = 0;
  private receipts = 0;

  /**
   * @param partnerIds whose orders it executes; empty: those of all partners
   * @param send makes a report
   */
  constructor(
    private readonly engine: Engine,
    private readonly habit: Habit,
    seed: number,
    private readonly partnerIds: readonly string[],
    private readonly send: (report: OrderReport) => Promise<unknown>,
  ) {
    this.random = new Random(seed);
  }

  /** Open orders, the oldest first, with the present value of their funds. */
  async open(): Promise<MoveOrder[]> {
    const orders = this.engine.context.get(MoveOrderService);
    const partners = this.partnerIds.length > 0 ? this.partnerIds : [null];
    const pages = await Promise.all(partners.map((partnerId) => orders.list({ partnerId }, ALL)));
    const open = pages.flatMap(({ items }) => items).filter(({ endedAt }) => endedAt === null);
    return open.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Looks at all open orders, and does what its habit is. */
  async work(): Promise<void> {
    for (const { id } of await this.open()) {
      const order = await this.again(id);
      if (order.endedAt === null && order.amount > 0n) await this.actions[this.habit](order);
    }
  }

  /** Reports the next step of an order, exactly, without anything that compares what it does. */
  reportNext({ id, amount, ...order }: MoveOrder): Promise<void> {
    const step = arrivalOf(order);
    const keyId = `key_${this.random.seed}`;
    const report = { id, step, amount, positionId: null, partnerId: null, batch: false, note: '' };
    return sendReport(this.engine, { ...report, keyId, txHash: newTxHash() });
  }

  /** Ends every open order: as it should, or as failed where that is `gone`. */
  async finish(): Promise<void> {
    for (const { id } of await this.open()) {
      const order = await this.again(id);
      if (order.endedAt !== null) continue;
      if (this.habit === 'gone' || order.amount === 0n) await this.report(order, 'failed');
      else await this.execute(order);
    }
  }

  private readonly actions: Record<Habit, (order: MoveOrder) => Promise<void>> = {
    prompt: (order) => this.execute(order),
    slow: async (order) => {
      if (this.isDue(order, order.requestedAt, 6)) await this.advance(order);
    },
    partial: async (order) => this.advance(order, await this.isWhole(order)),
    late: async (order) => {
      if (order.status !== 'arriving' || this.isDue(order, order.redeemed?.at ?? order.requestedAt, 30))
        await this.advance(order);
    },
    wrong: async (order) => {
      for (let count = 0; count < NONSENSE_AT_ONCE; count++) {
        const nonsense = this.nonsense(await this.again(order.id));
        await this.send(nonsense[this.wrongs++ % nonsense.length]!);
      }
      await this.advance(await this.again(order.id));
    },
    gone: async (order) => {
      const { takenAt, status } = order;
      if (takenAt === null || (status === 'redeeming' && this.random.chance(0.3))) await this.advance(order);
      else if (addHours(takenAt, HOURS_UNTIL_FAILED) <= this.engine.now) await this.report(order, 'failed');
    },
  };

  /** Takes an order and reports it to its end, as long as it is open. */
  private async execute(order: MoveOrder): Promise<void> {
    await this.advance(order);
    const next = await this.again(order.id);
    // A refused report leaves the order as it is.
    if (next.endedAt === null && next.amount > 0n && stepOf(next) !== stepOf(order)) await this.execute(next);
  }

  /**
   * Makes the next report on an order, or on its batch. A batch deviates in any way from what is expected; one order costs what was expected when it
   * leaves its vault.
   */
  private async advance(order: MoveOrder, batch = false): Promise<void> {
    const step = this.habit === 'late' ? arrivalOf(order) : stepOf(order);
    if (step === 'taken') return this.report(order, step, { batch });
    const isFirst = order.redeemed === null && order.positionId === null;
    const cost = isFirst ? smaller(order.expectedCost, order.amount / 50n) : 0n;
    const by = batch ? this.deviation(order) : -cost;
    const worth = batch ? await this.worthOf(order) : order.amount;
    const isAllocated = order.positionId !== null && this.random.chance(0.5);
    const amount = (isAllocated ? order.amount : worth) + by;
    await this.report(order, isAllocated ? 'allocated' : step, { batch: batch && !isAllocated, amount });
  }

  private async report(
    { id, amount, positionId }: MoveOrder,
    step: OrderReport['step'],
    given: Partial<OrderReport> = {},
  ): Promise<void> {
    const report = { id, step, amount, positionId, partnerId: null, batch: false, note: 'It did not work.' };
    const keyId = `key_${this.random.seed}_${this.habit === 'partial' ? this.keys++ : 0}`;
    const made = { ...report, keyId, txHash: newTxHash(), ...given };
    if (made.amount > 0n) await this.send(made);
  }

  /** Whether it executes all orders of a batch: others may be of partners that it does not work for. */
  private async isWhole({ id }: MoveOrder): Promise<boolean> {
    const orders = await this.engine.context.get(MoveOrderService).findBatch(id, null);
    return orders.every(({ partnerId }) => this.partnerIds.includes(partnerId));
  }

  /** What the orders of a batch that wait for the same step are worth together. */
  private async worthOf(order: MoveOrder): Promise<bigint> {
    if (order.batchId === null) return order.amount;
    const orders = await this.engine.context.get(MoveOrderService).findBatch(order.id, order.partnerId);
    const waiting = orders.filter((row) => row.endedAt === null && isArriving(row) === isArriving(order));
    return waiting.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** In turn: a gain that waits for a review, one that is booked, what only a key that moved enough may report, a cost, and what is expected. */
  private deviation({ amount, expectedCost, redeemed, positionId }: MoveOrder): bigint {
    // What was received beyond a deposit is principal.
    const kind = positionId === null ? this.deviations++ % 5 : ++this.receipts % 2;
    const part = BigInt(this.random.between(1, 1_000_000));
    const cost = redeemed === null ? smaller(expectedCost, amount / 50n) : 0n;
    if (kind === 0) return amount / 300n + (amount * part) / (40n * MILLIONTHS);
    if (kind === 1) return (amount * part) / (1_200n * MILLIONTHS);
    if (kind === 2) return -(amount * part) / (110n * MILLIONTHS);
    return kind === 3 ? -(cost * part) / MILLIONTHS : 0n;
  }

  private isDue({ id }: MoveOrder, since: Date, maxOrders: number): boolean {
    const hours = this.patience.get(id) ?? this.random.between(0, maxOrders);
    this.patience.set(id, hours);
    return addHours(since, hours) <= this.engine.now;
  }

  /** Reports that are wrong whatever is the state of the order. */
  private nonsense(order: MoveOrder): OrderReport[] {
    const { id, amount, positionId, redeemed, takenBy } = order;
    const usual = { id, positionId, amount, partnerId: null, batch: false, note: 'no', keyId: 'key_wrong' };
    const wrong = (given: Partial<OrderReport> & Pick<OrderReport, 'step'>): OrderReport => ({
      ...usual,
      txHash: newTxHash(),
      ...given,
    });
    const step = arrivalOf(order);
    const other = step === 'settled' ? ('redeemed' as const) : ('settled' as const);
    const again = redeemed && {
      step: 'redeemed' as const,
      amount: redeemed.amount,
      txHash: redeemed.txHash!,
    };
    return [
      ...(again
        ? [wrong({ ...again, txHash: newTxHash() }), wrong({ ...again, amount: again.amount + 1n })]
        : []),
      wrong({ step, amount: (amount * 106n) / 100n + 1n }),
      wrong({ step: other }),
      ...(takenBy === null ? [] : [wrong({ step: 'taken' })]),
      wrong({ step, amount: (amount * 94n) / 100n }),
      wrong({ step, id: newId('move', this.engine.now) }),
      wrong({ step, id: id.slice(0, -1) }),
      wrong({ step: 'failed', partnerId: newId('partner', this.engine.now) }),
      wrong({ step, amount: amount * 1_000n }),
    ];
  }

  private again(id: string): Promise<MoveOrder> {
    return this.engine.context.get(MoveOrderService).get(id, null);
  }
}

/** Has an executor look at all open orders after each cycle of an engine, so that its moves end in the hour in which they are decided. */
export function employ(engine: Engine): void {
  const send = async (report: OrderReport): Promise<void> => {
    engine.wait(1);
    await sendReport(engine, report);
  };
  const executor = new Executor(engine, 'prompt', 1, [], send);
  engine.afterCycle = () => executor.work();
}

/** Funds in cash, by their vault or by their status: the next report says that they are settled. */
const isArriving = ({ status, fromVaultId }: Pick<MoveOrder, 'status' | 'fromVaultId'>): boolean =>
  status === 'arriving' || fromVaultId.startsWith('vlt_idle_');

const arrivalOf = (order: Pick<MoveOrder, 'status' | 'fromVaultId'>): 'redeemed' | 'settled' =>
  isArriving(order) ? 'settled' : 'redeemed';

const stepOf = (order: MoveOrder): 'taken' | 'redeemed' | 'settled' =>
  order.takenAt === null ? 'taken' : arrivalOf(order);

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
