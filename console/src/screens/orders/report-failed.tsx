import { useState } from 'preact/hooks';
import { type OnceHeader, useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { ReasonField } from '../../ui/reason-field.js';
import { Refusal } from '../../ui/state.js';

interface ReportFailedProps<T> {
  of: 'move' | 'withdrawal';
  /** What becomes of its funds. */
  effect: string;
  send: (header: OnceHeader, body: { note: string }) => Promise<T>;
  onReported: (record: T) => void;
}

export function ReportFailed<T>({ of, effect, send, onReported }: ReportFailedProps<T>) {
  const [note, setNote] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { note: note.trim() };
    const failed = await run(() => once(body, (header) => send(header, body)));
    if (failed) onReported(failed);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>{effect} This cannot be undone.</p>
      <ReasonField of={of} value={note} onChange={setNote} />
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class="danger" disabled={busy}>
          {busy ? 'Reporting' : 'Report the failure'}
        </button>
      </p>
    </form>
  );
}
