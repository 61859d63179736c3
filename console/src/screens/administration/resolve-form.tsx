import { useState } from 'preact/hooks';
import { type OnceHeader, useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { ReasonField } from '../../ui/reason-field.js';
import { Refusal } from '../../ui/state.js';
import type { Resolution } from './settlement-words.js';

interface ResolveFormProps<T> {
  of: 'move' | 'settlement';
  /** What each resolution does. */
  resolutions: Record<Resolution, string>;
  /** What becomes of the funds if it is void. */
  voided: string;
  send: (header: OnceHeader, body: { action: Resolution; note: string }) => Promise<T>;
  onResolved: (record: T) => void;
}

/** Resolves a report that its chain contradicts. */
export function ResolveForm<T>({ of, resolutions, voided, send, onResolved }: ResolveFormProps<T>) {
  const [action, setAction] = useState<Resolution | null>(null);
  const [note, setNote] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (action === null) return;
    const body = { action, note: note.trim() };
    const resolved = await run(() => once(body, (header) => send(header, body)));
    if (resolved) onResolved(resolved);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <fieldset>
        <legend>Resolution; it cannot be undone</legend>
        {(Object.entries(resolutions) as [Resolution, string][]).map(([value, text]) => (
          <label class="tick" key={value}>
            <input
              type="radio"
              name="action"
              required
              value={value}
              checked={action === value}
              onChange={() => setAction(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      {action === 'void' && <p class="note">{voided}</p>}
      <ReasonField of={of} value={note} onChange={setNote} />
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class={action === 'void' ? 'danger' : 'primary'} disabled={busy}>
          {busy ? 'Resolving' : 'Resolve'}
        </button>
      </p>
    </form>
  );
}
