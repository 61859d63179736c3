import type { Schemas } from '../../api/contract.js';
import type { Vault } from '../../api/vaults.js';
import { compactText, Money, moneyText, Nothing, Rate } from '../../format/figures.js';
import { HOUR, spanText, Time } from '../../format/time.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';

type Signal = Schemas['Signal'];

const ADVICE: Record<Signal['recommendation'], Tone> = { increase: 'good', hold: 'plain', reduce: 'warn' };
/** A feed is asked every hour: a vault that is further behind counts as silent. */
const SILENT_HOURS = 3;

/** The vaults of an asset, ranked by the yield that deposits are routed by. */
export function SignalsPanel({ signals, vaults }: { signals: readonly Signal[]; vaults: readonly Vault[] }) {
  const byId = new Map(vaults.map((vault) => [vault.id, vault]));
  return (
    <Panel
      title="Signals, ranked"
      remark="The best expected risk-adjusted yield first: deposits and moves are decided by it."
    >
      <DataTable
        label="Signals by rank"
        rows={signals}
        keyOf={({ vault_id }) => vault_id}
        marked={({ rank }) => rank === 1}
        columns={(column) => [
          column.vault('Vault', ({ vault_id }) => vault_id, { names: true }),
          column.count('Rank', ({ rank }) => rank),
          column.text('Risk', ({ risk_tier }) => risk_tier),
          {
            head: 'Expected, risk-adjusted',
            number: true,
            key: true,
            value: ({ expected_risk_adjusted_apy }) => expected_risk_adjusted_apy,
            cell: ({ expected_risk_adjusted_apy }) => (
              <strong>
                <Rate rate={expected_risk_adjusted_apy} />
              </strong>
            ),
          },
          column.rate('Expected', (row) => row.expected_apy),
          column.rate('Observed', ({ apy }) => apy),
          column.rate('Mean, 7 d', (row) => row.mean_apy),
          column.rate('Volatility', ({ volatility }) => volatility),
          column.rate('Trend a day', ({ trend }) => trend, { points: true }),
          {
            head: 'Advice',
            value: ({ recommendation }) => recommendation,
            cell: (row) => <Badge tone={ADVICE[row.recommendation]}>{row.recommendation}</Badge>,
          },
          {
            head: 'TVL',
            number: true,
            value: ({ vault_id }) => byId.get(vault_id)?.tvl,
            cell: ({ vault_id }) => <Tvl amount={byId.get(vault_id)?.tvl} />,
          },
          {
            head: 'Feed',
            cell: ({ vault_id, as_of }) => <FeedState vault={byId.get(vault_id)} now={as_of} />,
          },
        ]}
      />
    </Panel>
  );
}

export const Tvl = ({ amount }: { amount: number | null | undefined }) =>
  amount == null ? <Nothing /> : <span title={`exactly ${moneyText(amount)}`}>≈ {compactText(amount)}</span>;

export const Capacity = ({ amount }: { amount: number | null }) =>
  amount === null ? <span class="nothing">no bound</span> : <Money amount={amount} />;

/** The state of a vault's feed. @param now the newest hour of the market */
export function FeedState({ vault, now }: { vault: Vault | undefined; now: string }) {
  if (!vault) return <Nothing />;
  if (vault.observed_at === null) return <Badge tone="bad">never observed</Badge>;
  const behind = Date.parse(now) - Date.parse(vault.observed_at);
  if (vault.stale) return <Badge tone="bad">stale, {spanText(behind)}</Badge>;
  if (behind >= SILENT_HOURS * HOUR) return <Badge tone="warn">silent, {spanText(behind)}</Badge>;
  if (!vault.active) return <Badge tone="warn">takes no deposits</Badge>;
  return (
    <span class="soft">
      <Time at={vault.observed_at} />
    </span>
  );
}
