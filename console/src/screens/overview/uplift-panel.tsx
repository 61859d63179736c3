import type { Baseline, Uplift } from '../../api/uplift.js';
import { compactText, Money, moneyText, Nothing, Rate } from '../../format/figures.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';

/** The uplift over each baseline: gross, cost of moves, and net. */
export function UpliftPanel({ uplift, busy }: { uplift: Uplift; busy: boolean }) {
  return (
    <Panel
      title="What routing brought"
      remark={`Of ${uplift.positions} positions, including closed ones, compared with the same deposits without any move.`}
      busy={busy}
    >
      <DataTable<Baseline>
        label="What routing brought over each baseline"
        rows={uplift.baselines}
        keyOf={({ name }) => name}
        columns={[
          { head: 'Against', names: true, cell: ({ name, remark }) => <span title={remark}>{name}</span> },
          { head: 'Routed', number: true, cell: ({ realized }) => <Money amount={realized.routed_value} /> },
          {
            head: 'Baseline',
            number: true,
            cell: ({ realized }) => <Money amount={realized.baseline_value} />,
          },
          {
            head: 'Gross',
            number: true,
            cell: ({ realized }) => <Money amount={realized.gross_uplift} signed />,
          },
          { head: 'Costs', number: true, cell: ({ realized }) => <Money amount={-realized.costs} signed /> },
          {
            head: 'Net',
            number: true,
            cell: ({ realized }) => (
              <strong>
                <Money amount={realized.uplift} signed />
              </strong>
            ),
          },
          {
            head: 'Of capital',
            number: true,
            cell: ({ realized }) => <Rate rate={realized.uplift_pct} decimals={3} />,
          },
          {
            head: 'In a year at today’s yields',
            number: true,
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
