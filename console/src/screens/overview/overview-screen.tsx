import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { readUplift } from '../../api/uplift.js';
import { counted, Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Tile } from '../../ui/panel.js';
import { DateRange, useRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Loading, Refusal } from '../../ui/state.js';
import { Reserves } from '../administration/reserves.js';
import { BookTable } from './book-table.js';
import { ClosingsChart } from './closings-chart.js';
import { LatestMoves } from './latest-moves.js';
import { UpliftPanel } from './uplift-panel.js';
import { VaultShares } from './vault-shares.js';

/** The value of a partner's book, and the uplift of routing. */
export function OverviewScreen() {
  const { query } = useFilters();
  const asset = query['asset'];
  const summary = useResource('summary', (signal) => answered(api.GET('/partner/summary', { signal })));
  const now = summary.data?.data.as_of ?? null;
  const of = { ...(asset && { asset }), ...useRange(now) };
  const uplift = useResource(now && `uplift ${JSON.stringify(of)}`, (signal) => readUplift(of, signal));
  const { assets } = traits();
  const lead = summary.data && (
    <>
      Of <Time at={summary.data.data.as_of} /> UTC, over all assets at par
    </>
  );
  return (
    <Screen title="Overview" lead={lead}>
      <Loaded of={summary}>
        {({ data }) =>
          data.positions.open + data.positions.closed === 0 ? (
            <NoPositions />
          ) : (
            <>
              <dl class="tiles">
                <Tile
                  name="Net TVL"
                  lead
                  remark={
                    <>
                      {counted(data.positions.open, 'open position')} of {counted(data.users, 'user')}
                    </>
                  }
                >
                  <Money amount={data.totals.net_tvl} />
                </Tile>
                <Tile name="Yield" remark="net of costs">
                  <Money amount={data.totals.yield} signed />
                </Tile>
                {uplift.data?.baselines.map(({ name, realized }) => (
                  <Tile
                    name={`Over the ${name.toLowerCase()}`}
                    remark="by routing in the span, net"
                    key={name}
                  >
                    <Money amount={realized.uplift} signed />
                  </Tile>
                ))}
                <Tile name="Your revenue" remark="of the fee">
                  <Money amount={data.revenue} />
                </Tile>
                <Tile name="Points" remark="of all campaigns">
                  <Money amount={data.points} />
                </Tile>
              </dl>
              <Filters>
                <Choice
                  name="Asset"
                  field="asset"
                  all="All assets"
                  options={assets.map((option) => [option, option])}
                />
                <DateRange />
              </Filters>
              {uplift.error ? (
                <Refusal error={uplift.error} again={uplift.reload} />
              ) : uplift.data ? (
                <UpliftPanel uplift={uplift.data} busy={uplift.loading} />
              ) : (
                <Loading />
              )}
              <div class="columns leading">
                <ClosingsChart asset={asset} now={data.as_of} />
                <LatestMoves asset={asset} />
              </div>
              <BookTable summary={data} />
              <VaultShares asset={asset} />
              {traits().executes && <Reserves />}
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}

function NoPositions() {
  return (
    <Empty title="There is no position yet.">
      <p>
        {traits().simulation
          ? 'Create an end-user with POST /users and simulate a deposit with POST /positions; then go ahead in time on the Sandbox screen.'
          : 'Create an end-user with POST /users. Positions are shown as soon as the protocol reports their deposits.'}
      </p>
    </Empty>
  );
}
