import { readFileSync } from 'node:fs';
import { type Address, getAddress, isAddress } from 'viem';
import { parse } from 'yaml';
import * as z from 'zod';
import { ConfigError, NotAllowed } from './problem.js';
import { CHAIN_IDS, type ChainName } from './settings.js';

/** Only a checksum reveals a wrong digit. */
const address = z.custom<Address>(
  (text) => typeof text === 'string' && isAddress(text) && getAddress(text) === text,
  'it must be an address with its checksum (EIP-55), in quotes',
);
/** In whole units; a day is any 24 hours. */
const limits = z.strictObject({
  transaction: z.number().positive().max(1e9),
  day: z.number().positive().max(1e10),
});

const TOKEN = z.strictObject({
  address: address,
  decimals: z.int().min(6).max(36),
  /** What enters or leaves vaults, each transaction by itself. */
  vault_limits: limits,
  /** What leaves the account for wallets. */
  payout_limits: limits,
});
const VAULT = z.strictObject({
  kind: z.enum(['erc4626', 'aave-v3', 'compound-v3']),
  asset: z.string(),
  address: address,
  /** Who takes the tokens; default: the vault's contract. */
  spender: address.optional(),
});
const CHAIN = z.strictObject({
  max_fee_gwei: z.number().positive().max(1e6),
  max_gas: z.int().min(50_000).max(30_000_000).default(1_500_000),
  /** First block whose deposits are reported; default: the finalized one of the first start. */
  deposits_from_block: z.int().min(0).optional(),
  tokens: z.record(z.string().regex(/^[A-Z0-9]{1,12}$/), TOKEN),
  vaults: z.record(z.string().regex(/^vlt_[a-z0-9_]+$/), VAULT),
});
const ALLOWLIST = z.strictObject({
  /** Holds the funds on each chain; the signer signs for it. */
  account: address,
  /** A wallet is paid at most what it deposited, and this fraction of it, without an operator's approval. */
  max_gain: z.number().min(0).max(10).default(0.25),
  /** A vault may have this fraction less than the books expect. */
  max_shortfall: z.number().min(0).max(0.05).default(0.001),
  chains: z.partialRecord(z.enum(Object.keys(CHAIN_IDS) as ChainName[]), CHAIN),
});
type Rules = z.infer<typeof ALLOWLIST>;
type Token = z.infer<typeof TOKEN>;
export type Vault = z.infer<typeof VAULT> & { id: string; chain: ChainName; spender: Address };
export type LimitKind = 'vault' | 'payout';

/** Decimals of the books. */
const DECIMALS = 6;
const MICRO = 1_000_000;

/** The operator's own list of where money may go, and how much. What is not in it does not happen, whatever the server says. */
export class Allowlist {
  readonly account: Address;
  readonly chains: ReadonlyMap<ChainName, z.infer<typeof CHAIN>>;
  private readonly vaults = new Map<string, Vault>();

  constructor(private readonly rules: Rules) {
    this.account = rules.account;
    this.chains = new Map(Object.entries(rules.chains) as [ChainName, z.infer<typeof CHAIN>][]);
    for (const [chain, { vaults }] of this.chains)
      for (const [id, vault] of Object.entries(vaults))
        this.vaults.set(id, { ...vault, id, chain, spender: vault.spender ?? vault.address });
  }

  /** @throws ConfigError */
  static read(path: string): Allowlist {
    let content: unknown;
    try {
      content = parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw new ConfigError([`ALLOWLIST is ${path}, which cannot be read: ${(error as Error).message}`]);
    }
    const { data, error } = ALLOWLIST.safeParse(content);
    const problems = data
      ? contradictionsIn(data)
      : error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    if (!data || problems.length > 0) throw new ConfigError(problems.map((problem) => `${path}: ${problem}`));
    return new Allowlist(data);
  }

  /** @throws NotAllowed */
  vault(id: string): Vault {
    const vault = this.vaults.get(id);
    if (!vault)
      throw new NotAllowed(
        `${id} is not in the allowlist: it may be on another chain, pay out through a queue, or be unknown`,
      );
    return vault;
  }

  /** @throws NotAllowed for a vault of something else */
  vaultOf(chain: ChainName, asset: string, id: string | null): Vault {
    const vault = this.vault(id ?? 'no vault');
    if (vault.chain === chain && vault.asset === asset) return vault;
    throw new NotAllowed(`${id} is no vault of ${asset} on ${chain} in the allowlist`);
  }

  /** @throws NotAllowed */
  token(chain: ChainName, asset: string): Token {
    const token = this.chains.get(chain)?.tokens[asset];
    if (!token) throw new NotAllowed(`${asset} on ${chain} is not in the allowlist`);
    return token;
  }

  /** Served chains that have the asset. */
  chainsOf(asset: string): ChainName[] {
    return [...this.chains].flatMap(([chain, { tokens }]) => (tokens[asset] ? [chain] : []));
  }

  scale(chain: ChainName, asset: string): bigint {
    return 10n ** BigInt(this.token(chain, asset).decimals - DECIMALS);
  }

  /**
   * Checks an amount against the limits.
   * @param moved what was sent of this kind within 24 hours, in units of the token
   * @throws NotAllowed
   */
  requireWithin(chain: ChainName, asset: string, kind: LimitKind, units: bigint, moved: bigint): void {
    const { transaction, day } = this.token(chain, asset)[`${kind}_limits`];
    const unitsOf = (limit: number): bigint => BigInt(Math.round(limit * MICRO)) * this.scale(chain, asset);
    if (units <= 0n) throw new NotAllowed('the amount is not above 0');
    if (units > unitsOf(transaction))
      throw new NotAllowed(`more than ${transaction} ${asset} in a transaction (${kind}_limits of ${chain})`);
    if (units + moved > unitsOf(day))
      throw new NotAllowed(`more than ${day} ${asset} in a day (${kind}_limits of ${chain})`);
  }

  /** The most that wallets which deposited so much are paid without an approval, in units. */
  payable(deposited: bigint): bigint {
    return deposited + times(deposited, this.rules.max_gain);
  }

  /** The least that a vault may have of what is asked. */
  leastOf(units: bigint): bigint {
    return units - times(units, this.rules.max_shortfall);
  }
}

function contradictionsIn({ chains }: Rules): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const [chain, { tokens, vaults }] of Object.entries(chains))
    for (const [id, { asset }] of Object.entries(vaults)) {
      if (ids.has(id)) problems.push(`${id} is on two chains`);
      if (!tokens[asset]) problems.push(`chains.${chain}.vaults.${id}.asset: ${asset} is no token there`);
      ids.add(id);
    }
  if (ids.size === 0) problems.push('it lists no vault');
  return problems;
}

const times = (amount: bigint, fraction: number): bigint =>
  (amount * BigInt(Math.round(fraction * MICRO))) / BigInt(MICRO);
