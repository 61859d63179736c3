import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import type { Schemas } from '../../api/contract.js';
import { aligned, sum, timesOf, vaultHistory, type VaultPoint } from '../../api/history.js';
import { useResource } from '../../api/resource.js';
import { traits } from '../../api/session.js';
import { isIdle, loadVaults, type Vault, vaultName } from '../../api/vaults.js';
import { LineChart } from '../../charts/line-chart.js';
import { Money, Nothing, Rate, rateText } from '../../format/figures.js';
import { Badge } from '../../ui/badge.js';
import { Choice, Filters, useFilters } from '../../ui/filters.js';
import { Panel } from '../../ui/panel.js';
import { DateRange, useChartRange } from '../../ui/range.js';
import { Screen } from '../../ui/screen.js';
import { ShareBar } from '../../ui/share-bar.js';
import { Empty, Loaded, Refusal } from '../../ui/state.js';
import { DataTable } from '../../ui/table.js';
import { PolicyPanel } from '../decisions/policy-panel.js';
import { PreviewPanel } from '../decisions/preview-panel.js';
import { OverTime } from './over-time.js';

type AssetHoldings = Schemas['PartnerTvl']['assets'][number];
type Limits = Schemas['PartnerPolicy']['in_force'];
type Grouping = 'vault' | 'venue' | 'chain' | 'tier';

const BY: Record<Grouping, string> = { vault: 'Vault', venue: 'Venue', chain: 'Chain', tier: 'Risk tier' };
const MOST_COMPARED = 4;

/** Where the partner's money is, against the limits that hold; over time; and what the policy would change. */
export function MoneyScreen() {
  const { query } = useFilters();
  const { assets } = traits();
  const asset = query['asset'] ?? assets[0] ?? '';
  const by = (query['by'] ?? 'vault') as Grouping;
  const tvl = useResource('tvl', (signal) => answered(api.GET('/partner/tvl', { signal })));
  const policy = useResource('policy', (signal) => answered(api.GET('/partner/policy', { signal })));
  const vaults = useResource('vaults', () => loadVaults());
  const holdings = tvl.data?.data.assets.find((row) => row.asset === asset);
  return (
    <Screen title="Money map" lead="Where your money is, against the limits that hold, and how that changed.">
      <Filters>
        <Choice name="Asset" field="asset" options={assets.map((option) => [option, option])} />
        <Choice name="By" field="by" options={Object.entries(BY)} />
        <DateRange />
      </Filters>
      <Loaded of={tvl}>
        {() => (
          <Loaded of={vaults}>
            {(catalogue) =>
              holdings && holdings.vaults.length > 0 ? (
                <>
                  <MapPanel
                    holdings={holdings}
                    by={by}
                    catalogue={catalogue}
                    limits={policy.data?.data.in_force ?? null}
                  />
                  <OverTime
                    book={tvl.data!.data}
                    asset={asset}
                    by={BY[by].toLowerCase()}
                    groupOf={(id) => groupOf(id, by, catalogue)}
                  />
                </>
              ) : (
                <Empty title={`Nothing is held in ${asset}.`} />
              )
            }
          </Loaded>
        )}
      </Loaded>
      <div class="columns">
        <PolicyPanel />
        <PreviewPanel />
      </div>
      {vaults.data && <Comparison asset={asset} catalogue={vaults.data} />}
    </Screen>
  );
}

/** The name of the group that a vault is in; cash is on no chain and has no risk. */
function groupOf(id: string, by: Grouping, catalogue: readonly Vault[]): string {
  const vault = catalogue.find((entry) => entry.id === id);
  if (by === 'vault') return vaultName(id);
  if (isIdle(id) || !vault) return 'Cash';
  return { venue: vault.venue, chain: vault.chain ?? 'none', tier: vault.risk_tier }[by];
}

function limitOf(
  id: string,
  by: Grouping,
  catalogue: readonly Vault[],
  limits: Limits | null,
): number | null {
  const vault = catalogue.find((entry) => entry.id === id);
  if (!vault || !limits) return null;
  if (by === 'vault') return limits.max_vault_exposure[vault.risk_tier] ?? null;
  if (by === 'tier') return limits.max_tier_exposure[vault.risk_tier] ?? null;
  return by === 'venue' ? (limits.max_venue_exposure[vault.venue] ?? null) : null;
}

interface MapPanelProps {
  holdings: AssetHoldings;
  by: Grouping;
  catalogue: readonly Vault[];
  limits: Limits | null;
}

function MapPanel({ holdings: held, by, catalogue, limits }: MapPanelProps) {
  const groups = new Map<string, { name: string; value: number; limit: number | null }>();
  for (const { vault_id, value } of held.vaults) {
    const name = groupOf(vault_id, by, catalogue);
    const group = groups.get(name);
    const limit = group?.limit ?? limitOf(vault_id, by, catalogue, limits);
    groups.set(name, { name, value: sum(group?.value ?? 0, value), limit });
  }
  const rows = [...groups.values()]
    .map((row) => ({ ...row, share: held.net_tvl === 0 ? 0 : row.value / held.net_tvl }))
    .sort((a, b) => b.value - a.value);
  return (
    <Panel
      title={`Where it is, by ${BY[by].toLowerCase()}`}
      remark="Parts of your book of the asset, cash included. A single position may exceed the limit of its vault; 100 % limits nothing, and a chain has no limit."
    >
      <DataTable
        label="Where it is"
        rows={rows}
        keyOf={({ name }) => name}
        columns={(column) => [
          column.text(BY[by], ({ name }) => name, { names: true }),
          column.money('Value', ({ value }) => value, { unit: () => held.asset, key: true }),
          {
            head: 'Share',
            number: true,
            value: ({ share }) => share,
            cell: ({ share }) => <ShareBar share={share} />,
          },
          column.rate('Limit', ({ limit }) => limit),
          {
            head: 'Room',
            number: true,
            value: ({ limit, share }) => (limit === null ? null : limit - share),
            cell: ({ limit, share }) => {
              if (limit === null) return <Nothing why="no limit" />;
              if (share > limit) return <Badge tone="warn">above its limit</Badge>;
              return <Money amount={Number(((limit - share) * held.net_tvl).toFixed(6))} />;
            },
          },
        ]}
      />
    </Panel>
  );
}

/** Two to four vaults beside each other over the span. */
function Comparison({ asset, catalogue }: { asset: string; catalogue: readonly Vault[] }) {
  const vaultsOfAsset = catalogue.filter((vault) => vault.asset === asset);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const shownIds = chosen.filter((id) => vaultsOfAsset.some((vault) => vault.id === id));
  const ids = shownIds.length > 0 ? shownIds : vaultsOfAsset.slice(0, 2).map(({ id }) => id);
  const now = vaultsOfAsset.find(({ observed_at }) => observed_at)?.observed_at ?? new Date().toISOString();
  const range = useChartRange(now);
  const { data, error, loading } = useResource(
    ids.length === 0 ? null : `compare ${ids.join()} ${JSON.stringify(range)}`,
    (signal) => Promise.all(ids.map(async (id) => ({ id, points: await vaultHistory(id, range, signal) }))),
  );
  const tick = (id: string, on: boolean): void =>
    setChosen(on ? [...ids, id].slice(-MOST_COMPARED) : ids.filter((other) => other !== id));
  const times = timesOf(...(data ?? []).map(({ points }) => points));
  return (
    <>
      <Panel
        title="Compare vaults"
        remark="Two to four of them, over the span: the mean of what accrues, and of rewards that are claimed apart."
        busy={loading}
      >
        <fieldset class="ticks">
          <legend>Vaults</legend>
          {vaultsOfAsset.map(({ id, name }) => (
            <label class="tick" key={id}>
              <input
                type="checkbox"
                checked={ids.includes(id)}
                onChange={(event) => tick(id, event.currentTarget.checked)}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
        {error && <Refusal error={error} />}
        {data && (
          <DataTable
            label="Compared vaults"
            rows={data.map(({ id, points }) => ({ id, ...spanOf(points) }))}
            keyOf={({ id }) => id}
            columns={(column) => [
              column.vault('Vault', ({ id }) => id, { names: true }),
              column.rate('Earned in the span', ({ earned }) => earned, { decimals: 3, key: true }),
              column.rate('Base APY', ({ mean }) => mean),
              column.rate('Reward APY', ({ reward }) => reward),
              column.rate('Lowest', ({ low }) => low),
              column.rate('Highest', ({ high }) => high),
            ]}
          />
        )}
      </Panel>
      {times.length > 1 && (
        <section class="panel">
          <LineChart
            title="Their yields"
            summary={`Observed yield a year, by the ${range.interval}.`}
            times={times}
            series={(data ?? []).map(({ id, points }) => ({
              name: vaultName(id),
              values: aligned(times, points, 'apy'),
            }))}
            axis={(value) => rateText(value, 1)}
            exact={(value) => <Rate rate={value} />}
            days={range.interval === 'day'}
          />
        </section>
      )}
    </>
  );
}

const meanOf = (rates: readonly number[]): number | null =>
  rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;

/** What a share earned over the points, and their observed yields. */
function spanOf(points: readonly VaultPoint[]) {
  const rates = points.flatMap(({ apy }) => apy ?? []);
  const reward = meanOf(points.flatMap(({ reward_apy }) => reward_apy ?? []));
  const [first, last] = [points[0], points.at(-1)];
  if (rates.length === 0 || !first || !last)
    return { earned: null, mean: null, reward, low: null, high: null };
  return {
    earned: last.index / first.index - 1,
    mean: meanOf(rates),
    reward,
    low: Math.min(...rates),
    high: Math.max(...rates),
  };
}
