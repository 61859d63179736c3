import type { Baseline, Uplift } from '../../api/uplift.js';
import { compactText, counted, Money, moneyText, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';

/** The uplift over each baseline: gross, cost of moves, and net. */
export function UpliftPanel({ uplift, busy }: { uplift: Uplift; busy: boolean }) {
  const { positions, from, as_of } = uplift;
  return (
    <Panel
      title="What routing brought"
      remark={
        <>
          {from ? (
            <>
              From <Time at={from} />
            </>
          ) : (
            'From the beginning'
          )}{' '}
          to <Time at={as_of} /> UTC, of {counted(positions, 'position')}, closed ones included, compared with
          the same deposits without any move.
        </>
      }
      busy={busy}
    >
      <DataTable<Baseline>
        label="What routing brought over each baseline"
        rows={uplift.baselines}
        keyOf={({ name }) => name}
        columns={(column) => [
          {
            head: 'Against',
            names: true,
            value: ({ name }) => name,
            cell: ({ name, remark }) => <span title={remark}>{name}</span>,
          },
          column.money('Routed', ({ realized }) => realized.routed_value),
          column.money('Baseline', ({ realized }) => realized.baseline_value),
          column.money('Gross', ({ realized }) => realized.gross_uplift, { signed: true }),
          column.money('Costs', ({ realized }) => -realized.costs, { signed: true }),
          {
            head: 'Net',
            number: true,
            key: true,
            value: ({ realized }) => realized.uplift,
            cell: ({ realized }) => (
              <strong>
                <Money amount={realized.uplift} signed />
              </strong>
            ),
          },
          column.rate('Of capital', ({ realized }) => realized.uplift_pct, { decimals: 3 }),
          {
            head: 'In a year at today’s yields',
            number: true,
            value: ({ projected }) => projected.uplift,
            cell: ({ projected }) =>
              projected.uplift === null ? (
                <Nothing />
              ) : (
                <span title={`exactly ${moneyText(projected.uplift)}, over ${projected.horizon_days} days`}>
                  ≈ {compactText(projected.uplift)}
                </span>
              ),
          },
        ]}
      />
    </Panel>
  );
}
