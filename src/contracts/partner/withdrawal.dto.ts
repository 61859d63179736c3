import { Injectable } from '@nestjs/common';
import type { Withdrawal } from '../../domain/routing/withdrawals/withdrawal.js';
import type { PayoutCall } from '../../domain/routing/withdrawals/payout-calls.js';
import { SettlementService } from '../../domain/routing/settlements/settlement.service.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import {
  AddressField,
  AmountField,
  ChainField,
  TextField,
  TransactionHashField,
} from '../../http/request/fields.js';
import { WithdrawalDto, withdrawalView } from '../shared/withdrawal.dto.js';
import { ShownSettlementDto, shownSettlementView } from './settlement.dto.js';

export class WithdrawalQuery {
  @AddressField({
    description:
      'Account that holds the funds on the chain: the answer has its `calls`. A mixed-case address must have a valid checksum.',
    optional: true,
  })
  account?: string;
}

export class PaidInputDto {
  @TransactionHashField({
    description:
      "Hash of the payment to the end-user's wallet, in either letter case: each is recorded once.",
    example: `0x${'7a'.repeat(32)}`,
  })
  tx_hash: string;

  @ChainField({
    description:
      'Chain of the payment, such as `ethereum`. Optional for an asset on one chain; for an asset on several chains, a payment without it stays unchecked.',
    optional: true,
    example: 'ethereum',
  })
  chain?: string;

  @AmountField({
    description:
      'Amount that the wallet received; default: as the books expect. Less is a cost, which the positions in vaults bear; more is refused.',
    optional: true,
    example: 50,
  })
  amount?: number;
}

export class UnpaidInputDto {
  @TextField({
    description: 'Reason, stored with the withdrawal.',
    max: 500,
    example: 'The vault is paused.',
  })
  note: string;
}

export class WithdrawalCall {
  @Shown.choice(
    ['withdraw', 'transfer'],
    '`withdraw`: from a vault. `transfer`: to the wallet that is paid; absent where the parts are on several chains, a vault has no call, or no wallet is known.',
    'withdraw',
  )
  step: PayoutCall['step'];
  @Shown.text('Chain that it is sent on.', 'ethereum') chain: string;
  @Shown.text('Contract that is called.', '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2') to: string;
  @Shown.text('Calldata, in hexadecimal; its value in native tokens is 0.', '0xf3fef3a3') data: string;
  @Shown.text('Amount in the smallest units of the token, as in `data`.', '50000000') units: string;
}

export class WithdrawalWithCalls extends WithdrawalDto {
  @ShownOrNull.record(() => ShownSettlementDto, 'Status of its payment on the chain; null before that.')
  settlement: ShownSettlementDto | null;
  @Shown.records(
    () => WithdrawalCall,
    'Calls that `account` still has to send, in order; empty without `account`, in lists, and in answers to reports. A vault of the kind `erc4626`, `aave-v3` or `compound-v3` has one, unless it pays out through a queue.',
  )
  calls: readonly WithdrawalCall[];
}

/** Withdrawals of the live contract, with the status of their payments. */
@Injectable()
export class SettledWithdrawals {
  constructor(private readonly settlements: SettlementService) {}

  async attach(withdrawal: Withdrawal, calls: readonly PayoutCall[] = []): Promise<WithdrawalWithCalls> {
    const [shown] = await this.attachAll([withdrawal]);
    return { ...shown!, calls };
  }

  async attachAll(withdrawals: readonly Withdrawal[]): Promise<WithdrawalWithCalls[]> {
    const settlements = await this.settlements.findByWithdrawals(
      withdrawals.filter(({ txHash }) => txHash !== null).map(({ id }) => id),
    );
    return withdrawals.map((withdrawal) => {
      const settlement = settlements.get(withdrawal.id);
      return {
        ...withdrawalView(withdrawal),
        settlement: settlement ? shownSettlementView(settlement) : null,
        calls: [],
      };
    });
  }
}
