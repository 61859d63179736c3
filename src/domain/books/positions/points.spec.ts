import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { earningPrincipal } from './position.js';
import {
  bestCampaign,
  type CampaignOffer,
  type CampaignTerms,
  pointsOf,
  type PointTime,
  pointTime,
  toPoints,
} from './points.js';

const HOUR = 3_600_000;
const at = (hours: number): Date => new Date(Date.UTC(2026, 2, 1) + hours * HOUR);
const terms = (over: Partial<CampaignTerms> = {}): CampaignTerms => ({
  fromAt: at(-1_000),
  active: true,
  multiplierHundredths: 150,
  startsAt: at(0),
  endsAt: null,
  ...over,
});
const PRINCIPAL = 250_000_000n;

const times = (factor: bigint, { campaign, plain }: PointTime): PointTime => ({
  campaign: factor * campaign,
  plain: factor * plain,
});

/** Points of a constant principal in a span. */
function earned(principal: bigint, from: Date, to: Date, carried: readonly CampaignTerms[]): PointTime {
  return pointsOf(principal, times(principal, pointTime(carried, from)), pointTime(carried, to));
}

describe('points', () => {
  const early = terms({ startsAt: at(-10) });
  it.each<[string, bigint, hours: number, CampaignTerms[], points: [campaign: number, plain: number]]>(
    // prettier-ignore
    [
      ['for 250 USD at 1.5 over 36 hours are 562.5', PRINCIPAL, 36, [terms()], [562.5, 0]],
      ['are 1 per USD and day without a campaign', 1_000_000n, 24, [], [0, 1]],
      ['are multiplied only while the campaign runs', PRINCIPAL, 48, [terms({ startsAt: at(-10), endsAt: at(12) })], [187.5, 375]],
      ['are not multiplied after the campaign', PRINCIPAL, 24, [terms({ startsAt: at(-20), endsAt: at(-10) })], [0, 250]],
      ['are not multiplied before the campaign', PRINCIPAL, 24, [terms({ startsAt: at(30) })], [0, 250]],
      [
        'follow a change of terms from its time on', PRINCIPAL, 48,
        [early, { ...early, fromAt: at(12), multiplierHundredths: 300 }, terms({ fromAt: at(24), active: false })],
        [187.5 + 375, 250],
      ],
      ['never change for the time before a change of terms', PRINCIPAL, 12, [early, { ...early, fromAt: at(12), multiplierHundredths: 300 }], [187.5, 0]],
      ['are kept if the end of a campaign is set in the past', PRINCIPAL, 24, [terms(), terms({ fromAt: at(12), endsAt: at(1) })], [187.5, 125]],
    ],
  )('Points %s', (_, principal, hours, carried, points) => {
    const { campaign, plain } = earned(principal, at(0), at(hours), carried);
    expect([campaign, plain].map((grains) => Number(toPoints(grains)) / 1e6)).toEqual(points);
  });

  it('Points are exact to the millisecond', () => {
    const points = earned(1n, at(0), new Date(at(0).getTime() + 1), [terms()]);
    expect(points.campaign).toBe(150n);
    expect(toPoints(points.campaign)).toBe(0n);
  });

  it.each<[string, Parameters<typeof earningPrincipal>[0], bigint]>([
    ['a principal of deposits less withdrawals', { status: 'active', deposited: 7n, withdrawn: 5n }, 2n],
    ['no principal below 0', { status: 'active', deposited: 5n, withdrawn: 7n }, 0n],
    ['no lost principal of a closed position', { status: 'closed', deposited: 7n, withdrawn: 5n }, 0n],
  ])('Points are earned by %s', (_, position, principal) =>
    expect(earningPrincipal(position)).toBe(principal),
  );

  it('Points do not depend on the division of a period or the order of flows', () => {
    const moment = fc
      .integer({ min: -50 * HOUR, max: 200 * HOUR })
      .map((ms) => new Date(at(0).getTime() + ms));
    const flow = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), moment);
    fc.assert(
      fc.property(
        fc.array(flow, { minLength: 1, maxLength: 8 }),
        moment,
        fc.option(moment),
        fc.integer({ min: 100, max: 1_000 }),
        (flows, startsAt, endsAt, multiplierHundredths) => {
          const carried = [terms({ startsAt, endsAt, multiplierHundredths })];
          const end = at(200);
          let [principal, moments] = [0n, { campaign: 0n, plain: 0n }];
          const sum = { campaign: 0n, plain: 0n };
          for (const [amount, when] of flows) {
            const change = times(amount, pointTime(carried, when));
            moments = { campaign: moments.campaign + change.campaign, plain: moments.plain + change.plain };
            principal += amount;
            const alone = earned(amount, when, end, carried);
            sum.campaign += alone.campaign;
            sum.plain += alone.plain;
          }
          expect(pointsOf(principal, moments, pointTime(carried, end))).toEqual(sum);
        },
      ),
    );
  });
});

describe('the campaign of a position', () => {
  const of = (id: string, over: Partial<CampaignOffer>): CampaignOffer => ({
    id,
    asset: null,
    multiplierHundredths: 150,
    startsAt: at(0),
    endsAt: null,
    ...over,
  });

  it('The campaign of a position is the one with the highest multiplier that runs for its asset at its opening', () => {
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

  it('The campaign of a position is among equal ones the earliest, then the first by id', () => {
    const campaigns = [of('cmp_c', {}), of('cmp_b', {}), of('cmp_z', { startsAt: at(-5) })];
    expect(bestCampaign(campaigns, 'USDC', at(0))?.id).toBe('cmp_z');
    expect(bestCampaign(campaigns.slice(0, 2), 'USDC', at(0))?.id).toBe('cmp_b');
  });
});
