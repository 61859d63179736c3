import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useListing } from '../../api/resource.js';
import { Nothing } from '../../format/figures.js';
import { useAction } from '../../ui/action.js';
import { Badge } from '../../ui/badge.js';
import { Dialog } from '../../ui/dialog.js';
import { Listed } from '../../ui/more.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { ShortId } from '../../ui/vault-name.js';
import { CreateKey } from './create-key.js';

type Key = Schemas['ApiKey'];

export function Keys() {
  const list = useListing('keys', (cursor, signal) =>
    answered(api.GET('/keys', { params: { query: cursor ? { cursor } : {} }, signal })),
  );
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const { busy, error, run } = useAction();
  const revoke = async ({ id }: Key): Promise<void> => {
    if (!(await run(() => answered(api.DELETE('/keys/{id}', { params: { path: { id } } }))))) return;
    setRevoking(null);
    list.reload();
  };
  return (
    <>
      <Panel
        title="Keys"
        remark="A revoked or expired key is refused at once, and so is every session that was made with it."
        actions={
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            New key
          </button>
        }
      >
        <Listed of={list} empty={<Empty title="There is no key." />}>
          {(rows) => (
            <DataTable
              label="Keys"
              csv="/keys"
              rows={rows}
              keyOf={({ id }) => id}
              columns={(column) => [
                {
                  head: 'Label',
                  names: true,
                  value: ({ label }) => label,
                  cell: ({ label, secret }) => (
                    <>
                      {label}
                      <code class="below">{secret}</code>
                    </>
                  ),
                },
                { head: 'State', cell: (row) => <KeyState of={row} /> },
                { head: 'Scopes', cell: ({ scopes }) => <code>{scopes.join(' ')}</code> },
                {
                  head: 'Partner',
                  cell: ({ partner_id }) =>
                    partner_id ? <ShortId id={partner_id} /> : <Nothing why="none" />,
                },
                column.time('Last used, UTC', ({ last_used_at }) => last_used_at),
                column.time('Ends, UTC', ({ expires_at }) => expires_at),
                {
                  head: 'Actions',
                  cell: (row) =>
                    !row.revoked && (
                      <button
                        type="button"
                        class="small danger"
                        disabled={busy}
                        onClick={() => setRevoking(row)}
                      >
                        Revoke<span class="heard"> {row.label}</span>
                      </button>
                    ),
                },
              ]}
            />
          )}
        </Listed>
      </Panel>
      <Dialog title="New key" open={creating} onClose={() => setCreating(false)}>
        <CreateKey />
      </Dialog>
      <Dialog
        title={`Revoke “${revoking?.label ?? ''}”?`}
        open={revoking !== null}
        onClose={() => setRevoking(null)}
      >
        <p>
          Requests with it are refused at once, and so is every session that was made with it. This cannot be
          undone.
        </p>
        {error && <Refusal error={error} />}
        <p class="dialog-actions">
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => revoking && void revoke(revoking)}
          >
            Revoke the key
          </button>
        </p>
      </Dialog>
    </>
  );
}

function KeyState({ of: { revoked, suspended, expires_at } }: { of: Key }) {
  if (revoked) return <Badge tone="bad">revoked</Badge>;
  if (suspended) return <Badge tone="bad">suspended</Badge>;
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return <Badge tone="warn">expired</Badge>;
  return <Badge tone="good">active</Badge>;
}
