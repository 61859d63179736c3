import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.js';
import { signIn } from '../api/session.js';
import { useAction } from '../ui/action.js';
import { Refusal } from '../ui/state.js';
import { Mark } from './shell.js';

const HOURS = [1, 4, 12];

/** Exchanges a key for a session. @param ended the refusal that ended the previous session; null: none did */
export function SignInScreen({ ended }: { ended: ApiError | null }) {
  const [key, setKey] = useState('');
  const [reads, setReads] = useState(false);
  const [hours, setHours] = useState(4);
  const { busy, error, run } = useAction();
  useEffect(() => {
    document.title = 'Sign in · Vaultline';
  }, []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(() => signIn(key.trim(), { reads, expires_in: hours * 3600 }));
  };
  const refused = error ?? ended;
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <p class="brand">
          <Mark /> Vaultline
        </p>
        <h1>Sign in</h1>
        <p>
          Your company’s money in yield vaults: where it is, why it moved, and what that brought. Paste an API
          key of your company. It is exchanged for a session and not stored.
        </p>
        {refused && <Refusal error={refused} />}
        <label class="field">
          <span>API key</span>
          <input
            type="password"
            name="key"
            autocomplete="off"
            spellcheck={false}
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <label class="tick">
          <input
            type="checkbox"
            name="reads"
            checked={reads}
            onChange={(event) => setReads(event.currentTarget.checked)}
          />
          <span>Only look: change nothing, whatever the key allows</span>
        </label>
        <label class="field">
          <span>Ends after</span>
          <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>
            {HOURS.map((each) => (
              <option value={each} key={each}>
                {each} {each === 1 ? 'hour' : 'hours'}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Signing in' : 'Sign in'}
        </button>
        <p class="note">
          No key? Ask who looks after the integration at your company, or the operator of this service.
          Operators open a link that <code>npm start</code> or <code>vaultline console code</code> prints.
        </p>
      </form>
    </main>
  );
}
