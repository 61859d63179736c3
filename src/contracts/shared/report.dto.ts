import type { RoundedRate } from '../../domain/kernel/money.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

const FLOOR =
  "Rounded down once per vault: it may exceed the sum of the positions' own values by less than 0.000001 per position.";
const PAR = 'Stablecoins are added at par.';

export class PartnerReport {
  @Shown.time('The moment of the report.') as_of: string;
}

export class PositionCounts {
  @Shown.integer('Positions that hold funds.', 3) open: number;
  @Shown.integer('Positions that were withdrawn completely.', 1) closed: number;
}

/** Deposits less withdrawals plus yield is net TVL, exactly. */
export class MoneySums {
  @Shown.amount('Deposited so far.', 1000) deposits: number;
  @Shown.amount('Withdrawn so far.', 250) withdrawals: number;
  @Shown.amount('Deposits less withdrawals; negative once withdrawals exceed deposits.', 750)
  net_deposits: number;
  @Shown.amount(`Value of all positions. ${FLOOR}`, 751.237035)
  net_tvl: number;
  @Shown.amount(
    'Net TVL less net deposits: yield so far, accrued and pending, withdrawn or not; negative after a loss.',
    1.237035,
  )
  yield: number;
}

export class AssetSummary extends MoneySums {
  @Shown.asset('Asset of the sums.') asset: string;
  @ShownOrNull.rate(
    'Last observed annual yield of the vaults that hold the funds, weighted by value, as a fraction: 0.0523 is 5.23 %. null where nothing is held, or where the yield of a vault with funds is unknown or over 24 hours old.',
    0.0523,
  )
  apy: RoundedRate | null;
}

export class PartnerSummary extends PartnerReport {
  @Shown.id('ptn', 'The partner.') partner_id: string;
  @Shown.integer('End-users of the partner, with and without positions.', 3) users: number;
  @Shown.record(() => PositionCounts, 'Number of positions.') positions: PositionCounts;
  @Shown.records(() => AssetSummary, 'A row per asset of the deployment, also without movements.')
  assets: AssetSummary[];
  @Shown.record(() => MoneySums, `Over all assets. ${PAR}`) totals: MoneySums;
  @Shown.amount('Points earned so far, to 0.000001: `total` of the points report.', 562.5) points: number;
  @Shown.amount(
    `The partner's share of the performance fee so far, in whole units over all assets. ${PAR} Reported, never deducted from positions.`,
    0.049481,
  )
  revenue: number;
}

export class AssetFlow {
  @Shown.asset('Asset of the movements.') asset: string;
  @Shown.amount('Total amount.', 750) amount: number;
  @Shown.integer('Number of movements.', 3) count: number;
}

class FlowReport extends PartnerReport {
  @Shown.amount(`Total amount, in whole units over all assets. ${PAR}`, 750) total: number;
  @Shown.integer('Number of movements, over all assets.', 3) count: number;
  @Shown.records(() => AssetFlow, 'A row per asset of the deployment, also without movements.')
  assets: AssetFlow[];
}
/** Each deposit opened a position. */
export class PartnerDeposits extends FlowReport {}
export class PartnerWithdrawals extends FlowReport {}

export class VaultTvl {
  @Shown.text('Vault that holds funds.', placeholder('vault')) vault_id: string;
  @Shown.amount(`Value in the vault. ${FLOOR}`, 751.237035) value: number;
  @ShownOrNull.rate("Share of the asset's net TVL, as a fraction; null where that is 0.", 1)
  share: RoundedRate | null;
}

export class AssetTvl {
  @Shown.asset('Asset of the positions.') asset: string;
  @Shown.amount(`Value of its positions. ${FLOOR}`, 751.237035) net_tvl: number;
  @Shown.records(() => VaultTvl, 'The value by vault; empty where nothing is held.') vaults: VaultTvl[];
}

export class PartnerTvl extends PartnerReport {
  @Shown.amount(`Value of all positions, in whole units over all assets. ${PAR}`, 751.237035)
  net_tvl: number;
  @Shown.records(() => AssetTvl, 'A row per asset of the deployment, also where nothing is held.')
  assets: AssetTvl[];
}

export const summaryView = viewOf(PartnerSummary);

export const depositsView = viewOf(PartnerDeposits);

export const withdrawalsView = viewOf(PartnerWithdrawals);

export const tvlView = viewOf(PartnerTvl);
