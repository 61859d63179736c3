import { expect } from '@jest/globals';
import { END } from './golden.history.js';
import { momentOf, vaultId } from './golden.deployment.js';

/** What is different from one deployment to another. */
export interface Names {
  partnerId: string;
  campaignId: string;
  /** The two assets. */
  first: string;
  second: string;
}

const AS_OF = { as_of: momentOf(END).toISOString() };

/** 100 (3022.772997 * 2 % + 3002.696528 * 2.8 %) / 6025.469525 = 2.39866723 %. */
const SECOND_APY = expect.closeTo(0.0239866723, 10);

/**
 * What every report says at the end, in whole asset units. A1 and B2 are in brook, C1 in delta, C2 in ember; B1 and A2 were paid out.
 *
 *   A1   (10000 * 1.04^(303/8760) * 1.1^(62/8760) - 4000) * 1.1^(574/8760)                             = 6058.0483
 *   B1   ((6000.123456 * 1.04^(219/8760) - 1000) * 1.04^(30/8760)) * 1.1^(407/8760)                    = 5028.9019, all of it paid out
 *   A2   2500.5 * 1.04^(156/8760) * 1.1^(572/8760)                                                     = 2517.8683, all of it paid out
 *   C1   ((8000 * 1.05^(342/8760) * 1.02^(370/8760)) - 5000) * 1.02^(119/8760)                         = 3022.7730
 *   C2   3000.000001 * 1.028^(285/8760)                                                                = 3002.6965
 *   B2   500 * 1.1^(174/8760)                                                                          = 500.9475
 *
 * What brook holds is the floor of both positions' sum: a micro-unit above 6058.048299 + 500.947470.
 */
export const reports = ({ partnerId, campaignId, first, second }: Names) => ({
  '/partner/summary': {
    ...AS_OF,
    partner_id: partnerId,
    users: 3,
    positions: { open: 4, closed: 2 },
    assets: [
      {
        asset: first,
        deposits: 19_000.623456,
        withdrawals: 12_546.770133,
        net_deposits: 6_453.853323,
        net_tvl: 6_558.99577,
        yield: 105.142447,
        apy: 0.1,
      },
      {
        asset: second,
        deposits: 11_000.000001,
        withdrawals: 5_000,
        net_deposits: 6_000.000001,
        net_tvl: 6_025.469525,
        yield: 25.469524,
        apy: SECOND_APY,
      },
    ],
    totals: {
      deposits: 30_000.623457,
      withdrawals: 17_546.770133,
      net_deposits: 12_453.853324,
      net_tvl: 12_584.465295,
      yield: 130.611971,
    },
    points: 938_784.843225,
    revenue: 5.956968,
  },
  '/partner/deposits': {
    ...AS_OF,
    total: 30_000.623457,
    count: 6,
    assets: [
      { asset: first, amount: 19_000.623456, count: 4 },
      { asset: second, amount: 11_000.000001, count: 2 },
    ],
  },
  '/partner/withdrawals': {
    ...AS_OF,
    total: 17_546.770133,
    count: 5,
    assets: [
      { asset: first, amount: 12_546.770133, count: 4 },
      { asset: second, amount: 5_000, count: 1 },
    ],
  },
  '/partner/tvl': {
    ...AS_OF,
    net_tvl: 12_584.465295,
    assets: [
      {
        asset: first,
        net_tvl: 6_558.99577,
        vaults: [{ vault_id: vaultId('brook'), value: 6_558.99577, share: 1 }],
      },
      {
        asset: second,
        net_tvl: 6_025.469525,
        vaults: [
          // 3022.772997 and 3002.696528 of 6025.469525.
          { vault_id: vaultId('delta'), value: 3_022.772997, share: expect.closeTo(0.5016659672, 10) },
          { vault_id: vaultId('ember'), value: 3_002.696528, share: expect.closeTo(0.4983340328, 10) },
        ],
      },
    ],
  },
  // Posted up to midnight, and what nine hours brought since.
  '/partner/yield': {
    ...AS_OF,
    total: 130.611971,
    assets: [
      { asset: first, accrued: 104.500212, pending: 0.642235, total: 105.142447, apy: 0.1 },
      { asset: second, accrued: 25.322834, pending: 0.14669, total: 25.469524, apy: SECOND_APY },
    ],
  },
  /*
   * Outside the campaign, principal times days:
   *   A1   10000 * 15.208333 + 6000 * 23.916667                  295583.333333
   *   B1   6000.123456 * 9.125 + 5000.123456 * 18.208333         145795.041071
   *   B2   500 * 7.25                                              3625
   *   C1   8000 * 12.958333 + 3000 * 4.958333                    118541.666667
   *   A2   2500.5 * 15.25                                         38132.625
   *   C2   3000.000001 * 11.875                                   35625.000012
   * and within, for those that were opened under it:
   *   C1   8000 * (8.25 * 1.5 + 8.458333 * 2)                    234333.333333
   *   A2   2500.5 * (6.625 * 1.5 + 8.458333 * 2)                  67148.84375
   */
  '/partner/points': {
    ...AS_OF,
    total: 938_784.843225,
    campaigns: [
      { campaign_id: null, multiplier: 1, points: 637_302.666142 },
      { campaign_id: campaignId, multiplier: 2, points: 301_482.177083 },
    ],
  },
  // A tenth of what is posted, and a part of a micro-unit more for each time it was; 40 % of that up to 06:30 of day 18, 50 % since.
  '/partner/revenue': {
    ...AS_OF,
    performance_fee_bps: 1_000,
    revenue_share_bps: 5_000,
    assets: [
      {
        asset: first,
        yield: 105.142447,
        accrued: 104.500212,
        performance_fee: 10.450071,
        partner_revenue: 4.824614,
        protocol_revenue: 5.625457,
      },
      {
        asset: second,
        yield: 25.469524,
        accrued: 25.322834,
        performance_fee: 2.532307,
        partner_revenue: 1.132354,
        protocol_revenue: 1.399953,
      },
    ],
    totals: {
      yield: 130.611971,
      accrued: 129.823046,
      performance_fee: 12.982378,
      partner_revenue: 5.956968,
      protocol_revenue: 7.02541,
    },
  },
});

/**
 * Over the lending vaults: anchor would hold 6521.677527 of the first asset, less what B1 and A2 were paid above what they would have earned
 * there, and delta 6024.706411 of the second. Over the first vaults: A1, B1 and A2 as above; B2 and C2 began where they are, so that they
 * have no uplift.
 *
 * Projected with what is expected of each vault after risk, 4.76855546 % of anchor, 7.05771760 % of brook, 3.29716681 % of delta and 3.72994881 % of ember (see
 * `golden.signals.ts`): routed (6558.99577 * 7.05771760 % + 3022.772997 * 3.29716681 % + 3002.696528 * 3.72994881 %) / 12584.465295 = 5.36042092 %,
 * lending (6558.99577 * 4.76855546 % + 6025.469525 * 3.29716681 %) / 12584.465295 = 4.06405135 %; and so on for the first vaults, within an asset by what
 * they would hold.
 */
const LENDING = {
  realized: {
    routed_value: 12_584.465295,
    baseline_value: 12_546.383938,
    uplift: 38.081357,
    uplift_pct: expect.closeTo(0.00303524563, 10),
  },
  projected: {
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0536042092, 10),
    baseline_apy: expect.closeTo(0.0406405135, 10),
    uplift: 163.141177,
  },
};
const HOLD = {
  realized: {
    routed_value: 12_584.465295,
    baseline_value: 12_547.515489,
    uplift: 36.949806,
    uplift_pct: expect.closeTo(0.00294479063, 10),
  },
  projected: {
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0536042092, 10),
    baseline_apy: expect.closeTo(0.0425895513, 10),
    uplift: 138.61358,
  },
};
const SCOPE = { ...AS_OF, asset: null, positions: 6 };

/** What each contract says of uplift: the one over lending, the other over both baselines. */
export const UPLIFT = {
  partner: { ...SCOPE, ...LENDING },
  sandbox: { ...SCOPE, baselines: { lending: LENDING, hold: HOLD } },
};
