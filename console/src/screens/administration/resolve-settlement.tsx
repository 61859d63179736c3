import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import { useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { ReasonField } from '../../ui/reason-field.js';
import { Refusal } from '../../ui/state.js';
import { type Resolution, RESOLUTIONS, type Settlement } from './settlement-words.js';

interface ResolveSettlementProps {
  settlement: Settlement;
  onResolved: (settlement: Settlement) => void;
}

/** Resolves a transfer that its chain contradicts. */
export function ResolveSettlement({ settlement: { id, type }, onResolved }: ResolveSettlementProps) {
  const [action, setAction] = useState<Resolution | null>(null);
  const [note, setNote] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (action === null) return;
    const body = { action, note: note.trim() };
    const resolved = await run(() =>
      once([id, body], (header) =>
        answered(live.POST('/settlements/{id}/resolve', { params: { path: { id }, header }, body })),
      ),
    );
    if (resolved) onResolved(resolved.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <fieldset>
        <legend>Resolution; it cannot be undone</legend>
        {(Object.entries(RESOLUTIONS) as [Resolution, string][]).map(([value, text]) => (
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
      {action === 'void' && (
        <p class="note">
          {type === 'deposit'
            ? 'What is left of the deposit is removed without a payment, and the position is closed.'
            : 'The amount is put back and earns from now on; a closed position is opened again.'}
        </p>
      )}
      <ReasonField of="settlement" value={note} onChange={setNote} />
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class={action === 'void' ? 'danger' : 'primary'} disabled={busy}>
          {busy ? 'Resolving' : 'Resolve'}
        </button>
      </p>
    </form>
  );
}
