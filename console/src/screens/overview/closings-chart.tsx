import { closings } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { LineChart, type Series } from '../../charts/line-chart.js';
import { compactText, Money } from '../../format/figures.js';
import { useFilters } from '../../ui/filters.js';
import { Panel } from '../../ui/panel.js';
import { useChartRange } from '../../ui/range.js';
import { Empty, Loading, Refusal } from '../../ui/state.js';

type ChartedFigure = 'difference' | 'value';

interface ClosingsChartProps {
  asset: string | undefined;
  /** The time of the figures: an account of the sandbox has its own clock. */
  now: string;
}

/** Daily value compared with the baselines. */
export function ClosingsChart({ asset, now }: ClosingsChartProps) {
  const { query, set } = useFilters();
  const shown: ChartedFigure = query['show'] === 'value' ? 'value' : 'difference';
  const { from, to } = useChartRange(now);
  const { data, error, loading, reload } = useResource(
    `closings ${asset} ${from.slice(0, 10)} ${to}`,
    (signal) => closings({ asset, from, to }, signal),
  );
  if (error) return <Refusal error={error} again={reload} />;
  if (data === null) return loading ? <Loading /> : null;
  if (data.length < 2)
    return (
      <Panel title="Value against the baselines">
        <Empty title="Fewer than two days are closed.">
          <p>A day is closed at midnight, UTC. In the sandbox, go ahead by two days on the Sandbox screen.</p>
        </Empty>
      </Panel>
    );
  const series: Record<ChartedFigure, Series[]> = {
    difference: [
      {
        name: 'Over the lending vault',
        values: data.map(({ lending_uplift }) => lending_uplift),
        filled: true,
      },
      { name: 'Over the first vault, held', values: data.map(({ hold_uplift }) => hold_uplift) },
    ],
    value: [
      { name: 'Routed', values: data.map(({ net_tvl }) => net_tvl) },
      { name: 'Lending vault', values: data.map(({ lending_value }) => lending_value), reference: true },
      { name: 'First vault, held', values: data.map(({ hold_value }) => hold_value), reference: true },
    ],
  };
  return (
    <section class="panel">
      <LineChart
        title="Value against the baselines"
        summary={
          shown === 'difference'
            ? 'The uplift of routing from the first deposit to the end of each day, net of costs.'
            : 'The value of the book at the end of each day, and the value of the same deposits in each baseline.'
        }
        times={data.map(({ at }) => at)}
        series={series[shown]}
        axis={compactText}
        exact={(value) => <Money amount={value} signed={shown === 'difference'} />}
        days
        actions={
          <div class="segments" role="group" aria-label="Shown">
            {(['difference', 'value'] as const).map((each) => (
              <button
                type="button"
                key={each}
                aria-pressed={each === shown}
                onClick={() => set({ show: each === 'difference' ? null : each })}
              >
                {each === 'difference' ? 'Difference' : 'Value'}
              </button>
            ))}
          </div>
        }
      />
    </section>
  );
}
