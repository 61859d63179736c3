import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import type { LiveSchemas } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { useListing, useResource } from '../../api/resource.js';
import { holds } from '../../api/session.js';
import { vaultName } from '../../api/vaults.js';
import { Nothing, Rate } from '../../format/figures.js';
import { spanText, Time } from '../../format/time.js';
import { Dialog } from '../../ui/dialog.js';
import { useNarrowed } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { type Column, DataTable, type Kinds } from '../../ui/table.js';

type Reserve = LiveSchemas['Reserve'];

const REASONS: Record<NonNullable<Reserve['reason']>, string> = {
  no_account: 'no custody account is set on the chain',
  queue: 'the vault pays out by a queue, which is not read',
  contract_unknown: 'no contract of the vault is known',
  token_unknown: 'no contract of the asset is known on the chain',
  no_rpc_url: 'this deployment does not read the chain',
  no_finalized_block: 'no provider of the chain had a reliable block',
  providers_disagree: 'the providers of the chain disagree',
  contract_unreadable: 'the contract gave no amount',
};

/** Vault of the row; that of cash is the idle vault of its asset. */
const heldIn = ({ vault_id, asset }: Reserve): string => vault_id ?? `vlt_idle_${asset.toLowerCase()}`;

/** Place of the row; with separate custody there is one for each partner. */
const placeOf = (row: Reserve): string => `${heldIn(row)} ${row.partner_id ?? ''}`;

/** What the custody accounts hold, against the books: all of it for an administrator, else the partner's own vaults. */
export function Reserves() {
  const { asset } = useNarrowed(['asset']);
  const [open, setOpen] = useState<Reserve | null>(null);
  const reserves = useResource('reserves', (signal) => answered(live.GET('/reserves', { signal })));
  return (
    <Panel
      title="Reserves"
      remark="What the custody accounts hold on the chains, against the books at the time of the block. The chains are read each hour."
      busy={reserves.loading}
    >
      <Loaded of={reserves}>
        {({ data: { rows } }) =>
          rows.length === 0 ? (
            <Empty title="No chain was read yet.">
              <p>The first reading appears within the hour, if the funds are real.</p>
            </Empty>
          ) : (
            <DataTable
              label="Reserves"
              rows={rows.filter((row) => asset === undefined || row.asset === asset)}
              keyOf={placeOf}
              columns={(column) => [
                column.vault('Vault', heldIn, { names: true }),
                rows.some((row) => row.partner_id !== null)
                  ? column.text('Partner', ({ partner_id }) => partner_id)
                  : null,
                column.text('Chain', ({ chain }) => chain),
                column.text('Asset', (row) => row.asset),
                holds('partner:admin') ? null : column.money('Your part of the books', ({ books }) => books),
                ...readingColumns(column, () => Date.now()),
                {
                  head: 'History',
                  cell: (row) => (
                    <button type="button" class="small" onClick={() => setOpen(row)}>
                      By hour<span class="heard"> of {vaultName(heldIn(row))}</span>
                    </button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Dialog
        title={open ? `Reserves by hour: ${vaultName(heldIn(open))}` : ''}
        open={open !== null}
        onClose={() => setOpen(null)}
      >
        {open && <ReserveHistory vaultId={heldIn(open)} partnerId={open.partner_id} />}
      </Dialog>
    </Panel>
  );
}

function ReserveHistory({ vaultId, partnerId }: { vaultId: string; partnerId: string | null }) {
  const narrowed = { vault_id: vaultId, ...(partnerId !== null && { partner_id: partnerId }) };
  const readings = useListing(`reserves ${vaultId} ${partnerId}`, (cursor, signal) =>
    answered(
      live.GET('/reserves/history', {
        params: { query: { ...narrowed, limit: 24, ...(cursor && { cursor }) } },
        signal,
      }),
    ),
  );
  return (
    <Listed of={readings} empty={<Empty title="There is no reading." />}>
      {(rows) => (
        <DataTable
          label="Reserves by hour"
          csv={listPath('/reserves/history', narrowed)}
          rows={rows}
          keyOf={({ as_of }) => as_of}
          columns={(column) => [
            column.time('Read, UTC', ({ as_of }) => as_of, { names: true }),
            ...readingColumns(column, ({ as_of }) => Date.parse(as_of)),
          ]}
        />
      )}
    </Listed>
  );
}

/** Columns of a reading; only an administrator sees amounts. @param seenAt time from which the age of the block counts */
const readingColumns = <Row extends Reserve>(
  column: Kinds<Row>,
  seenAt: (row: Row) => number,
): Column<Row>[] => [
  ...(holds('partner:admin')
    ? [
        column.money('Books', ({ books }) => books),
        column.money('On the chain', ({ chain_holds }) => chain_holds),
        column.money('Difference', ({ difference }) => difference, { signed: true }),
        column.money('In flight', ({ in_flight }) => in_flight),
      ]
    : []),
  {
    head: 'Coverage',
    number: true,
    key: true,
    value: ({ coverage }) => coverage,
    cell: ({ coverage, reason }) =>
      coverage === null && reason === null ? (
        <Nothing why="nothing is in the books" />
      ) : (
        <Rate rate={coverage} decimals={3} />
      ),
  },
  {
    head: 'Block',
    value: ({ block_at }) => block_at,
    cell: (row) =>
      row.block_at === null ? (
        <Nothing why="none was read" />
      ) : (
        <>
          {row.block ?? 'of several chains'}
          <span class="below">
            <Time at={row.block_at} />, {spanText(seenAt(row) - Date.parse(row.block_at))} old
          </span>
        </>
      ),
  },
  {
    head: 'Why it is not known',
    value: ({ reason }) => reason && REASONS[reason],
    cell: ({ reason }) => reason && <span class="words short">{REASONS[reason]}</span>,
  },
];
