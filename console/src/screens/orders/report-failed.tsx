import { useState } from 'preact/hooks';
import { answered, live } from '../../api/client.js';
import { useOnce } from '../../api/once.js';
import { useAction } from '../../ui/action.js';
import { ReasonField } from '../../ui/reason-field.js';
import { Refusal } from '../../ui/state.js';
import type { Move } from './move-words.js';

interface ReportFailedProps {
  move: Move;
  onReported: (move: Move) => void;
}

export function ReportFailed({ move: { id }, onReported }: ReportFailedProps) {
  const [note, setNote] = useState('');
  const { busy, error, run } = useAction();
  const once = useOnce();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = { note: note.trim() };
    const failed = await run(() =>
      once([id, body], (header) =>
        answered(live.POST('/moves/{id}/failed', { params: { path: { id }, header }, body })),
      ),
    );
    if (failed) onReported([failed.data].flat()[0]!);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>
        What has left its vault becomes cash, the rest stays where it is, and the next hour judges both again.
        This cannot be undone.
      </p>
      <ReasonField of="move" value={note} onChange={setNote} />
      {error && <Refusal error={error} />}
      <p class="dialog-actions">
        <button type="submit" class="danger" disabled={busy}>
          {busy ? 'Reporting' : 'Report the failure'}
        </button>
      </p>
    </form>
  );
}
