import { randomBytes } from 'node:crypto';
import type { Constants } from '../../src/config/constants.js';
import type { Contract } from '../../src/config/deployments.js';
import type { Settings } from '../../src/config/settings.js';
import { AccountService } from '../../src/domain/cycle/accounts/account.service.js';
import { Clock, DAY_MS, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { BASE_MARKET, MarketPlan } from '../../src/domain/markets/hours/market-view.js';
import { MarketService } from '../../src/domain/markets/hours/market.service.js';
import { parseAmount } from '../../src/domain/kernel/money.js';
import type { PositionRecord, WithdrawnRecord } from '../../src/domain/books/positions/quotes.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { WithdrawalService } from '../../src/domain/routing/transfers/withdrawal.service.js';
import type { Vault } from '../../src/domain/kernel/catalogue/catalogue.js';
import type { Api } from './api.js';
import { startApp, startFreshApp, type TestApp } from './app.js';
import { answerOf, json, LlamaServer, row } from './llama-server.js';
import type { TestDatabase } from './database.js';
import { createPartner, type TestPartner } from './partner.js';
import { change } from './change.js';

/** An observation of a vault from the next tick on: APY as a fraction, TVL in USD. null: no observation. */
export interface Yield {
  apy: number;
  /** Default: 100 million. */
  tvl?: number;
}
/** Observations by vault id; a vault without an entry keeps its last one. */
export type Yields = Record<string, Yield | null>;

export interface MarketOptions {
  /** Observations at the start. Partner contract only; default: 4 % everywhere. */
  yields?: Yields;
  env?: Record<string, string>;
  /** A shared database. Default: a new one. */
  database?: TestDatabase;
  adjust?: (constants: Constants, settings: Settings) => void;
  /** Starts at 01:10 UTC, whenever the test runs: for suites that count entries, of which the end of a day adds one. */
  early?: boolean;
}

const HOURS_A_YEAR = 8760;
/** 01:10 UTC. */
const EARLY_MS = HOUR_MS + 600_000;
let count = 0;

/** A new transaction hash. */
export const newTxHash = (): string => `0x${randomBytes(32).toString('hex')}`;

/** A deployment with a partner and vaults that yield, and a clock that runs on, can be advanced, and can be held. */
export class TestMarket {
  /** The test does not begin near a full hour: none turns by itself. */
  private offsetMs = new Date().getUTCMinutes() >= 50 ? 15 * 60_000 : 0;
  private heldAt: number | null = null;
  private readonly yields = new Map<string, Yield | null>();

  private constructor(
    readonly app: TestApp,
    readonly partner: TestPartner,
    /** A caller with an unbound key of the scope `write`. */
    readonly protocol: Api,
    /** A caller with an unbound key of the scope `read`. */
    readonly reader: Api,
    private readonly contract: Contract,
    private readonly feed: LlamaServer,
  ) {
    const { application } = app;
    application.get(Clock).now = () => this.now();
    // One market that the test drives, even where accounts have their own.
    change(application.get(MarketPlan), { marketOf: () => BASE_MARKET, ownerOf: () => null });
    application.get(AccountService).follow = async () => undefined;
  }

  static async start(contract: Contract, options: MarketOptions = {}): Promise<TestMarket> {
    const feed = await LlamaServer.open();
    feed.pools = json(answerOf([]));
    const env = { DEFILLAMA_BASE_URL: feed.url, SETTLEMENT: 'instant', ...options.env };
    const app = options.early
      ? await startFreshApp(contract, env, options.adjust)
      : await startApp(contract, env, options.database, options.adjust);
    const keyOf = async (scope: string): Promise<Api> => {
      const { body } = await app.admin.post('/keys', { label: scope, scopes: [scope] });
      return app.admin.as(body.data.secret);
    };
    const [partner, protocol, reader] = [
      await createPartner(app.admin),
      await keyOf('write'),
      await keyOf('read'),
    ];
    const market = new TestMarket(app, partner, protocol, reader, contract, feed);
    if (options.early) market.pass(DAY_MS - ((Date.now() - EARLY_MS) % DAY_MS));
    if (options.early && contract === 'sandbox') await market.tick();
    if (contract === 'partner') {
      const all = app.settings.vaults.map(({ id }): [string, Yield] => [id, { apy: 0.04 }]);
      market.setYields({ ...Object.fromEntries(all), ...options.yields });
      await market.advance();
    }
    return market;
  }

  async close(): Promise<void> {
    await this.app.close();
    this.feed.close();
  }

  /** The deployment's time: wall time, and the hours that the clock was advanced. */
  now(): Date {
    return new Date((this.heldAt ?? Date.now()) + this.offsetMs);
  }

  /** Holds the clock: from now on only `advance` moves it, so that values, which grow with time, stay equal. */
  holdClock(): void {
    this.heldAt ??= Date.now();
  }

  /** Sets observations from the next tick on. The sandbox's vaults are simulated, so that their yields cannot be set. */
  setYields(yields: Yields): void {
    if (this.contract === 'sandbox') throw new Error('The yields of the sandbox are simulated.');
    for (const [id, item] of Object.entries(yields)) this.yields.set(id, item);
    const rows = this.app.settings.vaults.flatMap((vault) =>
      poolRow(vault, this.yields.get(vault.id) ?? null),
    );
    this.feed.pools = json(answerOf(rows));
    // Nothing is lent out, so that the TVL is both the deposits and the liquidity.
    const deposits = rows.map(({ pool, tvlUsd }) => ({ pool, totalSupplyUsd: tvlUsd, totalBorrowUsd: 0 }));
    this.feed.lending = json(JSON.stringify(deposits));
  }

  /** Advances the clock, with a tick at each hour. */
  async advance(hours = 1): Promise<void> {
    for (let hour = 0; hour < hours; hour++) {
      this.pass(HOUR_MS);
      await this.tick();
    }
  }

  /** Advances the clock without a tick. */
  pass(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }

  tick(): Promise<unknown> {
    return this.app.application.get(MarketService).tick();
  }

  /** Delays the feed: the clock advances by so much before it answers. */
  answerLate(milliseconds: number): void {
    const { pools } = this.feed;
    this.feed.pools = (request, response) => {
      this.pass(milliseconds);
      pools(request, response);
    };
  }

  /** @returns the new user's id */
  async createUser({ api }: TestPartner = this.partner): Promise<string> {
    const { status, text, body } = await api.post('/users', { external_id: `market:${++count}` });
    if (status !== 201) throw new Error(`POST /users answered ${status}: ${text}`);
    return body.data.id;
  }

  /** @param amount whole asset units */
  deposit(userId: string, amount: number, asset = 'USDC'): Promise<PositionRecord> {
    const input = { userId, asset, amount: parseAmount(amount), txHash: this.settled(), partnerId: null };
    return this.app.application.get(DepositService).deposit(input);
  }

  /** @param amount whole asset units; null: everything */
  withdraw(positionId: string, amount: number | null): Promise<WithdrawnRecord> {
    const micro = amount === null ? null : parseAmount(amount);
    const input = { positionId, amount: micro, txHash: this.settled(), partnerId: null };
    return this.app.application.get(WithdrawalService).withdraw(input);
  }

  /** Nothing settles in the sandbox, so that transfers have no hash there. */
  private settled(): string | null {
    return this.contract === 'partner' ? newTxHash() : null;
  }
}

export const startMarket = (contract: Contract, options?: MarketOptions): Promise<TestMarket> =>
  TestMarket.start(contract, options);

/** A vault's row of `/pools`, as its catalogue entry identifies it; none without an observation. */
function poolRow({ feed }: Vault, yieldSeen: Yield | null): Record<string, unknown>[] {
  if (feed.kind !== 'defillama' || yieldSeen === null) return [];
  const rate = feed.apr ? HOURS_A_YEAR * Math.expm1(Math.log1p(yieldSeen.apy) / HOURS_A_YEAR) : yieldSeen.apy;
  return [
    row({ pool: feed.pool, apyBase: rate * 100, apy: rate * 100, tvlUsd: yieldSeen.tvl ?? 100_000_000 }),
  ];
}
