import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { type Resource, useResource } from '../../api/resource.js';
import { vaultName } from '../../api/vaults.js';
import { pointsText, rateText } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Panel } from '../../ui/panel.js';
import { Loaded } from '../../ui/state.js';
import { PolicyForm, type PolicyInput } from './policy-form.js';

type PartnerPolicy = Schemas['PartnerPolicy'];
type Rules = Schemas['LimitedRules'];

/** A partner's policy for its funds, within an administrator's bounds. */
export const PolicyPanel = () => (
  <PolicyEditor
    title="Policy"
    remark="It applies to deposits at once; funds in a vault that it does not allow are moved in the next hour, at their own cost."
    policy={useResource('policy', (signal) => answered(api.GET('/partner/policy', { signal })))}
    rulesOf={(policy) => policy}
    within={({ bounds }) => bounds.allowed_vaults}
    save={(body) => answered(api.PUT('/partner/policy', { body }))}
  />
);

interface PolicyEditorProps {
  title: string;
  remark: string;
  policy: Resource<{ data: PartnerPolicy }>;
  /** The rules to change: the partner's own, or their bounds. */
  rulesOf: (policy: PartnerPolicy) => Rules;
  /** The vaults to choose from; absent or null: all. */
  within?: (policy: PartnerPolicy) => readonly string[] | null;
  save: (body: PolicyInput) => Promise<unknown>;
}

/** A policy, with a form in its place while it is changed. */
export function PolicyEditor({ title, remark, policy, rulesOf, within, save }: PolicyEditorProps) {
  const [changing, setChanging] = useState(false);
  return (
    <Panel
      title={title}
      remark={remark}
      busy={policy.loading}
      actions={
        !changing &&
        policy.data && (
          <button type="button" onClick={() => setChanging(true)}>
            Change
          </button>
        )
      }
    >
      <Loaded of={policy}>
        {({ data }) =>
          changing ? (
            <PolicyForm
              of={rulesOf(data)}
              within={within?.(data) ?? null}
              save={save}
              onEnd={(changed) => {
                setChanging(false);
                if (changed) policy.reload();
              }}
            />
          ) : (
            <PolicyFacts policy={data} />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The rules in force, with who set them. */
const PolicyFacts = ({ policy }: { policy: PartnerPolicy }) => (
  <dl class="facts">
    <dt>In force</dt>
    <dd>{inWords(policy.in_force)}</dd>
    <dt>Bounds</dt>
    <dd>{inWords(policy.bounds)}</dd>
    <dt>Version</dt>
    <dd>
      {policy.version}
      {policy.updated_at && (
        <>
          , <Time at={policy.updated_at} /> UTC
        </>
      )}
    </dd>
  </dl>
);

function inWords({ allowed_vaults, max_risk_tier, min_gain, paused, ...limits }: Rules): string {
  const vaults = allowed_vaults?.map((id) => vaultName(id));
  const exposures = [
    ...partsOf(limits.max_vault_exposure, (tier) => `one vault of ${tier} risk`),
    ...partsOf(limits.max_tier_exposure, (tier) => `all vaults of ${tier} risk`),
    ...partsOf(limits.max_venue_exposure, (venue) => `all of ${venue}`),
  ];
  const rules = [
    ...(paused ? ['paused: deposits wait in cash, positions stay'] : []),
    ...(vaults ? [vaults.length === 0 ? 'no vault, all is cash' : `only ${vaults.join(', ')}`] : []),
    ...(max_risk_tier ? [`at most ${max_risk_tier} risk`] : []),
    ...(min_gain !== null ? [`moves for at least ${pointsText(min_gain)}`] : []),
    ...(exposures.length > 0 ? [`at most ${exposures.join(', ')}`] : []),
  ];
  return rules.length === 0 ? 'no rule' : rules.join('; ');
}

/** The limits of a kind that limit anything. */
const partsOf = (limits: Rules['max_venue_exposure'], where: (name: string) => string): string[] =>
  Object.entries(limits)
    .filter(([, limit]) => limit < 1)
    .map(([name, limit]) => `${rateText(limit)} in ${where(name)}`);
