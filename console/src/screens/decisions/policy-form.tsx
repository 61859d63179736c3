import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { vaultName, vaultsById } from '../../api/vaults.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';
import type { PartnerPolicy } from './policy-panel.js';

type Input = Schemas['PolicyInputDto'];

const RISKS = [
  ['', 'Any'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
] as const;

interface PolicyFormProps {
  policy: PartnerPolicy;
  /** @param changed false where nothing was sent */
  onEnd: (changed: boolean) => void;
}

/** Replaces what the partner asks for; a rule that is wider than its bound is refused with it. */
export function PolicyForm({ policy, onEnd }: PolicyFormProps) {
  const [rules, setRules] = useState<Input>(() => ({
    allowed_vaults: policy.allowed_vaults && [...policy.allowed_vaults],
    max_risk_tier: policy.max_risk_tier,
    min_gain: policy.min_gain,
    paused: policy.paused,
  }));
  const { busy, error, run } = useAction();
  const change = (of: Partial<Input>): void => setRules((now) => ({ ...now, ...of }));
  const ids = [...vaultsById.value.keys()];
  const allowed = rules.allowed_vaults;
  const allow = (id: string, on: boolean): void => {
    const known = allowed ?? ids;
    change({ allowed_vaults: on ? [...known, id] : known.filter((one) => one !== id) });
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => answered(api.PUT('/partner/policy', { body: rules })))) onEnd(true);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="tick">
        <input
          type="checkbox"
          checked={allowed === null}
          onChange={({ currentTarget: { checked } }) =>
            change({ allowed_vaults: checked ? null : (policy.bounds.allowed_vaults?.slice() ?? ids) })
          }
        />
        <span>Every vault, also those that come</span>
      </label>
      {allowed !== null && (
        <fieldset>
          <legend>Vaults that may hold funds</legend>
          {ids.map((id) => (
            <label class="tick" key={id}>
              <input
                type="checkbox"
                checked={allowed.includes(id)}
                onChange={(event) => allow(id, event.currentTarget.checked)}
              />
              <span>{vaultName(id)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <label class="field">
        <span>Highest risk</span>
        <select
          value={rules.max_risk_tier ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ max_risk_tier: (value || null) as Input['max_risk_tier'] })
          }
        >
          {RISKS.map(([tier, name]) => (
            <option value={tier} key={tier}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Least gain of a move over staying, in % a year</span>
        <input
          type="number"
          min="0"
          max="100"
          step="any"
          value={rules.min_gain === null ? '' : Number((rules.min_gain * 100).toFixed(10))}
          onInput={({ currentTarget: { value } }) =>
            change({ min_gain: value === '' ? null : Number((Number(value) / 100).toFixed(6)) })
          }
        />
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={rules.paused}
          onChange={(event) => change({ paused: event.currentTarget.checked })}
        />
        <span>Paused: deposits wait in cash, positions stay</span>
      </label>
      {error && <Refusal error={error} />}
      <div class="button-row">
        <button type="submit" class="primary" disabled={busy}>
          Put it in force
        </button>
        <button type="button" disabled={busy} onClick={() => onEnd(false)}>
          Leave it
        </button>
      </div>
    </form>
  );
}
