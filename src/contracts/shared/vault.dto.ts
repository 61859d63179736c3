import { toUnits } from '../../domain/books/positions/amount.js';
import { RISK_TIERS } from '../../domain/kernel/catalogue/vault.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import type { ListedVault } from '../../domain/markets/hours/market.service.js';
import { QUARANTINE_REASONS, type QuarantineReason } from '../../domain/markets/vaults/vault-state.js';
import type { VaultHistory } from '../../domain/reporting/vault-history.service.js';
import { type Interval, INTERVALS } from '../../domain/reporting/yield-history.service.js';
import { Spanned } from '../../http/answer/envelope.interceptor.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

const SOURCES = ['chain', 'defillama', 'simulated'] as const;

export class VaultDto {
  @Shown.text('Id of the vault: a readable slug.', said('vault')) id: string;
  @Shown.kind('vault') object: 'vault';
  @Shown.text('Name of the vault.', said('vaultName')) name: string;
  @Shown.text('Protocol that runs it.', said('vaultVenue')) venue: string;
  @Shown.text('Chain of its contract; null for one that is on none.', 'ethereum', {
    nullable: true,
    extension: true,
  })
  chain: string | null;
  @Shown.text(
    "Contract that funds are sent to: the vault, Aave's pool, or Compound's market; null where none is known.",
    '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2',
    { nullable: true, extension: true },
  )
  address: string | null;
  @Shown.asset('Asset that it takes.') asset: string;
  @Shown.choice(RISK_TIERS, 'How much its yield is discounted for risk: least in `low`.', 'low')
  risk_tier: (typeof RISK_TIERS)[number];
  @Shown.choice(
    SOURCES,
    'Where its yield comes from: `chain`, the share price that its contract says; `defillama`, a public index of yields, or `simulated`, where nothing is real.',
    'defillama',
    { byEnvironment: { sandbox: { example: 'simulated' } } },
  )
  source: (typeof SOURCES)[number];
  @Shown.flag('Whether it takes deposits.', true) active: boolean;
  @Shown.flag("Whether it is its asset's passive baseline.", true) lending_baseline: boolean;
  @Shown.number('Most that may be held there, in whole asset units; null: no bound.', 25_000_000, {
    nullable: true,
  })
  capacity: number | null;
  @Shown.rate(
    'Last observed yield a year, as a fraction: 0.0523 is 5.23 %. null before the first observation, never 0. What is observed within an hour is earned from the next hour on; in the sandbox, where it is known as the hour begins, from that hour on.',
    0.0523,
    {
      nullable: true,
    },
  )
  apy: RoundedRate | null;
  @Shown.rate(
    'Of a vault that is followed by its share price: its yield a year over 7 days, where `apy` is that over 24 hours; null until prices tell it. Absent of any other.',
    0.0511,
    { nullable: true, optional: true },
  )
  apy_7d?: RoundedRate | null;
  @Shown.number(
    'Last total value locked as its source counts it, in whole asset units: all deposits of some vaults, and of others the part that is not lent out. null where unknown.',
    812_345_678.12,
    {
      nullable: true,
    },
  )
  tvl: number | null;
  @Shown.number('All deposits of that observation, lent out or not; null where unknown.', 812_345_678.12, {
    nullable: true,
  })
  assets: number | null;
  @Shown.number(
    'Part of them that could be withdrawn at once; null where unknown. Routing then counts with a tenth of `assets`; where `assets` is unknown, with this in its place; without either no deposit goes there.',
    152_003_211.4,
    { nullable: true },
  )
  liquidity: number | null;
  @Shown.time('Hour of that observation; null before the first one.', { nullable: true }) observed_at:
    string | null;
  @Shown.flag(
    'True when the last observation is more than 24 hours old, or there is none: it earns nothing and takes nothing until it is seen again.',
    false,
  )
  stale: boolean;
  @Shown.time(
    'Until when it takes no new funds, as it lost value or assets; null: it is not in quarantine. An administrator may end it earlier.',
    { nullable: true, extension: true },
  )
  quarantined_until: string | null;
  @Shown.choice(
    QUARANTINE_REASONS,
    '`index`: what its shares are worth fell by 0.5 % within a day; `outflow`: its assets fell to half of their median of a week. null: it is not in quarantine.',
    null,
    { nullable: true, extension: true },
  )
  quarantine_reason: QuarantineReason | null;
}

export const vaultView = ({ vault, state, stale }: ListedVault): VaultDto => ({
  id: vault.id,
  object: 'vault',
  name: vault.name,
  venue: vault.venue,
  chain: vault.chain,
  address: vault.feed.kind === 'chain' ? vault.feed.address : null,
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
  @Shown.rate(
    'What the vault was observed to yield a year, as a fraction: 0.0523 is 5.23 %. Of a day: the mean of the hours that are known. null where it was not observed.',
    0.0523,
    { nullable: true },
  )
  apy: RoundedRate | null;
  @Shown.rate(
    'What `expected_risk_adjusted_apy` of its signal was in that hour. Of a day: the mean of the hours that have one. null while history was short, and of hours before this was kept.',
    0.0441,
    { nullable: true },
  )
  expected_risk_adjusted_apy: RoundedRate | null;
  @Shown.number(
    "Total value locked as the vault's source counts it, in whole asset units: all deposits of some vaults, and of others the part that is not lent out. Of a day, at the newest of its hours that is known. null where it is not.",
    812_345_678.12,
    { nullable: true },
  )
  tvl: number | null;
  @Shown.number('All deposits, lent out or not, likewise.', 812_345_678.12, { nullable: true })
  assets: number | null;
  @Shown.number('Part of them that could be withdrawn at once, likewise.', 152_003_211.4, { nullable: true })
  liquidity: number | null;
  @Shown.number(
    'What a share is worth at the beginning of the hour, of a day at that of its newest hour; 1 where the vault was first seen.',
    1.004321987654,
  )
  index: number;
}

export class VaultHistoryDto {
  @Shown.text('Vault that the series is of.', said('vault')) vault_id: string;
  @Shown.choice(INTERVALS, 'What a point is of.', 'hour') interval: Interval;
  @Shown.records(() => VaultPoint, 'Oldest first. An hour that nothing was recorded of has no point.')
  points: VaultPoint[];
}

export const vaultHistoryView = ({
  vaultId,
  interval,
  points,
  nextFrom,
}: VaultHistory): Spanned<VaultHistoryDto> =>
  new Spanned(
    {
      vault_id: vaultId,
      interval,
      points: points.map(({ at, apy, riskAdjustedApy, tvl, assets, liquidity, index }) => ({
        at: at.toISOString(),
        apy: roundRate(apy),
        expected_risk_adjusted_apy: roundRate(riskAdjustedApy),
        tvl: tvl === null ? null : toUnits(tvl),
        assets: assets === null ? null : toUnits(assets),
        liquidity: liquidity === null ? null : toUnits(liquidity),
        index: Number(index.toFixed(12)),
      })),
    },
    nextFrom,
  );
