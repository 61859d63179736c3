import type { MoveOrder } from '../../domain/routing/allocation/move-order.js';
import { REVIEW_ACTIONS, type ReviewAction } from '../../domain/routing/orders/gain-review.service.js';
import { CHECKED_STEPS, type CheckedStep } from '../../domain/routing/move-checks/move-check.js';
import type { OrderCall } from '../../domain/routing/orders/order-calls.js';
import { type Resolution, RESOLUTIONS } from '../../domain/routing/settlements/settlement.js';
import {
  AddressField,
  AmountField,
  ChoiceField,
  FlagField,
  TextField,
  TransactionHashField,
} from '../../http/request/fields.js';
import { Shown } from '../../http/answer/shown.js';
import { MoveOrderDto, moveView } from '../shared/move.dto.js';
import { type ReportedTransactionInput, TransactionsField } from './reported-transactions.js';

export class MoveQuery {
  @AddressField({
    description:
      'Account that holds the funds on the chain: the answer has its `calls`. A mixed-case address must have a valid checksum.',
    optional: true,
  })
  account?: string;
}

const BOOKED = 'It is booked, except for a gain that awaits a review.';
const HASH = {
  description:
    'Hash of the transfer on its chain, in either letter case. One transfer may serve several moves. Required without `transactions`.',
  optional: true,
};

const BatchField = (): PropertyDecorator =>
  FlagField({
    description:
      '`true`: reports all open moves of the batch (`batch_id`), which one transaction executes. Amounts are totals of the batch, divided in proportion to value; the answer is the list of its moves (`object: "list"`).',
    optional: true,
    default: false,
    example: false,
  });

export class TakenInputDto {
  @BatchField() batch?: boolean;
}

export class RedeemedInputDto {
  @TransactionHashField(HASH) tx_hash?: string;
  @AmountField({
    description: `Amount that the vault paid out for this move. ${BOOKED} Required without \`transactions\`.`,
    example: 9_990,
    optional: true,
  })
  amount?: number;
  @TransactionsField() transactions?: ReportedTransactionInput[];
  @BatchField() batch?: boolean;
}

export class SettledInputDto {
  @TransactionHashField(HASH) tx_hash?: string;
  @AmountField({
    description: `Amount of this move that arrived in the new vault. ${BOOKED} Required without \`transactions\`.`,
    example: 9_989,
    optional: true,
  })
  amount?: number;
  @TransactionsField() transactions?: ReportedTransactionInput[];
  @BatchField() batch?: boolean;
}

export class FailedInputDto {
  @TextField({
    description: 'Reason, stored with the move.',
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
    description: 'Reason, stored with the move.',
    max: 500,
    example: 'Rewards of the vault, as its transfer shows.',
  })
  note: string;
}

export class ResolveMoveInputDto {
  @ChoiceField({
    description: 'The report. A received deposit was `settled` by its allocation.',
    of: CHECKED_STEPS,
    example: 'settled',
  })
  step: CheckedStep;

  @ChoiceField({
    description:
      '`accept`: what the chain moved is booked, the difference as a further cost or gain of the positions that are still open; a transaction that was not found changes no amount. `void`: the report is taken back, and the move fails. The funds return to where they were; refused once more was booked to them.',
    of: RESOLUTIONS,
    example: 'accept',
  })
  action: Resolution;

  @TextField({
    description: 'Reason, stored with the report.',
    max: 500,
    example: 'The vault charged a fee.',
  })
  note: string;
}

export class MoveCall {
  @Shown.choice(
    ['withdraw', 'approve', 'deposit'],
    '`withdraw`: from the old vault. `approve`: lets the new vault take the tokens. `deposit`: into the new vault.',
    'withdraw',
  )
  step: OrderCall['step'];
  @Shown.text('Chain that it is sent on. You bridge tokens between two chains.', 'ethereum')
  chain: string;
  @Shown.text('Contract that is called.', '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2') to: string;
  @Shown.text('Calldata, in hexadecimal; its value in native tokens is 0.', '0xf3fef3a3') data: string;
  @Shown.text('Amount in the smallest units of the token, as in `data`.', '10000000000') units: string;
}

export class MoveOrderWithCalls extends MoveOrderDto {
  @Shown.records(
    () => MoveCall,
    'Calls that `account` still has to send, in order; empty without `account`, in lists, and in answers to reports. A vault of the kind `erc4626`, `aave-v3` or `compound-v3` has calls, unless it pays out through a queue.',
  )
  calls: MoveCall[];
}

export const callsView = (order: MoveOrder, calls: readonly OrderCall[] = []): MoveOrderWithCalls => ({
  ...moveView(order),
  calls: [...calls],
});
