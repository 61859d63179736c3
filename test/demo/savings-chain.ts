import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';
import { addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { Anvil, type DeployedContract } from '../support/chain/anvil.js';

/** Hours of the vaults' history, as many as a new deployment reads. */
export const HISTORY_HOURS = 30 * 24;
const HOURS_A_YEAR = 8760;
const BLOCK_MS = 1_000;
/** Deposits of others in each vault, micro-units: 20 million. */
const OTHERS = 20_000_000_000_000n;
/** Of the end-user's wallet, micro-units: 100,000. */
const SAVINGS = 100_000_000_000n;

/** The best vault first. */
const VAULTS = [
  { id: 'vlt_amber_usdc', name: 'Amber', apy: 0.062 },
  { id: 'vlt_birch_usdc', name: 'Birch', apy: 0.051 },
  { id: 'vlt_cedar_usdc', name: 'Cedar', apy: 0.043 },
];

const TOKEN = parseAbi(['function mint(address to, uint256 amount)']);

export interface ChainVault {
  id: string;
  name: string;
  apy: number;
  contract: DeployedContract;
}

/**
 * A chain with a token of 6 decimals and three ERC-4626 vaults, whose share prices have grown for 30 days of hourly blocks. From then on it makes a
 * block a second, by the clock of whoever calls `hour`.
 */
export class SavingsChain {
  token: DeployedContract;
  readonly vaults: ChainVault[] = [];
  /** Makes several calls in one transaction. */
  private treasury: DeployedContract;
  private beat: NodeJS.Timeout | undefined;

  private constructor(readonly anvil: Anvil) {}

  /** @param now the time of the newest block */
  static async start(now: Date): Promise<SavingsChain> {
    const first = addHours(hourOf(now), -HISTORY_HOURS);
    const chain = new SavingsChain(await Anvil.start({ at: new Date(first.getTime() - 60_000) }));
    try {
      await chain.deploy();
      for (let hour = 0; hour <= HISTORY_HOURS; hour++) {
        await chain.anvil.setTime(addHours(first, hour));
        await chain.payInterest();
      }
      await chain.finalize(now);
    } catch (error) {
      await chain.stop();
      throw error;
    }
    chain.beat = setInterval(() => void chain.anvil.mine().catch(() => undefined), BLOCK_MS);
    return chain;
  }

  async stop(): Promise<void> {
    clearInterval(this.beat);
    await this.anvil.stop();
  }

  /** Holds the funds of the deployment. Its executor signs with the account's key. */
  get custody(): Hex {
    return this.anvil.accounts[1]!;
  }

  /** The end-user's. */
  get wallet(): Hex {
    return this.anvil.accounts[2]!;
  }

  /** An hour of interest, and final blocks. @param now the time of the first one */
  async hour(now: Date): Promise<void> {
    await this.anvil.setTime(now);
    await this.payInterest();
    await this.finalize();
  }

  /** Makes everything sent so far final. */
  async finalize(at?: Date): Promise<void> {
    await this.anvil.finalize(at);
    await this.anvil.mine();
  }

  /** A transfer of the end-user. @returns its hash */
  pay(to: Hex, amount: bigint): Promise<Hex> {
    return this.anvil.at('TestToken', this.token.address, this.wallet).send('transfer', to, amount);
  }

  /** Takes a hundredth of a vault's assets away. @returns the hash */
  async lose({ contract }: ChainVault): Promise<Hex> {
    return this.token.send('burn', contract.address, (await this.assetsOf(contract)) / 100n);
  }

  balanceOf(account: Hex, contract = this.token): Promise<bigint> {
    return this.read(contract, 'balanceOf', account);
  }

  /** What an account's shares of a vault are worth. */
  async worthOf(account: Hex, { contract }: ChainVault): Promise<bigint> {
    return this.read(contract, 'convertToAssets', await this.balanceOf(account, contract));
  }

  /** The newest block's, or that of a height. */
  async blockHash(height?: number): Promise<Hex> {
    const at = height === undefined ? 'latest' : `0x${height.toString(16)}`;
    return ((await this.anvil.rpc('eth_getBlockByNumber', at, false)) as { hash: Hex }).hash;
  }

  private async deploy(): Promise<void> {
    const { anvil } = this;
    const [funder] = anvil.accounts;
    this.token = await anvil.deploy('TestToken');
    this.treasury = await anvil.deploy('TestAccount');
    await this.token.send('mint', funder, OTHERS * BigInt(VAULTS.length));
    await this.token.send('mint', this.wallet, SAVINGS);
    for (const vault of VAULTS) {
      const contract = await anvil.deploy('TestVault', this.token.address, 12);
      await this.token.send('approve', contract.address, OTHERS);
      await contract.send('deposit', OTHERS, funder);
      this.vaults.push({ ...vault, contract });
    }
  }

  /** Pays an hour of each vault's yield into it, in one transaction. */
  private async payInterest(): Promise<void> {
    const calls = await Promise.all(
      this.vaults.map(async ({ contract: { address }, contract, apy }) => {
        const rate = BigInt(Math.round(1e12 * Math.expm1(Math.log1p(apy) / HOURS_A_YEAR)));
        const interest = ((await this.assetsOf(contract)) * rate) / 10n ** 12n;
        return encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [address, interest] });
      }),
    );
    const targets = calls.map(() => this.token.address);
    await this.treasury.send('run', targets, calls);
  }

  private assetsOf(vault: DeployedContract): Promise<bigint> {
    return this.read(vault, 'totalAssets');
  }

  private async read(contract: DeployedContract, method: string, ...args: unknown[]): Promise<bigint> {
    return BigInt(await contract.call(method, ...args));
  }
}
