import { useState } from 'preact/hooks';
import { answered, asked, live } from '../../api/client.js';
import { listPath } from '../../api/download.js';
import { useListing } from '../../api/resource.js';
import { Nothing } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Choice, Filters, useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';
import { PlaceLink } from '../place-link.js';
import { PositionFilter } from './position-filter.js';
import { ResolveSettlement } from './resolve-settlement.js';
import { SettlementFacts } from './settlement-facts.js';
import { isContradicted, REASONS, type Settlement, STATUSES } from './settlement-words.js';

const FILTERS = ['status', 'resolution', 'position_id'] as const;

/** Reported transfers compared with their chains, with those that need a decision. */
export function Settlements() {
  const wanted = useNarrowed(FILTERS);
  const list = useListing(`settlements ${JSON.stringify(wanted)}`, (cursor, signal) =>
    answered(live.GET('/settlements', { params: { query: asked({ ...wanted, cursor }) }, signal })),
  );
  const [open, setOpen] = useState<Settlement | null>(null);
  const [said, setSaid] = useState('');
  const narrowed = Object.keys(wanted).length > 0;
  return (
    <>
      <Filters>
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={Object.keys(STATUSES).map((status) => [status, status])}
        />
        <Choice name="Resolution" field="resolution" all="Resolved or not" options={[['open', 'open']]} />
        <PositionFilter />
        <button type="button" onClick={list.reload}>
          Refresh
        </button>
      </Filters>
      <p role="status" class={said ? 'said good' : 'said'}>
        {said}
      </p>
      <Panel
        title="Settlements"
        remark="The newest first. Until one that its chain contradicts is resolved, no further transfer of its position is recorded."
      >
        <Listed
          of={list}
          empty={
            <Empty title={narrowed ? 'No settlement matches.' : 'There is no settlement yet.'}>
              <p>
                {narrowed
                  ? 'Remove a filter.'
                  : 'The first one appears when a deposit is reported with its tx_hash.'}
              </p>
            </Empty>
          }
        >
          {(rows) => <SettlementsTable rows={rows} onOpen={setOpen} csv={listPath('/settlements', wanted)} />}
        </Listed>
      </Panel>
      <Dialog
        title={open && isContradicted(open) ? 'Resolve this settlement' : 'Settlement'}
        open={open !== null}
        onClose={() => setOpen(null)}
      >
        {open && <SettlementFacts settlement={open} />}
        {open && isContradicted(open) && (
          <ResolveSettlement
            settlement={open}
            onResolved={({ id, resolution }) => {
              setOpen(null);
              setSaid(`Resolved ${id}: ${resolution}.`);
              list.reload();
            }}
          />
        )}
      </Dialog>
    </>
  );
}

interface SettlementsTableProps {
  csv: string;
  rows: readonly Settlement[];
  onOpen: (row: Settlement) => void;
}

const SettlementsTable = ({ rows, onOpen, csv }: SettlementsTableProps) => (
  <DataTable
    label="Settlements"
    csv={csv}
    rows={rows}
    keyOf={({ id }) => id}
    marked={isContradicted}
    columns={(column) => [
      column.time('Reported, UTC', ({ reported_at }) => reported_at, { names: true }),
      {
        head: 'Status',
        value: ({ status }) => status,
        cell: ({ status }) => <Badge tone={STATUSES[status]}>{status}</Badge>,
      },
      {
        head: 'Reason',
        value: ({ reason }) => reason,
        cell: ({ reason }) =>
          reason === null ? <Nothing why="none" /> : <span title={REASONS[reason]}>{reason}</span>,
      },
      {
        head: 'Actions',
        cell: (row) => (
          <button type="button" class="small" onClick={() => onOpen(row)}>
            {isContradicted(row) ? 'Resolve' : 'Show'}
            <span class="heard"> {row.id}</span>
          </button>
        ),
      },
      column.text('Transfer', ({ type }) => type),
      column.money('Amount', ({ amount }) => amount, { unit: ({ asset }) => asset, key: true }),
      column.money('Found', (row) => row.found_amount),
      {
        head: 'Position',
        cell: ({ position_id }) => (
          <PlaceLink to={`/console/positions/${position_id}`}>
            <ShortId id={position_id} />
          </PlaceLink>
        ),
      },
      {
        head: 'Block',
        number: true,
        cell: ({ block }) => (block === null ? <Nothing why="none" /> : <span class="figure">{block}</span>),
      },
      column.time('Checked, UTC', ({ checked_at }) => checked_at),
      column.text('Resolution', ({ resolution }) => resolution),
    ]}
  />
);
