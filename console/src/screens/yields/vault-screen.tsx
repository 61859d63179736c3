import { useRoute } from 'preact-iso';
import { vaultHistory } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { loadVaults, type Vault } from '../../api/vaults.js';
import { LineChart } from '../../charts/line-chart.js';
import { compactText, countText, Rate, rateText } from '../../format/figures.js';
import { Time } from '../../format/time.js';
import { Filters } from '../../ui/filters.js';
import { Tile } from '../../ui/panel.js';
import { DateRange, useChartRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Loading, Refusal } from '../../ui/state.js';
import { Capacity, FeedState, Tvl } from './signals-panel.js';

/** One vault: its yield, deposits and index over time. */
export function VaultScreen() {
  const id = useRoute().params['id'] ?? '';
  const vaults = useResource('vaults', () => loadVaults());
  const vault = vaults.data?.find((entry) => entry.id === id);
  return (
    <Screen
      title={vault?.name ?? 'Vault'}
      above={{ name: 'Yields', path: '/console/yields' }}
      lead={<code>{id}</code>}
    >
      <Loaded of={vaults}>
        {() =>
          vault ? (
            <VaultFacts vault={vault} />
          ) : (
            <Empty title="There is no such vault in the catalogue.">
              <p>
                <a href="/console/yields">Yields</a> lists those that there are.
              </p>
            </Empty>
          )
        }
      </Loaded>
    </Screen>
  );
}

function VaultFacts({ vault }: { vault: Vault }) {
  const now = vault.observed_at ?? new Date().toISOString();
  const range = useChartRange(now);
  const { interval } = range;
  const { data, error, reload } = useResource(`${vault.id} ${JSON.stringify(range)}`, (signal) =>
    vaultHistory(vault.id, range, signal),
  );
  return (
    <>
      <dl class="tiles">
        <Tile
          name="APY"
          lead
          remark={
            <>
              observed <Time at={vault.observed_at} />
            </>
          }
        >
          <Rate rate={vault.apy} />
        </Tile>
        <Tile name="Deposits" remark={vault.venue}>
          <Tvl amount={vault.assets} />
        </Tile>
        <Tile name="Liquidity" remark="can be withdrawn at once">
          <Tvl amount={vault.liquidity} />
        </Tile>
        <Tile name="TVL" remark="as its source counts it">
          <Tvl amount={vault.tvl} />
        </Tile>
        <Tile name="Risk" remark={vault.lending_baseline ? 'the asset’s lending vault' : 'no baseline'}>
          {vault.risk_tier}
        </Tile>
        <Tile name="Capacity" remark="for this service">
          <Capacity amount={vault.capacity} />
        </Tile>
        <Tile name="Feed" remark={vault.source}>
          <FeedState vault={vault} now={now} />
        </Tile>
      </dl>
      <Filters>
        <DateRange />
      </Filters>
      {error && <Refusal error={error} again={reload} />}
      {data === null && !error && <Loading />}
      {data && data.length > 0 && (
        <>
          <section class="panel">
            <LineChart
              title="Yield"
              summary={`Observed and expected risk-adjusted yield a year, by the ${interval}.`}
              times={data.map(({ at }) => at)}
              series={[
                { name: 'Observed', values: data.map(({ apy }) => apy), reference: true },
                {
                  name: 'Expected, risk-adjusted',
                  values: data.map(({ expected_risk_adjusted_apy }) => expected_risk_adjusted_apy),
                },
              ]}
              axis={(value) => rateText(value, 1)}
              exact={(value) => <Rate rate={value} />}
              days={interval === 'day'}
            />
          </section>
          <div class="columns">
            <section class="panel">
              <LineChart
                title="Deposits"
                summary={`Deposits, the part that can be withdrawn at once, and TVL as its source counts it, in ${vault.asset}.`}
                times={data.map(({ at }) => at)}
                series={[
                  { name: 'Deposits', values: data.map(({ assets }) => assets), filled: true },
                  { name: 'Liquidity', values: data.map(({ liquidity }) => liquidity) },
                  { name: 'TVL', values: data.map(({ tvl }) => tvl), reference: true },
                ]}
                axis={compactText}
                exact={(value) => countText(value)}
                days={interval === 'day'}
                height={180}
              />
            </section>
            <section class="panel">
              <LineChart
                title="Index"
                summary="The value of one unit deposited at the beginning."
                times={data.map(({ at }) => at)}
                series={[{ name: 'Index', values: data.map(({ index }) => index) }]}
                axis={(value) => value.toFixed(4)}
                exact={(value) => String(value)}
                days={interval === 'day'}
                height={180}
              />
            </section>
          </div>
        </>
      )}
      {data?.length === 0 && <Empty title="Nothing was observed in this span." />}
    </>
  );
}
