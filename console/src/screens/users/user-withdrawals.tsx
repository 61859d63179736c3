import { answered, live } from '../../api/client.js';
import { useListing } from '../../api/resource.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import { WithdrawalsTable } from '../withdrawals/withdrawals-table.js';

/** Withdrawals of an end-user, with what paid each. @param round another value loads them again */
export function UserWithdrawals({ id, round }: { id: string; round: number }) {
  const list = useListing(`withdrawals ${id} ${round}`, (cursor, signal) =>
    answered(
      live.GET('/users/{id}/withdrawals', {
        params: { path: { id }, query: cursor ? { cursor } : {} },
        signal,
      }),
    ),
  );
  return (
    <Panel title="Withdrawals" remark="The newest first.">
      <Listed of={list} empty={<Empty title="Nothing was withdrawn by user." />}>
        {(rows) => <WithdrawalsTable rows={rows} csv={`/users/${id}/withdrawals`} of="user" />}
      </Listed>
    </Panel>
  );
}
