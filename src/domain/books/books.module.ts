import { Module } from '@nestjs/common';
import { KernelModule } from '../kernel/kernel.module.js';
import { MarketsModule } from '../markets/markets.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { IndexVerifier } from './ledger/index-verifier.js';
import { LedgerVerifier } from './ledger/ledger-verifier.js';
import { PastPositions } from './ledger/past-positions.js';
import { LedgerService } from './ledger/ledger.service.js';
import { Accruals, TermsService } from './positions/accruals.js';
import { HoldingService } from './positions/holding.service.js';
import { CampaignTimes } from './positions/points.js';
import { PositionService } from './positions/position.service.js';
import { PositionStore } from './positions/position.store.js';
import { DailyAccrualService } from './positions/daily-accrual.service.js';

const OFFERED = [
  Accruals,
  HoldingService,
  CampaignTimes,
  LedgerService,
  LedgerVerifier,
  PastPositions,
  PositionService,
  PositionStore,
  DailyAccrualService,
];

/** Positions, ledger, fees and points; the verifier that replays them. */
@Module({
  imports: [KernelModule, TenantsModule, MarketsModule],
  providers: [...OFFERED, IndexVerifier, TermsService],
  exports: OFFERED,
})
export class BooksModule {}
