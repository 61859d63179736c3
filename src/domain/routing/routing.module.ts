import { Module } from '@nestjs/common';
import { BooksModule } from '../books/books.module.js';
import { KernelModule } from '../kernel/kernel.module.js';
import { MarketsModule } from '../markets/markets.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { DecisionLog } from './allocation/decision-log.js';
import { DecisionVerifier } from './allocation/decision-verifier.js';
import { DepositRouting } from './allocation/deposit-routing.service.js';
import { MoveOrderService } from './allocation/move-order.service.js';
import { RoutingService } from './allocation/routing.service.js';
import { MoveCheckPass } from './move-checks/move-check-pass.js';
import { MoveCheckVerifier } from './move-checks/move-check-verifier.js';
import { MoveResolver } from './move-checks/move-resolver.service.js';
import { MoveCheckService } from './move-checks/move-check.service.js';
import { GainReviews } from './orders/gain-review.service.js';
import { InstantExecutor } from './orders/instant-executor.service.js';
import { MoveReportService } from './orders/move-report.service.js';
import { OrderBooking } from './orders/order-booking.js';
import { OrderSteps } from './orders/order-steps.service.js';
import { OrderTarget } from './orders/order-target.service.js';
import { ReportBounds } from './orders/report-bounds.js';
import { SettlementChecks } from './settlements/settlement-checks.js';
import { SettlementService } from './settlements/settlement.service.js';
import { SettlementVerifier } from './settlements/settlement-verifier.js';
import { SettlementResolver } from './settlements/settlement-resolver.js';
import { DepositBooking } from './transfers/deposit-booking.js';
import { DepositService } from './transfers/deposit.service.js';
import { Depositors } from './transfers/depositors.js';
import { WithdrawalService } from './transfers/withdrawal.service.js';
import { Payouts } from './withdrawals/payouts.js';
import { Reservations } from './withdrawals/reservations.js';
import { UserWithdrawalService } from './withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from './withdrawals/withdrawal-reader.js';
import { WithdrawalReports } from './withdrawals/withdrawal-report.service.js';
import { WithdrawalSources } from './withdrawals/withdrawal-sources.js';
import { WithdrawalVerifier } from './withdrawals/withdrawal-verifier.js';

const OFFERED = [
  DecisionLog,
  DepositRouting,
  DepositService,
  GainReviews,
  InstantExecutor,
  MoveCheckService,
  MoveOrderService,
  MoveReportService,
  MoveResolver,
  ReportBounds,
  RoutingService,
  SettlementChecks,
  SettlementResolver,
  SettlementService,
  UserWithdrawalService,
  WithdrawalReader,
  WithdrawalReports,
  WithdrawalService,
];

/** Where a deposit goes and when it moves: decisions, orders, settlements, outcomes, transfers. */
@Module({
  imports: [KernelModule, OutboundModule, TenantsModule, MarketsModule, BooksModule],
  providers: [
    ...OFFERED,
    DecisionVerifier,
    DepositBooking,
    Depositors,
    MoveCheckPass,
    MoveCheckVerifier,
    OrderBooking,
    OrderSteps,
    OrderTarget,
    Payouts,
    Reservations,
    SettlementVerifier,
    WithdrawalSources,
    WithdrawalVerifier,
  ],
  exports: OFFERED,
})
export class RoutingModule {}
