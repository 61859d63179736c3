import { answered, api, asked } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { aligned, timesOf, vaultHistory } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { loadVaults, vaultName } from '../../api/vaults.js';
import { COLOURS } from '../../charts/colours.js';
import { LineChart, type Series } from '../../charts/line-chart.js';
import { Rate, rateText } from '../../format/figures.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { DateRange, useChartRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded, Loading, Refusal } from '../../ui/state.js';
import { RegimeTiles } from './regime-tiles.js';
import { SignalsPanel } from './signals-panel.js';

/** Yields of an asset's vaults, and the blended yield. */
export function YieldsScreen() {
  const { query } = useFilters();
  const { assets } = traits();
  const asset = query['asset'] ?? assets[0] ?? '';
  const signals = useResource(`signals ${asset}`, (signal) =>
    answered(api.GET('/analytics/signals', { params: { query: asked({ asset }) }, signal })),
  );
  const regime = useResource('regime', (signal) => answered(api.GET('/analytics/regime', { signal })));
  const vaults = useResource('vaults', () => loadVaults());
  return (
    <Screen title="Yields" lead="The observed yield of each vault, and its expected yield after risk.">
      <Loaded of={regime}>{({ data }) => <RegimeTiles regime={data} />}</Loaded>
      <Filters>
        <Choice name="Asset" field="asset" options={assets.map((option) => [option, option])} />
        <DateRange />
        <Choice
          name="Yield"
          field="rate"
          options={[
            ['apy', 'Observed'],
            ['expected_risk_adjusted_apy', 'Expected, risk-adjusted'],
          ]}
        />
      </Filters>
      <Loaded of={signals}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No vault of this asset is in the catalogue." />
          ) : (
            <>
              <YieldsChart
                asset={asset}
                ids={data.slice(0, COLOURS - 1).map(({ vault_id }) => vault_id)}
                of={data.length}
                rate={query['rate'] === 'expected_risk_adjusted_apy' ? 'expected_risk_adjusted_apy' : 'apy'}
                now={data[0]?.as_of ?? new Date().toISOString()}
              />
              <SignalsPanel signals={data} vaults={vaults.data ?? []} />
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}

interface YieldsChartProps {
  asset: string;
  /** The best vaults by rank, as many as there are colours besides the market's. */
  ids: readonly string[];
  /** The number of all vaults. */
  of: number;
  rate: 'apy' | 'expected_risk_adjusted_apy';
  now: string;
}

function YieldsChart({ asset, ids, of, rate, now }: YieldsChartProps) {
  const range = useChartRange(now);
  const { interval } = range;
  const { data, error, reload } = useResource(`${asset} ${JSON.stringify(range)}`, async (signal) => {
    const [market, ...vaults] = await Promise.all([
      answered(
        api.GET('/yield/history/{asset}', {
          params: { path: { asset: asset as Schemas['Vault']['asset'] }, query: range },
          signal,
        }),
      ),
      ...ids.map((id) => vaultHistory(id, range, signal)),
    ]);
    return { market: market.data.points, vaults };
  });
  if (error) return <Refusal error={error} again={reload} />;
  if (data === null) return <Loading />;
  const times = timesOf(data.market, ...data.vaults);
  if (times.length === 0)
    return (
      <section class="panel">
        <Empty title="Nothing was observed in this span." />
      </section>
    );
  const series: Series[] = [
    ...data.vaults.map((points, at) => ({
      name: vaultName(ids[at] ?? ''),
      values: aligned(times, points, rate),
    })),
    { name: 'Market, weighted by TVL', values: aligned(times, data.market, 'apy'), reference: true },
  ];
  return (
    <section class="panel">
      <LineChart
        title={`Yields of ${asset}`}
        summary={`${rate === 'apy' ? 'Observed' : 'Expected, risk-adjusted'} yield a year, by the ${interval}. A gap is an ${interval} without an observation.${ids.length < of ? ` The ${ids.length} best of ${of}; each other one has its own screen.` : ''}`}
        times={times}
        series={series}
        axis={(value) => rateText(value, 1)}
        exact={(value) => <Rate rate={value} />}
        days={interval === 'day'}
        height={320}
      />
    </section>
  );
}
