import { useResource } from '../../api/resource.js';
import { type Baseline, readUplift, type Uplift } from '../../api/uplift.js';
import { compactText, counted, Money, moneyText, Nothing } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Filters } from '../../ui/filters.js';
import { Panel } from '../../ui/panel.js';
import { DateRange, useRange } from '../../ui/range.js';
import { Loaded } from '../../ui/state.js';
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

/** What routing brought an end-user or a position in the chosen span. */
export function UpliftOf({ of }: { of: { user_id: string } | { position_id: string } }) {
  const asked = { ...of, ...useRange(null) };
  const uplift = useResource(`uplift ${JSON.stringify(asked)}`, (signal) => readUplift(asked, signal));
  return (
    <>
      <Filters>
        <DateRange />
      </Filters>
      <Loaded of={uplift}>{(loaded) => <UpliftPanel uplift={loaded} busy={uplift.loading} />}</Loaded>
    </>
  );
}
