import {
  type Withdrawal,
  WITHDRAWAL_FAILURES,
  WITHDRAWAL_STATUSES,
  type WithdrawalFailure,
  type WithdrawalStatus,
} from '../../domain/routing/withdrawals/withdrawal.js';
import { explorerUrl } from '../../domain/routing/settlements/settlement.service.js';
import type { WithdrawalRequest } from '../../domain/routing/withdrawals/user-withdrawal.service.js';
import { parseAmount } from '../../domain/kernel/money.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';
import { defined } from '../../http/defined.js';
import { AddressField, AmountField, AssetField, ChoiceField } from '../../http/request/fields.js';
import { PageQuery } from '../../http/request/paging.js';
import { IdFilterField } from '../../http/request/query-fields.js';

const STATUSES =
  '`requested`: its parts are reserved, and no executor has taken it. `taken`: an executor is paying it. `paid`: booked. `failed`: see `failure`. `lapsed`: no executor took it in time; nothing is reserved any more.';

export class CreateWithdrawalInputDto {
  @AssetField({ description: 'Asset to withdraw.' }) asset: string;

  @AmountField({
    description: 'Amount to withdraw. Absent: everything that the positions are worth when it is paid.',
    optional: true,
    example: 100,
  })
  amount?: number;

  @AddressField({
    description:
      "The end-user's wallet that is paid. Default: its only wallet; with several, and an executor that pays, name one.",
    optional: true,
    example: undefined,
  })
  wallet?: string;
}

export const requestOf = (
  partnerId: string,
  userId: string,
  { asset, amount, wallet }: CreateWithdrawalInputDto,
): WithdrawalRequest => ({
  partnerId,
  userId,
  asset,
  amount: amount === undefined ? null : parseAmount(amount),
  wallet: wallet ?? null,
});

export class WithdrawalsOfUserQuery extends PageQuery {
  @ChoiceField({ description: 'Only withdrawals in this state.', of: WITHDRAWAL_STATUSES, optional: true })
  status?: WithdrawalStatus;
}

export class WithdrawalsQuery extends WithdrawalsOfUserQuery {
  @IdFilterField({ description: 'Only withdrawals of this end-user.', kind: 'user' })
  user_id?: string;
}

export const withdrawalsFilter = ({ status, user_id: userId }: WithdrawalsQuery) =>
  defined({ status, userId });

export class WithdrawalPartDto {
  @Shown.id('pos', 'Position that pays it.') position_id: string;
  @Shown.text('Vault that its funds are in, or were paid from.', placeholder('vault')) vault_id: string;
  @Shown.amount('What leaves the position, in whole asset units.', 100) amount: number;
}

export class WithdrawalDto {
  @Shown.id('wdr') id: string;
  @Shown.kind('withdrawal') object: 'withdrawal';
  @Shown.id('ptn', 'Partner of the end-user.') partner_id: string;
  @Shown.id('usr', 'End-user that is paid.') user_id: string;
  @Shown.asset('Asset that is withdrawn.') asset: string;
  @Shown.amount(
    'What leaves the positions, in whole asset units: the sum of `parts`. Of everything, what they are worth now.',
    100,
  )
  amount: number;
  @ShownOrNull.text(
    'Wallet that is paid; null: the end-user has none, or several and none was named.',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  )
  wallet: string | null;
  @Shown.choice(WITHDRAWAL_STATUSES, STATUSES, 'paid') status: WithdrawalStatus;
  @Shown.records(
    () => WithdrawalPartDto,
    'Positions that pay it: cash first, then the vault with the lowest expected risk-adjusted yield, then the oldest; what a move has in transit pays last.',
  )
  parts: readonly WithdrawalPartDto[];
  @Shown.amount('Part of the amount that vaults did not pay out, in whole asset units.', 0) cost: number;
  @ShownOrNull.amount('What the end-user was paid: `amount` less `cost`; null before that.', 100)
  paid_amount: number | null;
  @ShownOrNull.text(
    'Hash of the payment; null before that, and where the server paid.',
    `0x${'7a'.repeat(32)}`,
  )
  tx_hash: string | null;
  @ShownOrNull.text('Chain of the payment; null where it is not known.', 'ethereum') chain: string | null;
  @ShownOrNull.text(
    'Explorer page of the payment; null where the chain has no known explorer.',
    `https://etherscan.io/tx/0x${'7a'.repeat(32)}`,
  )
  explorer_url: string | null;
  @Shown.time('When it was requested.') requested_at: string;
  @Shown.time('When it lapses, with the next hour, if no executor has taken it.') expires_at: string;
  @ShownOrNull.time('When an executor took it; null before that, and where the server paid.') taken_at:
    string | null;
  @ShownOrNull.text('Key or session of that executor; null before that.', null) taken_by: string | null;
  @ShownOrNull.time('When it was paid; null before that.') paid_at: string | null;
  @ShownOrNull.time('When it was paid, failed or lapsed; null before that.') ended_at: string | null;
  @ShownOrNull.choice(
    WITHDRAWAL_FAILURES,
    '`reported`: the executor reported that it paid nothing. `voided`: the chain contradicted the payment, which was taken back. null if it did not fail.',
    null,
  )
  failure: WithdrawalFailure | null;
  @ShownOrNull.text('Why it failed, in words; null if it did not.', null) note: string | null;
}

export const withdrawalView = viewOf(WithdrawalDto, ({ chain, txHash }: Withdrawal) => ({
  explorer_url: txHash === null ? null : explorerUrl(chain, txHash),
}));

export class WithdrawalPreview {
  @Shown.id('usr', 'End-user that would be paid.') user_id: string;
  @Shown.asset('Asset to withdraw.') asset: string;
  @Shown.amount('What would leave the positions: the sum of `parts`.', 100) amount: number;
  @Shown.amount('What can be withdrawn now.', 250.412345) available: number;
  @ShownOrNull.text('Wallet that would be paid; null: none is known.', null) wallet: string | null;
  @Shown.records(() => WithdrawalPartDto, 'Positions that would pay, in their order.')
  parts: readonly WithdrawalPartDto[];
}

export const withdrawalPreviewView = viewOf(WithdrawalPreview);

const OWN_ACCESS = { scopes: ['partner:read'], partner: true } as const;

/** Operations of both contracts; they add their own `data`, which live has the calls of an executor. */
export const CREATE_WITHDRAWAL = {
  summary: "Withdraw an end-user's money",
  access: OWN_ACCESS,
  extension: true,
} as const;
export const CREATION_ERRORS = ['insufficient_balance', 'withdrawal_limit_reached'] as const;
export const LIST_WITHDRAWALS = {
  summary: 'List withdrawals',
  errors: ['not_found'],
  extension: true,
} as const;
export const READ_WITHDRAWAL = { summary: 'Read a withdrawal', extension: true } as const;
