import { IsOptional, ValidateIf } from 'class-validator';
import { CHAIN } from './bridge-costs.js';
import type { Problem } from './config-files.js';
import { Form, Money, OneOf, Section, Text, Whole, YesOrNo } from './field-rules.js';
import { IDLE_PREFIX } from './idle-vault.js';

const RISK_TIERS = ['low', 'medium', 'high'] as const;
const DILUTIONS = ['pool', 'none'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A vault of the catalogue as the program sees it; amounts are micro-units. */
export interface CatalogueVault {
  id: string;
  name: string;
  venue: string;
  /** null: on none, which only cash is. */
  chain: string | null;
  asset: string;
  riskTier: (typeof RISK_TIERS)[number];
  active: boolean;
  /** null: no bound. */
  capacity: bigint | null;
  entryCost: bigint;
  exitCost: bigint;
  exitDelayHours: number;
  dilution: (typeof DILUTIONS)[number];
  lendingBaseline: boolean;
  /** null: as `signals.return_half_life_hours` says. */
  returnHalfLifeHours: number | null;
  feed: { kind: 'simulated' } | { kind: 'idle' } | { kind: 'defillama'; pool: string; apr: boolean };
}

class SimulatedFeed {
  // What is of neither kind ends up here, too.
  @OneOf(['simulated'], 'simulated or defillama') kind: 'simulated';
}

class DefiLlamaFeed {
  @OneOf(['defillama']) kind: 'defillama';
  @Form(UUID, 'a pool id of DefiLlama, which is a UUID in lower case') pool: string;
  @IsOptional() @YesOrNo() apr?: boolean;
}

/** A vault as the file has it. */
export class VaultEntry {
  @Form(
    /^(?=.{5,64}$)vlt(_[a-z0-9]+)+$/,
    'vlt_ and a slug, up to 64 characters in all, such as vlt_aave_v3_usdc',
  )
  id: string;

  @Text(1, 80) name: string;
  @Text(1, 80) venue: string;
  @Form(CHAIN, 'the name of a chain in lower case, such as ethereum') chain: string;
  @Text(1, 12) asset: string;
  @OneOf(RISK_TIERS) risk_tier: CatalogueVault['riskTier'];
  @YesOrNo() active: boolean;
  @ValidateIf((vault: VaultEntry) => vault.capacity !== null) @Money() capacity: bigint | null;
  @Money() entry_cost: bigint;
  @Money() exit_cost: bigint;
  @Whole(0, 8760) exit_delay_hours: number;
  @OneOf(DILUTIONS) dilution: CatalogueVault['dilution'];
  @YesOrNo() lending_baseline: boolean;
  @IsOptional() @Whole(1, 8760) return_half_life_hours?: number;

  @Section(() => SimulatedFeed, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'simulated', value: SimulatedFeed },
        { name: 'defillama', value: DefiLlamaFeed },
      ],
    },
  })
  feed: SimulatedFeed | DefiLlamaFeed;
}

/** What is wrong between vaults that are each well-formed. */
export function catalogueProblems(vaults: readonly VaultEntry[], assets: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const ids = new Map<string, number>();
  const baselines = new Map<string, number>();
  for (const [index, vault] of vaults.entries()) {
    const problem = (key: keyof VaultEntry, reason: string): void =>
      void problems.push({ path: ['vaults', String(index), key], value: vault[key], reason });
    const namesake = ids.get(vault.id);
    if (namesake === undefined) ids.set(vault.id, index);
    else problem('id', `vaults[${namesake}] has the same id`);
    if (vault.id.startsWith(IDLE_PREFIX))
      problem('id', `ids that begin with ${IDLE_PREFIX} are those of cash, which needs no entry`);
    if (!assets.includes(vault.asset)) problem('asset', `assets lists only ${assets.join(', ')}`);
    if (!vault.lending_baseline) continue;
    if (!vault.active) problem('active', `${vault.id} is a lending baseline, which must be active`);
    const other = baselines.get(vault.asset);
    if (other === undefined) baselines.set(vault.asset, index);
    else problem('lending_baseline', `vaults[${other}] is the lending baseline of ${vault.asset} already`);
  }
  for (const [index, asset] of assets.entries()) {
    if (baselines.has(asset)) continue;
    const reason = 'one of its vaults must have lending_baseline: true';
    problems.push({ path: ['assets', String(index)], value: asset, reason });
  }
  return problems;
}

/** The catalogue of a file without problems, in its order. */
export function toCatalogue(entries: readonly VaultEntry[]): CatalogueVault[] {
  return entries.map((entry) => ({
    id: entry.id,
    name: entry.name,
    venue: entry.venue,
    chain: entry.chain,
    asset: entry.asset,
    riskTier: entry.risk_tier,
    active: entry.active,
    capacity: entry.capacity,
    entryCost: entry.entry_cost,
    exitCost: entry.exit_cost,
    exitDelayHours: entry.exit_delay_hours,
    dilution: entry.dilution,
    lendingBaseline: entry.lending_baseline,
    returnHalfLifeHours: entry.return_half_life_hours ?? null,
    feed:
      entry.feed.kind === 'defillama'
        ? { kind: 'defillama', pool: entry.feed.pool, apr: entry.feed.apr ?? false }
        : { kind: 'simulated' },
  }));
}
