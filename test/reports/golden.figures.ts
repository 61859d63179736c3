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

/** 100 (3022.786273 * 2 % + 3002.696528 * 2.8 %) / 6025.482801 = 2.39866635 %. */
const SECOND_APY = expect.closeTo(0.0239866635, 10);

/**
 * What every report says at the end, in whole asset units. A1 and B2 are in brook, C1 in delta, C2 in ember; B1 and A2 were paid out.
 *
 *   A1   (10000 * 1.04^(302.5/8760) * 1.1^(62.5/8760) - 4000) * 1.1^(574/8760)                             = 6058.0806
 *   B1   ((6000.123456 * 1.04^(219/8760) - 1000) * 1.04^(29.5/8760)) * 1.1^(407.5/8760)                    = 5028.9180, all of it paid out
 *   A2   2500.5 * 1.04^(155.5/8760) * 1.1^(572.5/8760)                                                     = 2517.8763, all of it paid out
 *   C1   ((8000 * 1.05^(342.5/8760) * 1.02^(369.5/8760)) - 5000) * 1.02^(119/8760)                         = 3022.7863
 *   C2   3000.000001 * 1.028^(285/8760)                                                                = 3002.6965
 *   B2   500 * 1.1^(174/8760)                                                                          = 500.9475
 *
 * What brook holds is the floor of both positions' sum: 6058.080581 + 500.947470.
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
        withdrawals: 12_546.794294,
        net_deposits: 6_453.829162,
        net_tvl: 6_559.028051,
        yield: 105.198889,
        apy: 0.1,
      },
      {
        asset: second,
        deposits: 11_000.000001,
        withdrawals: 5_000,
        net_deposits: 6_000.000001,
        net_tvl: 6_025.482801,
        yield: 25.4828,
        apy: SECOND_APY,
      },
    ],
    totals: {
      deposits: 30_000.623457,
      withdrawals: 17_546.794294,
      net_deposits: 12_453.829163,
      net_tvl: 12_584.510852,
      yield: 130.681689,
    },
    points: 938_784.843225,
    revenue: 5.957701,
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
    total: 17_546.794294,
    count: 5,
    assets: [
      { asset: first, amount: 12_546.794294, count: 4 },
      { asset: second, amount: 5_000, count: 1 },
    ],
  },
  '/partner/tvl': {
    ...AS_OF,
    net_tvl: 12_584.510852,
    assets: [
      {
        asset: first,
        net_tvl: 6_559.028051,
        vaults: [{ vault_id: vaultId('brook'), value: 6_559.028051, share: 1 }],
      },
      {
        asset: second,
        net_tvl: 6_025.482801,
        vaults: [
          // 3022.786273 and 3002.696528 of 6025.482801.
          { vault_id: vaultId('delta'), value: 3_022.786273, share: expect.closeTo(0.5016670652, 10) },
          { vault_id: vaultId('ember'), value: 3_002.696528, share: expect.closeTo(0.4983329348, 10) },
        ],
      },
    ],
  },
  // Posted up to midnight, and what nine hours brought since.
  '/partner/yield': {
    ...AS_OF,
    total: 130.681689,
    assets: [
      { asset: first, accrued: 104.520973, pending: 0.677916, total: 105.198889, apy: 0.1 },
      { asset: second, accrued: 25.327961, pending: 0.154839, total: 25.4828, apy: SECOND_APY },
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
        yield: 105.198889,
        accrued: 104.520973,
        performance_fee: 10.45215,
        partner_revenue: 4.82509,
        protocol_revenue: 5.62706,
      },
      {
        asset: second,
        yield: 25.4828,
        accrued: 25.327961,
        performance_fee: 2.532817,
        partner_revenue: 1.132611,
        protocol_revenue: 1.400206,
      },
    ],
    totals: {
      yield: 130.681689,
      accrued: 129.848934,
      performance_fee: 12.984967,
      partner_revenue: 5.957701,
      protocol_revenue: 7.027266,
    },
  },
});

/**
 * Over the lending vaults: anchor would hold 6521.638577 of the first asset, less what B1 and A2 were paid above what they would have earned
 * there, and delta 6024.719687 of the second. Over the first vaults: A1, B1 and A2 as above; B2 and C2 began where they are, so that they
 * have no uplift.
 *
 * Projected with what is expected of each vault after risk, 4.76855546 % of anchor, 7.05771760 % of brook, 3.29716681 % of delta and 3.72994881 % of ember (see
 * `golden.signals.ts`): routed (6559.028051 * 7.05771760 % + 3022.786273 * 3.29716681 % + 3002.696528 * 3.72994881 %) / 12584.510852 = 5.36042309 %,
 * lending (6559.028051 * 4.76855546 % + 6025.482801 * 3.29716681 %) / 12584.510852 = 4.06405235 %; and so on for the first vaults, within an asset by what
 * they would hold.
 */
const LENDING = {
  realized: {
    routed_value: 12_584.510852,
    baseline_value: 12_546.358264,
    uplift: 38.152588,
    uplift_pct: expect.closeTo(0.00304092926, 10),
  },
  projected: {
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0536042309, 10),
    baseline_apy: expect.closeTo(0.0406405235, 10),
    uplift: 163.141916,
  },
};
const HOLD = {
  realized: {
    routed_value: 12_584.510852,
    baseline_value: 12_547.489815,
    uplift: 37.021037,
    uplift_pct: expect.closeTo(0.00295047356, 10),
  },
  projected: {
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0536042309, 10),
    baseline_apy: expect.closeTo(0.0425895642, 10),
    uplift: 138.614193,
  },
};
const SCOPE = { ...AS_OF, asset: null, positions: 6 };

/** What each contract says of uplift: the one over lending, the other over both baselines. */
export const UPLIFT = {
  partner: { ...SCOPE, ...LENDING },
  sandbox: { ...SCOPE, baselines: { lending: LENDING, hold: HOLD } },
};
