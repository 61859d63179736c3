import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { change } from '../support/change.js';
import { A_IS_BEST, AttackedStage, B_IS_BEST } from '../support/chain/attacked-stage.js';
import { CustodyWorld } from '../support/chain/custody-world.js';
import type { Mood, Ways } from '../support/chain/provider-proxy.js';
import { expectError } from '../support/expected-error.js';
import { A, IDLE } from '../support/moves.js';

const THIEF = '0x00000000000000000000000000000000000070e5';
const micro = (units: number): bigint => BigInt(Math.round(units * 1e6));
const units = (amount: bigint): number => Number(amount) / 1e6;

/** Each attack begins where the chain holds what is in the books, and is found within two hours' readings. */
describe('partner contract: attacks on funds on a chain', () => {
  let world: CustodyWorld;
  let stage: AttackedStage;

  beforeAll(async () => {
    world = await CustodyWorld.start();
    stage = await AttackedStage.start(world);
  }, 90_000);
  beforeEach(async () => {
    await world.round();
    const rows = await world.round();
    for (const row of Object.values(rows)) expect(Math.abs(row.difference)).toBeLessThan(3);
    expect([await world.openAlerts(), await world.contradicted()]).toEqual([[], []]);
  });
  afterEach(async () => {
    for (const provider of world.providers) provider.mood = 'honest';
    expect(await world.stage.differences()).toEqual([]);
  });
  afterAll(() => world?.close());

  const CONTRADICTED = [['report_contradicted'], ['report_contradicted']];

  it('A report 0.3 % short is refused by the bounds, and found in the first reading where they let it pass, whether the rest stays in the account or leaves it', async () => {
    const { routing } = world.stage.market.app.settings.constants;
    for (const leaves of [false, true]) {
      const thief = await stage.executor();
      const { id } = await stage.ordered(thief);
      const { calls, amount } = await stage.callsOf(id);
      const short = (micro(amount) * 997n) / 1_000n;
      const rest = micro(amount) - short;
      const hash = await world.run(calls[0], ...(leaves ? [world.calls.transfer(THIEF, rest)] : []));
      const body = { tx_hash: hash, amount: units(short) };
      expectError(
        await world.stage.post(`/moves/${id}/redeemed`, body, {}, thief),
        422,
        'amount_out_of_bounds',
      );
      const bounds = {
        maxDailyDeviation: routing.maxDailyDeviation,
        maxMonthlyDeviation: routing.maxMonthlyDeviation,
      };
      change(routing, { maxDailyDeviation: 0.01, maxMonthlyDeviation: 1 });
      await stage.report(thief, id, 'redeemed', units(short), hash);
      change(routing, bounds);
      await world.round();
      expect(await stage.shown(id, 'redeemed')).toBe(
        `mismatch wrong_amount ${leaves ? units(short) : amount}`,
      );
      expect(await stage.told(id)).toEqual(CONTRADICTED);
      await stage.resolve(id, 'redeemed', 'accept');
      await stage.perform(await stage.executor(), id);
      // Into A again, for the next attack.
      await stage.deposit();
    }
  });

  it("A report with the hash of another's transaction is found in the first reading, and the report that the transaction is of stays confirmed", async () => {
    const [honest, thief] = [await stage.executor(), await stage.executor()];
    const first = await stage.ordered(honest);
    const { calls, amount } = await stage.callsOf(first.id);
    const hash = await world.run(calls[0]);
    await stage.report(honest, first.id, 'redeemed', amount, hash);
    await world.round(A_IS_BEST);
    expect(await stage.shown(first.id, 'redeemed')).toBe(`confirmed null ${amount}`);
    await stage.perform(honest, first.id);
    await stage.deposit();

    const foreign = await world.transfer(world.anvil.accounts[1]!, THIEF, 1_000_000n);
    for (const [stolen, reason] of [
      [hash, 'wrong_amount'],
      [foreign, 'wrong_account'],
    ] as const) {
      const key = stolen === hash ? thief : await stage.executor();
      const { id } = await stage.ordered(key);
      await stage.report(key, id, 'redeemed', (await stage.callsOf(id)).amount, stolen);
      await world.round(B_IS_BEST);
      expect(await stage.shown(id, 'redeemed')).toBe(`mismatch ${reason} 0`);
      expect(await stage.told(id)).toEqual(CONTRADICTED);
      expect(await stage.shown(first.id, 'redeemed')).toBe(`confirmed null ${amount}`);
      expect(await stage.told(first.id)).toEqual([[], []]);
      await stage.resolve(id, 'redeemed', 'void');
    }
    const again = await stage.ordered(honest);
    await stage.perform(honest, again.id);
  });

  it('A transfer to another account is found in the first reading', async () => {
    await stage.deposit();
    const thief = await stage.executor();
    const { id } = await stage.ordered(thief);
    const { amount } = await stage.callsOf(id);
    const hash = await world.run(world.calls.leave(A, micro(amount), THIEF));
    await stage.report(thief, id, 'redeemed', amount, hash);
    await world.round();
    expect(await stage.shown(id, 'redeemed')).toBe('mismatch wrong_account 0');
    expect(await stage.told(id)).toEqual(CONTRADICTED);
    await stage.resolve(id, 'redeemed', 'void');
    // The books have the funds again, and the chain does not.
    await world.round();
    await world.round();
    expect(await world.openAlerts()).toEqual([`reserves_short ${A}`]);
    await stage.restore(micro(amount));
    const honest = await stage.executor();
    await stage.perform(honest, (await stage.ordered(honest)).id);
  });

  it('A donation, to the account or into a vault for it, is a surplus in the second reading, and only a warning', async () => {
    const [donor] = world.anvil.accounts;
    await world.token.send('mint', donor, 1_000_000_000n);
    await world.transfer(donor!, world.account.address, 500_000_000n);
    await world.token.send('approve', world.vault.address, 500_000_000n);
    await world.vault.send('deposit', 500_000_000n, world.account.address);
    const rows = await world.round();
    expect(rows['cash'].difference).toBeCloseTo(500, 0);
    expect(rows[A].difference).toBeCloseTo(500, 0);
    await world.round();
    expect(await world.openAlerts()).toEqual([`reserves_over ${A}`, `reserves_over ${IDLE}`]);
    expect(await world.contradicted()).toEqual([]);
    await world.run(world.calls.leave(A, 500_000_000n, THIEF), world.calls.transfer(THIEF, 500_000_000n));
  });

  it("A direct withdrawal by the custody's owner that nobody reports is found in the second reading", async () => {
    await stage.deposit();
    await world.run(world.calls.leave(A, 100_000_000n, THIEF));
    expect((await world.round())[A].difference).toBeCloseTo(-100, 0);
    await world.round();
    expect(await world.openAlerts()).toEqual([`reserves_short ${A}`]);
    await stage.restore(100_000_000n);
  });

  it('A reorganised block that removes a reported transaction: the report is never confirmed, the reserves show it in the second reading, and later it is not found', async () => {
    const thief = await stage.executor();
    const { id } = await stage.ordered(thief);
    const { calls, amount } = await stage.callsOf(id);
    const hash = await world.run(calls[0]);
    await stage.report(thief, id, 'redeemed', amount, hash);
    world.wait(60_000);
    await world.lookUp();
    expect(await stage.shown(id, 'redeemed')).toBe('seen null null');
    await world.anvil.reorganise(1);
    await world.round();
    expect(await stage.shown(id, 'redeemed')).toBe('unchecked not_in_a_block null');
    await world.round();
    expect(await world.openAlerts()).toContain(`reserves_over ${A}`);
    for (let hour = 0; hour < 2; hour++) await world.round();
    expect(await stage.shown(id, 'redeemed')).toBe('not_found null null');
    expect(await stage.told(id)).toEqual(CONTRADICTED);
    await stage.resolve(id, 'redeemed', 'void');
  });

  it('A provider that lies among three is outvoted, and two that contradict each other leave what is not known null, with its reason', async () => {
    const [first, second] = world.providers as [(typeof world.providers)[0], (typeof world.providers)[0]];
    const honest = await stage.executor();
    for (const mood of ['price', 'lie', 'logs', 'receipts'] satisfies Mood[]) {
      first.mood = mood;
      const rows = await world.round();
      for (const { reason, difference } of Object.values(rows)) {
        expect([mood, reason]).toEqual([mood, null]);
        expect(Math.abs(difference)).toBeLessThan(3);
      }
    }
    // The liar knows no transaction now: those that others know are confirmed.
    const { id } = await stage.ordered(honest);
    await stage.perform(honest, id);
    await world.round();
    for (const step of ['redeemed', 'settled'] as const)
      expect(await stage.shown(id, step)).toMatch(/^confirmed null /);
    expect(await world.openAlerts()).toEqual([]);

    first.mood = 'price';
    second.mood = { single: ({ method }, answer) => (method === 'eth_call' ? less(answer) : undefined) };
    const unknown = { reason: 'providers_disagree', chain_holds: null, difference: null, coverage: null };
    for (let hour = 0; hour < 3; hour++) {
      const rows = await world.round();
      expect(rows['cash']).toMatchObject(unknown);
      expect(rows[A]).toMatchObject(unknown);
    }
    expect(await world.openAlerts()).toEqual([]);
  });
});

type Answered = Parameters<NonNullable<Ways['single']>>[1];

/** Takes a unit from the last word. */
function less({ result, ...rest }: Answered): Answered {
  const data = result as string;
  const last = BigInt(`0x${data.slice(-64)}`);
  const bent = last > 0n ? last - 1n : 1n;
  return { ...rest, result: data.slice(0, -64) + bent.toString(16).padStart(64, '0') };
}
