import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { OfPartner } from './of-partner.js';

type Campaign = Schemas['Campaign'];

/** Campaigns of each partner, which multiply points. */
export const Campaigns = () => (
  <OfPartner what="a campaign belongs to a partner">
    {(id) => <CampaignsOf partner={id} key={id} />}
  </OfPartner>
);

function CampaignsOf({ partner }: { partner: string }) {
  const list = useListing(`campaigns ${partner}`, (cursor, signal) =>
    answered(
      api.GET('/partners/{id}/campaigns', {
        params: { path: { id: partner }, query: cursor ? { cursor } : {} },
        signal,
      }),
    ),
  );
  const [creating, setCreating] = useState(false);
  const { busy, error, run } = useAction();
  const turn = async ({ id, status }: Campaign): Promise<void> => {
    const params = { path: { id: partner, campaignId: id } };
    const body = { status: status === 'active' ? ('disabled' as const) : ('active' as const) };
    if (await run(() => answered(api.PATCH('/partners/{id}/campaigns/{campaignId}', { params, body }))))
      list.reload();
  };
  return (
    <>
      {error && <Refusal error={error} />}
      <Panel
        title="Campaigns"
        actions={
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New campaign
          </button>
        }
      >
        <Listed
          of={list}
          empty={
            <Empty title="This partner has no campaign.">
              <p>Without one, nothing earns points.</p>
            </Empty>
          }
        >
          {(rows) => (
            <DataTable
              label="Campaigns"
              csv={`/partners/${partner}/campaigns`}
              rows={rows}
              keyOf={({ id }) => id}
              columns={(column) => [
                column.text('Name', ({ name }) => name, { names: true }),
                {
                  head: 'Status',
                  value: ({ status }) => status,
                  cell: (row) => (
                    <Badge tone={row.status === 'active' ? 'good' : 'plain'}>{row.status}</Badge>
                  ),
                },
                column.text('Asset', ({ asset }) => asset ?? 'every asset'),
                {
                  head: 'Points',
                  number: true,
                  key: true,
                  value: (row) => row.points_multiplier,
                  cell: (row) => `${row.points_multiplier}×`,
                },
                column.time('Begins, UTC', ({ starts_at }) => starts_at),
                column.time('Ends, UTC', ({ ends_at }) => ends_at),
                {
                  head: 'Actions',
                  cell: (row) => (
                    <button type="button" class="small" disabled={busy} onClick={() => void turn(row)}>
                      {row.status === 'active' ? 'Disable' : 'Activate'}
                      <span class="heard"> {row.name}</span>
                    </button>
                  ),
                },
              ]}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="New campaign" open={creating} onClose={() => setCreating(false)}>
        <CreateCampaign
          partner={partner}
          onCreated={() => {
            setCreating(false);
            list.reload();
          }}
        />
      </Dialog>
    </>
  );
}

function CreateCampaign({ partner, onCreated }: { partner: string; onCreated: () => void }) {
  const [name, setName] = useState('');
  const [asset, setAsset] = useState('');
  const [multiplier, setMultiplier] = useState('1');
  const { busy, error, run } = useAction();
  const { assets } = traits();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = {
      name: name.trim(),
      points_multiplier: Number(multiplier),
      ...(asset && { asset: asset as Schemas['Vault']['asset'] }),
    };
    const params = { path: { id: partner } };
    if (await run(() => answered(api.POST('/partners/{id}/campaigns', { params, body })))) onCreated();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <Refusal error={error} />}
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
        <span>Asset</span>
        <select value={asset} onChange={(event) => setAsset(event.currentTarget.value)}>
          <option value="">Every asset</option>
          {assets.map((option) => (
            <option value={option} key={option}>
              {option}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Points are earned this many times, 1 to 10</span>
        <input
          type="number"
          required
          min={1}
          max={10}
          step={0.01}
          value={multiplier}
          onInput={(event) => setMultiplier(event.currentTarget.value)}
        />
      </label>
      <p class="note">It begins now and has no end date.</p>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Creating' : 'Create'}
        </button>
      </p>
    </form>
  );
}
