import { answered, live } from '../../api/client.js';
import { ReportFailed } from '../orders/report-failed.js';
import { type Report, ReportPanel } from '../orders/report-panel.js';
import { ReportTransfer } from '../orders/report-transfer.js';
import { isOpenWithdrawal, MEANINGS, type Withdrawal } from './withdrawal-words.js';

interface WithdrawalReportsProps {
  withdrawal: Withdrawal;
  onReported: () => void;
}

/** Reports of an executor on a withdrawal. */
export function WithdrawalReports({ withdrawal, onReported }: WithdrawalReportsProps) {
  const { id, status } = withdrawal;
  return (
    <ReportPanel
      id={id}
      take={
        status === 'requested'
          ? (header) =>
              recordOf(answered(live.POST('/withdrawals/{id}/taken', { params: { path: { id }, header } })))
          : null
      }
      reports={isOpenWithdrawal(withdrawal) ? [paymentOf(withdrawal), failureOf(withdrawal)] : []}
      say={(reported) => ({
        text: `${reported.status}. ${MEANINGS[reported.status]} ${reported.note ?? ''}`,
        isUnwanted: false,
      })}
      onReported={onReported}
    />
  );
}

const paymentOf = ({ id, asset, amount }: Withdrawal): Report<Withdrawal> => ({
  button: 'Report the payment',
  title: 'Report that the withdrawal is paid',
  form: (onReported) => (
    <ReportTransfer
      asset={asset}
      amountName="Amount that the wallet received"
      expected={amount}
      difference="Less is a cost, which its positions in vaults bear; more is refused."
      hasChain
      send={(header, body) =>
        recordOf(answered(live.POST('/withdrawals/{id}/paid', { params: { path: { id }, header }, body })))
      }
      onReported={onReported}
    />
  ),
});

const failureOf = ({ id }: Withdrawal): Report<Withdrawal> => ({
  button: 'Report that it failed',
  title: 'Report that the withdrawal is not paid',
  isFailure: true,
  form: (onReported) => (
    <ReportFailed
      of="withdrawal"
      effect="Nothing was paid: its amount is reserved no longer, and its positions stay as they are."
      send={(header, body) =>
        recordOf(answered(live.POST('/withdrawals/{id}/failed', { params: { path: { id }, header }, body })))
      }
      onReported={onReported}
    />
  ),
});

const recordOf = async (asking: Promise<{ data: Withdrawal }>): Promise<Withdrawal> => (await asking).data;
