import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { readUplift } from '../../api/uplift.js';
import { Money } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Tile } from '../../ui/panel.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Loading, Refusal } from '../../ui/state.js';
import { BookTable } from './book-table.js';
import { ClosingsChart } from './closings-chart.js';
import { LatestMoves } from './latest-moves.js';
import { UpliftPanel } from './uplift-panel.js';
import { VaultShares } from './vault-shares.js';

const SPANS = [
  ['30', '30 days'],
  ['7', '7 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

/** The value of a partner's book, and the uplift of routing. */
export function OverviewScreen() {
  const { query } = useFilters();
  const asset = query['asset'];
  const of = asset === undefined ? {} : { asset };
  const summary = useResource('summary', (signal) => answered(api.GET('/partner/summary', { signal })));
  const uplift = useResource(`uplift ${asset}`, (signal) => readUplift(of, signal));
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
                      {data.positions.open} open positions of {data.users} users
                    </>
                  }
                >
                  <Money amount={data.totals.net_tvl} />
                </Tile>
                <Tile name="Yield" remark="net of costs">
                  <Money amount={data.totals.yield} signed />
                </Tile>
                {uplift.data?.baselines.map(({ name, realized }) => (
                  <Tile name={`Over the ${name.toLowerCase()}`} remark="by routing, net" key={name}>
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
                  options={assets.map((one) => [one, one])}
                />
                <Choice name="Span" field="days" options={SPANS} />
              </Filters>
              {uplift.error ? (
                <Refusal error={uplift.error} again={uplift.reload} />
              ) : uplift.data ? (
                <UpliftPanel uplift={uplift.data} busy={uplift.loading} />
              ) : (
                <Loading />
              )}
              <div class="columns leading">
                <ClosingsChart asset={asset} days={Number(query['days'] ?? 30)} now={data.as_of} />
                <LatestMoves asset={asset} />
              </div>
              <div class="columns leading">
                <BookTable summary={data} />
                <VaultShares asset={asset} />
              </div>
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
