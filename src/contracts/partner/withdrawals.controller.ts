import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { checksummedAddress } from '../../config/chains.js';
import { DomainSettings } from '../../config/domain-settings.js';
import { DEMO_IDS } from '../../domain/kernel/demo-ids.js';
import { parseAmount } from '../../domain/kernel/money.js';
import type { Hex } from '../../domain/markets/chain/chain-provider.js';
import { payoutCallsOf } from '../../domain/routing/withdrawals/payout-calls.js';
import { UserWithdrawalService } from '../../domain/routing/withdrawals/user-withdrawal.service.js';
import { WithdrawalReader } from '../../domain/routing/withdrawals/withdrawal-reader.js';
import { WithdrawalReports } from '../../domain/routing/withdrawals/withdrawal-report.service.js';
import type { Caller } from '../../domain/tenants/access/authenticator.js';
import { BoundPartnerId, CurrentCaller, PartnerId } from '../../http/access/caller.js';
import { Operation } from '../../http/openapi/operation.js';
import type { Once } from '../../http/request/idempotency.pipe.js';
import { Idempotent } from '../../http/request/idempotent.decorator.js';
import { Paginator } from '../../http/request/paging.js';
import { PathId } from '../../http/request/path.js';
import {
  CREATE_WITHDRAWAL,
  CREATION_ERRORS,
  CreateWithdrawalInputDto,
  LIST_WITHDRAWALS,
  READ_WITHDRAWAL,
  requestOf,
  withdrawalsFilter,
  WithdrawalsQuery,
} from '../shared/withdrawal.dto.js';
import {
  PaidInputDto,
  SettledWithdrawals,
  UnpaidInputDto,
  WithdrawalQuery,
  WithdrawalWithCalls,
} from './withdrawal.dto.js';

const access = { scopes: ['write'] } as const;
/** The executor reads all withdrawals, a partner its own. A key with `write` is never bound to a partner. */
const READ_ACCESS = { scopes: ['write', 'partner:read'] } as const;
const REPEATABLE = 'Repeating the report changes nothing.';
const success = (description: string) =>
  ({ status: 201, object: 'withdrawal', data: WithdrawalWithCalls, description }) as const;

/** Withdrawals by user, and the reports of the executor that pays them. */
@ApiTags('Withdrawals')
@Controller()
export class PartnerWithdrawalsController {
  constructor(
    private readonly withdrawals: UserWithdrawalService,
    private readonly reader: WithdrawalReader,
    private readonly reports: WithdrawalReports,
    private readonly settled: SettledWithdrawals,
    private readonly paging: Paginator,
    private readonly settings: DomainSettings,
  ) {}

  @Post('users/:id/withdrawals')
  @Operation({
    ...CREATE_WITHDRAWAL,
    description:
      "Withdraws an amount, or everything, from an end-user's positions. Where an executor moves the funds, the parts are reserved, earn until it reports the payment, and are not moved; a withdrawal that nobody takes lapses. Elsewhere it is paid at once. A blocked end-user may withdraw.",
    success: success('The withdrawal: `requested`, or `paid` where the server pays it.'),
    errors: [...CREATION_ERRORS, 'settlement_unresolved'],
  })
  createWithdrawal(
    @PartnerId() partnerId: string,
    @PathId('id', 'user', 'The end-user.') userId: string,
    @Body() body: CreateWithdrawalInputDto,
    @Idempotent() once: Once<WithdrawalWithCalls>,
  ) {
    return once(async () => {
      const id = await this.withdrawals.request(requestOf(partnerId, userId, body));
      return this.settled.attach(await this.reader.get(id, partnerId));
    });
  }

  @Get('withdrawals')
  @Operation({
    ...LIST_WITHDRAWALS,
    description:
      "Withdrawals of end-users, newest first: a partner's own, or for an executor all. `status=requested` lists those to take.",
    access: READ_ACCESS,
    success: { object: 'list', data: WithdrawalWithCalls, description: 'A page of withdrawals.' },
  })
  async listWithdrawals(@BoundPartnerId() partnerId: string | null, @Query() query: WithdrawalsQuery) {
    const list = await this.paging.serve(
      ['withdrawals', partnerId ?? undefined, query.status, query.user_id],
      query,
      (page) => this.reader.list({ partnerId, ...withdrawalsFilter(query) }, page),
      (withdrawal) => withdrawal,
    );
    return list.map((withdrawals) => this.settled.attachAll(withdrawals));
  }

  @Get('withdrawals/:id')
  @Operation({
    ...READ_WITHDRAWAL,
    description: 'A withdrawal. With `account`, also the contract calls that pay it.',
    access: READ_ACCESS,
    success: { object: 'withdrawal', data: WithdrawalWithCalls, description: 'The withdrawal.' },
  })
  async readWithdrawal(
    @BoundPartnerId() partnerId: string | null,
    @PathId('id', 'withdrawal', 'The withdrawal.', DEMO_IDS.withdrawal) id: string,
    @Query() { account }: WithdrawalQuery,
  ) {
    const withdrawal = await this.reader.get(id, partnerId);
    const holder = account === undefined ? null : checksummedAddress(account);
    const calls = holder === null ? [] : await payoutCallsOf(withdrawal, holder as Hex, this.settings);
    return this.settled.attach(withdrawal, calls);
  }

  @Post('withdrawals/:id/taken')
  @Operation({
    summary: 'Take up a withdrawal',
    description:
      'Claims the withdrawal: it no longer lapses, no other executor can claim it, and its funds are in no move. `withdrawal_not_open` where a move under way has them: wait until that has ended.',
    access,
    success: success('The withdrawal: `taken`.'),
    errors: [
      'withdrawal_not_open',
      'withdrawal_already_reported',
      'settlement_unresolved',
      'report_unresolved',
    ],
    extension: true,
  })
  takeWithdrawal(
    @CurrentCaller() { keyId }: Caller,
    @PathId('id', 'withdrawal', 'The withdrawal.', DEMO_IDS.untakenWithdrawal) id: string,
    @Idempotent() once: Once<WithdrawalWithCalls>,
  ) {
    return this.report(once, id, () => this.reports.take(id, keyId));
  }

  @Post('withdrawals/:id/paid')
  @Operation({
    summary: 'Report that a withdrawal is paid',
    description: `The funds have left their positions, and the end-user's wallet has received the amount; the transfer is looked up on its chain. Claims the withdrawal if nobody has. ${REPEATABLE}`,
    access,
    success: success('The withdrawal: `paid`.'),
    errors: [
      ...(['withdrawal_not_open', 'withdrawal_already_reported', 'amount_out_of_bounds'] as const),
      ...(['settlement_already_recorded', 'settlement_unresolved', 'insufficient_balance'] as const),
      'report_unresolved' as const,
    ],
    extension: true,
  })
  reportWithdrawalPaid(
    @CurrentCaller() { keyId }: Caller,
    @PathId('id', 'withdrawal', 'The withdrawal.', DEMO_IDS.payableWithdrawal) id: string,
    @Body() { tx_hash: txHash, chain, amount }: PaidInputDto,
    @Idempotent() once: Once<WithdrawalWithCalls>,
  ) {
    const micro = amount === undefined ? null : parseAmount(amount);
    const report = { txHash, chain: chain ?? null, amount: micro, keyId };
    return this.report(once, id, () => this.reports.paid(id, report));
  }

  @Post('withdrawals/:id/failed')
  @Operation({
    summary: 'Report that a withdrawal is not paid',
    description: `Nothing was paid: its funds are reserved no longer. ${REPEATABLE}`,
    access,
    success: success('The withdrawal: `failed`.'),
    errors: ['withdrawal_not_open', 'withdrawal_already_reported'],
    extension: true,
  })
  reportWithdrawalFailed(
    @PathId('id', 'withdrawal', 'The withdrawal.', DEMO_IDS.failingWithdrawal) id: string,
    @Body() { note }: UnpaidInputDto,
    @Idempotent() once: Once<WithdrawalWithCalls>,
  ) {
    return this.report(once, id, () => this.reports.failed(id, note));
  }

  /** Runs the report and reads its answer in one transaction. */
  private report(
    once: Once<WithdrawalWithCalls>,
    id: string,
    work: () => Promise<void>,
  ): Promise<WithdrawalWithCalls> {
    return once(async () => {
      await work();
      return this.settled.attach(await this.reader.get(id, null));
    });
  }
}
