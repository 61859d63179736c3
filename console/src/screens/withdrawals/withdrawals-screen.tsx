import { traits } from '../../api/session.js';
import { Screen } from '../../ui/screen.js';
import { ReportedList } from '../orders/reported-list.js';
import { STATUSES } from './withdrawal-words.js';
import { WithdrawalsTable } from './withdrawals-table.js';

/** Withdrawals by user, from the request to the payment. */
export const WithdrawalsScreen = () => (
  <Screen
    title="Withdrawals"
    lead={
      traits().executes
        ? 'Money that end-users withdraw: who took each payment up, and what was paid.'
        : 'Money that end-users withdraw: each is paid at once.'
    }
  >
    <ReportedList
      path="/withdrawals"
      noun="withdrawal"
      statuses={Object.keys(STATUSES)}
      title="Withdrawals by user"
      remark="The newest first. Of everything, an open one has the amount that its positions are worth now."
      first="Withdraw on the page of an end-user, or with POST /users/{id}/withdrawals."
    >
      {(rows, csv) => <WithdrawalsTable rows={rows} csv={csv} />}
    </ReportedList>
  </Screen>
);
