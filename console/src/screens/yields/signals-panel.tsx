import type { Schemas } from '../../api/contract.js';
import type { Vault } from '../../api/vaults.js';
import { compactText, Money, moneyText, Nothing, Rate } from '../../format/figures.js';
import { HOUR, spanText, Time } from '../../format/time.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Panel } from '../../ui/panel.js';
import { DataTable } from '../../ui/table.js';
import { VaultName } from '../../ui/vault-name.js';

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
        columns={[
          { head: '#', number: true, cell: ({ rank }) => <span class="figure">{rank}</span> },
          { head: 'Vault', names: true, cell: ({ vault_id }) => <VaultName id={vault_id} /> },
          { head: 'Risk', cell: ({ risk_tier }) => risk_tier },
          {
            head: 'Expected, risk-adjusted',
            number: true,
            cell: ({ expected_risk_adjusted_apy }) => (
              <strong>
                <Rate rate={expected_risk_adjusted_apy} />
              </strong>
            ),
          },
          { head: 'Expected', number: true, cell: ({ expected_apy }) => <Rate rate={expected_apy} /> },
          { head: 'Observed', number: true, cell: ({ apy }) => <Rate rate={apy} /> },
          {
            head: 'Observed, risk-adjusted',
            number: true,
            cell: ({ risk_adjusted_apy }) => <Rate rate={risk_adjusted_apy} />,
          },
          { head: 'Mean, 7 d', number: true, cell: ({ mean_apy }) => <Rate rate={mean_apy} /> },
          { head: 'Volatility', number: true, cell: ({ volatility }) => <Rate rate={volatility} /> },
          { head: 'Trend a day', number: true, cell: ({ trend }) => <Rate rate={trend} points /> },
          {
            head: 'Advice',
            cell: (row) => <Badge tone={ADVICE[row.recommendation]}>{row.recommendation}</Badge>,
          },
          { head: 'TVL', number: true, cell: ({ vault_id }) => <Tvl amount={byId.get(vault_id)?.tvl} /> },
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
