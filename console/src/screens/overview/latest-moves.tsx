import { answered, api, asked } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Panel } from '../../ui/panel.js';
import { Empty, Loaded } from '../../ui/state.js';
import { VaultName, worded } from '../../ui/vault-name.js';
import { REASONS } from '../decisions/decision-words.js';

/** The newest moves, each with a link to its decision. */
export function LatestMoves({ asset }: { asset: string | undefined }) {
  const moves = useResource(`moves ${asset}`, (signal) =>
    answered(
      api.GET('/analytics/decisions', {
        params: {
          query: asked({ kind: 'rebalance', limit: 3, asset, view: 'summary' }),
        },
        signal,
      }),
    ),
  );
  return (
    <Panel
      title="Latest moves, and why"
      actions={<a href="/console/decisions?kind=rebalance">All moves</a>}
      busy={moves.loading}
    >
      <Loaded of={moves}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was moved yet.">
              <p>
                Funds are moved when the gain exceeds the cost.{' '}
                <a href="/console/decisions?kind=hold">Why they stayed</a> is told as well.
              </p>
            </Empty>
          ) : (
            <ol class="moves">
              {data.map((decision) => (
                <li key={decision.id}>
                  <p class="move-head">
                    <a href={`/console/decisions/${decision.id}`}>
                      <VaultName id={decision.from_vault_id} plain /> <span aria-label="to">→</span>{' '}
                      <VaultName id={decision.to_vault_id} plain />
                    </a>
                    <Money amount={decision.expected_uplift.npv} unit={decision.asset} signed />
                  </p>
                  <p class="move-why">
                    <Time at={decision.at} /> · {worded(decision.because ?? REASONS[decision.reason])}
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  );
}
