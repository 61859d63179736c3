import { type DecisionQuery, type DecisionSummary, listDecisions } from '../../api/decisions.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { vaultName, vaultsById } from '../../api/vaults.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Choice, Filters, useFilters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { DateRange, useRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { VaultName, worded } from '../../ui/vault-name.js';
import { PolicyPanel } from './policy-panel.js';
import { PreviewPanel } from './preview-panel.js';
import { KindBadge, KINDS, OrderBadge, REASONS } from './decision-words.js';

const FILTERS = ['kind', 'asset', 'vault', 'user_id', 'position_id'] as const;

/** Every decision: deposits, moves, and funds that stayed. */
export function DecisionsScreen() {
  const { set } = useFilters();
  const narrowed = useNarrowed(FILTERS);
  const wanted: DecisionQuery = { ...narrowed, ...useRange(null) };
  const list = useListing(JSON.stringify(wanted), (cursor, signal) => listDecisions(wanted, cursor, signal));
  const { assets } = traits();
  const vaults = [...vaultsById.value.keys()].map((id) => [id, vaultName(id)] as const);
  const { vault: _, ...csvFilters } = wanted;
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
        <DateRange />
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
              {Object.keys(narrowed).length > 0
                ? 'Remove a filter, or choose a longer span. Decisions to hold name no end-user: they are listed without a filter by end-user.'
                : 'None was made in this span: choose a longer one.'}
            </p>
          </Empty>
        }
      >
        {(rows) => <DecisionsTable rows={rows} csv={listPath('/analytics/decisions', csvFilters)} />}
      </Listed>
      <PolicyPanel />
      <PreviewPanel />
    </Screen>
  );
}

const becauseOf = ({ because, reason }: DecisionSummary): string =>
  because === null ? REASONS[reason] : worded(because);

const DecisionsTable = ({ rows, csv }: { rows: readonly DecisionSummary[]; csv: string }) => (
  <DataTable
    label="Decisions"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    columns={(column) => [
      {
        head: 'Made, UTC',
        names: true,
        value: ({ at }) => at,
        cell: (decision) => (
          <a href={`/console/decisions/${decision.id}`}>
            <Time at={decision.at} />
          </a>
        ),
      },
      {
        head: 'Kind',
        value: ({ kind }) => KINDS[kind].name,
        cell: ({ kind, order }) => (
          <>
            <KindBadge kind={kind} />
            {order && (
              <span class="below">
                <OrderBadge order={order} />
              </span>
            )}
          </>
        ),
      },
      {
        head: 'From and to',
        value: (row) => [row.from_vault_id, row.to_vault_id].map((id) => id && vaultName(id)).join(' → '),
        cell: ({ kind, from_vault_id, to_vault_id }) =>
          kind === 'rebalance' ? (
            <>
              <VaultName id={from_vault_id} plain />
              <span class="below">
                → <VaultName id={to_vault_id} plain />
              </span>
            </>
          ) : (
            <>
              <VaultName id={from_vault_id ?? to_vault_id} plain />
              {kind === 'hold' && <span class="nothing"> stays</span>}
            </>
          ),
      },
      column.money('Amount', ({ amount }) => amount, { unit: ({ asset }) => asset, key: true }),
      {
        head: 'NPV',
        number: true,
        value: ({ expected_uplift: { npv } }) => npv,
        cell: ({ expected_uplift: { npv }, outcome }) => (
          <>
            <Money amount={npv} signed />
            {outcome && (
              <span class="below">
                realised <Money amount={outcome.realised} signed />
              </span>
            )}
          </>
        ),
      },
      {
        head: 'Because',
        value: becauseOf,
        cell: (decision) => <span class="reason">{becauseOf(decision)}</span>,
      },
    ]}
  />
);
