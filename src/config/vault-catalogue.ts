import * as z from 'zod';
import { CHAIN, READABLE_CHAINS } from './chains.js';
import { ConfigError } from './config-error.js';
import type { Problem } from './config-files.js';
import { form, money, oneOf, section, text, whole, yesOrNo } from './setting-kinds.js';

export const RISK_TIERS = ['low', 'medium', 'high'] as const;
export type RiskTier = (typeof RISK_TIERS)[number];
const TVLS = ['assets', 'liquidity'] as const;
const DILUTIONS = ['pool', 'none'] as const;
const CHAIN_KINDS = ['erc4626', 'aave-v3', 'compound-v3'] as const;
const KINDS = ['simulated', 'defillama', ...CHAIN_KINDS].join(' or ');
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const pool = {
  pool: form(UUID, 'a pool id of DefiLlama, which is a UUID in lower case'),
  /** True when the project reports an APR as `apyBase`, which the adapter converts. */
  apr: yesOrNo().default(false),
  /** What its TVL is, where the source lists no supply and borrowings of the pool; null: not known, so it is taken for neither. */
  tvl: oneOf(TVLS)
    .optional()
    .transform((given) => given ?? null),
};

/** Pool of DefiLlama. */
export type DefiLlamaPool = { kind: 'defillama' } & z.infer<z.ZodObject<typeof pool>>;

/** 20 bytes in hexadecimal, lower case. */
const address = form(
  ADDRESS,
  'the address of a contract, which is 20 bytes in hexadecimal behind 0x',
).transform((text) => text.toLowerCase() as `0x${string}`);
const contract = { address, defillama: section(pool).optional() };

/** Contract from which a vault's share price is read. */
export interface ChainSource {
  kind: 'chain';
  standard: (typeof CHAIN_KINDS)[number];
  /** Of the vault, of Aave's pool, or of Compound's market. */
  address: `0x${string}`;
  reserve: `0x${string}` | null;
  /** Account of an ERC-4626 vault whose `maxWithdraw` shows what can be withdrawn; null: none. */
  holder: `0x${string}` | null;
  /** Second source, with which its yield is compared; when its chain has no RPC URL, its only feed. */
  secondSource: DefiLlamaPool | null;
}

export type FeedSource = { kind: 'simulated' } | { kind: 'idle' } | DefiLlamaPool | ChainSource;

const feed = z
  .discriminatedUnion(
    'kind',
    [
      section({ kind: z.literal('simulated') }),
      section({ kind: z.literal('defillama'), ...pool }),
      section({ kind: z.literal('erc4626'), ...contract, holder: address.optional() }),
      section({ kind: z.literal('aave-v3'), ...contract, reserve: address }),
      section({ kind: z.literal('compound-v3'), ...contract }),
    ],
    {
      error: ({ code }) =>
        code === 'invalid_union' ? `it must be ${KINDS}` : 'it must be a mapping of keys to values',
    },
  )
  .transform((entry): FeedSource => {
    if (entry.kind === 'simulated' || entry.kind === 'defillama') return entry;
    return {
      kind: 'chain',
      standard: entry.kind,
      address: entry.address,
      reserve: entry.kind === 'aave-v3' ? entry.reserve : null,
      holder: (entry.kind === 'erc4626' && entry.holder) || null,
      secondSource: entry.defillama ? { kind: 'defillama', ...entry.defillama } : null,
    };
  });

export const vaultEntry = {
  id: form(
    /^(?=.{5,64}$)vlt(_[a-z0-9]+)+$/,
    'vlt_ and a slug, up to 64 characters in all, such as vlt_aave_v3_usdc',
  ),
  name: text(1, 80),
  venue: text(1, 80),
  chain: form(CHAIN, 'the name of a chain in lower case, such as ethereum'),
  asset: text(1, 12),
  riskTier: oneOf(RISK_TIERS),
  active: yesOrNo(),
  /** Limit on this service's holdings, in micro-units; null: unlimited. */
  capacity: money().nullable(),
  /** Cost of moving funds in and out, whatever the amount; micro-units. */
  entryCost: money(),
  exitCost: money(),
  /** Gas of those transactions, and USD for a native token of the chain: costs follow its base fee where it is read. Absent: the fixed costs. */
  gas: section({
    entry: whole(0, 100_000_000),
    exit: whole(0, 100_000_000),
    tokenPrice: money(),
  }).optional(),
  /** Hours from a withdrawal until the funds are available elsewhere. */
  exitDelayHours: whole(0, 8760),
  /** `pool`: a deposit shares the interest with existing funds, so it lowers the rate; `none`: the rate does not depend on it. */
  dilution: oneOf(DILUTIONS),
  lendingBaseline: yesOrNo(),
  /** Half-life of the mean reversion of its yield, in hours; absent: the constant. */
  returnHalfLifeHours: whole(1, 8760).optional(),
  feed,
};
export type VaultEntry = z.infer<z.ZodObject<typeof vaultEntry>>;

export interface Vault extends Omit<VaultEntry, 'chain' | 'gas' | 'returnHalfLifeHours'> {
  /** Chain of its contract; null for cash. */
  chain: string | null;
  gas: NonNullable<VaultEntry['gas']> | null;
  returnHalfLifeHours: number | null;
  /** Contract that takes the funds, whatever it is fed by; absent: none is known, or nothing is real. */
  onChain?: Pick<ChainSource, 'standard' | 'address'>;
}

/** Problems between vaults that are each well-formed. */
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
    if (vault.feed.kind === 'chain' && !READABLE_CHAINS.some((chain) => chain === vault.chain))
      problem('chain', `a feed of kind ${vault.feed.standard} is read from ${READABLE_CHAINS.join(', ')}`);
    if (!assets.includes(vault.asset)) problem('asset', `assets lists only ${assets.join(', ')}`);
    if (!vault.lendingBaseline) continue;
    if (!vault.active) problem('active', `${vault.id} is a lending baseline, which must be active`);
    const other = baselines.get(vault.asset);
    if (other === undefined) baselines.set(vault.asset, index);
    else problem('lendingBaseline', `vaults[${other}] is the lending baseline of ${vault.asset} already`);
  }
  for (const [index, asset] of assets.entries()) {
    if (baselines.has(asset)) continue;
    const reason = 'one of its vaults must have lending_baseline: true';
    problems.push({ path: ['assets', String(index)], value: asset, reason });
  }
  return problems;
}

/** Keys that an entry lacks come after `feed`. Keep the order: `config_version` is a digest of the keys in this order and may change only when a setting does. */
export const toCatalogue = (entries: readonly VaultEntry[]): Vault[] =>
  entries.map((entry) => ({
    ...entry,
    gas: entry.gas ?? null,
    returnHalfLifeHours: entry.returnHalfLifeHours ?? null,
    ...(entry.feed.kind === 'chain' && {
      onChain: { standard: entry.feed.standard, address: entry.feed.address },
    }),
  }));

/** A vault whose chain has no RPC URL is fed by its second source. @throws ConfigError for a vault without one */
export function withReadableFeeds(vaults: readonly Vault[], rpcUrls: object): Vault[] {
  const problems: string[] = [];
  const all = vaults.map((vault) => {
    const { feed, chain, id } = vault;
    if (feed.kind !== 'chain' || Object.hasOwn(rpcUrls, chain!)) return vault;
    if (feed.secondSource === null)
      problems.push(
        `RPC_URL_${chain!.toUpperCase()} is missing; ${id} has no other source than that chain: set it, or give the vault's feed a defillama pool.`,
      );
    return { ...vault, feed: feed.secondSource ?? feed };
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return all;
}

/** Deposits do not change a simulated rate, so there is no dilution; and no funds go to a contract. */
export const simulated = ({ onChain: _, ...vault }: Vault): Vault => ({
  ...vault,
  dilution: 'none',
  feed: { kind: 'simulated' },
});

/** Reserved id prefix of idle vaults; the catalogue cannot use it. */
export const IDLE_PREFIX = 'vlt_idle_';

/** Id of the vault that holds an asset's cash. */
export const idleVaultId = (asset: string): string => `${IDLE_PREFIX}${asset.toLowerCase()}`;

/** Cash of an asset as a vault: without yield, cost and limit, and on no chain. */
export const idleVault = (asset: string): Vault => ({
  id: idleVaultId(asset),
  name: `Idle ${asset}`,
  venue: 'Vaultline',
  chain: null,
  asset,
  riskTier: 'low',
  active: true,
  capacity: null,
  entryCost: 0n,
  exitCost: 0n,
  exitDelayHours: 0,
  dilution: 'none',
  lendingBaseline: false,
  gas: null,
  returnHalfLifeHours: null,
  feed: { kind: 'idle' },
});
