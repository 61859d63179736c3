import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { User } from '../../api/users.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

interface UserFormProps {
  /** The user to change; absent: one is added. */
  of?: User;
  onSaved: (id: string) => void;
}

/** Adds an end-user, or changes one. */
export function UserForm({ of, onSaved }: UserFormProps) {
  const [externalId, setExternalId] = useState(of?.external_id ?? '');
  const [label, setLabel] = useState(of?.label ?? '');
  const [wallets, setWallets] = useState(of?.wallets.join('\n') ?? '');
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = {
      ...(label.trim() && { label: label.trim() }),
      wallets: wallets.split(/[\s,]+/).filter((wallet) => wallet !== ''),
    };
    const saved = await run(() =>
      answered(
        of
          ? api.PATCH('/users/{id}', { params: { path: { id: of.id } }, body: fields })
          : api.POST('/users', { body: { external_id: externalId.trim(), ...fields } }),
      ),
    );
    if (saved) onSaved(saved.data.id);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <Refusal error={error} />}
      {!of && (
        <label class="field">
          <span>External id: your own identifier, which never changes</span>
          <input
            required
            maxLength={200}
            placeholder="acme:user-1042"
            value={externalId}
            onInput={(event) => setExternalId(event.currentTarget.value)}
          />
        </label>
      )}
      <label class="field">
        <span>Label{of ? '' : ' (optional)'}</span>
        <input
          maxLength={200}
          required={of !== undefined}
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Wallets, one a line (optional)</span>
        <textarea
          rows={3}
          spellcheck={false}
          value={wallets}
          onInput={(event) => setWallets(event.currentTarget.value)}
        />
      </label>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Saving' : of ? 'Save' : 'Add the user'}
        </button>
      </p>
    </form>
  );
}
