import { type RoundedRate, roundRate, toUnits } from '../../domain/kernel/money.js';
import { RISK_TIERS } from '../../domain/kernel/catalogue/catalogue.js';
import type { ListedVault } from '../../domain/markets/hours/market.service.js';
import { QUARANTINE_REASONS, type QuarantineReason } from '../../domain/markets/vaults/vault-state.js';
import { type Interval, INTERVALS, type VaultHistory } from '../../domain/reporting/yield-history.service.js';
import { SpanAnswer } from '../../http/answer/envelope.js';
import { placeholder } from '../../http/answer/placeholders.js';
import { Shown, ShownOrNull } from '../../http/answer/shown.js';
import { viewOf } from '../../http/answer/view.js';

const SOURCES = ['chain', 'defillama', 'simulated'] as const;

export class VaultDto {
  @Shown.text('Id of the vault: a readable slug.', placeholder('vault')) id: string;
  @Shown.kind('vault') object: 'vault';
  @Shown.text('Name of the vault.', placeholder('vaultName')) name: string;
  @Shown.text('Protocol that runs it.', placeholder('vaultVenue')) venue: string;
  @ShownOrNull.text('Chain of its contract; null for one that is on none.', 'ethereum')
  chain: string | null;
  @ShownOrNull.text(
    "Contract that funds are sent to: the vault, Aave's pool, or Compound's market; null where none is known.",
    '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2',
  )
  address: string | null;
  @Shown.asset('Asset that it takes.') asset: string;
  @Shown.choice(RISK_TIERS, 'Risk tier, by which its yield is discounted: least in `low`.', 'low')
  risk_tier: (typeof RISK_TIERS)[number];
  @Shown.choice(
    SOURCES,
    'Source of its yield: `chain`, the share price of its contract; `defillama`, a public index of yields; `simulated`, nothing is real.',
    'defillama',
    { byEnvironment: { sandbox: { example: 'simulated' } } },
  )
  source: (typeof SOURCES)[number];
  @Shown.flag('Whether it takes deposits.', true) active: boolean;
  @Shown.flag("Whether it is the asset's passive baseline.", true) lending_baseline: boolean;
  @ShownOrNull.amount('Maximum that may be held there, in whole asset units; null: no limit.', 25_000_000)
  capacity: number | null;
  @ShownOrNull.rate(
    'Last observed annual yield, as a fraction: 0.0523 is 5.23 %; null before the first observation. It applies from the next hour on, in the sandbox from its own.',
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.rate(
    'For a vault with a share price: annual yield over 7 days, where `apy` covers 24 hours; null with too few prices. Absent for other vaults.',
    0.0511,
    { optional: true },
  )
  apy_7d?: RoundedRate | null;
  @ShownOrNull.amount(
    'Last total value locked as its source counts it, in whole asset units: for some vaults all deposits, for others the part not lent out. null where unknown.',
    812_345_678.12,
  )
  tvl: number | null;
  @ShownOrNull.amount(
    'All deposits of that observation, lent out or not; null where unknown.',
    812_345_678.12,
  )
  assets: number | null;
  @ShownOrNull.amount(
    'Part of them that can be withdrawn at once; null where unknown. Routing then assumes a tenth of `assets`; where `assets` is unknown, it uses liquidity instead; without both no deposit goes there.',
    152_003_211.4,
  )
  liquidity: number | null;
  @ShownOrNull.time('Hour of that observation; null before the first one.') observed_at: string | null;
  @Shown.flag(
    'True when the last observation is over 24 hours old or missing. A stale vault earns nothing and takes no funds.',
    false,
  )
  stale: boolean;
  @ShownOrNull.time(
    'End of its quarantine after a loss of value or assets; null: not in quarantine. An administrator may end it earlier.',
  )
  quarantined_until: string | null;
  @ShownOrNull.choice(
    QUARANTINE_REASONS,
    '`index`: its share value fell by 0.5 % within a day; `outflow`: its assets fell to half of their median of a week. null: not in quarantine.',
    null,
  )
  quarantine_reason: QuarantineReason | null;
}

export const vaultView = ({ vault, state, stale }: ListedVault): VaultDto => ({
  id: vault.id,
  object: 'vault',
  name: vault.name,
  venue: vault.venue,
  chain: vault.chain,
  address: vault.onChain?.address ?? null,
  asset: vault.asset,
  risk_tier: vault.riskTier,
  source: sourceOf(vault),
  active: vault.active,
  lending_baseline: vault.lendingBaseline,
  capacity: vault.capacity === null ? null : toUnits(vault.capacity),
  apy: roundRate(state?.lastApy ?? null),
  ...(vault.feed.kind === 'chain' && { apy_7d: roundRate(state?.price?.weekApy ?? null) }),
  tvl: unitsOrNull(state?.lastTvl),
  assets: unitsOrNull(state?.lastAssets),
  liquidity: unitsOrNull(state?.lastLiquidity),
  observed_at: state?.observedHour?.toISOString() ?? null,
  stale,
  quarantined_until: state?.quarantine?.until.toISOString() ?? null,
  quarantine_reason: state?.quarantine?.reason ?? null,
});

const unitsOrNull = (amount: bigint | null | undefined): number | null =>
  amount == null ? null : toUnits(amount);

const sourceOf = ({ feed }: ListedVault['vault']): VaultDto['source'] =>
  feed.kind === 'idle' ? 'simulated' : feed.kind;

class VaultPoint {
  @Shown.time('Beginning of the hour or day.') at: string;
  @ShownOrNull.rate(
    'Observed annual base yield, which accrues, as a fraction: 0.0523 is 5.23 %; for a day, the mean of the known hours. null where not observed.',
    0.0523,
  )
  apy: RoundedRate | null;
  @ShownOrNull.rate(
    'Annual yield of reward tokens, which are claimed apart: neither `apy` nor `index` includes them, and nothing is routed by them. null where the source does not name it.',
    0.0071,
  )
  reward_apy: RoundedRate | null;
  @ShownOrNull.rate(
    '`expected_risk_adjusted_apy` of its signal in that hour; for a day, the mean of the known hours. null with too little history, and for old hours.',
    0.0441,
  )
  expected_risk_adjusted_apy: RoundedRate | null;
  @ShownOrNull.amount(
    "Total value locked as the vault's source counts it, in whole asset units; for a day, at its newest known hour. null where unknown.",
    812_345_678.12,
  )
  tvl: number | null;
  @ShownOrNull.amount('All deposits, lent out or not, likewise.', 812_345_678.12)
  assets: number | null;
  @ShownOrNull.amount('Part of them that could be withdrawn at once, likewise.', 152_003_211.4)
  liquidity: number | null;
  @Shown.number(
    "Value of a share at the start of the hour, or of a day's newest hour; 1 when the vault was first seen.",
    1.004321987654,
  )
  index: number;
}

export class VaultHistoryDto {
  @Shown.text('Vault of the series.', placeholder('vault')) vault_id: string;
  @Shown.choice(INTERVALS, 'Length of a point.', 'hour') interval: Interval;
  @Shown.records(() => VaultPoint, 'Oldest first. An hour without a record has no point.')
  points: VaultPoint[];
}

export const vaultHistoryView = (history: VaultHistory): SpanAnswer<VaultHistoryDto> =>
  new SpanAnswer(seriesView(history), history.nextFrom);

const seriesView = viewOf(VaultHistoryDto, ({ points }: VaultHistory) => ({ points: points.map(pointView) }));

const pointView = viewOf(VaultPoint, ({ riskAdjustedApy, index }: VaultHistory['points'][number]) => ({
  expected_risk_adjusted_apy: roundRate(riskAdjustedApy),
  index: Number(index.toFixed(12)),
}));
