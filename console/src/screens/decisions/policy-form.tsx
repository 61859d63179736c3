import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/contract.js';
import { vaultName, vaultsById } from '../../api/vaults.js';
import { useAction } from '../../ui/action.js';
import { Refusal } from '../../ui/state.js';

export type PolicyInput = Schemas['PolicyInput'];
type Rules = Schemas['LimitedRules'];
type Limits = Rules['max_venue_exposure'];

const RISKS = [
  ['', 'Any'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
] as const;

const TIERS = ['low', 'medium', 'high'];
/** What each limit on exposure is on, with its names. */
const EXPOSURES = [
  ['max_vault_exposure', 'In one vault of', 'risk', () => TIERS],
  ['max_tier_exposure', 'In all vaults of', 'risk', () => TIERS],
  ['max_venue_exposure', 'In all of', '', () => [...vaultsById.value.values()].map(({ venue }) => venue)],
] as const;

interface PolicyFormProps {
  /** The initial rules. */
  of: Rules;
  /** The vaults that are ticked when the rules begin to restrict vaults. Default: all known ones. */
  within?: readonly string[] | null;
  save: (rules: PolicyInput) => Promise<unknown>;
  /** @param changed false where the form was cancelled */
  onEnd: (changed: boolean) => void;
}

/** A form that replaces all rules: a partner's own, or an administrator's bounds on them. */
export function PolicyForm({ of, within = null, save, onEnd }: PolicyFormProps) {
  const [rules, setRules] = useState<PolicyInput>(() => ({
    allowed_vaults: of.allowed_vaults && [...of.allowed_vaults],
    max_risk_tier: of.max_risk_tier,
    min_gain: of.min_gain,
    paused: of.paused,
    max_vault_exposure: of.max_vault_exposure,
    max_tier_exposure: of.max_tier_exposure,
    max_venue_exposure: of.max_venue_exposure,
  }));
  const { busy, error, run } = useAction();
  const change = (of: Partial<PolicyInput>): void => setRules((now) => ({ ...now, ...of }));
  const allowed = rules.allowed_vaults;
  // A session may have no catalogue, and a vault of the rules may have left it.
  const ids = [...new Set([...vaultsById.value.keys(), ...(of.allowed_vaults ?? [])])];
  const allow = (id: string, on: boolean): void => {
    const vaultIds = allowed ?? ids;
    change({ allowed_vaults: on ? [...vaultIds, id] : vaultIds.filter((other) => other !== id) });
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if ((await run(() => save(rules))) !== null) onEnd(true);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="tick">
        <input
          type="checkbox"
          checked={allowed === null}
          disabled={ids.length === 0}
          onChange={({ currentTarget: { checked } }) =>
            change({ allowed_vaults: checked ? null : (within?.slice() ?? ids) })
          }
        />
        <span>Every vault, including future ones</span>
      </label>
      {ids.length === 0 && (
        <p class="note">
          This session does not see the vaults: sign in with a key that has <code>read</code> to choose among
          them. The other rules need no more.
        </p>
      )}
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
            change({ max_risk_tier: (value || null) as PolicyInput['max_risk_tier'] })
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
          value={percent(rules.min_gain)}
          onInput={({ currentTarget: { value } }) => change({ min_gain: fraction(value) })}
        />
      </label>
      {EXPOSURES.map(([field, of, what, names]) => (
        <ExposureFields
          key={field}
          title={of}
          what={what}
          names={[...new Set([...names(), ...Object.keys(rules[field] ?? {})])]}
          limits={rules[field] ?? {}}
          change={(limits) => change({ [field]: limits })}
        />
      ))}
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

/** The text of a fraction in a field of percentages; an empty one is no rule. */
const percent = (value: number | null | undefined): number | '' =>
  value == null ? '' : Number((value * 100).toFixed(10));
const fraction = (text: string): number | null =>
  text === '' ? null : Number((Number(text) / 100).toFixed(6));

interface ExposureFieldsProps {
  title: string;
  what: string;
  names: readonly string[];
  limits: Limits;
  change: (limits: Limits) => void;
}

/** A field for each limit of a kind. */
const ExposureFields = ({ title, what, names, limits, change }: ExposureFieldsProps) => (
  <fieldset>
    <legend>{title} …, in % of the partner’s book of the asset</legend>
    <div class="field-column">
      {names.map((name) => (
        <label class="field inline" key={name}>
          <span>{`${title} ${name} ${what}`.trim()}</span>
          <input
            type="number"
            min="0"
            max="100"
            step="any"
            value={percent(limits[name])}
            onInput={({ currentTarget: { value } }) => {
              const { [name]: _, ...others } = limits;
              const limit = fraction(value);
              change(limit === null ? others : { ...others, [name]: limit });
            }}
          />
        </label>
      ))}
    </div>
  </fieldset>
);
