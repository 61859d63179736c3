import { useRoute } from 'preact-iso';
import { type Decision, findDecision } from '../../api/decisions.js';
import { useResource } from '../../api/resource.js';
import { counted, Money, Rate } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { RecordId } from '../../ui/copy-button.js';
import { Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/state.js';
import { VaultName, worded } from '../../ui/vault-name.js';
import { PlaceLink } from '../place-link.js';
import { CandidateMatrix } from './candidate-matrix.js';
import { CandidatesChart } from './candidates-chart.js';
import { KindBadge, OrderBadge, REASONS } from './decision-words.js';
import { ExposurePanel, PlanPanel } from './exposure-panel.js';
import { OutcomePanel } from './outcome-panel.js';

/** One decision: the chosen vault, the candidates, the gates, and the outcome. */
export function DecisionScreen() {
  const id = useRoute().params['id'] ?? '';
  const decision = useResource(id, (signal) => findDecision(id, signal));
  return (
    <Screen
      title="Decision"
      above={{ name: 'Decisions', path: '/console/decisions' }}
      lead={<RecordId id={id} />}
    >
      {decision.data === null && !decision.error && !decision.loading ? (
        <Empty title="There is no such decision among yours.">
          <p>
            It may belong to another partner: the <a href="/console/decisions">list</a> has yours.
          </p>
        </Empty>
      ) : (
        <Loaded of={decision}>{(loaded) => loaded && <DecisionFacts decision={loaded} />}</Loaded>
      )}
    </Screen>
  );
}

function DecisionFacts({ decision }: { decision: Decision }) {
  const { kind, asset, inputs, expected_uplift: expected } = decision;
  return (
    <>
      <section class="verdict" aria-label="What was decided">
        <p class="verdict-head">
          <KindBadge kind={kind} />
          <span class="verdict-way">
            {decision.from_vault_id && <VaultName id={decision.from_vault_id} />}
            {decision.from_vault_id && decision.to_vault_id && <span aria-label="to"> → </span>}
            {decision.to_vault_id && <VaultName id={decision.to_vault_id} />}
          </span>
          <Time at={decision.at} />
        </p>
        <p class="verdict-why">{worded(decision.rationale)}</p>
      </section>
      <dl class="tiles">
        <Tile
          name="Amount"
          lead
          remark={`${counted(decision.positions, 'position')}, ${REASONS[decision.reason]}`}
        >
          <Money amount={inputs.amount} unit={asset} />
        </Tile>
        <Tile name="Gain" remark={`expected over ${expected.horizon_days} days`}>
          <Money amount={expected.amount} />
        </Tile>
        <Tile name="Cost" remark="of the move">
          <Money amount={expected.cost} />
        </Tile>
        <Tile name="NPV" remark="gain less cost">
          <Money amount={expected.npv} signed />
        </Tile>
        <Tile name="Difference in rate" remark={kind === 'route' ? 'over the lending vault' : 'over staying'}>
          <Rate rate={expected.apy_delta} points />
        </Tile>
        {decision.order && (
          <Tile
            name="Order"
            remark={
              <PlaceLink to={`/console/orders/${decision.order.id}`}>
                <code class="breaking">{decision.order.id}</code>
              </PlaceLink>
            }
          >
            <OrderBadge order={decision.order} />
          </Tile>
        )}
      </dl>
      <CandidateMatrix decision={decision} />
      <CandidatesChart decision={decision} />
      <ExposurePanel decision={decision} />
      <PlanPanel decision={decision} />
      <OutcomePanel decision={decision} />
    </>
  );
}
