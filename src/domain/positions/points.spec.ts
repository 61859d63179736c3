import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { bestCampaign, GRAINS_PER_POINT, type PointsCampaign, pointsOf, toPoints } from './points.js';

const HOUR = 3_600_000;
const at = (hours: number): Date => new Date(Date.UTC(2026, 2, 1) + hours * HOUR);
const campaign = (over: Partial<PointsCampaign> = {}): PointsCampaign => ({
  id: 'cmp_a',
  multiplierHundredths: 150,
  startsAt: at(0),
  endsAt: null,
  ...over,
});
const PRINCIPAL = 250_000_000n;

describe('points', () => {
  it('of 250 USD at 1.5 for 36 hours are 562.5', () => {
    const points = pointsOf(PRINCIPAL, at(0), at(36), campaign());
    expect(toPoints(points.campaign)).toBe(562.5);
    expect(points.campaign).toBe((5_625n * GRAINS_PER_POINT) / 10n);
    expect(points.plain).toBe(0n);
  });

  it('are 1 a USD and day without a campaign', () =>
    expect(pointsOf(1_000_000n, at(0), at(24), null)).toEqual({ campaign: 0n, plain: GRAINS_PER_POINT }));

  it('are multiplied only while the campaign runs', () => {
    const { campaign: multiplied, plain } = pointsOf(
      PRINCIPAL,
      at(0),
      at(48),
      campaign({ startsAt: at(-10), endsAt: at(12) }),
    );
    expect(toPoints(multiplied)).toBe(187.5);
    expect(toPoints(plain)).toBe(375);
    const over = campaign({ startsAt: at(-20), endsAt: at(-10) });
    expect(pointsOf(PRINCIPAL, at(0), at(24), over).campaign).toBe(0n);
    const later = campaign({ startsAt: at(30) });
    expect(pointsOf(PRINCIPAL, at(0), at(24), later).campaign).toBe(0n);
  });

  it('are exact to the millisecond', () => {
    const points = pointsOf(1n, at(0), new Date(at(0).getTime() + 1), campaign());
    expect(points.campaign).toBe(150n);
    expect(toPoints(points.campaign)).toBe(0);
  });

  it('are not earned by a principal below 0, nor backwards', () => {
    expect(pointsOf(-5n, at(0), at(24), campaign())).toEqual({ campaign: 0n, plain: 0n });
    expect(() => pointsOf(1n, at(1), at(0), null)).toThrow(RangeError);
  });

  it('do not depend on how the span is cut', () => {
    const moment = fc
      .integer({ min: -50 * HOUR, max: 200 * HOUR })
      .map((ms) => new Date(at(0).getTime() + ms));
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.array(moment, { minLength: 2, maxLength: 8 }),
        moment,
        fc.option(moment),
        fc.integer({ min: 100, max: 1_000 }),
        (principal, cuts, startsAt, endsAt, multiplierHundredths) => {
          const carried = campaign({ startsAt, endsAt, multiplierHundredths });
          const times = cuts.toSorted((a, b) => a.getTime() - b.getTime());
          const whole = pointsOf(principal, times[0]!, times.at(-1)!, carried);
          const sum = { campaign: 0n, plain: 0n };
          times.slice(1).forEach((to, index) => {
            const part = pointsOf(principal, times[index]!, to, carried);
            sum.campaign += part.campaign;
            sum.plain += part.plain;
          });
          expect(sum).toEqual(whole);
          const plain = pointsOf(principal, times[0]!, times.at(-1)!, null).plain;
          expect(whole.campaign + whole.plain).toBeGreaterThanOrEqual(plain);
        },
      ),
    );
  });
});

describe('the campaign of a position', () => {
  const of = (id: string, over: Partial<PointsCampaign & { asset: string | null }>) => ({
    ...campaign({ id }),
    asset: null as string | null,
    ...over,
  });

  it('is the best of those that run at its opening, for its asset', () => {
    const campaigns = [
      of('cmp_over', { multiplierHundredths: 900, endsAt: at(0) }),
      of('cmp_later', { multiplierHundredths: 800, startsAt: at(1) }),
      of('cmp_other', { multiplierHundredths: 700, asset: 'USDT' }),
      of('cmp_low', { multiplierHundredths: 110 }),
      of('cmp_best', { multiplierHundredths: 300, asset: 'USDC', endsAt: at(1) }),
    ];
    expect(bestCampaign(campaigns, 'USDC', at(0))?.id).toBe('cmp_best');
    expect(bestCampaign(campaigns, 'USDT', at(0))?.id).toBe('cmp_other');
    expect(bestCampaign([], 'USDC', at(0))).toBeNull();
  });

  it('is among equal ones the first that began, then by id', () => {
    const campaigns = [of('cmp_c', {}), of('cmp_b', {}), of('cmp_z', { startsAt: at(-5) })];
    expect(bestCampaign(campaigns, 'USDC', at(0))?.id).toBe('cmp_z');
    expect(bestCampaign(campaigns.slice(0, 2), 'USDC', at(0))?.id).toBe('cmp_b');
  });
});
