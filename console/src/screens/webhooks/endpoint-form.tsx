import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

interface EndpointFormProps<T> {
  placeholder: string;
  /** Submitting is disabled while it is false. */
  isComplete?: boolean;
  create: (body: { url: string; description?: string }) => Promise<{ data: T }>;
  onCreated: (created: T) => void;
  /** Fields after the URL and the description. */
  children?: ComponentChildren;
}

/** A form that registers a URL. */
export function EndpointForm<T>(props: EndpointFormProps<T>) {
  const { placeholder, isComplete = true, create, onCreated, children } = props;
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const { busy, error, run } = useAction();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const note = description.trim();
    const made = await run(() => create({ url: url.trim(), ...(note && { description: note }) }));
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
          placeholder={placeholder}
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Note (optional)</span>
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
          {busy ? 'Creating' : 'Create'}
        </button>
      </p>
    </form>
  );
}
