import { useState } from 'preact/hooks';
import { answered, api, asked } from '../../api/client.js';
import type { LiveSchemas, Schemas } from '../../api/contract.js';
import { listPath } from '../../api/download.js';
import { curlOf } from '../../api/requests.js';
import { useListing } from '../../api/resource.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { OwnKeyCommand } from './own-key-command.js';

type Partner = Schemas['Partner'];

const accountsText = ({ custody_accounts }: LiveSchemas['Partner']): string | null =>
  Object.entries(custody_accounts ?? {})
    .map(([chain, accounts]) => `${chain}: ${accounts.join(', ')}`)
    .join('; ') || null;

export function Partners() {
  const { query } = useFilters();
  const status = query['status'];
  const list = useListing(`partners ${status}`, (cursor, signal) =>
    answered(
      api.GET('/partners', {
        params: { query: asked({ status, cursor }) },
        signal,
      }),
    ),
  );
  const [creating, setCreating] = useState(false);
  const [disabling, setDisabling] = useState<Partner | null>(null);
  const { busy, error, run } = useAction();
  const turn = async ({ id }: Partner, wanted: Partner['status']): Promise<void> => {
    const body = { status: wanted };
    if (!(await run(() => answered(api.PATCH('/partners/{id}', { params: { path: { id } }, body }))))) return;
    setDisabling(null);
    list.reload();
  };
  return (
    <>
      <Filters>
        <Choice
          name="Status"
          field="status"
          all="Every status"
          options={[
            ['active', 'active'],
            ['disabled', 'disabled'],
          ]}
        />
      </Filters>
      {error && !disabling && <Refusal error={error} />}
      <Panel
        title="Partners"
        actions={
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New partner
          </button>
        }
      >
        <Listed
          of={list}
          empty={
            <Empty title="No partner matches.">
              <p>Create one: its first key is shown once.</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Partners"
              csv={listPath('/partners', { status })}
              rows={rows}
              keyOf={({ id }) => id}
              columns={(column) => [
                {
                  head: 'Name',
                  names: true,
                  value: ({ name }) => name,
                  cell: ({ name, id }) => (
                    <>
                      {name}
                      <code class="below">{id}</code>
                    </>
                  ),
                },
                {
                  head: 'Status',
                  value: ({ status: state }) => state,
                  cell: (row) => <Badge tone={row.status === 'active' ? 'good' : 'bad'}>{row.status}</Badge>,
                },
                column.money('Net TVL', (row) => row.net_tvl, { key: true }),
                column.rate('Revenue share', (row) => row.revenue_share_bps / 10_000),
                rows.some(accountsText)
                  ? {
                      head: 'Custody accounts',
                      value: accountsText,
                      cell: (row) => <code class="below">{accountsText(row)}</code>,
                    }
                  : null,
                column.text('Contact', (row) => row.contact_email),
                column.time('Created, UTC', ({ created_at }) => created_at),
                {
                  head: 'Actions',
                  cell: (row) => (
                    <span class="row-actions">
                      <a href={`/console/administration/campaigns?partner_id=${row.id}`}>
                        Campaigns<span class="heard"> of {row.name}</span>
                      </a>
                      <a href={`/console/administration/bounds?partner_id=${row.id}`}>
                        Bounds<span class="heard"> of {row.name}</span>
                      </a>
                      {row.status === 'active' ? (
                        <button
                          type="button"
                          class="small danger"
                          disabled={busy}
                          onClick={() => setDisabling(row)}
                        >
                          Disable<span class="heard"> {row.name}</span>
                        </button>
                      ) : (
                        <button
                          type="button"
                          class="small"
                          disabled={busy}
                          onClick={() => void turn(row, 'active')}
                        >
                          Activate<span class="heard"> {row.name}</span>
                        </button>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="New partner" open={creating} onClose={() => setCreating(false)}>
        <CreatePartner />
      </Dialog>
      <Dialog
        title={`Disable ${disabling?.name ?? ''}?`}
        open={disabling !== null}
        onClose={() => setDisabling(null)}
      >
        <p>
          All of its keys are revoked at once and its deliveries stop. Its history is kept. Activating it
          again restores no key.
        </p>
        {error && <Refusal error={error} />}
        <p class="dialog-actions">
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => disabling && void turn(disabling, 'disabled')}
          >
            Disable the partner
          </button>
        </p>
      </Dialog>
    </>
  );
}

/** Shows the request that creates a partner and its first key. */
function CreatePartner() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [share, setShare] = useState('');
  const body = {
    name: name.trim(),
    ...(email.trim() && { contact_email: email.trim() }),
    ...(share && { revenue_share_bps: Number(share) }),
  };
  const valid =
    body.name !== '' &&
    (email === '' || /^[^\s@]+@[^\s@]+$/.test(email.trim())) &&
    Number(share) >= 0 &&
    Number(share) <= 10_000;
  const command = curlOf({ method: 'POST', path: '/partners', body: JSON.stringify(body) });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <label class="field">
        <span>Name</span>
        <input
          required
          maxLength={120}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Contact (optional)</span>
        <input type="email" value={email} onInput={(event) => setEmail(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>Share of the performance fee in basis points; empty: the deployment’s</span>
        <input
          type="number"
          min={0}
          max={10000}
          value={share}
          onInput={(event) => setShare(event.currentTarget.value)}
        />
      </label>
      <OwnKeyCommand command={command} makes="partner" isValid={valid} />
    </form>
  );
}
