import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getAddress, type Hex } from 'viem';
import { stringify } from 'yaml';
import type { WallClock } from '../faults/load/wall-clock.js';
import { childEnvironment, ENDS, SERVES } from '../support/child-environment.js';
import { freePort } from '../support/replica.js';
import { until } from '../support/until.js';
import type { SavingsChain } from './savings-chain.js';

/** Anvil derives its accounts from a public mnemonic: the key of the second one, which is the custody account. */
const CUSTODY_KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const LIMITS = { transaction: 1_000_000, day: 10_000_000 };

/** The deployment, and the keys by which the executor calls it. */
export interface ExecutorAccess {
  url: string;
  key: string;
  depositsKey: string;
  partnerKey: string;
}

/** The executor as a process of the checkout's build, with a raw test key. */
export class DemoExecutor {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly folder: string,
  ) {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Starts it, and waits until it works. */
  static async start(chain: SavingsChain, access: ExecutorAccess, clock: WallClock): Promise<DemoExecutor> {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-executor-'));
    await promisify(execFile)(process.execPath, ['executor/scripts/build.mjs', folder], ENDS);
    const allowlist = join(folder, 'allowlist.yaml');
    writeFileSync(allowlist, stringify(allowed(chain)));
    const port = String(await freePort());
    const env = {
      ...childEnvironment(),
      ...clock.env,
      VAULTLINE_URL: access.url,
      VAULTLINE_API_KEY: access.key,
      DEPOSITS_API_KEY: access.depositsKey,
      PARTNER_API_KEYS: access.partnerKey,
      ALLOWLIST: allowlist,
      JOURNAL: join(folder, 'executor.db'),
      INSECURE_RAW_KEY_FOR_TESTS: CUSTODY_KEY,
      RPC_URL_ETHEREUM: chain.anvil.url,
      POLL_MS: '500',
      PORT: port,
      LOG_LEVEL: 'info',
    };
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, [join(folder, 'main.js')], { env, stdio, ...SERVES });
    const executor = new DemoExecutor(child, `http://127.0.0.1:${port}`, folder);
    try {
      await until(() => executor.isReady(), 30_000);
      return executor;
    } catch (error) {
      await executor.stop();
      throw new Error(`The executor does not start: ${executor.logs || String(error)}`, { cause: error });
    }
  }

  /** What it logged. */
  get logs(): string {
    return this.output;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isReady(): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error('It has ended.');
    return (await fetch(`${this.url}/health`).catch(() => null))?.ok === true;
  }
}

function allowed({ custody, token, vaults }: SavingsChain): object {
  const USDC = {
    address: getAddress(token.address),
    decimals: 6,
    vault_limits: LIMITS,
    payout_limits: LIMITS,
  };
  const listed = vaults.map(({ id, contract }) => [
    id,
    { kind: 'erc4626', asset: 'USDC', address: getAddress(contract.address) },
  ]);
  return {
    account: getAddress(custody),
    chains: {
      ethereum: { max_fee_gwei: 1000, tokens: { USDC }, vaults: Object.fromEntries(listed) },
    },
  };
}
