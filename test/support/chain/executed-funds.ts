import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getAddress } from 'viem/utils';
import { stringify } from 'yaml';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { childEnvironment, ENDS, SERVES } from '../child-environment.js';
import { A, B, C, MovesStage } from '../moves.js';
import { Anvil, type DeployedContract } from './anvil.js';
import { ChainVaults } from './chain-vaults.js';

/** The key of anvil's second account, which is public: the custody account of these tests. */
const KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const MAX_WAIT_MS = 150_000;

/** A live deployment whose funds an executor moves: A is an ERC-4626 vault, B a pool of Aave's, C a market of Compound's. */
export class ExecutedFunds {
  private process: ChildProcess | null = null;
  private output = '';
  private startedAt = 0;
  private environment: Record<string, string> = {};

  private constructor(
    readonly stage: MovesStage,
    readonly anvil: Anvil,
    readonly token: DeployedContract,
    readonly account: Hex,
    readonly folder: string,
    /** Vaults' contracts, by id. */
    readonly vaults: Record<string, Hex>,
  ) {}

  static async start(): Promise<ExecutedFunds> {
    const folder = mkdtempSync(join(process.env['VAULTLINE_TEST_SCRATCH'] ?? tmpdir(), 'executor-'));
    execFileSync(process.execPath, ['executor/scripts/build.mjs', folder], ENDS);
    const anvil = await Anvil.start();
    const chainVaults = await ChainVaults.deploy(anvil);
    const { contracts, token } = chainVaults;
    const account = anvil.accounts[1]!;
    const stage = await MovesStage.start({
      env: { RPC_URL_ETHEREUM: anvil.url, RATE_LIMIT_PER_MINUTE: '0' },
      adjust: (_, settings) => chainVaults.place(settings, account),
    });
    const vaults = Object.fromEntries(Object.entries(contracts).map(([id, { address }]) => [id, address]));
    return new ExecutedFunds(stage, anvil, token, account, folder, vaults);
  }

  /**
   * Starts the executor, for the users of some partners.
   * @param chain further entries of the chain in the allowlist
   */
  async execute(
    partnerKeys: readonly string[],
    more: Record<string, string> = {},
    chain: object = {},
  ): Promise<void> {
    const { api } = await this.stage.executor();
    const kinds: Record<string, string> = { [A]: 'erc4626', [B]: 'aave-v3', [C]: 'compound-v3' };
    const limits = { transaction: 1_000_000, day: 10_000_000 };
    const token = {
      address: getAddress(this.token.address),
      decimals: 6,
      vault_limits: limits,
      payout_limits: limits,
    };
    const vaults = Object.entries(this.vaults).map(([id, address]) => [
      id,
      { kind: kinds[id], asset: 'USDC', address: getAddress(address) },
    ]);
    const allowlist = join(this.folder, 'allowlist.yaml');
    const ethereum = {
      max_fee_gwei: 100,
      deposits_from_block: 0,
      tokens: { USDC: token },
      vaults: Object.fromEntries(vaults),
      ...chain,
    };
    writeFileSync(allowlist, stringify({ account: getAddress(this.account), chains: { ethereum } }));
    this.environment = {
      ...childEnvironment(),
      VAULTLINE_URL: api.url,
      VAULTLINE_API_KEY: api.key!,
      PARTNER_API_KEYS: partnerKeys.join(','),
      ALLOWLIST: allowlist,
      JOURNAL: join(this.folder, 'journal.db'),
      INSECURE_RAW_KEY_FOR_TESTS: KEY,
      RPC_URL_ETHEREUM: this.anvil.url,
      POLL_MS: '100',
      PORT: '0',
      ...more,
    };
    this.run();
  }

  run(...args: string[]): void {
    this.startedAt = this.output.length;
    const child = spawn(process.execPath, [join(this.folder, 'main.js'), ...args], {
      env: this.environment,
      ...SERVES,
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.process = child;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Runs a command of the executor to its end. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [join(this.folder, 'main.js'), ...args], {
      env: this.environment,
      ...ENDS,
    });
    return stdout;
  }

  /** Whether it was started, and not killed since. @throws Error if it ended by itself */
  get isRunning(): boolean {
    if (this.process?.exitCode != null) throw new Error(`It ended by itself:\n${this.news.slice(-3000)}`);
    return this.process !== null;
  }

  /** What it said since its last start. */
  get news(): string {
    return this.output.slice(this.startedAt);
  }

  get log(): string {
    return this.output;
  }

  /** Mines blocks until a condition holds. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS;
    while (!(await holds())) {
      if (Date.now() > deadline)
        throw new Error(`It never came. The executor said:\n${this.output.slice(-6000)}`);
      await this.anvil.mine(1);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Sends tokens from one of anvil's accounts, until a block has them. */
  async pay(from: Hex, amount: bigint): Promise<Hex> {
    await this.token.send('mint', from, amount);
    const data = `0xa9059cbb${this.account.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
    const receipt = await this.anvil.transact({ from, to: this.token.address, data: data as Hex });
    return receipt.transactionHash;
  }

  async balanceOf(holder: Hex): Promise<bigint> {
    return BigInt(await this.token.call('balanceOf', holder));
  }

  async close(): Promise<void> {
    await this.kill();
    await this.stage.close();
    await this.anvil.stop();
  }
}
