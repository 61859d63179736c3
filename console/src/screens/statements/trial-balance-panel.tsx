import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useResource } from '../../api/resource.js';
import { Panel } from '../../ui/panel.js';
import { Loaded } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';

const NAMES: Record<Schemas['TrialBalanceAccount']['account'], string> = {
  vaults: 'Vaults',
  end_users: 'End-users',
  costs_of_moves: 'Costs of moves',
  fees_receivable: 'Fees receivable',
  fee_income: 'Fee income',
  owed_to_partner: 'Owed to you',
  settled_outside: 'Settled outside',
};

/** The accounts of the journal in the period of a statement. */
export function TrialBalancePanel({ from, asOf }: { from: string; asOf: string }) {
  const query = { from, as_of: asOf };
  const balance = useResource(`trial balance ${from} ${asOf}`, (signal) =>
    answered(api.GET('/partner/trial-balance', { params: { query }, signal })),
  );
  return (
    <Panel title="Trial balance" remark="Balances are debits less credits: a credit balance is negative.">
      <Loaded of={balance}>
        {({ data: { accounts } }) => (
          <DataTable
            label="Trial balance"
            csv={`/partner/trial-balance?${new URLSearchParams(query)}`}
            rows={accounts}
            keyOf={({ asset, account }) => `${asset} ${account}`}
            columns={(column) => [
              column.text('Account', ({ account }) => NAMES[account], { names: true }),
              column.text('Asset', ({ asset }) => asset),
              column.money('Opening', ({ opening }) => opening),
              column.money('Debits', ({ debits }) => debits),
              column.money('Credits', ({ credits }) => credits),
              column.money('Closing', ({ closing }) => closing, { key: true }),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
