import {
  type MoveOrder,
  ORDER_FAILURES,
  ORDER_STATUSES,
  type OrderFailure,
  type OrderStatus,
  type GainReview,
  type Reported,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '../../domain/routing/allocation/move-order.js';
import { REVIEW_ACTIONS, type ReviewAction } from '../../domain/routing/orders/gain-review.service.js';
import { toUnits } from '../../domain/books/positions/amount.js';
import {
  AmountField,
  ChoiceField,
  FlagField,
  IdFilterField,
  TextField,
  TransactionHashField,
} from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

const STATUSES =
  '`requested`: nobody took it up. `redeeming`: it was taken up, and its funds are where they were. `arriving`: its funds left their vault, or were received, and stand in cash. ' +
  '`settled`: they are in their new vault. `failed`: it ended before, see `failure`.';
const FAILURES =
  '`lapsed`: nobody took it up in time. `reported`: whoever carried it out said so. `refused`: its target took the funds no more. `superseded`: another took its place, as its vault ' +
  'is to be left. `empty`: all of it was withdrawn. null of one that did not fail.';

const REVIEWS =
  '`pending_review`: it waits for an administrator, and is in no position and no fee. `approved`: it was booked. `rejected`: it stays out of the books.';

/** Filters of moves. */
export class MovesQuery extends PageQuery {
  @ChoiceField({ description: 'Only moves that stand there.', of: ORDER_STATUSES, optional: true })
  status?: OrderStatus;

  @ChoiceField({
    description: 'Only moves with a reported gain whose review stands there.',
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

const BOOKED = 'The books take it, except for a gain that waits for a review.';
const HASH = {
  description:
    'Hash of the transfer on its chain, in either letter case. One transfer may be of several moves.',
};

const BatchField = (): PropertyDecorator =>
  FlagField({
    description:
      '`true`: this is of all open moves of its batch (`batch_id`), which one transaction carries out. Amounts are of all of them then, and are divided by what the funds of each are worth; the answer is `object: "list"`, with the batch.',
    optional: true,
    default: false,
    example: false,
  });

export class TakenInputDto {
  @BatchField() batch?: boolean;
}

export class RedeemedInputDto {
  @TransactionHashField(HASH) tx_hash: string;
  @AmountField({
    description: `What the vault paid out for this move's funds. ${BOOKED}`,
    example: 9_990,
  })
  amount: number;
  @BatchField() batch?: boolean;
}

export class SettledInputDto {
  @TransactionHashField(HASH) tx_hash: string;
  @AmountField({
    description: `What arrived in the new vault of this move's funds. ${BOOKED}`,
    example: 9_989,
  })
  amount: number;
  @BatchField() batch?: boolean;
}

export class FailedInputDto {
  @TextField({
    description: 'Why, for whoever reads the move later.',
    max: 500,
    example: 'The vault reverted.',
  })
  note: string;
  @BatchField() batch?: boolean;
}

export class ReviewMoveInputDto {
  @ChoiceField({
    description:
      '`approve`: the gain is booked as yield of the positions that moved; of a received deposit, as principal. `reject`: it stays out of the books.',
    of: REVIEW_ACTIONS,
    example: 'approve',
  })
  action: ReviewAction;

  @TextField({
    description: 'Why: kept with the move.',
    max: 500,
    example: 'Rewards of the vault, as its transfer shows.',
  })
  note: string;
}

/** Reported step of a move. */
export class MoveReport {
  @Shown.text('Hash of the transfer that was reported.', `0x${'5f'.repeat(32)}`) tx_hash: string;
  @Shown.number('What was reported, in whole asset units.', 9_990) amount: number;
  @Shown.time('When the books took it.') at: string;
}

/** Review of a reported gain. */
export class GainReviewDto {
  @Shown.choice(REVIEW_STATUSES, REVIEWS, 'pending_review') status: ReviewStatus;
  @Shown.number('The gain, in whole asset units.', 600) amount: number;
  @Shown.number(
    'How much of it was booked; null before the review. The part of a closed position is not.',
    null,
    {
      nullable: true,
    },
  )
  booked: number | null;
  @Shown.time('When it was reported.') since: string;
  @Shown.time('When it was reviewed; null before that.', { nullable: true, example: null })
  reviewed_at: string | null;
  @Shown.text('What the administrator noted; null before that.', null, { nullable: true }) note:
    string | null;
}

export class MoveOrderDto {
  @Shown.id('mov', 'Id of the move.') id: string;
  @Shown.kind('move_order') object: 'move_order';
  @Shown.choice(ORDER_STATUSES, STATUSES, 'requested') status: OrderStatus;
  @Shown.flag('Whether its vault is not to be kept, so that it goes before others.', false) urgent: boolean;
  @Shown.id('ptn', 'Partner whose funds it moves.') partner_id: string;
  @Shown.id(
    'pos',
    'Position whose deposit was received, and is to be put into its vault; null: funds that are held move.',
    {
      nullable: true,
    },
  )
  position_id: string | null;
  @Shown.text(
    'Batch of the moves of one hour between the same two vaults, which one transaction carries out; null: this one alone.',
    null,
    { nullable: true },
  )
  batch_id: string | null;
  @Shown.id('dec', 'The decision behind it.') decision_id: string;
  @Shown.text('Why it was decided: `reason` of the decision.', 'all_gates_passed') reason: string;
  @Shown.asset('Asset that moves.') asset: string;
  @Shown.text(
    'Vault that the funds leave. One such as `vlt_idle_usdc` is cash: nothing is to be redeemed.',
    said('vault'),
  )
  from_vault_id: string;
  @Shown.text(
    'Vault that they go to. One such as `vlt_idle_usdc` is cash: the move is settled once they are redeemed.',
    said('otherVault'),
  )
  to_vault_id: string;
  @Shown.integer('How many positions it is about; of one that ended, was.', 12) positions: number;
  @Shown.number(
    'What its funds are worth now, in whole asset units: it shrinks by what is withdrawn. Of one that is settled, what arrived and was booked then; of one that failed, what they were worth when it was made.',
    10_000,
  )
  amount: number;
  @Shown.number('What it was expected to cost when it was decided, in whole asset units.', 2)
  expected_cost: number;
  @Shown.record(() => MoveReport, 'What was reported of the redemption; null before that.', {
    nullable: true,
  })
  redeemed: MoveReport | null;
  @Shown.record(() => MoveReport, 'What was reported of the arrival; null before that.', { nullable: true })
  settled: MoveReport | null;
  @Shown.number('What arrived less than the books expected, over both reports, in whole asset units.', 11)
  cost: number;
  @Shown.number(
    'What arrived more than they expected, as far as it is booked: yield; of a received deposit, principal.',
    0,
  )
  gain: number;
  @Shown.record(
    () => GainReviewDto,
    'The review of a reported gain that is too large to be booked without one; null where there is none.',
    { nullable: true },
  )
  review: GainReviewDto | null;
  @Shown.choice(ORDER_FAILURES, FAILURES, null, { nullable: true }) failure: OrderFailure | null;
  @Shown.text('Why it failed, in words; null of one that did not.', null, { nullable: true }) note:
    string | null;
  @Shown.time('When it was made.') requested_at: string;
  @Shown.time('From when on it lapses with the next hour, unless it was taken up.') expires_at: string;
  @Shown.time('When it was taken up, or first reported of; null before that.', { nullable: true })
  taken_at: string | null;
  @Shown.time('When it was settled or failed; null before that.', { nullable: true, example: null })
  ended_at: string | null;
}

export const moveView = (order: MoveOrder): MoveOrderDto => ({
  id: order.id,
  object: 'move_order',
  status: order.status,
  urgent: order.urgent,
  partner_id: order.partnerId,
  position_id: order.positionId,
  batch_id: order.batchId,
  decision_id: order.decisionId,
  reason: order.reason,
  asset: order.asset,
  from_vault_id: order.fromVaultId,
  to_vault_id: order.toVaultId,
  positions: order.positions,
  amount: toUnits(order.amount),
  expected_cost: toUnits(order.expectedCost),
  redeemed: reportView(order.redeemed),
  settled: reportView(order.settled),
  cost: toUnits(order.cost),
  gain: toUnits(order.gain),
  review: order.review && reviewView(order.review),
  failure: order.failure,
  note: order.note,
  requested_at: order.requestedAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  taken_at: order.takenAt?.toISOString() ?? null,
  ended_at: order.endedAt?.toISOString() ?? null,
});

const reviewView = ({ status, gain, booked, since, reviewedAt, note }: GainReview): GainReviewDto => ({
  status,
  amount: toUnits(gain),
  booked: booked === null ? null : toUnits(booked),
  since: since.toISOString(),
  reviewed_at: reviewedAt?.toISOString() ?? null,
  note,
});

const reportView = (report: Reported | null): MoveReport | null =>
  report && { tx_hash: report.txHash, amount: toUnits(report.amount), at: report.at.toISOString() };
