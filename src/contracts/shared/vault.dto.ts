import type { ListedVault } from '../../domain/markets/hours/market.service.js';
import { RISK_TIERS } from '../../domain/kernel/catalogue/vault.js';
import { toUnits } from '../../domain/books/positions/amount.js';
import { type RoundedRate, roundRate } from '../../domain/kernel/rate.js';
import { said } from '../../http/answer/said.js';
import { Shown } from '../../http/answer/shown.js';

const SOURCES = ['chain', 'defillama', 'simulated'] as const;

export class VaultDto {
  @Shown.text('Id of the vault: a readable slug.', said('vault')) id: string;
  @Shown.kind('vault') object: 'vault';
  @Shown.text('Name of the vault.', said('vaultName')) name: string;
  @Shown.text('Protocol that runs it.', said('vaultVenue')) venue: string;
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
}

export const vaultView = ({ vault, state, stale }: ListedVault): VaultDto => ({
  id: vault.id,
  object: 'vault',
  name: vault.name,
  venue: vault.venue,
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
});

const unitsOrNull = (amount: bigint | null | undefined): number | null =>
  amount == null ? null : toUnits(amount);

const sourceOf = ({ feed }: ListedVault['vault']): VaultDto['source'] =>
  feed.kind === 'idle' ? 'simulated' : feed.kind;
