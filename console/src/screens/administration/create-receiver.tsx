import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

export function CreateReceiver({ onCreated }: { onCreated: (receiver: Schemas['AlertWebhook']) => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = {
      url: url.trim(),
      ...(description.trim() && { description: description.trim() }),
    };
    const made = await run(() => answered(api.POST('/alerts/webhooks', { body })));
    if (made) onCreated(made.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <Refusal error={error} />}
      <label class="field">
        <span>URL</span>
        <input
          type="url"
          required
          placeholder="https://pager.example.com/vaultline"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Note, if you like</span>
        <input
          maxLength={500}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Creating' : 'Create'}
        </button>
      </p>
    </form>
  );
}
