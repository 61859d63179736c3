import type { RoundedRate } from '../../domain/kernel/money.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { PartnerReport } from './report.dto.js';

const PAR = 'Stablecoins are added at par.';
const NEVER_TAKEN = 'Reported, never deducted from positions.';

export class AssetYieldDto {
  @Shown.asset('Asset of the yield.') asset: string;
  @Shown.amount("Yield posted to users' ledgers, net of costs; negative after a net loss.", 1.237035)
  accrued: number;
  @Shown.amount(
    'Yield since then. It is posted before the next movement or at the end of the UTC day. Rounded down once per vault: it ' +
      'may exceed the sum over the positions by less than 0.000001 per position.',
    0.016002,
  )
  pending: number;
  @Shown.amount('Accrued and pending: `yield` of the other reports.', 1.253037)
  total: number;
  @Shown.amount('Costs of moves between vaults: deducted from `accrued` and so from every yield.', 0.000517)
  costs: number;
  @ShownOrNull.rate(
    'Last observed annual yield of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held or it is unknown.',
    0.0523,
  )
  apy: RoundedRate | null;
}

export class PartnerYield extends PartnerReport {
  @Shown.amount(`Yield so far, in whole units over all assets. ${PAR}`, 1.253037) total: number;
  @Shown.records(() => AssetYieldDto, 'A row per asset of the deployment, also without yield.')
  assets: AssetYieldDto[];
}

export class CampaignPointsDto {
  @ShownOrNull.id('cmp', 'Campaign that multiplied the points; null: points outside campaigns.')
  campaign_id: string | null;
  @Shown.number(
    'Multiplier while the campaign runs, at most two decimals; 1 outside campaigns. A change does not affect points already earned.',
    1.5,
  )
  multiplier: number;
  @Shown.amount('Points, to 0.000001, rounded down.', 562.5) points: number;
}

export class PartnerPoints extends PartnerReport {
  @Shown.amount(
    'All points, to 0.000001, rounded down once: it may exceed the sum of `campaigns` by less than 0.000001 a row. ' +
      '`per_usd_day` are earned by each USD of net principal a day, times the multiplier while the campaign runs.',
    562.5,
  )
  total: number;
  @Shown.integer('Points of a USD of net principal in a day, without a campaign.', 1) per_usd_day: number;
  @Shown.records(() => CampaignPointsDto, 'Points by campaign; the row outside campaigns always comes first.')
  campaigns: CampaignPointsDto[];
}

export class RevenueSumsDto {
  @Shown.amount(
    'Yield so far, accrued and pending, net of costs: `yield` of the summary, `total` of the yield report.',
    1.253037,
  )
  yield: number;
  @Shown.amount(
    "Yield posted to users' ledgers: `accrued` of the yield report; negative after a net loss. The fee is charged on gains above each end-user's carried loss in the asset.",
    1.237035,
  )
  accrued: number;
  @Shown.amount(`Performance fee that was settled: the sum of the two parts below. ${NEVER_TAKEN}`, 0.123704)
  performance_fee: number;
  @Shown.amount("The partner's part of the fee.", 0.049481)
  partner_revenue: number;
  @Shown.amount("The protocol's part of the fee.", 0.074223)
  protocol_revenue: number;
}

export class AssetRevenue extends RevenueSumsDto {
  @Shown.asset('Asset of the fee.') asset: string;
}

/** Its contract document uses this name although it is an answer. */
export class RevenueShareOutputDto extends PartnerReport {
  @Shown.integer(
    'Performance fee from now on, in basis points of yield beyond carried losses (0 to 10000).',
    1000,
  )
  performance_fee_bps: number;
  @Shown.integer(
    "The partner's part of the fee from now on, in basis points (0 to 10000). Settled fees keep the terms of their time.",
    4000,
  )
  revenue_share_bps: number;
  @Shown.records(() => AssetRevenue, 'A row per asset of the deployment, also where nothing was settled.')
  assets: AssetRevenue[];
  @Shown.record(() => RevenueSumsDto, `Over all assets. ${PAR}`) totals: RevenueSumsDto;
}

export const yieldView = viewOf(PartnerYield);

export const pointsView = viewOf(PartnerPoints);

export const revenueView = viewOf(RevenueShareOutputDto);
