import { Module } from '@nestjs/common';
import { BooksModule } from '../books/books.module.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { MarketsModule } from '../markets/markets.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AdvisorService } from './advisor.service.js';
import { ClosingService } from './closing.service.js';
import { ClosingVerifier } from './closing-verifier.js';
import { ClosedMonths } from './package/closed-months.js';
import { ClosingPackages } from './package/closing-packages.js';
import { InsightService } from './insight.service.js';
import { InvoiceService } from './invoice.service.js';
import { InvoiceVerifier } from './invoice-verifier.js';
import { JournalService } from './journal.service.js';
import { PastBooks } from './past-books.js';
import { ReportService } from './report.service.js';
import { HeldBooks } from './reserves/held-books.js';
import { ReservesService } from './reserves/reserves.service.js';
import { StatementReports } from './statement-report.service.js';
import { TrialBalances } from './trial-balance.service.js';
import { UpliftService } from './uplift.service.js';
import { YieldHistoryService } from './yield-history.service.js';

const OFFERED = [
  AdvisorService,
  ClosingPackages,
  ClosingService,
  InsightService,
  InvoiceService,
  JournalService,
  PastBooks,
  ReportService,
  ReservesService,
  StatementReports,
  TrialBalances,
  UpliftService,
  YieldHistoryService,
];

/** What a partner reads: reports, closings, history, uplift. */
@Module({
  imports: [KernelModule, TenantsModule, MarketsModule, BooksModule],
  providers: [...OFFERED, ClosedMonths, ClosingVerifier, HeldBooks, InvoiceVerifier],
  exports: OFFERED,
})
export class ReportingModule {}
