import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';
import { EVENT_TYPES, type EventType } from './delivery-words.js';

export function CreateEndpoint({ onCreated }: { onCreated: (endpoint: Schemas['Webhook']) => void }) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(EVENT_TYPES);
  const { busy, error, run } = useAction();
  const tick = (type: EventType, on: boolean): void =>
    setEvents(EVENT_TYPES.filter((one) => (one === type ? on : events.includes(one))));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = {
      url: url.trim(),
      events: [...events],
      ...(description.trim() && { description: description.trim() }),
    };
    const made = await run(() => answered(api.POST('/webhooks', { body })));
    if (made) onCreated(made.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <Refusal error={error} />}
      <label class="field">
        <span>URL</span>
        <input
          type="url"
          name="url"
          required
          placeholder="https://hooks.example.com/vaultline"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Note, if you like</span>
        <input
          name="description"
          maxLength={500}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>Events</legend>
        {EVENT_TYPES.map((type) => (
          <label class="tick" key={type}>
            <input
              type="checkbox"
              checked={events.includes(type)}
              onChange={(event) => tick(type, event.currentTarget.checked)}
            />
            <code>{type}</code>
          </label>
        ))}
      </fieldset>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy || events.length === 0}>
          {busy ? 'Creating' : 'Create'}
        </button>
      </p>
    </form>
  );
}
