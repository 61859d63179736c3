import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useAction } from '../../ui/action.js';
import { Dialog } from '../../ui/dialog.js';
import { Panel } from '../../ui/panel.js';
import { Refusal } from '../../ui/state.js';

interface ResetPanelProps {
  seed: string;
  disabled: boolean;
  onReset: () => void;
}

/** Resets the account, after a confirmation. */
export function ResetPanel({ seed, disabled, onReset }: ResetPanelProps) {
  const [asking, setAsking] = useState(false);
  const [wanted, setWanted] = useState('');
  const { busy, error, run } = useAction();
  const reset = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = wanted.trim() === '' ? {} : { seed: wanted.trim() };
    if (!(await run(() => answered(api.POST('/simulation/reset', { body }))))) return;
    setAsking(false);
    onReset();
  };
  return (
    <Panel
      title="Begin anew"
      remark="Positions, ledger, decisions, deliveries, clock and market are deleted."
    >
      <p class="note">The account, its keys, users, endpoints with their secrets, and campaigns are kept.</p>
      <button type="button" class="danger" disabled={disabled} onClick={() => setAsking(true)}>
        Reset the account
      </button>
      <Dialog title="Forget everything that happened?" open={asking} onClose={() => setAsking(false)}>
        <form onSubmit={(event) => void reset(event)}>
          <p>
            All positions with their ledger, decisions and deliveries are deleted at once, and the clock
            returns to wall time. This cannot be undone.
          </p>
          <label class="field">
            <span>Seed of the new market; empty: {seed} again</span>
            <input maxLength={64} value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
          </label>
          {error && <Refusal error={error} />}
          <p class="dialog-actions">
            <button type="submit" class="danger" disabled={busy}>
              {busy ? 'Resetting' : 'Forget it and begin anew'}
            </button>
          </p>
        </form>
      </Dialog>
    </Panel>
  );
}
