import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas, Scope } from '../../api/contract.js';
import { DAY } from '../../format/time.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

const SCOPES: Record<Scope, string> = {
  read: 'Yields, signals and vaults',
  'partner:read': 'One partner’s reports, users and webhooks',
  write: 'Report deposits and withdrawals',
  'partner:admin': 'Partners and campaigns',
  'keys:admin': 'Keys',
};
const ENDS = [
  ['', 'Never'],
  ['1', 'In a day'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

export function CreateKey({ onCreated }: { onCreated: (key: Schemas['ApiKey']) => void }) {
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [partner, setPartner] = useState('');
  const [days, setDays] = useState('');
  const { busy, error, run } = useAction();
  const tick = (scope: Scope, on: boolean): void =>
    setScopes((ticked) => (on ? [...ticked, scope] : ticked.filter((one) => one !== scope)));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const body = {
      label: label.trim(),
      scopes: [...scopes],
      ...(partner.trim() && { partner_id: partner.trim() }),
      ...(days && { expires_at: new Date(Date.now() + Number(days) * DAY).toISOString() }),
    };
    const made = await run(() => answered(api.POST('/keys', { body })));
    if (made) onCreated(made.data);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {error && <Refusal error={error} />}
      <label class="field">
        <span>Label</span>
        <input
          required
          maxLength={120}
          value={label}
          onInput={(event) => setLabel(event.currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>It may</legend>
        {(Object.entries(SCOPES) as [Scope, string][]).map(([scope, name]) => (
          <label class="tick" key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) => tick(scope, event.currentTarget.checked)}
            />
            <span>
              {name} <code>{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>
          Partner that it is bound to; <code>partner:read</code> needs one
        </span>
        <input
          value={partner}
          placeholder="ptn_…"
          spellcheck={false}
          onInput={(event) => setPartner(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Ends</span>
        <select value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          {ENDS.map(([value, name]) => (
            <option value={value} key={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p class="dialog-actions">
        <button type="submit" class="primary" disabled={busy || scopes.length === 0}>
          {busy ? 'Creating' : 'Create'}
        </button>
      </p>
    </form>
  );
}
