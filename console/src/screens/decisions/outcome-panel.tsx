import type { Decision } from '../../api/decisions.js';
import { Money, rateText } from '../../format/figures.js';
import { DAY, Time } from '../../format/time.js';
import { Panel, Tile } from '../../ui/panel.js';

/** The gain that a move promised, and the gain that it brought when its horizon had passed. */
export function OutcomePanel({ decision }: { decision: Decision }) {
  const { outcome, kind, expected_uplift: expected, snapshot_hour, asset } = decision;
  if (kind !== 'rebalance') return null;
  if (outcome === null)
    return (
      <Panel title="Promise and outcome">
        <p class="note">
          Its outcome is known when its horizon of {expected.horizon_days} days has passed, on{' '}
          <Time at={new Date(Date.parse(snapshot_hour) + expected.horizon_days * DAY).toISOString()} /> UTC at
          the earliest.
        </p>
      </Panel>
    );
  const { promised, realised } = outcome;
  return (
    <Panel
      title="Promise and outcome"
      remark={
        <>
          Over staying, until <Time at={outcome.at} /> UTC, net of its cost.
        </>
      }
    >
      <dl class="tiles">
        <Tile name="Promised">
          <Money amount={promised} unit={asset} signed />
        </Tile>
        <Tile
          name="Realised"
          remark={promised > 0 ? `${rateText(realised / promised, 0)} of the promise` : undefined}
        >
          <Money amount={realised} unit={asset} signed />
        </Tile>
        <Tile name="Difference">
          {/* Both figures are exact to a millionth, and so is their difference. */}
          <Money amount={Number((realised - promised).toFixed(6))} unit={asset} signed />
        </Tile>
      </dl>
    </Panel>
  );
}
