import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/contract.js';
import type { User } from '../../api/users.js';
import { Dialog } from '../../ui/dialog.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { MEANINGS } from '../withdrawals/withdrawal-words.js';
import { WithdrawForm } from './withdraw-form.js';

interface UserBalancesProps {
  user: User;
  onWithdrawn: () => void;
}

/** Balances of an end-user, which can be withdrawn. */
export function UserBalances({ user, onWithdrawn }: UserBalancesProps) {
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<Schemas['Withdrawal'] | null>(null);
  const { balances, external_id } = user;
  return (
    <>
      <p role="status" class={made ? 'said good' : 'said'}>
        {made && (
          <>
            {made.status}. {MEANINGS[made.status]} <a href={`/console/withdrawals/${made.id}`}>{made.id}</a>
          </>
        )}
      </p>
      <Panel
        title="Balances"
        remark="The sum of its open positions by asset, and what can be withdrawn now."
        actions={
          balances.length > 0 && (
            <button type="button" class="small" onClick={() => setAsking(true)}>
              Withdraw
            </button>
          )
        }
      >
        {balances.length === 0 ? (
          <Empty title="This user has no open position." />
        ) : (
          <DataTable
            label="Balances"
            rows={balances}
            keyOf={({ asset }) => asset}
            columns={(column) => [
              column.text('Asset', ({ asset }) => asset),
              column.money('Value', ({ value }) => value, { key: true }),
              column.money('Available', ({ available }) => available),
              column.count('Positions', ({ positions }) => positions),
            ]}
          />
        )}
      </Panel>
      <Dialog title={`Withdraw for ${external_id}`} open={asking} onClose={() => setAsking(false)}>
        <WithdrawForm
          of={user}
          onWithdrawn={(withdrawal) => {
            setAsking(false);
            setMade(withdrawal);
            onWithdrawn();
          }}
        />
      </Dialog>
    </>
  );
}
