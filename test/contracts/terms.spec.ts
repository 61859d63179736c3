import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CampaignTimes, pointsOf, toPoints } from '../../src/domain/books/positions/points.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { createPartner } from '../support/partner.js';
import { TestMarket } from '../support/market.js';

jest.setTimeout(60_000);

interface Accrual {
  at: Date;
  amount: string;
  feeBps: number;
  shareBps: number;
}

describe('the terms of a partner and of its campaigns', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await TestMarket.start('partner', { early: true });
    // The first observation of a feed earns from the next hour on.
    await market.advance();
    market.holdClock();
  });
  afterAll(() => market.close());

  const accrualsOf = (positionId: string): Promise<Accrual[]> =>
    market.app.database.query<Accrual>(
      'live',
      `SELECT at, amount, fee_bps AS "feeBps", share_bps AS "shareBps" FROM ledger_entries
        WHERE position_id = $1 AND type = 'yield_accrual' ORDER BY at, id`,
      [positionId],
    );

  it('settle yield at the revenue share in force while it accrued', async () => {
    const partner = await createPartner(market.app.admin);
    const { id } = await market.deposit(await market.createUser(partner), 1_000_000);
    await market.advance(2);
    market.pass(1_200_000);
    const { status } = await market.app.admin.patch(`/partners/${partner.id}`, { revenue_share_bps: 10_000 });
    expect(status).toBe(200);
    const shareAt = async (query: string): Promise<unknown> =>
      (await partner.api.get(`/partner/revenue${query}`)).body.data.revenue_share_bps;
    expect(await shareAt(`?as_of=${market.now().toISOString()}`)).toBe(4_000);
    expect(await shareAt('?as_of=2020-01-01')).toBe(4_000);
    expect(await shareAt('')).toBe(10_000);
    await market.advance(3);
    await market.withdraw(id, null);

    const [before, after, ...more] = await accrualsOf(id);
    expect(more).toEqual([]);
    expect(before).toMatchObject({ feeBps: 1_000, shareBps: 4_000 });
    expect(after).toMatchObject({ feeBps: 1_000, shareBps: 10_000 });
    expect(before!.at < after!.at).toBe(true);
    // Two hours and twenty minutes at 4 % on a million, then three hours: the yield is split at the moment of the change.
    expect(Number(before!.amount) / 1e6).toBeCloseTo(1_000_000 * (1.04 ** (7 / 3 / 8_760) - 1), 5);
    expect(Number(after!.amount) / 1e6).toBeCloseTo(
      1_000_000 * (1.04 ** (16 / 3 / 8_760) - 1.04 ** (7 / 3 / 8_760)),
      5,
    );
    const fee = (amount: string): bigint => (BigInt(amount) * 1_000n + 9_999n) / 10_000n;
    const [totals] = await market.app.database.query<{ fee: string; revenue: string }>(
      'live',
      'SELECT sum(fee) AS fee, sum(partner_revenue) AS revenue FROM book_revenue WHERE partner_id = $1',
      [partner.id],
    );
    expect(totals).toEqual({
      fee: String(fee(before!.amount) + fee(after!.amount)),
      revenue: String((fee(before!.amount) * 4_000n) / 10_000n + fee(after!.amount)),
    });
  });

  it('settle no yield at the old share if none accrued before the change', async () => {
    // No midnight is in the hour that follows.
    await market.advance(24 - market.now().getUTCHours());
    const partner = await createPartner(market.app.admin);
    const { id } = await market.deposit(await market.createUser(partner), 1_000);
    await market.app.admin.patch(`/partners/${partner.id}`, { revenue_share_bps: 0 });
    await market.advance();
    await market.withdraw(id, null);
    const accruals = await accrualsOf(id);
    expect(accruals.at(-1)).toMatchObject({ shareBps: 0 });
    const gained = accruals.filter(({ amount }) => BigInt(amount) > 0n);
    expect(gained.map(({ shareBps }) => shareBps)).toEqual([0]);
  });

  it('multiply points while a campaign runs, each multiplier from its change on', async () => {
    const partner = await createPartner(market.app.admin);
    const path = `/partners/${partner.id}/campaigns`;
    const { body } = await market.app.admin.post(path, { name: 'launch', points_multiplier: 1.5 });
    const { campaign_id: campaignId, opened_at: openedAt } = await carried(
      await market.deposit(await market.createUser(partner), 250),
    );
    expect(campaignId).toBe(body.data.id);

    const end = new Date(openedAt.getTime() + 36 * HOUR_MS);
    expect(await pointsAt(partner.id, campaignId, end)).toEqual({ campaign: 562.5, plain: 0 });

    await market.advance(12);
    await market.app.admin.patch(`${path}/${campaignId}`, { points_multiplier: 3 });
    const [{ from_at: changedAt }] = (await market.app.database.query<{ from_at: Date }>(
      'live',
      'SELECT from_at FROM campaign_terms WHERE campaign_id = $1 ORDER BY from_at DESC LIMIT 1',
      [campaignId],
    )) as [{ from_at: Date }];
    const days = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / (24 * HOUR_MS);
    const expected = 250 * (1.5 * days(openedAt, changedAt) + 3 * days(changedAt, end));
    expect((await pointsAt(partner.id, campaignId, end)).campaign).toBeCloseTo(expected, 5);

    await market.app.admin.patch(`${path}/${campaignId}`, { status: 'disabled' });
    const { campaign, plain } = await pointsAt(partner.id, campaignId, end);
    const stoppedAt = market.now();
    expect(campaign).toBeCloseTo(250 * (1.5 * days(openedAt, changedAt) + 3 * days(changedAt, stoppedAt)), 1);
    expect(plain).toBeCloseTo(250 * days(stoppedAt, end), 1);
  });

  async function carried({ id }: { id: string }): Promise<{ campaign_id: string; opened_at: Date }> {
    const [row] = await market.app.database.query<{ campaign_id: string; opened_at: Date }>(
      'live',
      'SELECT campaign_id, opened_at FROM positions WHERE id = $1',
      [id],
    );
    return row!;
  }

  async function pointsAt(
    partnerId: string,
    campaignId: string,
    at: Date,
  ): Promise<{ campaign: number; plain: number }> {
    const [row] = await market.app.database.query<Record<'principal' | 'campaign' | 'plain', string>>(
      'live',
      `SELECT sum(principal) AS principal, sum(campaign_moment) AS campaign, sum(plain_moment) AS plain
         FROM book_points WHERE partner_id = $1 AND campaign_id = $2`,
      [partnerId, campaignId],
    );
    const moment = { campaign: BigInt(row!.campaign), plain: BigInt(row!.plain) };
    const time = await market.app.application.get(CampaignTimes).at(campaignId, at);
    const points = pointsOf(BigInt(row!.principal), moment, time);
    return { campaign: toPoints(points.campaign), plain: toPoints(points.plain) };
  }
});
