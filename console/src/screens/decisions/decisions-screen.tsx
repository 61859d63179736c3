import { type Decision, decisionPath, type DecisionQuery, listDecisions } from '../../api/decisions.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { vaultName, vaultsById } from '../../api/vaults.js';
import { Money, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Choice, Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';
import { PolicyPanel } from './policy-panel.js';
import { PreviewPanel } from './preview-panel.js';
import { KindBadge, KINDS, REASONS } from './decision-words.js';

const FILTERS = ['kind', 'asset', 'vault', 'user_id', 'position_id'] as const;

/** Every decision: deposits, moves, and funds that stayed. */
export function DecisionsScreen() {
  const { set } = useFilters();
  const wanted: DecisionQuery = useNarrowed(FILTERS);
  const list = useListing(JSON.stringify(wanted), (cursor, signal) => listDecisions(wanted, cursor, signal));
  const { assets } = traits();
  const vaults = [...vaultsById.value.keys()].map((id) => [id, vaultName(id)] as const);
  const about = wanted.position_id ?? wanted.user_id;
  return (
    <Screen
      title="Decisions"
      lead="Why funds are where they are, the alternatives, and what these would have gained."
    >
      <Filters>
        <Choice
          name="Kind"
          field="kind"
          all="All kinds"
          options={Object.entries(KINDS).map(([kind, { all }]) => [kind, all])}
        />
        <Choice name="Asset" field="asset" all="All assets" options={assets.map((asset) => [asset, asset])} />
        <Choice name="Vault" field="vault" all="All vaults" options={vaults} />
        {about && (
          <p class="filter-fact">
            About <code>{about}</code>{' '}
            <button type="button" class="small" onClick={() => set({ user_id: null, position_id: null })}>
              About all
            </button>
          </p>
        )}
      </Filters>
      <Listed
        of={list}
        empty={
          <Empty title="No decision matches.">
            <p>
              {Object.keys(wanted).length > 0
                ? 'Remove a filter. Decisions to hold name no end-user: they are listed without a filter by end-user.'
                : 'The first decision is made for the first deposit.'}
            </p>
          </Empty>
        }
      >
        {(rows) => <DecisionsTable rows={rows} />}
      </Listed>
      <PolicyPanel />
      <PreviewPanel />
    </Screen>
  );
}

const DecisionsTable = ({ rows }: { rows: readonly Decision[] }) => (
  <DataTable
    label="Decisions"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        head: 'Made, UTC',
        names: true,
        cell: (decision) => (
          <a href={decisionPath(decision.id, decision)}>
            <Time at={decision.at} />
          </a>
        ),
      },
      { head: 'Kind', cell: ({ kind }) => <KindBadge kind={kind} /> },
      { head: 'From', cell: (row) => <VaultName id={row.from_vault_id} plain /> },
      {
        head: 'To',
        cell: (row) =>
          row.kind === 'hold' ? <span class="nothing">stays</span> : <VaultName id={row.to_vault_id} plain />,
      },
      {
        head: 'Amount',
        number: true,
        cell: ({ inputs, asset }) => <Money amount={inputs.amount} unit={asset} />,
      },
      { head: 'Gain', number: true, cell: ({ expected_uplift: { amount } }) => <Money amount={amount} /> },
      { head: 'Cost', number: true, cell: ({ expected_uplift: { cost } }) => <Money amount={cost} /> },
      { head: 'NPV', number: true, cell: ({ expected_uplift: { npv } }) => <Money amount={npv} signed /> },
      {
        head: 'Came true',
        number: true,
        cell: ({ outcome, kind }) =>
          outcome ? (
            <Money amount={outcome.realised} signed />
          ) : (
            <Nothing why={kind === 'rebalance' ? 'not due yet' : 'no move'} />
          ),
      },
      { head: 'Because', cell: ({ reason }) => <span class="soft">{REASONS[reason]}</span> },
    ]}
  />
);
