import { expect } from '@jest/globals';
import { Store } from '../../src/domain/kernel/store/store.js';
import { UserWithdrawalService } from '../../src/domain/routing/withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from '../../src/domain/routing/withdrawals/withdrawal-reader.js';
import { WithdrawalReports } from '../../src/domain/routing/withdrawals/withdrawal-report.service.js';
import { newTxHash } from '../support/engine.js';
import { heldBy, type ExpectedHolding } from './held.js';
import { idleOf, isBeyond, sumOf } from './order.forecast.js';
import { outcome, type Outcome } from './outcome.js';
import type { ModelPartner, World } from './world.js';

/** Withdrawal of a user as the model knows it. Micro-units. */
export interface ModelWithdrawal {
  readonly id: string;
  readonly partner: ModelPartner;
  readonly asset: string;
  readonly isWhole: boolean;
  readonly parts: readonly { positionId: string; amount: bigint }[];
  readonly expiresAt: Date;
  /** Where its positions were when it was requested, without those that a move under way had. */
  readonly places: ReadonlyMap<string, string>;
  status: string;
  txHash: string | null;
  paid: bigint;
}

/** Who is paid: a user's index, its asset, and millionths of what is available, more than all of it, or everything (null). */
export interface Wish {
  pick: number;
  asset: string;
  part: bigint | null;
}

const placeOf = ({ vaultId, transitId }: ExpectedHolding): string => `${vaultId} ${transitId}`;
const isOpen = ({ status }: ModelWithdrawal): boolean => status === 'requested' || status === 'taken';

/** Thrown where a process dies before its transaction commits. */
class Crash extends Error {}

/** Model of the withdrawals by user of a life: it forecasts each answer, and knows what is reserved. */
export class WithdrawalModel {
  readonly all: ModelWithdrawal[] = [];
  /** Number of answers by operation. */
  readonly answers = new Map<string, number>();

  constructor(private readonly world: World) {}

  get open(): ModelWithdrawal[] {
    return this.all.filter(isOpen);
  }

  /** What open withdrawals, except one, reserve of a position of this value. */
  reservedOf(positionId: string, value: bigint, except?: ModelWithdrawal): bigint {
    const others = this.open.filter((withdrawal) => withdrawal !== except);
    const parts = others.flatMap(({ isWhole, parts }) =>
      parts.filter((part) => part.positionId === positionId).map(({ amount }) => (isWhole ? value : amount)),
    );
    const reserved = sumOf(parts);
    return reserved < value ? reserved : value;
  }

  /** Requests a withdrawal; a process that dies meanwhile leaves nothing. */
  async request(wish: Wish, crashes: boolean): Promise<readonly ModelPartner[]> {
    const { world } = this;
    const { engine } = world;
    const { partner, userId } = world.position(wish.pick);
    engine.wait(2);
    const holdings = await heldBy(engine, [partner.id]);
    const sources = world.positions
      .filter((position) => position.userId === userId && position.asset === wish.asset)
      .map(({ id }) => ({ id, holding: holdings.get(id)! }))
      .filter(({ holding }) => holding.status !== 'closed')
      .map(({ id, holding: { value } }) => ({ id, available: value - this.reservedOf(id, value) }));
    const available = sumOf(sources.map((source) => source.available));
    const amount = wish.part === null ? null : (available * wish.part) / 1_000_000n;
    if (amount === 0n && available > 0n) return [];
    const open = this.open.filter(({ parts }) =>
      parts.some(({ positionId }) =>
        world.positions.some(({ id, userId: of }) => id === positionId && of === userId),
      ),
    );
    const request = {
      userId,
      partnerId: partner.id,
      asset: wish.asset,
      amount: amount ?? null,
      wallet: null,
    };
    const send = () => engine.context.get(UserWithdrawalService).request(request);
    const refusal =
      open.length >= 10
        ? 'withdrawal_limit_reached'
        : available === 0n || (amount ?? 0n) > available
          ? 'insufficient_balance'
          : null;
    if (refusal !== null) {
      await world.expectNoEffect(() => outcome(async () => void (await send())), [refusal]);
      this.count(refusal);
      return [];
    }
    if (crashes) await this.crash(send);
    const orders = await world.reported?.orders.reserving();
    const id = await send();
    const withdrawal = await engine.context.get(WithdrawalReader).get(id, partner.id);
    const parts = withdrawal.parts.map(({ positionId, amount: part }) => ({ positionId, amount: part }));
    expect(sumOf(parts.map((part) => part.amount))).toBe(withdrawal.amount);
    expect(withdrawal.amount).toBe(amount ?? available);
    expectOrder(parts, sources, holdings, idleOf(wish.asset));
    const positionIds = parts.map(({ positionId }) => positionId);
    orders?.leave(positionIds);
    const moving = world.reported?.orders.underWay() ?? new Set();
    const after = await heldBy(engine, [partner.id]);
    const resting = positionIds.filter((positionId) => !moving.has(positionId));
    const known = {
      ...{ id, partner, asset: wish.asset, isWhole: amount === null, parts },
      ...{ expiresAt: withdrawal.expiresAt, status: withdrawal.status, txHash: null, paid: 0n },
      places: new Map(resting.map((positionId) => [positionId, placeOf(after.get(positionId)!)])),
    };
    this.all.push(known);
    this.count(withdrawal.status);
    if (withdrawal.status === 'paid') await this.book(known, parts, 0n);
    return [partner];
  }

  /** Takes a withdrawal up. */
  async take(withdrawal: ModelWithdrawal): Promise<void> {
    const { world } = this;
    world.engine.wait(2);
    const expected = this.answerToClaim(withdrawal, withdrawal.status === 'taken');
    const reports = world.engine.context.get(WithdrawalReports);
    const taking = (): Promise<Outcome> => outcome(() => reports.take(withdrawal.id, 'key_payer'));
    if (expected !== 'done') await world.expectNoEffect(taking, [expected]);
    else {
      expect(await taking()).toBe('done');
      withdrawal.status = 'taken';
    }
    this.count(`taken: ${expected}`);
  }

  /**
   * Reports a payment that falls short by millionths of what is expected, or is larger.
   * @param repeats whether the report is made once more
   */
  async pay(withdrawal: ModelWithdrawal, shortBy: bigint, crashes: boolean): Promise<void> {
    const { world } = this;
    const { engine } = world;
    engine.wait(2);
    const holdings = await heldBy(engine, [withdrawal.partner.id]);
    const parts = this.due(withdrawal, holdings);
    const expected = sumOf(parts.map(({ amount }) => amount));
    const amount = expected - (expected * shortBy) / 1_000_000n;
    const report = { txHash: newTxHash(), chain: null, keyId: `key_payer_${this.all.length}` };
    const reports = engine.context.get(WithdrawalReports);
    const send = (given: bigint): Promise<void> => reports.paid(withdrawal.id, { ...report, amount: given });
    const paying = (): Promise<Outcome> => outcome(() => send(amount));
    const claim =
      withdrawal.status === 'paid' ? 'withdrawal_already_reported' : this.answerToClaim(withdrawal, false);
    const allowed =
      claim !== 'done' ? [claim] : this.answersTo(parts, expected - amount, withdrawal, holdings);
    if (amount <= 0n) return;
    if (!allowed.includes('done')) {
      await world.expectNoEffect(paying, allowed);
      this.count(`paid: ${allowed[0]}`);
      return;
    }
    if (crashes) await this.crash(() => send(amount));
    const said = await paying();
    expect(allowed).toContain(said);
    this.count(`paid: ${said}`);
    if (said !== 'done') return;
    withdrawal.txHash = report.txHash;
    withdrawal.paid = amount;
    withdrawal.status = 'paid';
    await this.book(withdrawal, parts, expected - amount);
    // A repeated report changes nothing.
    await world.expectNoEffect(paying, ['done']);
    await world.expectNoEffect(() => outcome(() => send(amount + 1n)), ['withdrawal_already_reported']);
  }

  /** Reports a payment of everything that is expected, without a forecast. */
  payBlindly({ id }: ModelWithdrawal): Promise<Outcome> {
    const report = { txHash: newTxHash(), chain: null, amount: null, keyId: 'key_payer' };
    const reports = this.world.engine.context.get(WithdrawalReports);
    return outcome(() => reports.paid(id, report));
  }

  /** Takes withdrawals as they are stored, after reports whose order of effects is not known. */
  async adopt(): Promise<void> {
    for (const withdrawal of this.open) {
      const { status, txHash, amount, cost, parts } = await this.world.engine.context
        .get(WithdrawalReader)
        .get(withdrawal.id, withdrawal.partner.id);
      if (status === 'paid') {
        withdrawal.txHash = txHash;
        withdrawal.paid = amount - cost;
        await this.book(
          withdrawal,
          parts.filter((part) => part.amount > 0n),
          cost,
        );
      }
      withdrawal.status = status;
    }
  }

  /** Reports that nothing is paid. */
  async fail(withdrawal: ModelWithdrawal): Promise<void> {
    const reports = this.world.engine.context.get(WithdrawalReports);
    const failing = (): Promise<Outcome> => outcome(() => reports.failed(withdrawal.id, 'It did not work.'));
    if (isOpen(withdrawal)) {
      expect(await failing()).toBe('done');
      withdrawal.status = 'failed';
      await this.world.expectNoEffect(failing, ['done']);
    } else
      await this.world.expectNoEffect(failing, [
        withdrawal.status === 'failed' ? 'done' : 'withdrawal_not_open',
      ]);
    this.count('failed');
  }

  /**
   * Compares stored withdrawals with those of the model; time may have ended some.
   * @returns a sentence for each difference
   */
  async troubles(): Promise<string[]> {
    const { engine } = this.world;
    if (this.all.length === 0) return [];
    const rows = await engine.sql<{ id: string; status: string; txHash: string | null; paid: string }>(
      `SELECT id, status, tx_hash AS "txHash", amount - cost AS paid FROM withdrawals WHERE id = ANY($1)`,
      [this.all.map(({ id }) => id)],
    );
    const holdings = await heldBy(
      engine,
      this.world.partners.map(({ id }) => id),
    );
    const problems: string[] = [];
    for (const withdrawal of this.all) {
      const row = rows.find(({ id }) => id === withdrawal.id)!;
      if (
        row.status === 'lapsed' &&
        withdrawal.status === 'requested' &&
        withdrawal.expiresAt <= engine.now
      ) {
        withdrawal.status = 'lapsed';
        this.count('lapsed');
      }
      if (row.status !== withdrawal.status || row.txHash !== withdrawal.txHash)
        problems.push(`${row.id}: is ${row.status} by ${row.txHash}, it should be ${withdrawal.status}`);
      if (row.status === 'paid' && withdrawal.txHash !== null && BigInt(row.paid) !== withdrawal.paid)
        problems.push(`${row.id}: paid ${row.paid}, it should be ${withdrawal.paid}`);
      if (isOpen(withdrawal)) problems.push(...this.movedTroubles(withdrawal, holdings));
    }
    return problems;
  }

  count(answer: string): void {
    const name = `withdrawal ${answer}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }

  /** Reserved funds are where they were, unless a move was under way. */
  private movedTroubles(
    { id, places }: ModelWithdrawal,
    holdings: ReadonlyMap<string, ExpectedHolding>,
  ): string[] {
    return [...places].flatMap(([positionId, place]) => {
      const holding = holdings.get(positionId)!;
      return holding.status !== 'closed' && placeOf(holding) !== place
        ? [`${id}: its position ${positionId} is in ${placeOf(holding)}, it was in ${place}`]
        : [];
    });
  }

  /** Answer to whoever claims a withdrawal, by taking or by paying it. */
  private answerToClaim({ status, parts }: ModelWithdrawal, isTaken: boolean): Outcome {
    if (status !== 'requested' && status !== 'taken') return 'withdrawal_not_open';
    if (isTaken) return 'withdrawal_already_reported';
    const moving = this.world.reported!.orders.underWay();
    return parts.some(({ positionId }) => moving.has(positionId)) ? 'withdrawal_not_open' : 'done';
  }

  /** What the books expect of each position: what earlier withdrawals leave and, of everything, what all others leave. */
  private due(withdrawal: ModelWithdrawal, holdings: ReadonlyMap<string, ExpectedHolding>) {
    return withdrawal.parts.flatMap(({ positionId, amount: asked }) => {
      const { value } = holdings.get(positionId)!;
      const others = this.open
        .filter(({ id, isWhole }) => !isWhole && (withdrawal.isWhole || id < withdrawal.id))
        .flatMap(({ parts }) => parts.filter((part) => part.positionId === positionId));
      const reserved = sumOf(others.map(({ amount }) => amount));
      const available = reserved < value ? value - reserved : 0n;
      const amount = withdrawal.isWhole || available < asked ? available : asked;
      return amount > 0n ? [{ positionId, amount }] : [];
    });
  }

  /** Answers that a payment of these parts may have, which falls short. */
  private answersTo(
    parts: readonly { positionId: string; amount: bigint }[],
    shortfall: bigint,
    { asset }: ModelWithdrawal,
    holdings: ReadonlyMap<string, ExpectedHolding>,
  ): Outcome[] {
    if (parts.length === 0) return ['insufficient_balance'];
    if (shortfall === 0n) return ['done'];
    const inVaults = parts.filter(({ positionId }) => holdings.get(positionId)!.vaultId !== idleOf(asset));
    const value = sumOf(inVaults.map(({ amount }) => amount));
    const bearable = value - BigInt(inVaults.length);
    const { maxReportDeviation } = this.world.engine.settings.constants.routing;
    if (shortfall < 0n || shortfall > bearable || isBeyond(shortfall, value, maxReportDeviation))
      return ['amount_out_of_bounds'];
    // The sum of a key's deviations has suites of its own.
    return ['done', 'amount_out_of_bounds'];
  }

  private async book(
    { partner }: ModelWithdrawal,
    parts: readonly { positionId: string; amount: bigint }[],
    cost: bigint,
  ): Promise<void> {
    partner.withdrawn += sumOf(parts.map(({ amount }) => amount)) - cost;
    partner.withdrawals += parts.length;
    const holdings = await heldBy(this.world.engine, [partner.id]);
    for (const position of this.world.positions)
      if (parts.some(({ positionId }) => positionId === position.id))
        position.closed = holdings.get(position.id)!.status === 'closed';
  }

  /** Runs work in a transaction that is lost. */
  private async crash(work: () => Promise<unknown>): Promise<void> {
    const { engine } = this.world;
    const dying = async (): Promise<Outcome> => {
      const lost = engine.context.get(Store).transaction(async () => {
        await work();
        throw new Crash();
      });
      // Where the answer is not certain, it may be refused instead.
      const refusal = await outcome(() => lost).catch((error: unknown) => error);
      if (typeof refusal !== 'string') expect(refusal).toBeInstanceOf(Crash);
      return 'done';
    };
    await this.world.expectNoEffect(dying, ['done']);
    this.count('crashed');
  }
}

/** Cash is paid first, unless it is in transit, and only one position pays a part. */
function expectOrder(
  parts: readonly { positionId: string; amount: bigint }[],
  sources: readonly { id: string; available: bigint }[],
  holdings: ReadonlyMap<string, ExpectedHolding>,
  cash: string,
): void {
  const availableOf = new Map(sources.map(({ id, available }) => [id, available]));
  const isCash = (id: string): boolean => {
    const { vaultId, transitId } = holdings.get(id)!;
    return vaultId === cash && transitId === null;
  };
  for (const { positionId, amount } of parts.slice(0, -1)) expect(amount).toBe(availableOf.get(positionId));
  const places = parts.map(({ positionId }) => isCash(positionId));
  expect(places).toEqual(places.toSorted((a, b) => Number(b) - Number(a)));
  const paysVault = places.includes(false);
  const unpaidCash = sources.filter(
    ({ id, available }) => isCash(id) && available > 0n && !parts.some(({ positionId }) => positionId === id),
  );
  if (paysVault) expect(unpaidCash).toEqual([]);
}
