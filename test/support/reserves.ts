import { ReservesTask } from '../../src/jobs/tasks/reserves.task.js';
import { HousekeepingTimer } from '../../src/jobs/housekeeping.js';
import { Anvil, BLOCKS_TO_FINALITY, type DeployedContract } from './chain/anvil.js';
import { ProviderProxy } from './chain/provider-proxy.js';
import { A, B, C, MovesStage } from './moves.js';
import { untilSettled } from './settled.js';

const RAY = 10n ** 27n;
const STANDARDS = { [A]: 'erc4626', [B]: 'aave-v3', [C]: 'compound-v3' } as const;

/**
 * A live deployment whose three vaults are contracts of a chain: of ERC-4626, Aave and Compound. The yields come from the yield API, and three
 * providers read the chain.
 */
export class ReservesStage {
  token: DeployedContract;
  /** Of A. */
  shares: DeployedContract;
  /** Of B: its balances are units of the token. */
  aToken: DeployedContract;
  /** Of C. */
  comet: DeployedContract;
  moves: MovesStage;
  providers: ProviderProxy[];

  private constructor(readonly anvil: Anvil) {}

  static async start(): Promise<ReservesStage> {
    const anvil = await Anvil.start();
    const stage = new ReservesStage(anvil);
    stage.token = await anvil.deploy('TestToken');
    stage.shares = await anvil.deploy('TestVault', stage.token.address, 12);
    stage.aToken = await anvil.deploy('TestToken');
    stage.comet = await anvil.deploy('TestComet', stage.token.address);
    const pool = await anvil.deploy('TestAavePool');
    await pool.send('setIncome', stage.token.address, RAY, stage.aToken.address);
    await stage.token.send('approve', stage.shares.address, 10n ** 15n);
    const addresses = {
      [A]: stage.shares.address,
      [B]: pool.address,
      [C]: stage.comet.address,
    };
    stage.providers = await Promise.all([1, 2, 3].map(() => ProviderProxy.open(anvil.url)));
    stage.moves = await MovesStage.start({
      env: {
        RPC_URL_ETHEREUM: stage.providers.map(({ url }) => url).join(),
        CUSTODY_ACCOUNTS_ETHEREUM: stage.custody,
      },
      adjust: (_, settings) => {
        settings.tokens = [{ asset: 'USDC', chain: 'ethereum', address: stage.token.address, decimals: 6 }];
        settings.vaults = settings.vaults.map((vault) => {
          if (!(vault.id in addresses)) return vault;
          const id = vault.id as typeof A;
          const feed = vault.feed.kind === 'chain' ? vault.feed.secondSource! : vault.feed;
          const onChain = { standard: STANDARDS[id], address: addresses[id] };
          return { ...vault, feed, exitDelayHours: 0, onChain };
        });
      },
    });
    const { app } = stage.moves.market;
    // The tests read by themselves: the scheduled job would read the hour first, and the chain has no transfers of the reported hashes.
    await app.application.get(HousekeepingTimer).stop();
    await app.sql(
      `SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key ~ '^(reserves|settlements) '`,
    );
    return stage;
  }

  async close(): Promise<void> {
    await this.moves?.close();
    this.providers?.forEach((provider) => provider.close());
    await this.anvil.stop();
  }

  /** The custody account, which sends all transactions. */
  get custody(): `0x${string}` {
    return this.anvil.accounts[0]!;
  }

  /** Makes everything on the chain final, by blocks of the present time. */
  async finalize(): Promise<void> {
    // Blocks have whole seconds: what was booked before is dated before.
    this.moves.market.pass(10_000);
    const { timestamp } = (await this.anvil.rpc('eth_getBlockByNumber', 'latest', false)) as {
      timestamp: string;
    };
    // The chain's own clock runs on while the deployment's is held.
    const at = Math.max(this.moves.market.now().getTime(), (Number(timestamp) + 1) * 1000);
    await this.anvil.mine(BLOCKS_TO_FINALITY + 1, new Date(at));
  }

  /** Begins an hour, and reads it at a final block of its first moments, unless told otherwise. @returns rows by vault, `cash` for that */
  async read({ final = true } = {}): Promise<Record<string, any>> {
    await this.moves.hours(1);
    if (final) await this.finalize();
    await this.moves.market.app.application.get(ReservesTask).run();
    return this.rows();
  }

  async rows(api = this.moves.market.app.admin): Promise<Record<string, any>> {
    const { status, body, text } = await api.get('/reserves');
    if (status !== 200) throw new Error(text);
    return Object.fromEntries(body.data.rows.map((row: any) => [row.vault_id ?? 'cash', row]));
  }

  /** Alerts on reserves so far: kind, state and vault. */
  async alerts(): Promise<string[]> {
    const { app } = this.moves.market;
    // The list holds events back while an earlier one may still be committed.
    await untilSettled(app);
    const { body } = await app.admin.get('/alerts/events?limit=500');
    return body.data
      .map(({ data }: any) => data.alert)
      .filter((alert: any) => alert?.kind.startsWith('reserves_'))
      .map(({ kind, state, vault_id }: any) => `${kind} ${state} ${vault_id}`);
  }
}
