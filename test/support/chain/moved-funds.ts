import { encodeFunctionData, parseAbi } from 'viem/utils';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import type { Constants } from '../../../src/config/constants.js';
import { MovesStage } from '../moves.js';
import { Anvil, BLOCKS_TO_FINALITY, type DeployedContract } from './anvil.js';
import { ChainVaults } from './chain-vaults.js';

/** A call of a contract. */
export interface Sent {
  to: Hex;
  data: Hex;
}

const TOKEN = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);
const VAULT = parseAbi([
  'function withdraw(uint256 assets, address receiver, address owner) returns (uint256)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
]);
const MINUTE_MS = 60_000;

/** A deployment whose vaults and custody account are contracts of a chain: A is an ERC-4626 vault, B a pool of Aave's, C a market of Compound's. */
export class MovedFunds {
  private constructor(
    readonly stage: MovesStage,
    readonly anvil: Anvil,
    readonly token: DeployedContract,
    readonly vault: DeployedContract,
    readonly account: DeployedContract,
  ) {}

  /** @param adjust further changes of the constants */
  static async start(adjust?: (constants: Constants) => void): Promise<MovedFunds> {
    const anvil = await Anvil.start();
    const vaults = await ChainVaults.deploy(anvil);
    const { token, vault } = vaults;
    const account = await anvil.deploy('TestAccount');
    const stage = await MovesStage.start({
      env: { RPC_URL_ETHEREUM: anvil.url },
      adjust: (constants, settings) => {
        const { routing, settlements } = constants;
        adjust?.(constants);
        routing.maxDailyDeviation = 0.01;
        routing.maxMonthlyDeviation = 1;
        settlements.notFoundHours = 2;
        vaults.place(settings, account.address);
      },
    });
    const funds = new MovedFunds(stage, anvil, token, vault, account);
    await token.send('mint', account.address, 10n ** 13n);
    await funds.run(funds.approve(vault.address, 10n ** 12n), funds.deposit(10n ** 12n));
    // The yield that the books expect.
    await token.send('mint', vault.address, 10n ** 11n);
    return funds;
  }

  /** The same funds with another custody account, which has tokens, and of these so many in the vault. */
  async withAccount({ tokens = 0, inVault }: { tokens?: number; inVault: number }): Promise<MovedFunds> {
    const account = await this.anvil.deploy('TestAccount');
    const funds = new MovedFunds(this.stage, this.anvil, this.token, this.vault, account);
    const [all, part] = [tokens + inVault, inVault].map((units) => BigInt(units * 1e6)) as [bigint, bigint];
    await this.token.send('mint', account.address, all);
    await funds.run(funds.approve(this.vault.address, part), funds.deposit(part));
    return funds;
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.anvil.stop();
  }

  /** Makes calls as the custody account, in one transaction. @returns its hash */
  run(...calls: Sent[]): Promise<Hex> {
    return this.account.send(
      'run',
      calls.map(({ to }) => to),
      calls.map(({ data }) => data),
    );
  }

  transfer(to: Hex, amount: bigint): Sent {
    return {
      to: this.token.address,
      data: encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, amount] }),
    };
  }

  approve(spender: Hex, amount: bigint): Sent {
    return {
      to: this.token.address,
      data: encodeFunctionData({ abi: TOKEN, functionName: 'approve', args: [spender, amount] }),
    };
  }

  deposit(amount: bigint): Sent {
    const args = [amount, this.account.address] as const;
    return {
      to: this.vault.address,
      data: encodeFunctionData({ abi: VAULT, functionName: 'deposit', args }),
    };
  }

  /** Out of the ERC-4626 vault. */
  withdraw(amount: bigint, receiver: Hex = this.account.address): Sent {
    const args = [amount, receiver, this.account.address] as const;
    return {
      to: this.vault.address,
      data: encodeFunctionData({ abi: VAULT, functionName: 'withdraw', args }),
    };
  }

  /** Calls that the API has for the next step of a move. */
  async callsOf(id: string, step: 'redeemed' | 'settled'): Promise<Sent[]> {
    const { calls } = await this.stage.get(`/moves/${id}?account=${this.account.address}`);
    const isOf = ({ step: name }: { step: string }): boolean =>
      (name === 'withdraw') === (step === 'redeemed');
    return calls.filter(isOf);
  }

  /** Makes everything sent so far final, and lets the time pass after which it is checked. */
  async finalize(): Promise<void> {
    this.stage.market.pass(MINUTE_MS);
    await this.anvil.mine(BLOCKS_TO_FINALITY + 1, this.stage.market.now());
  }
}
