import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DailyAccrualService } from '../../src/domain/books/positions/daily-accrual.service.js';
import { BASE_MARKET } from '../../src/domain/markets/hours/market-view.js';
import { ClosingService } from '../../src/domain/reporting/closing.service.js';
import { dataOf } from '../support/fields.js';
import { newTxHash } from '../support/market.js';
import { MovesStage } from '../support/moves.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { untilSettled } from '../support/settled.js';

const HOURS = 30 * 24;
const DEPOSIT = 7_127_261;
/** Every hour the best vault is another one, and that partner's funds move whose hours have passed. */
const PARTNERS = 4;
const micro = (units: number): number => Math.round(units * 1e6);

/** An executor that keeps a part of everything it moves, on chains that nobody looks at. */
describe('partner contract: thirty days of moves by an executor that keeps what it is let', () => {
  let stage: MovesStage;
  const partners: TestPartner[] = [];

  beforeAll(async () => {
    stage = await MovesStage.start();
    await stage.market.app.admin.post('/alerts/webhooks', { url: 'http://127.0.0.1:9/', active: false });
    stage.see(0.12, 0.04);
    await stage.hours(4);
    for (let count = 0; count < PARTNERS; count++) {
      const partner = await createPartner(stage.market.app.admin);
      const user = await stage.market.createUser(partner);
      await stage.deposit(user, Number((DEPOSIT / PARTNERS).toFixed(6)));
      partners.push(partner);
    }
  }, 60_000);
  afterAll(() => stage.close());

  it('Thirty days of moves that are each reported 0.49 % short, or as short as is accepted, take at most 0.25 % beyond expected costs, and start alerts before half of that', async () => {
    const { admin, application } = stage.market.app;
    const { id, secret } = dataOf(await admin.post('/keys', { label: 'skims', scopes: ['write'] }), 201);
    const thief = admin.as(secret);
    let [moves, taken, expected] = [0, 0, 0];
    let takenUnseen: number | null = null;
    const alerts = async (): Promise<any[]> => {
      await untilSettled(stage.market.app);
      const events = dataOf(await admin.get('/alerts/events?limit=500'), 200);
      return events.filter(({ data }: any) => data.message?.includes(id));
    };
    /** Reports 0.49 % less than is there, or the least amount that a refusal leaves open. */
    const skim = async (move: any, step: 'redeemed' | 'settled', allowance: number): Promise<void> => {
      const { amount } = await stage.move(move.id);
      const worth = micro(amount);
      for (let short = Math.floor(worth * 0.0049), tries = 0; ; tries++) {
        stage.market.pass(1);
        const body = { tx_hash: newTxHash(), amount: (worth - short) / 1e6 };
        const answer = await stage.post(`/moves/${move.id}/${step}`, body, {}, thief);
        if (answer.status === 201) {
          taken += short;
          if (short > 0 && takenUnseen === null && (await alerts()).length > 0) takenUnseen = taken - short;
          return;
        }
        const { message } = answer.body.error;
        const [, maximum, before] = /may deviate by ([\d.]+) USDC .* have deviated by ([\d.]+)\./.exec(
          message,
        )!;
        short =
          tries > 2
            ? 0
            : Math.max(0, Math.min(short, micro(Number(maximum)) - micro(Number(before))) + allowance);
      }
    };
    for (let hour = 0; hour < HOURS; hour++) {
      const isFirst = hour % 4 < 2;
      stage.see(isFirst ? 0.02 : 0.3, isFirst ? 0.3 : 0.02);
      await stage.hours();
      await application.get(DailyAccrualService).postDue(BASE_MARKET);
      await application.get(ClosingService).write(BASE_MARKET);
      for (const move of await stage.get('/moves?status=requested')) {
        moves += 1;
        expected += micro(move.expected_cost);
        await skim(move, 'redeemed', micro(move.expected_cost));
        await skim(move, 'settled', 0);
      }
    }
    const [closed] = await stage.sql<{ days: number; funds: string }>(
      `SELECT count(DISTINCT day)::int AS days, avg(funds) AS funds FROM (
           SELECT day, sum(deposits - withdrawals + accrued - costs) AS funds FROM daily_closings WHERE asset = 'USDC' AND partner_id = ANY($1) GROUP BY day) AS of_day`,
      [partners.map((partner) => partner.id)],
    );
    const funds = Number(closed!.funds);
    expect(closed!.days).toBeGreaterThanOrEqual(29);
    expect(moves).toBeGreaterThan(HOURS / 4);
    expect(taken - expected).toBeGreaterThan(0);
    expect(taken - expected).toBeLessThanOrEqual(funds * 0.0025);
    expect(takenUnseen! - expected).toBeLessThanOrEqual(funds * 0.00125);
    expect(await stage.differences()).toEqual([]);
  }, 1_800_000);
});
