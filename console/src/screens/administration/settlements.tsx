import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Choice } from '../../ui/filters.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';
import { ReportedList } from '../orders/reported-list.js';
import { PlaceLink } from '../place-link.js';
import { ResolveForm } from './resolve-form.js';
import { SettlementFacts } from './settlement-facts.js';
import { isContradicted, REASONS, RESOLUTIONS, type Settlement, STATUSES } from './settlement-words.js';

/** Reported transfers compared with their chains, with those that need a decision. */
export function Settlements() {
  const [open, setOpen] = useState<Settlement | null>(null);
  const [said, setSaid] = useState('');
  return (
    <ReportedList
      path="/settlements"
      noun="settlement"
      statuses={Object.keys(STATUSES)}
      title="Settlements"
      remark="The newest first. Until one that its chain contradicts is resolved, no further transfer of its position is recorded."
      first="The first one appears when a deposit is reported with its tx_hash."
      filter={
        <Choice name="Resolution" field="resolution" all="Resolved or not" options={[['open', 'open']]} />
      }
      said={
        <p role="status" class={said ? 'said good' : 'said'}>
          {said}
        </p>
      }
    >
      {(rows, csv, reload) => (
        <>
          <SettlementsTable rows={rows} onOpen={setOpen} csv={csv} />
          <Dialog
            title={open && isContradicted(open) ? 'Resolve this settlement' : 'Settlement'}
            open={open !== null}
            onClose={() => setOpen(null)}
          >
            {open && <SettlementFacts settlement={open} />}
            {open && isContradicted(open) && (
              <ResolveForm
                of="settlement"
                resolutions={RESOLUTIONS}
                voided={VOIDED[open.type]}
                send={async (header, body) => {
                  const params = { path: { id: open.id }, header };
                  return (await answered(live.POST('/settlements/{id}/resolve', { params, body }))).data;
                }}
                onResolved={({ id, resolution }) => {
                  setOpen(null);
                  setSaid(`Resolved ${id}: ${resolution}.`);
                  reload();
                }}
              />
            )}
          </Dialog>
        </>
      )}
    </ReportedList>
  );
}

/** What becomes of the funds of a void transfer. */
const VOIDED: Record<Settlement['type'], string> = {
  deposit: 'What is left of the deposit is removed without a payment, and the position is closed.',
  withdrawal: 'The amount is put back and earns from now on; a closed position is opened again.',
};

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
      {
        head: 'Reported, UTC',
        names: true,
        value: ({ reported_at }) => reported_at,
        cell: ({ reported_at, checked_at }) => (
          <>
            <Time at={reported_at} />
            <span class="below">
              checked <Time at={checked_at} />
            </span>
          </>
        ),
      },
      {
        head: 'Status',
        value: ({ status }) => status,
        cell: ({ status, reason }) => (
          <>
            <Badge tone={STATUSES[status]}>{status}</Badge>
            {reason && <span class="below words short">{REASONS[reason]}</span>}
          </>
        ),
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
      {
        head: 'Found',
        number: true,
        value: ({ found_amount }) => found_amount,
        cell: ({ found_amount, block }) => (
          <>
            <Money amount={found_amount} />
            {block !== null && <span class="below">block {block}</span>}
          </>
        ),
      },
      {
        head: 'Position',
        cell: ({ position_id }) => (
          <PlaceLink to={`/console/positions/${position_id}`}>
            <ShortId id={position_id} />
          </PlaceLink>
        ),
      },
      column.text('Resolution', ({ resolution }) => resolution),
    ]}
  />
);
