import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClosingService } from '../../domain/reporting/closing.service.js';
import { ReportService } from '../../domain/reporting/report.service.js';
import { PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import {
  PartnerPoints,
  PartnerYield,
  pointsView,
  RevenueShareOutputDto,
  revenueView,
  yieldView,
} from './earnings.dto.js';
import {
  depositsView,
  PartnerDeposits,
  PartnerSummary,
  PartnerTvl,
  PartnerWithdrawals,
  summaryView,
  tvlView,
  withdrawalsView,
} from './report.dto.js';

import { AsOfQuery, requestedMoment } from './as-of.js';
import { PartnerHistory, PartnerHistoryQuery, partnerHistoryView } from './partner-history.dto.js';
import { requestedSpan } from './yield-history.dto.js';

const access = { scopes: ['partner:read'], partner: true } as const;

@ApiTags('Reports')
@Controller('partner')
export class ReportsController {
  constructor(
    private readonly reports: ReportService,
    private readonly closings: ClosingService,
  ) {}

  @Get('summary')
  @Operation({
    summary: 'Read the summary',
    description: "Key figures of your end-users' positions, by asset and overall.",
    access,
    success: { object: 'partner_summary', data: PartnerSummary, description: 'The summary.' },
  })
  async readPartnerSummary(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return summaryView(await this.reports.summary(partnerId, requestedMoment(as_of)));
  }

  @Get('deposits')
  @Operation({
    summary: 'Read deposits',
    description: 'Total deposits of your end-users, by asset and overall.',
    access,
    success: { object: 'partner_deposits', data: PartnerDeposits, description: 'The deposits.' },
  })
  async readPartnerDeposits(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return depositsView(await this.reports.deposits(partnerId, requestedMoment(as_of)));
  }

  @Get('withdrawals')
  @Operation({
    summary: 'Read withdrawals',
    description: 'Total withdrawals of your end-users, by asset and overall.',
    access,
    success: { object: 'partner_withdrawals', data: PartnerWithdrawals, description: 'The withdrawals.' },
  })
  async readPartnerWithdrawals(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return withdrawalsView(await this.reports.withdrawals(partnerId, requestedMoment(as_of)));
  }

  @Get('tvl')
  @Operation({
    summary: 'Read net TVL',
    description: "Current value of your end-users' positions, by asset and vault.",
    access,
    success: { object: 'partner_tvl', data: PartnerTvl, description: 'Net TVL.' },
  })
  async readPartnerTvl(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return tvlView(await this.reports.tvl(partnerId, requestedMoment(as_of)));
  }

  @Get('yield')
  @Operation({
    summary: 'Read yield',
    description: "Yield of your end-users' positions, by asset: posted to ledgers, and accrued since.",
    access,
    success: { object: 'partner_yield', data: PartnerYield, description: 'The yield.' },
  })
  async readPartnerYield(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return yieldView(await this.reports.yield(partnerId, requestedMoment(as_of)));
  }

  @Get('points')
  @Operation({
    summary: 'Read points',
    description:
      'Points that your end-users earned, by campaign. A position keeps the best campaign that ran when it was opened; while that campaign does not run, its points are not multiplied.',
    access,
    success: {
      object: 'partner_points',
      data: PartnerPoints,
      lines: 'campaigns',
      description: 'The points.',
    },
  })
  async readPartnerPoints(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return pointsView(await this.reports.points(partnerId, requestedMoment(as_of)));
  }

  @Get('revenue')
  @Operation({
    summary: 'Read the revenue share',
    description:
      "The performance fee and its split. It is charged on yield net of costs, above each end-user's carried loss in the asset, at the terms in force when the yield is posted. It is reported, never deducted from positions.",
    access,
    success: {
      object: 'revenue_share',
      data: RevenueShareOutputDto,
      lines: 'assets',
      description: 'The revenue share.',
    },
  })
  async readPartnerRevenue(@PartnerId() partnerId: string, @Query() { as_of }: AsOfQuery) {
    return revenueView(await this.reports.revenue(partnerId, requestedMoment(as_of)));
  }

  @Get('history')
  @Operation({
    summary: 'Read daily closings',
    description:
      "Your books at the end of each UTC day, one row per day and asset: value, deposits, yield, costs, revenue, points and both passive baselines. A row is written once, with the day's closing.",
    access,
    success: {
      object: 'partner_history',
      data: PartnerHistory,
      lines: 'points',
      description: 'The closings.',
    },
    spans: true,
    extension: true,
  })
  async readPartnerHistory(@PartnerId() partnerId: string, @Query() { asset, ...span }: PartnerHistoryQuery) {
    const closings = await this.closings.read(partnerId, {
      ...(asset !== undefined && { asset }),
      ...requestedSpan(span),
    });
    return partnerHistoryView(asset ?? null, closings);
  }
}
