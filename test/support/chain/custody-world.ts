import { HourlyCycle } from '../../../src/domain/cycle/hourly-cycle.service.js';
import { DailyAccrualService } from '../../../src/domain/books/positions/daily-accrual.service.js';
import { HOUR_MS } from '../../../src/domain/kernel/clock.js';
import type { Hex } from '../../../src/domain/markets/chain/chain-provider.js';
import { BASE_MARKET } from '../../../src/domain/markets/hours/market-view.js';
import { ClosingService } from '../../../src/domain/reporting/closing.service.js';
import {
  SettlementChecks,
  type SettlementPass,
} from '../../../src/domain/routing/settlements/settlement-checks.js';
import { HousekeepingTimer } from '../../../src/jobs/housekeeping.js';
import { ReservesTask } from '../../../src/jobs/tasks/reserves.task.js';
import { A, B, C, MovesStage } from '../moves.js';
import { Anvil, BLOCKS_TO_FINALITY, type DeployedContract } from './anvil.js';
import { ChainVaults } from './chain-vaults.js';
import { CustodyCalls } from './custody-calls.js';
import type { Sent } from './moved-funds.js';
import { ProviderProxy } from './provider-proxy.js';
import { hourly, type Rates, VaultRates } from './vault-rates.js';

/** Micro-units of the operator's own in each vault and in cash: a withdrawal of all that the books have finds what its rounding costs. */
const DUST = 300_000n;

/**
 * A live deployment and the chain that its funds are on: A is an ERC-4626 vault, B a market of Aave's and C one of Compound's, whose balances earn the
 * yields that the yield API shows. One custody account holds all funds; three providers read the chain.
 */
export class CustodyWorld {
  readonly calls: CustodyCalls;
  readonly rates = new VaultRates();
  /** Until when the contract of A has its yield. */
  private paidUntil: number;

  private constructor(
    readonly anvil: Anvil,
    readonly stage: MovesStage,
    readonly providers: readonly ProviderProxy[],
    readonly token: DeployedContract,
    readonly vault: DeployedContract,
    private readonly aave: DeployedContract,
    private readonly comet: DeployedContract,
    readonly account: DeployedContract,
    private readonly follows: boolean,
  ) {
    this.calls = new CustodyCalls(account.address, token.address, {
      [A]: vault.address,
      [B]: aave.address,
      [C]: comet.address,
    });
  }

  /** @param follows whether the books follow the share price of A, and not the yield API */
  static async start({ follows = false } = {}): Promise<CustodyWorld> {
    const anvil = await Anvil.start();
    const vaults = await ChainVaults.deploy(anvil, ['TestAaveMarket', 'TestCometMarket'], 10n ** 15n);
    const { token, vault, pool: aave, market: comet } = vaults;
    const account = await anvil.deploy('TestAccount');
    const providers = await Promise.all([1, 2, 3].map(() => ProviderProxy.open(anvil.url)));
    const stage = await MovesStage.start({
      env: {
        RPC_URL_ETHEREUM: providers.map(({ url }) => url).join(),
        CUSTODY_ACCOUNTS_ETHEREUM: account.address,
      },
      adjust: (_, settings) =>
        vaults.place(settings, account.address, ({ id, feed }, onChain) => {
          if (follows && id === A)
            return { kind: 'chain', ...onChain, reserve: null, holder: null, secondSource: null };
          const listed = feed.kind === 'chain' ? feed.secondSource! : feed;
          // A rate that is not compounded cannot say what an hour may lose.
          return listed.kind === 'defillama' ? { ...listed, apr: false } : listed;
        }),
    });
    const { app } = stage.market;
    // The tests drive all work themselves.
    await app.application.get(HousekeepingTimer).stop();
    await app.sql(
      `SELECT live_jobs.remove_job(key) FROM live_jobs.jobs WHERE key ~ '^(reserves|settlements|tick)( |$)'`,
    );
    const world = new CustodyWorld(anvil, stage, providers, token, vault, aave, comet, account, follows);
    await world.furnish();
    return world;
  }

  async close(): Promise<void> {
    await this.stage.close();
    this.providers.forEach((provider) => provider.close());
    await this.anvil.stop();
  }

  /** Funds of others in the vault of A, and of the operator in each vault. */
  private async furnish(): Promise<void> {
    const [stranger] = this.anvil.accounts;
    const whole = 3_000_000_000_000n;
    await this.token.send('mint', stranger, whole);
    await this.token.send('approve', this.vault.address, whole);
    await this.vault.send('deposit', whole, stranger);
    await this.token.send('mint', this.account.address, DUST * 4n);
    this.paidUntil = this.now().getTime();
    for (const vaultId of [A, B, C]) await this.run(...this.calls.enter(vaultId, DUST));
    await this.turnHour();
  }

  /** Units of the operator's own. */
  get own(): number {
    return Number(DUST * 4n) / 1e6;
  }

  now(): Date {
    return this.stage.market.now();
  }

  wait(ms: number): void {
    this.stage.market.pass(ms);
  }

  /** Time until the next hour. */
  get restOfHour(): number {
    return HOUR_MS - (this.now().getTime() % HOUR_MS);
  }

  /** Time of the newest block, right after a transaction. */
  get blockTime(): number {
    return Math.floor(this.now().getTime() / 1_000) * 1_000;
  }

  /** A second later: blocks have whole seconds, and what was booked before is dated before. */
  private async nextBlock(): Promise<void> {
    this.wait(1_000);
    await this.anvil.setTime(this.now());
  }

  /** Pays the vault of A what it has earned since. Aave's and Compound's markets do so by themselves. */
  private async payYield(): Promise<void> {
    const now = this.now().getTime();
    const assets = await this.vault.call('totalAssets');
    const earned = Math.round(this.rates.yieldOf(A, BigInt(assets), this.paidUntil, now));
    this.paidUntil = now;
    if (earned === 0) return;
    await this.nextBlock();
    await this.token.send(earned > 0 ? 'mint' : 'burn', this.vault.address, Math.abs(earned));
  }

  /** A step of the share price of A: a part that it loses, or gains. */
  async stepPrice(part: number): Promise<void> {
    await this.payYield();
    await this.nextBlock();
    const assets = Math.round(Number(await this.vault.call('totalAssets')) * Math.abs(part));
    await this.token.send(part > 0 ? 'mint' : 'burn', this.vault.address, assets);
  }

  /** Makes calls as the custody account, in one transaction. @returns its hash */
  async run(...calls: readonly Sent[]): Promise<Hex> {
    await this.payYield();
    await this.nextBlock();
    return this.account.send(
      'run',
      calls.map(({ to }) => to),
      calls.map(({ data }) => data),
    );
  }

  /** Transfers the token from one of the chain's accounts. @returns the hash */
  async transfer(from: Hex, to: Hex, amount: bigint): Promise<Hex> {
    await this.payYield();
    await this.nextBlock();
    const { data } = this.calls.transfer(to, amount);
    return (await this.anvil.transact({ from, to: this.token.address, data })).transactionHash;
  }

  /** Begins an hour, with its cycle, and what a day's end brings. @param rates what the yield API shows in it */
  async turnHour(rates: Rates = this.rates.shown): Promise<void> {
    this.wait(this.restOfHour);
    await this.payYield();
    const before = this.rates.earned;
    this.rates.turn(this.now(), rates);
    const { earned } = this.rates;
    for (const [contract, place] of [
      [this.aave, 1],
      [this.comet, 2],
    ] as const) {
      // The final block stays one of the hour before.
      if (this.follows && earned[place] === before[place]) continue;
      const perSecond = BigInt(Math.round((hourly(earned[place]) / 3_600) * 1e18));
      await this.anvil.setTime(this.now());
      await contract.send('setRate', perSecond);
      this.wait(1_000);
    }
    this.stage.see(...rates);
    const { application } = this.stage.market.app;
    await application.get(HourlyCycle).run();
    if (this.now().getUTCHours() !== 0) return;
    await application.get(DailyAccrualService).postDue(BASE_MARKET);
    await application.get(ClosingService).write(BASE_MARKET);
  }

  /** Makes everything that was sent final. */
  async finalize(): Promise<void> {
    await this.payYield();
    this.wait(1_000);
    await this.anvil.mine(BLOCKS_TO_FINALITY + 1, this.now());
    this.wait(BLOCKS_TO_FINALITY * 1_000);
  }

  /** Looks up what is due. */
  async lookUp(): Promise<SettlementPass> {
    return (await this.stage.market.app.application.get(SettlementChecks).pass())!;
  }

  /** Reads the reserves of the hour. @returns rows by vault, `cash` for that */
  async read(): Promise<Record<string, any>> {
    await this.stage.market.app.application.get(ReservesTask).run();
    const { status, body, text } = await this.stage.market.app.admin.get('/reserves');
    if (status !== 200) throw new Error(text);
    return Object.fromEntries(body.data.rows.map((row: any) => [row.vault_id ?? 'cash', row]));
  }

  /** An hour: what is due is looked up, and the reserves are read at a final block. @returns rows by vault */
  async round(rates?: Rates): Promise<Record<string, any>> {
    await this.turnHour(rates);
    await this.finalize();
    await this.lookUp();
    return this.read();
  }

  /** Reserves that differ from the books by now, as `kind vault`. */
  async openAlerts(): Promise<string[]> {
    const rows = await this.stage.sql<{ kind: string; subject: string }>(
      `SELECT kind, subject FROM alerts WHERE kind LIKE 'reserves_%' AND until IS NULL ORDER BY 1, 2`,
    );
    return rows.map(({ kind, subject }) => `${kind} ${subject}`);
  }

  /** Reports and transfers that the chain contradicts. */
  async contradicted(): Promise<string[]> {
    const rows = await this.stage.sql<{ what: string }>(
      `SELECT concat_ws(' ', order_id, step, status, reason) AS what FROM report_checks WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL
        UNION ALL SELECT concat_ws(' ', id, status, reason) FROM settlements WHERE status IN ('mismatch', 'not_found') AND resolution IS NULL`,
    );
    return rows.map(({ what }) => what);
  }
}
