import type { DomainSettings } from '../../../src/config/domain-settings.js';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { change } from '../change.js';
import { A, B, C } from '../moves.js';
import type { Anvil, DeployedContract } from './anvil.js';
import type { ContractName } from './contracts.js';

type Listed = DomainSettings['vaults'][number];
type OnChain = NonNullable<Listed['onChain']>;
type Feed = Listed['feed'];

/** The feed of a vault's yield API, which tests set. */
const apiFeed = ({ feed }: Listed): Feed => (feed.kind === 'chain' ? feed.secondSource! : feed);

/** A token and the contracts of three vaults: A is an ERC-4626 vault, B a pool of Aave's, C a market of Compound's. */
export class ChainVaults {
  private constructor(
    readonly token: DeployedContract,
    readonly vault: DeployedContract,
    readonly pool: DeployedContract,
    readonly market: DeployedContract,
  ) {}

  /** @param names contracts of the pool and of the market, which get so much of the token */
  static async deploy(
    anvil: Anvil,
    [pool, market]: readonly [ContractName, ContractName] = ['TestAaveMoves', 'TestCometMoves'],
    units = 10n ** 13n,
  ): Promise<ChainVaults> {
    const token = await anvil.deploy('TestToken');
    const vault = await anvil.deploy('TestVault', token.address, 12);
    const [aave, comet] = [await anvil.deploy(pool), await anvil.deploy(market)];
    for (const { address } of [aave, comet]) await token.send('mint', address, units);
    return new ChainVaults(token, vault, aave, comet);
  }

  /** By the vault's id. */
  get contracts(): Record<string, OnChain> {
    return {
      [A]: { standard: 'erc4626', address: this.vault.address },
      [B]: { standard: 'aave-v3', address: this.pool.address },
      [C]: { standard: 'compound-v3', address: this.market.address },
    };
  }

  /** Places the vaults on the chain, with funds in that account. */
  place(
    settings: DomainSettings,
    account: Hex,
    feedOf: (vault: Listed, onChain: OnChain) => Feed = apiFeed,
  ): void {
    settings.tokens = [{ asset: 'USDC', chain: 'ethereum', address: this.token.address, decimals: 6 }];
    settings.custodyAccounts = { ethereum: [account] };
    for (const [id, onChain] of Object.entries(this.contracts)) {
      const listed = settings.vaults.find((vault) => vault.id === id)!;
      change(listed, { onChain, feed: feedOf(listed, onChain), chain: 'ethereum', exitDelayHours: 0 });
    }
  }
}
