import { expect } from '@jest/globals';
import { at, END } from './golden.history.js';
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
 *   A1   ((10000 * 1.04^(302.5/8760) - 1.142939) * 1.1^(62.5/8760) - 4000) * 1.1^(574/8760)             = 6056.9297
 *   B1   ((6000.123456 * 1.04^(219/8760) - 1000) * 1.04^(29.5/8760) - 0.571457) * 1.1^(407.5/8760)      = 5028.3440, all of it paid out
 *   A2   (2500.5 * 1.04^(155.5/8760) - 0.285604) * 1.1^(572.5/8760)                                     = 2517.5889, all of it paid out
 *   C1   ((8000 * 1.05^(342.5/8760) * 1.02^(369.5/8760)) - 5000) * 1.02^(119/8760)                      = 3022.7863
 *   C2   3000.000001 * 1.028^(285/8760)                                                                 = 3002.6965
 *   B2   500 * 1.1^(174/8760)                                                                           = 500.9475
 *
 * The move took 2 units, 1 to leave anchor and 1 to go into brook: of A1 2 * 10013.552858 / 17522.465144 = 1.142939, of B1 with 5006.670801 0.571457 and of A2
 * with 2502.241485 0.285604. What brook holds is the floor of both positions' sum: 6056.929699 + 500.947470.
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
        withdrawals: 12_545.93291,
        net_deposits: 6_454.690546,
        net_tvl: 6_557.877169,
        yield: 103.186623,
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
      withdrawals: 17_545.93291,
      net_deposits: 12_454.690547,
      net_tvl: 12_583.35997,
      yield: 128.669423,
    },
    points: 938_784.843225,
    revenue: 5.877131,
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
    total: 17_545.93291,
    count: 5,
    assets: [
      { asset: first, amount: 12_545.93291, count: 4 },
      { asset: second, amount: 5_000, count: 1 },
    ],
  },
  '/partner/tvl': {
    ...AS_OF,
    net_tvl: 12_583.35997,
    assets: [
      {
        asset: first,
        net_tvl: 6_557.877169,
        vaults: [{ vault_id: vaultId('brook'), value: 6_557.877169, share: 1 }],
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
  // Posted up to midnight less what the move took, and what nine hours brought since.
  '/partner/yield': {
    ...AS_OF,
    total: 128.669423,
    assets: [
      {
        asset: first,
        accrued: 102.508826,
        pending: 0.677797,
        total: 103.186623,
        costs: 2,
        apy: 0.1,
      },
      {
        asset: second,
        accrued: 25.327961,
        pending: 0.154839,
        total: 25.4828,
        costs: 0,
        apy: SECOND_APY,
      },
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
    per_usd_day: 1,
    total: 938_784.843225,
    campaigns: [
      { campaign_id: null, multiplier: 1, points: 637_302.666142 },
      { campaign_id: campaignId, multiplier: 2, points: 301_482.177083 },
    ],
  },
  /*
   * A tenth of what each user gained beyond what the move took, rounded up once before 06:30 of day 18 and once since; of that 40 % before, 50 % since, rounded down:
   *   Ada   26.366919 and 47.025686   fee 2.636692 + 4.702569 = 7.339261   partner 1.054676 + 2.351284 = 3.405960
   *   Ben   11.725471 and 17.390750   fee 1.172548 + 1.739075 = 2.911623   partner 0.469019 + 0.869537 = 1.338556
   *   Cyd   13.378342 and 11.949619   fee 1.337835 + 1.194962 = 2.532797   partner 0.535134 + 0.597481 = 1.132615
   */
  '/partner/revenue': {
    ...AS_OF,
    performance_fee_bps: 1_000,
    revenue_share_bps: 5_000,
    assets: [
      {
        asset: first,
        yield: 103.186623,
        accrued: 102.508826,
        performance_fee: 10.250884,
        partner_revenue: 4.744516,
        protocol_revenue: 5.506368,
      },
      {
        asset: second,
        yield: 25.4828,
        accrued: 25.327961,
        performance_fee: 2.532797,
        partner_revenue: 1.132615,
        protocol_revenue: 1.400182,
      },
    ],
    totals: {
      yield: 128.669423,
      accrued: 127.836787,
      performance_fee: 12.783681,
      partner_revenue: 5.877131,
      protocol_revenue: 6.90655,
    },
  },
});

/**
 * Over the lending vaults: anchor would hold 6539.974606 of the first asset and delta 6024.719687 of the second. Over the first vaults: anchor 6039.395573 of A1, and
 * brook 500.947470 of B2; C1, C2 and B2 are where they began. A withdrawal pays the same part of the baseline, and what that pays less is settled:
 *   B1   nothing at the first one, still in anchor, and 5028.343983 - 5018.644780 when it was paid out     9.699203
 *   A1   4000 - 10016.355324 * 4000 / 10019.220772                                                         1.143980
 *   A2   2517.588927 - 2510.980224                                                                         6.608703
 * Both baselines of these three are anchor, so that the same is settled over both.
 *
 * The capital is the days of `/partner/points` without multipliers, 808685.207809 unit-days, over the 39.125 days since the first deposit: 20669.27048713.
 * 36.117563 of that is 0.1747403858 %, 34.986012 0.1692658288 %.
 *
 * Projected with what is expected of each vault, 5.01953206 % of anchor, 7.42917642 % of brook, 3.47070190 % of delta and 3.92626191 % of ember (see
 * `SIGNALS`): routed (6557.877169 * 7.42917642 % + 3022.786273 * 3.47070190 % + 3002.696528 * 3.92626191 %) / 12583.359970 = 5.64238722 %,
 * lending (6557.877169 * 5.01953206 % + 6025.482801 * 3.47070190 %) / 12583.359970 = 4.27788202 %; and so on for the first vaults, within an asset by what
 * they would hold.
 */
const LENDING = {
  realized: {
    routed_value: 12_583.35997,
    baseline_value: 12_564.694293,
    settled_uplift: 17.451886,
    costs: 2,
    gross_uplift: 38.117563,
    uplift: 36.117563,
    uplift_pct: expect.closeTo(0.001747403858, 11),
  },
  projected: {
    basis: 'current_rates',
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0564238722, 10),
    baseline_apy: expect.closeTo(0.0427788202, 10),
    uplift: 171.700601,
  },
};
const HOLD = {
  realized: {
    routed_value: 12_583.35997,
    baseline_value: 12_565.825844,
    settled_uplift: 17.451886,
    costs: 2,
    gross_uplift: 36.986012,
    uplift: 34.986012,
    uplift_pct: expect.closeTo(0.001692658288, 11),
  },
  projected: {
    basis: 'current_rates',
    horizon_days: 365,
    routed_apy: expect.closeTo(0.0564238722, 10),
    baseline_apy: expect.closeTo(0.0448277561, 10),
    uplift: 145.918102,
  },
};
const SCOPE = { ...AS_OF, from: null, asset: null, positions: 6 };

/** What each contract says of uplift: the one over lending, the other over both baselines. */
export const UPLIFT = {
  partner: { ...SCOPE, ...LENDING },
  sandbox: { ...SCOPE, baselines: { lending: LENDING, hold: HOLD } },
};

/** The uplift over lending of each user's positions. */
export const UPLIFT_OF_USERS = {
  Ada: {
    routed_value: 6_056.929699,
    baseline_value: 6_039.395573,
    settled_uplift: 7.752683,
    costs: 1.428543,
  },
  Ben: { routed_value: 500.94747, baseline_value: 500.579033, settled_uplift: 9.699203, costs: 0.571457 },
  Cyd: { routed_value: 6_025.482801, baseline_value: 6_024.719687, settled_uplift: 0, costs: 0 },
};

/** Each position at the end: its figures, and the shares of its three books (routed, lending, hold) with all their 18 decimals. */
export const POSITIONS_AT_END = {
  A1: {
    vault: 'brook',
    first: 'anchor',
    opened: at(1, 6.5),
    closed: null,
    principal: 6_000,
    value: 6_056.929699,
    yield: 56.929699,
    costs: 1.142939,
    shares: ['6001543250741713444703', '6006880124782737816865', '6006880124782737816865'],
  },
  B1: {
    vault: 'brook',
    first: 'anchor',
    opened: at(3, 12.5),
    closed: at(30, 20.5),
    principal: -28.220527,
    value: 0,
    yield: 28.220527,
    costs: 0.571457,
    shares: ['0', '0', '0'],
  },
  C1: {
    vault: 'delta',
    first: 'delta',
    opened: at(5, 18.5),
    closed: null,
    principal: 3_000,
    value: 3_022.786273,
    yield: 22.786273,
    costs: 0,
    shares: ['3011388563333114764551', '3011388563333114764551', '3011388563333114764551'],
  },
  A2: {
    vault: 'brook',
    first: 'anchor',
    opened: at(7, 9.5),
    closed: at(37, 17.5),
    principal: -17.088927,
    value: 0,
    yield: 17.088927,
    costs: 0.285604,
    shares: ['0', '0', '0'],
  },
  C2: {
    vault: 'ember',
    first: 'ember',
    opened: at(28, 12.5),
    closed: null,
    principal: 3_000.000001,
    value: 3_002.696528,
    yield: 2.696527,
    costs: 0,
    shares: ['2989436976610371592430', '2990614332164860746619', '2989436976610371592430'],
  },
  B2: {
    vault: 'brook',
    first: 'brook',
    opened: at(33, 3.5),
    closed: null,
    principal: 500,
    value: 500.94747,
    yield: 0.94747,
    costs: 0,
    shares: ['496366650802529131072', '497883970052309036294', '496366650802529131072'],
  },
} as const;

/**
 * Signals at the end, best first: the averages of all hours with half-lives of 6 and 720 hours, weighted over 480 hours with a return of half of the
 * distance in 72; after risk, less 5 % (cedar 15 %) and a tenth of the week's downside, which is 0.
 */
export const SIGNALS = [
  { name: 'brook', expected: 0.07429176417903, riskAdjusted: 0.07057717597008, recommendation: 'increase' },
  { name: 'anchor', expected: 0.05019532064165, riskAdjusted: 0.04768555460957, recommendation: 'reduce' },
  { name: 'ember', expected: 0.03926261905021, riskAdjusted: 0.0372994880977, recommendation: 'increase' },
  { name: 'cedar', expected: 0.04, riskAdjusted: 0.034, recommendation: 'reduce' },
  { name: 'delta', expected: 0.03470701903753, riskAdjusted: 0.03297166808565, recommendation: 'hold' },
] as const;
