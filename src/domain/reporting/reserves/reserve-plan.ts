import type { ReadableChain } from '../../../config/chains.js';
import type { DomainSettings } from '../../../config/domain-settings.js';
import { idleVaultId, type Vault } from '../../../config/vault-catalogue.js';
import type { Hex } from '../../markets/chain/chain-provider.js';
import type { HeldContract } from '../../markets/vaults/holdings.js';
import type { UnknownReserve } from './reserve.js';

/** A contract, and the accounts whose funds it holds. */
export interface HeldSource {
  chain: ReadableChain;
  accounts: readonly Hex[];
  contract: HeldContract;
}

/** What to read for a reserve: the sum over its sources, or the reason for which there is nothing to read. */
export interface PlannedReserve {
  vaultId: string;
  asset: string;
  chain: string | null;
  sources: readonly HeldSource[];
  reason: UnknownReserve | null;
}

/** The accounts are those of one holder. */
type Configured = Pick<DomainSettings, 'vaults' | 'tokens' | 'custodyAccounts'>;

/**
 * Reserves of each vault whose funds are real, and of the cash of its asset. Cash is on no chain in the books: it is on the one that has custody
 * accounts, or on all of them together.
 * @param isReadable whether a chain has RPC URLs
 */
export function planReserves(settings: Configured, isReadable: (chain: string) => boolean): PlannedReserve[] {
  const real = settings.vaults.filter(({ feed }) => feed.kind === 'chain' || feed.kind === 'defillama');
  const assets = [...new Set(real.map(({ asset }) => asset))];
  return [
    ...real.map((vault) => planVault(vault, settings, isReadable)),
    ...assets.map((asset) => planCash(asset, real, settings, isReadable)),
  ];
}

const hasAccounts = ({ custodyAccounts }: Configured, chain: string | null): chain is ReadableChain =>
  chain !== null && Object.hasOwn(custodyAccounts, chain);

function planVault(
  { id, asset, chain, exitDelayHours, onChain }: Vault,
  settings: Configured,
  isReadable: (chain: string) => boolean,
): PlannedReserve {
  const planned = { vaultId: id, asset, chain, sources: [] };
  const token = settings.tokens.find((entry) => entry.asset === asset && entry.chain === chain);
  if (!hasAccounts(settings, chain)) return { ...planned, reason: 'no_account' };
  // What waits in its queue is neither shares nor the token.
  if (exitDelayHours > 0) return { ...planned, reason: 'queue' };
  if (!onChain) return { ...planned, reason: 'contract_unknown' };
  if (!token) return { ...planned, reason: 'token_unknown' };
  if (!isReadable(chain)) return { ...planned, reason: 'no_rpc_url' };
  return {
    ...planned,
    sources: [{ chain, accounts: settings.custodyAccounts[chain]!, contract: { ...onChain, token } }],
    reason: null,
  };
}

function planCash(
  asset: string,
  real: readonly Vault[],
  settings: Configured,
  isReadable: (chain: string) => boolean,
): PlannedReserve {
  const sources = settings.tokens.flatMap((token): HeldSource[] => {
    const { chain, address } = token;
    if (token.asset !== asset || !hasAccounts(settings, chain)) return [];
    const accounts = settings.custodyAccounts[chain]!;
    return [{ chain, accounts, contract: { standard: 'token', address: address as Hex, token } }];
  });
  const planned = {
    vaultId: idleVaultId(asset),
    asset,
    chain: sources.length === 1 ? sources[0]!.chain : null,
    sources: [],
  };
  if (sources.length === 0) {
    const isHeld = real.some((vault) => vault.asset === asset && hasAccounts(settings, vault.chain));
    return { ...planned, reason: isHeld ? 'token_unknown' : 'no_account' };
  }
  // A sum over some of the chains would be too low.
  if (!sources.every(({ chain }) => isReadable(chain))) return { ...planned, reason: 'no_rpc_url' };
  return { ...planned, sources, reason: null };
}
