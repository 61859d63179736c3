import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.js';
import type { Scope } from '../api/contract.js';
import { signIn } from '../api/session.js';
import { useAction } from '../ui/action.js';
import { Refusal } from '../ui/state.js';
import { Mark } from './shell.js';

const READING: readonly Scope[] = ['read', 'partner:read'];
const MORE: readonly [Scope, string][] = [
  ['partner:admin', 'Partners and campaigns'],
  ['keys:admin', 'Keys'],
  ['write', 'Transfers and moves: report them, resolve settlements'],
];
const HOURS = [1, 4, 12];

/** Exchanges a key for a session. @param ended the refusal that ended the previous session; null: none did */
export function SignInScreen({ ended }: { ended: ApiError | null }) {
  const [key, setKey] = useState('');
  const [more, setMore] = useState<readonly Scope[]>([]);
  const [hours, setHours] = useState(4);
  const { busy, error, run } = useAction();
  useEffect(() => {
    document.title = 'Sign in · Vaultline';
  }, []);
  const tick = (scope: Scope, on: boolean): void =>
    setMore((ticked) => (on ? [...ticked, scope] : ticked.filter((other) => other !== scope)));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(() => signIn(key.trim(), { scopes: [...READING, ...more], expires_in: hours * 3600 }));
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
          Paste an API key. It is exchanged for a session of this tab and not stored. Without a key: start the
          server with <code>npm start</code> and open a link that it prints.
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
        <fieldset>
          <legend>This session can read. Also allow (only scopes that the key has):</legend>
          {MORE.map(([scope, name]) => (
            <label class="tick" key={scope}>
              <input
                type="checkbox"
                name={scope}
                checked={more.includes(scope)}
                onChange={(event) => tick(scope, event.currentTarget.checked)}
              />
              <span>
                {name} <code>{scope}</code>
              </span>
            </label>
          ))}
        </fieldset>
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
      </form>
    </main>
  );
}
