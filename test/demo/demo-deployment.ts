import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { getAddress } from 'viem/utils';
import { acquireEmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { newKeySecret } from '../../src/domain/tenants/access/authenticator.js';
import type { WallClock } from '../faults/load/wall-clock.js';
import { ENDS } from '../support/child-environment.js';
import { configFolder } from '../support/configuration.js';
import { freePort, Replica } from '../support/replica.js';
import { SECRETS_KEY } from '../support/secrets-key.js';
import { until } from '../support/until.js';
import type { SavingsChain } from './savings-chain.js';

/** Jobs of the deployment, which its schedule queues by the database's clock. */
type Task = 'tick' | 'reserves' | 'settlements';

/**
 * The partner contract as a process of the build, on an embedded PostgreSQL. It is an installation of its own, whose `config/` names the chain's
 * contracts, and follows a clock that can be advanced.
 */
export class DemoDeployment {
  private constructor(
    readonly replica: Replica,
    readonly adminKey: string,
    private readonly installation: string,
    private readonly env: Record<string, string>,
    private readonly jobs: Client,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(chain: SavingsChain, clock: WallClock): Promise<DemoDeployment> {
    const folder = mkdtempSync(join(tmpdir(), 'vaultline-demo-'));
    const server = await acquireEmbeddedServer({ dataDir: folder, durable: false });
    const jobs = new Client({ connectionString: server.url, options: '-c search_path=live' });
    let replica: Replica | undefined;
    const close = async (): Promise<void> => {
      await replica?.kill();
      await jobs.end().catch(() => undefined);
      await server.release();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      const installation = join(folder, 'vaultline');
      install(installation, chain);
      const adminKey = newKeySecret('live');
      const env = {
        PORT: String(await freePort()),
        DATABASE_URL: server.url,
        BOOTSTRAP_ADMIN_KEY: adminKey,
        SETTLEMENT: 'reported',
        RPC_URL_ETHEREUM: chain.anvil.url,
        CUSTODY_ACCOUNTS_ETHEREUM: chain.custody,
        LOG_LEVEL: 'warn',
        ...clock.env,
      };
      replica = await Replica.start('partner', env, join(installation, 'dist/bundle/main.js'));
      await jobs.connect();
      return new DemoDeployment(replica, adminKey, installation, env, jobs, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.close();
  }

  /** Runs a job now, as its schedule would. @throws Error with the reason why it failed */
  async run(task: Task): Promise<void> {
    const key = `demo ${task}`;
    const job = { identifier: task, job_key: key, payload: {}, max_attempts: 1 };
    await this.jobs.query('SELECT enqueue($1)', [JSON.stringify([job])]);
    await until(async () => {
      const { rows } = await this.jobs.query('SELECT last_error FROM live_jobs.jobs WHERE key = $1', [key]);
      if (rows[0]?.last_error) throw new Error(`The job ${task} failed: ${rows[0].last_error}`);
      return rows.length === 0;
    }, 30_000);
  }

  /** A link to the console, which signs in once. */
  async consoleLink(keyId: string): Promise<string> {
    const program = join(this.installation, 'dist/bundle/cli/main.js');
    const args = [program, 'console', 'code', '--key-id', keyId];
    const env = { ...this.env, CONTRACT: 'partner', HOST: '127.0.0.1', SECRETS_KEY };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, ...ENDS });
    return stdout.trim();
  }
}

/** Copies the build, with a `config/` that has the chain's vaults and no others. */
function install(folder: string, { token, vaults }: SavingsChain): void {
  const config = configFolder({
    'partner.yaml': (content) => {
      content['assets'] = ['USDC'];
      content['bridge_costs'] = [];
      content['tokens'] = [
        { asset: 'USDC', chain: 'ethereum', address: getAddress(token.address), decimals: 6 },
      ];
      content['vaults'] = vaults.map(({ id, name, contract }, index) => ({
        id,
        name: `${name} USDC`,
        venue: name,
        chain: 'ethereum',
        asset: 'USDC',
        risk_tier: 'low',
        active: true,
        capacity: null,
        entry_cost: 0.5,
        exit_cost: 0.5,
        exit_delay_hours: 0,
        dilution: 'none',
        lending_baseline: index === vaults.length - 1,
        feed: { kind: 'erc4626', address: getAddress(contract.address) },
      }));
    },
  });
  cpSync(config, join(folder, 'config'), { recursive: true });
  rmSync(config, { recursive: true });
  for (const path of ['package.json', 'dist/bundle', 'dist/console'])
    cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
}
