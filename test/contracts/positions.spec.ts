import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { expectError } from '../support/expected-error.js';
import { TIME } from '../support/fields.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';
import { Receiver } from '../support/receiver.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';

const AAVE = 'vlt_aave_v3_usdc';
/** Amounts of answers in micro-units: their sums are exact integers. */
const micro = (units: number): number => Math.round(units * 1e6);

describe('partner contract: a position from its deposit to its closing', () => {
  let market: TestMarket;
  let receiver: Receiver;
  let conformance: Conformance;

  beforeAll(async () => {
    market = await startMarket('partner', { yields: { [AAVE]: { apy: 0.05, tvl: 1_000_000_000 } } });
    conformance = await Conformance.of('partner');
    receiver = await Receiver.start();
    const events = ['opened', 'active', 'rebalanced', 'withdrawn', 'closed'].map(
      (what) => `position.${what}`,
    );
    await market.partner.api.post('/webhooks', { url: receiver.url, events });
    // The first observation of a feed earns from the next hour on.
    await market.advance();
    market.holdClock();
  });
  afterAll(async () => {
    await receiver.close();
    await market.close();
  });

  /** Calls an operation, and fails where the answer does not match the document. */
  const asDocumented = async (api: Api, method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await api.send(method, path, body);
    conformance.check(method, path, answer);
    if (body && answer.status < 300) conformance.checkBody(method, path, body);
    return answer;
  };
  const read = async (id: string): Promise<any> =>
    (await asDocumented(market.partner.api, 'GET', `/positions/${id}`)).body.data;

  it('A position from its deposit to its closing earns yield, pays out to the micro-unit, stays unchanged once closed, and sends an event for each step', async () => {
    const deposit = {
      user_id: await market.createUser(),
      asset: 'USDC',
      amount: 250.5,
      tx_hash: newTxHash(),
    };
    const opened = (await asDocumented(market.protocol, 'POST', '/positions', deposit)).body.data;
    const withdraw = (body: object) =>
      asDocumented(market.protocol, 'POST', `/positions/${opened.id}/withdrawals`, {
        tx_hash: newTxHash(),
        ...body,
      });
    expect(opened).toMatchObject({
      vault_id: AAVE,
      origin_vault_id: AAVE,
      deposit_id: null,
      active_at: opened.opened_at,
      settlement: { status: 'unchecked', reason: 'no_rpc_url', block: null },
    });
    await market.advance(24);
    const before = await read(opened.id);
    expect(before.value).toBeCloseTo(250.5 * 1.05 ** (24 / 8760), 5);
    expect(micro(before.value)).toBe(micro(before.principal) + micro(before.yield));
    const { amount, ...after } = (await withdraw({ amount: 100.000001 })).body.data;
    expect(after).toMatchObject({ status: 'active', principal: 150.499999, closed_at: null });
    // The number of shares that are burnt is rounded up.
    expect([0, 1]).toContain(micro(before.value) - micro(after.value) - micro(amount));
    expect(await read(opened.id)).toEqual(after);
    const more = await withdraw({ amount: (micro(after.value) + 1) / 1e6 });
    expectError(more, 409, 'insufficient_balance');
    expect(more.body.error.message).toContain(`${after.value} USDC`);
    await market.advance();
    const worth = (await read(opened.id)).value;
    const { data: paid } = (await withdraw({})).body;
    expect(paid).toMatchObject({ amount: worth, status: 'closed', value: 0, apy: null, closed_at: TIME });
    // More was paid out than deposited: the difference is the yield.
    expect(paid.principal).toBe(-paid.yield);
    expect(micro(100.000001) + micro(worth) - micro(250.5)).toBe(micro(paid.yield));
    const closed = await read(opened.id);
    expectError(await withdraw({ amount: 0.000001 }), 409, 'position_closed');
    await market.advance(2);
    expect(await read(opened.id)).toEqual(closed);

    const received = await receiver.waitFor(5);
    received.forEach((got) => conformance.checkEvent(got));
    const events: any[] = received
      .map(({ body }) => JSON.parse(body.toString()))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const types = ['opened', 'active', 'withdrawn', 'withdrawn', 'closed'].map((what) => `position.${what}`);
    expect(events.map(({ type }) => type)).toEqual(types);
    const decision_id = expect.stringMatching(/^dec_/);
    const [first, active, part, rest, last] = events.map(({ data }) => data);
    const withoutSettlement = ({ settlement: _, ...record }: any): object => record;
    expect([first, active]).toEqual(Array(2).fill({ ...withoutSettlement(opened), decision_id }));
    expect(part).toMatchObject({ id: opened.id, amount: 100.000001, decision_id: null });
    expect(rest).toMatchObject({ amount: worth, status: 'closed' });
    expect(last).toEqual({ ...withoutSettlement(closed), decision_id: null });
  });

  describe('around the full hour', () => {
    let user: string;
    beforeAll(async () => {
      user = await market.createUser();
    });

    const deposit = async (amount: number, userId = user): Promise<string> => {
      const body = { user_id: userId, asset: 'USDC', amount, tx_hash: newTxHash() };
      const { status, body: answer } = await market.protocol.post('/positions', body);
      expect([status, answer.data?.vault_id, answer.data?.value]).toEqual([201, AAVE, amount]);
      return answer.data.id;
    };
    /** Withdraws everything. @returns micro-units */
    const paid = async (id: string): Promise<number> => {
      const { body } = await market.protocol.post(`/positions/${id}/withdrawals`, { tx_hash: newTxHash() });
      return micro(body.data.amount);
    };
    const untilFullHour = (): number => HOUR_MS - (market.now().getTime() % HOUR_MS);
    const snapshots = () =>
      market.app.sql<{ apy: number | null; index: string }>(
        'SELECT apy, share_index AS index FROM snapshots WHERE vault_id = $1 ORDER BY hour DESC LIMIT 3',
        [AAVE],
      );

    it('A position from its deposit to its closing around the full hour earns 0.027693 on 10,000,000 in 1.79 s at 5 % across the full hour, before and after the tick', async () => {
      // Bookings of one partner are a millisecond apart, those of two at the same moment.
      const other = await market.createUser(await createPartner(market.app.admin));
      market.pass(untilFullHour() - 1_790);
      const [early, late] = [await deposit(10_000_000), await deposit(10_000_000, other)];
      market.pass(1_790);
      expect(await paid(early)).toBe(micro(10_000_000) + 27_693);
      market.setYields({ [AAVE]: { apy: 0.45, tvl: 1_000_000_000 } });
      await market.tick();
      // The observation of an hour earns from the next hour on.
      expect(await paid(late)).toBe(micro(10_000_000) + 27_693);
      market.setYields({ [AAVE]: { apy: 0.05, tvl: 1_000_000_000 } });
      market.pass(untilFullHour());
      await market.tick();
    });

    it("A position from its deposit to its closing around the full hour is dated at the market's newest hour if a process's clock is behind it, and earns from then on", async () => {
      market.pass(untilFullHour());
      await market.tick();
      const hour = market.now();
      market.pass(-2_000);
      const id = await deposit(1_000_000);
      const shown = async () => (await market.protocol.get(`/positions/${id}`)).body.data;
      expect(await shown()).toMatchObject({ opened_at: hour.toISOString(), value: 1_000_000 });
      market.pass(2_000 + 12_000);
      expect(micro((await shown()).value) - micro(1_000_000)).toBe(18_565);
      expect(await paid(id)).toBe(micro(1_000_000) + 18_565);
    });

    it('A position from its deposit to its closing around the full hour earns by the previous hour’s observation until a slow feed responds', async () => {
      market.pass(untilFullHour());
      const whole = await deposit(1_000_000);
      market.answerLate(12_000);
      await market.tick();
      const { body } = await market.protocol.get(`/positions/${whole}`);
      // Twelve seconds at 5 % on a million.
      expect(micro(body.data.value) - micro(1_000_000)).toBe(18_565);
      market.pass(untilFullHour());
      // An hour at 5 %, whatever was observed during it.
      expect(await paid(whole)).toBe(micro(1_000_000) + 5_569_668);
    });

    it('A position from its deposit to its closing around the full hour counts an observation for the hour of its arrival, not for that of its request', async () => {
      market.setYields({ [AAVE]: { apy: 0.45, tvl: 1_000_000_000 } });
      market.pass(untilFullHour() - 5_000);
      market.answerLate(12_000);
      await market.tick();
      const [arrived, asked] = await snapshots();
      expect([asked!.apy, arrived!.apy]).toEqual([null, expect.closeTo(0.45, 9)]);
      const id = await deposit(1_000_000);
      market.pass(untilFullHour());
      // 3593 s at 5 %, the yield that was known when the hour began.
      expect(await paid(id)).toBe(micro(1_000_000) + 5_558_838);
    });
  });
});
