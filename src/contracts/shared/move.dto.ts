import {
  type GainReview,
  type MoveOrder,
  ORDER_FAILURES,
  ORDER_STATUSES,
  type OrderFailure,
  type OrderStatus,
  type ReportedStep,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '../../domain/routing/allocation/move-order.js';
import {
  CHECK_REASONS,
  type CheckReason,
  type ShownTransaction,
} from '../../domain/routing/move-checks/move-check.js';
import {
  type Resolution,
  RESOLUTIONS,
  SETTLEMENT_STATUSES,
  type SettlementStatus,
} from '../../domain/routing/settlements/settlement.js';
import { explorerUrl } from '../../domain/routing/settlements/settlement.service.js';
import { toUnits } from '../../domain/kernel/money.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import { ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { IdFilterField } from '../../http/request/query-fields.js';

const STATUSES =
  '`requested`: nobody claimed it. `redeeming`: claimed, funds still in their vault. `arriving`: the funds left their vault, or were received, and are in cash. `settled`: they are in the new vault. `failed`: see `failure`.';
const FAILURES =
  '`lapsed`: nobody claimed it in time. `reported`: the executor reported the failure. `refused`: the target no longer accepted the funds. `superseded`: an urgent move, or a withdrawal of its funds, replaced it. `empty`: all its funds were withdrawn. `voided`: the chain contradicted a report on it, which was taken back. null if it did not fail.';

const REVIEWS =
  '`pending_review`: awaits an administrator and is not booked. `approved`: booked. `rejected`: stays out of the books.';

/** The contracts describe their moves differently: only live moves have an executor. */
export const LIST_MOVES = { summary: 'List moves', errors: ['not_found'], extension: true } as const;
export const READ_MOVE = { summary: 'Read a move', extension: true } as const;

export class MovesQuery extends PageQuery {
  @ChoiceField({ description: 'Only moves in this state.', of: ORDER_STATUSES, optional: true })
  status?: OrderStatus;

  @ChoiceField({
    description: 'Only moves whose reported gain has this review status.',
    of: REVIEW_STATUSES,
    optional: true,
  })
  review?: ReviewStatus;

  @IdFilterField({
    description: 'Only the moves of the deposit that opened this position.',
    kind: 'position',
  })
  position_id?: string;
}

const CHECK_STATUS =
  '`unchecked`: see `reason`. `seen`: in a block that may still be reorganised. `confirmed`: final, and as reported. `mismatch`: final, and not as reported. `not_found`: in no block, long after the report. While one of the last two is unresolved, its key reports nothing more.';
const CHECK_REASON =
  "If `unchecked`: `contract_unknown` (the vault's contract is not in the catalogue, or it pays out through a queue), `no_rpc_url` (this deployment does not read the chain), `no_custody_account` (none is set for it), `not_checked_yet`, `not_in_a_block`. If `mismatch`: `transaction_failed`, `no_transfer` of the asset, `wrong_account` (not from or to the custody accounts), `no_vault_entry` (the vault's contract logged nothing for them), `wrong_amount`. Else null.";

export class MoveTransactionCheck {
  @Shown.choice(SETTLEMENT_STATUSES, CHECK_STATUS, 'confirmed') status: SettlementStatus;
  @ShownOrNull.choice(CHECK_REASONS, CHECK_REASON, null) reason: CheckReason | null;
  @ShownOrNull.amount("This move's part of what the chain moved; null where it was not checked.", 9_990)
  found_amount: number | null;
  @ShownOrNull.integer('Block of the transaction; null without one.', 21_000_000) block: number | null;
  @ShownOrNull.time('When the chain was last checked; null: never.') checked_at: string | null;
}

export class MoveReportCheck extends MoveTransactionCheck {
  @ShownOrNull.choice(
    RESOLUTIONS,
    'Resolution of a contradicted report: `accept`, what the chain moved is booked; `void`, it was taken back. null: unresolved.',
    null,
  )
  resolution: Resolution | null;
  @ShownOrNull.text('Note of the resolution; null if unresolved.', null) note: string | null;
  @ShownOrNull.time('When it was resolved; null if unresolved.', { example: null }) resolved_at:
    string | null;
}

export class MoveTransaction {
  @Shown.text('Hash of the transaction.', `0x${'5f'.repeat(32)}`) tx_hash: string;
  @Shown.amount('What it moved of this move, in whole asset units.', 9_990) amount: number;
  @ShownOrNull.text(
    'Explorer page of the transaction; null where the chain has no known explorer.',
    `https://etherscan.io/tx/0x${'5f'.repeat(32)}`,
  )
  explorer_url: string | null;
  @Shown.record(() => MoveTransactionCheck, 'What its chain says.') check: MoveTransactionCheck;
}

export class MoveReport {
  @ShownOrNull.text(
    'Hash of the reported transfer; of several transactions, the last one. null: the server moved the funds.',
    `0x${'5f'.repeat(32)}`,
  )
  tx_hash: string | null;
  @Shown.amount('Reported amount, in whole asset units.', 9_990) amount: number;
  @Shown.time('When it was booked.') at: string;
  @ShownOrNull.record(
    () => MoveReportCheck,
    "What the report's chain says; of several transactions, of the first that it contradicts or does not confirm, with what all of them moved. null: the server moved the funds, or it was reported before reports were looked up.",
  )
  check: MoveReportCheck | null;
  @Shown.records(
    () => MoveTransaction,
    'The transactions of a report that named several, in its order; absent from any other.',
    { optional: true, leftOut: true },
  )
  transactions?: readonly MoveTransaction[];
}

export class GainReviewDto {
  @Shown.choice(REVIEW_STATUSES, REVIEWS, 'pending_review') status: ReviewStatus;
  @Shown.amount('The gain, in whole asset units.', 600) amount: number;
  @ShownOrNull.amount('Booked part, without the part of closed positions; null before the review.', null)
  booked: number | null;
  @Shown.time('When it was reported.') since: string;
  @ShownOrNull.time('When it was reviewed; null before that.', { example: null })
  reviewed_at: string | null;
  @ShownOrNull.text("The administrator's note; null before the review.", null) note: string | null;
}

export class MoveOrderDto {
  @Shown.id('mov') id: string;
  @Shown.kind('move_order') object: 'move_order';
  @Shown.choice(ORDER_STATUSES, STATUSES, 'requested') status: OrderStatus;
  @Shown.flag('Whether it leaves an unsafe vault and comes before others.', false) urgent: boolean;
  @Shown.id('ptn', 'Partner whose funds it moves.') partner_id: string;
  @ShownOrNull.id(
    'pos',
    'Position whose received deposit the move puts into a vault; null for a move between vaults.',
  )
  position_id: string | null;
  @ShownOrNull.text(
    'Batch of moves of one hour between the same two vaults, which one transaction executes; null: no batch.',
    null,
  )
  batch_id: string | null;
  @Shown.id('dec', 'The decision behind it.') decision_id: string;
  @Shown.text('Why it was decided: `reason` of the decision.', 'all_gates_passed') reason: string;
  @Shown.asset('Asset that moves.') asset: string;
  @Shown.text(
    'Vault that the funds leave. An idle vault such as `vlt_idle_usdc` is cash: there is nothing to redeem.',
    placeholder('vault'),
  )
  from_vault_id: string;
  @Shown.text(
    'Vault that the funds enter. An idle vault such as `vlt_idle_usdc` is cash: the move is settled once they are redeemed.',
    placeholder('otherVault'),
  )
  to_vault_id: string;
  @Shown.integer('Number of positions concerned.', 12) positions: number;
  @Shown.amount(
    'Current value of its funds, in whole asset units, net of withdrawals since. For a settled move, the booked amount that arrived; for a failed one, the value when it was decided.',
    10_000,
  )
  amount: number;
  @Shown.amount('Expected cost at the decision, in whole asset units.', 2)
  expected_cost: number;
  @ShownOrNull.record(() => MoveReport, 'Report of the redemption; null before that.')
  redeemed: MoveReport | null;
  @ShownOrNull.record(() => MoveReport, 'Report of the arrival; null before that.')
  settled: MoveReport | null;
  @Shown.amount('Shortfall against the books over both reports, in whole asset units.', 11)
  cost: number;
  @Shown.amount('Booked surplus against the books: yield, or for a received deposit principal.', 0)
  gain: number;
  @ShownOrNull.record(
    () => GainReviewDto,
    'Review of a reported gain that is too large to be booked unreviewed; null without one.',
  )
  review: GainReviewDto | null;
  @ShownOrNull.choice(ORDER_FAILURES, FAILURES, null) failure: OrderFailure | null;
  @ShownOrNull.text('Why it failed, in words; null if it did not.', null) note: string | null;
  @Shown.time('When it was made.') requested_at: string;
  @Shown.time('When an unclaimed move lapses, with the next hour.') expires_at: string;
  @ShownOrNull.time('When it was claimed or first reported; null before that.')
  taken_at: string | null;
  @ShownOrNull.text('Key or session that claimed or first reported it; null before that.', null)
  taken_by: string | null;
  @ShownOrNull.time('When it was settled or failed; null before that.', { example: null })
  ended_at: string | null;
}

export const movesFilter = ({ status, review, position_id: positionId }: MovesQuery) =>
  defined({ status, review, positionId });

export const movesIdentity = ({ status, review, position_id }: MovesQuery) =>
  [status, review, position_id] as const;

export const moveView = viewOf(MoveOrderDto, ({ review, redeemed, settled }: MoveOrder) => ({
  review: review && reviewView(review),
  redeemed: redeemed && reportView(redeemed),
  settled: settled && reportView(settled),
}));

const checkView = viewOf(MoveReportCheck);

const transactionView = viewOf(MoveTransaction, ({ chain, txHash }: ShownTransaction) => ({
  explorer_url: explorerUrl(chain, txHash),
}));

const reportView = viewOf(MoveReport, ({ check, transactions }: ReportedStep) => ({
  check: check && checkView(check),
  ...(transactions && { transactions: transactions.map(transactionView) }),
}));

const reviewView = viewOf(GainReviewDto, ({ gain }: GainReview) => ({ amount: toUnits(gain) }));
