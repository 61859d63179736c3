import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { PolicyEditor } from '../decisions/policy-panel.js';
import { OfPartner } from './of-partner.js';

/** The bounds of each partner's policy. */
export const Bounds = () => (
  <OfPartner what="bounds apply to a partner’s policy">
    {(id) => <BoundsOf partner={id} key={id} />}
  </OfPartner>
);

function BoundsOf({ partner }: { partner: string }) {
  const path = { id: partner };
  const policy = useResource(`bounds ${partner}`, (signal) =>
    answered(api.GET('/partners/{id}/policy', { params: { path }, signal })),
  );
  return (
    <PolicyEditor
      title="Bounds of the policy"
      remark="The partner’s policy may be stricter, never wider. Its present policy is kept, and applies within the bounds."
      policy={policy}
      rulesOf={({ bounds }) => bounds}
      save={(body) => answered(api.PUT('/partners/{id}/policy', { params: { path }, body }))}
    />
  );
}
