import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Panel } from '../../ui/panel.js';
import { Loaded } from '../../ui/state.js';
import { PolicyForm } from '../decisions/policy-form.js';
import { PolicyFacts } from '../decisions/policy-panel.js';
import { OfPartner } from './of-partner.js';

/** How far a partner's policy may go, partner by partner. */
export const Bounds = () => (
  <OfPartner what="bounds are of a partner’s policy">{(id) => <BoundsOf partner={id} key={id} />}</OfPartner>
);

function BoundsOf({ partner }: { partner: string }) {
  const path = { id: partner };
  const policy = useResource(`bounds ${partner}`, (signal) =>
    answered(api.GET('/partners/{id}/policy', { params: { path }, signal })),
  );
  const [changing, setChanging] = useState(false);
  return (
    <Panel
      title="Bounds of the policy"
      remark="The partner can ask for less, and for nothing wider. What it asked for stays, and holds as far as the bounds allow."
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
              of={data.bounds}
              save={(body) => answered(api.PUT('/partners/{id}/policy', { params: { path }, body }))}
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
