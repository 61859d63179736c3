import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { answered, api, live } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';
import { EVENT_TYPES, type EventType } from './delivery-words.js';

interface EndpointFormProps<T> {
  /** The values that the form begins with; absent: a URL is registered. */
  of?: { url: string; description: string | null };
  placeholder: string;
  /** Submitting is disabled while it is false. */
  isComplete?: boolean;
  save: (body: { url: string; description?: string | null }) => Promise<{ data: T }>;
  onSaved: (saved: T) => void;
  /** Fields after the URL and the description. */
  children?: ComponentChildren;
}

/** A form that registers a URL, or changes it. */
export function EndpointForm<T>(props: EndpointFormProps<T>) {
  const { of, placeholder, isComplete = true, save, onSaved, children } = props;
  const [url, setUrl] = useState(of?.url ?? '');
  const [description, setDescription] = useState(of?.description ?? '');
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const note = description.trim();
    const body = { url: url.trim(), ...(of ? { description: note || null } : note && { description: note }) };
    const saved = await run(() => save(body));
    if (saved) onSaved(saved.data);
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
          placeholder={placeholder}
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Name (optional)</span>
        <input
          name="description"
          maxLength={500}
          value={description}
          onInput={(event) => setDescription(event.currentTarget.value)}
        />
      </label>
      {children}
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy || !isComplete}>
          {busy ? 'Saving' : of ? 'Save' : 'Create'}
        </button>
      </p>
    </form>
  );
}

interface PartnerEndpointFormProps {
  of?: Schemas['Webhook'];
  onSaved: (endpoint: Schemas['Webhook']) => void;
}

/** The same with the events that an endpoint of a partner subscribes to. */
export function PartnerEndpointForm({ of, onSaved }: PartnerEndpointFormProps) {
  const [events, setEvents] = useState<readonly EventType[]>(of?.events ?? EVENT_TYPES);
  const tick = (type: EventType, on: boolean): void =>
    setEvents(EVENT_TYPES.filter((option) => (option === type ? on : events.includes(option))));
  return (
    <EndpointForm
      {...(of && { of })}
      placeholder="https://hooks.example.com/vaultline"
      isComplete={events.length > 0}
      save={(fields) => {
        const body = { ...fields, events: [...events] };
        return answered(
          of
            ? live.PATCH('/webhooks/{id}', { params: { path: { id: of.id } }, body })
            : api.POST('/webhooks', { body }),
        );
      }}
      onSaved={onSaved}
    >
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
    </EndpointForm>
  );
}
