import {
  type MoveOrder,
  ORDER_FAILURES,
  ORDER_STATUSES,
  type OrderFailure,
  type OrderStatus,
  type Reported,
} from '../../domain/routing/move-order.js';
import { toUnits } from '../../domain/positions/amount.js';
import {
  AmountField,
  ChoiceField,
  IdFilterField,
  TextField,
  TransactionHashField,
} from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { Shown } from '../../http/answer/shown.js';

const STATUSES =
  '`requested`: nobody took it up. `redeeming`: it was taken up, and its funds are where they were. `arriving`: its funds left their vault, or were received, and stand in cash. ' +
  '`settled`: they are in their new vault. `failed`: it ended before, see `failure`.';
const FAILURES =
  '`lapsed`: nobody took it up in time. `reported`: whoever carried it out said so. `refused`: its target took the funds no more. `superseded`: another took its place, as its vault ' +
  'is to be left. `empty`: all of it was withdrawn. null of one that did not fail.';

/** Filters of moves. */
export class MovesQuery extends PageQuery {
  @ChoiceField({ description: 'Only moves that stand there.', of: ORDER_STATUSES, optional: true })
  status?: OrderStatus;

  @IdFilterField({
    description: 'Only the moves of the deposit that opened this position.',
    kind: 'position',
  })
  position_id?: string;
}

const HASH = {
  description:
    'Hash of the transfer on its chain, in either letter case. One transfer may be of several moves.',
};

export class RedeemedInputDto {
  @TransactionHashField(HASH) tx_hash: string;
  @AmountField({
    description: "What the vault paid out for this move's funds: the books take it.",
    example: 9_990,
  })
  amount: number;
}

export class SettledInputDto {
  @TransactionHashField(HASH) tx_hash: string;
  @AmountField({
    description: "What arrived in the new vault of this move's funds: the books take it.",
    example: 9_989,
  })
  amount: number;
}

export class FailedInputDto {
  @TextField({
    description: 'Why, for whoever reads the move later.',
    max: 500,
    example: 'The vault reverted.',
  })
  note: string;
}

/** Reported step of a move. */
export class MoveReport {
  @Shown.text('Hash of the transfer that was reported.', `0x${'5f'.repeat(32)}`) tx_hash: string;
  @Shown.number('What was reported, in whole asset units.', 9_990) amount: number;
  @Shown.time('When the books took it.') at: string;
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
  @Shown.id('dec', 'The decision behind it.') decision_id: string;
  @Shown.text('Why it was decided: `reason` of the decision.', 'all_gates_passed') reason: string;
  @Shown.asset('Asset that moves.') asset: string;
  @Shown.text(
    'Vault that the funds leave. One such as `vlt_idle_usdc` is cash: nothing is to be redeemed.',
    'vlt_aave_v3_usdc',
  )
  from_vault_id: string;
  @Shown.text(
    'Vault that they go to. One such as `vlt_idle_usdc` is cash: the move is settled once they are redeemed.',
    'vlt_maple_syrup_usdc',
  )
  to_vault_id: string;
  @Shown.integer('How many positions it is about; of one that ended, was.', 12) positions: number;
  @Shown.number(
    'What its funds are worth now, in whole asset units: it shrinks by what is withdrawn. Of one that is settled, what arrived; of one that failed, what they were worth when it was made.',
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
  @Shown.number('What arrived more than they expected.', 0) gain: number;
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
  failure: order.failure,
  note: order.note,
  requested_at: order.requestedAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  taken_at: order.takenAt?.toISOString() ?? null,
  ended_at: order.endedAt?.toISOString() ?? null,
});

const reportView = (report: Reported | null): MoveReport | null =>
  report && { tx_hash: report.txHash, amount: toUnits(report.amount), at: report.at.toISOString() };
