import { createHash, randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { withDomain } from '../../src/cli/context.js';
import type { Constants } from '../../src/config/constants.js';
import type { ExecutionMode } from '../../src/config/environment.js';
import type { Contract } from '../../src/config/deployments.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import { Clock, addHours, HOUR_MS } from '../../src/domain/kernel/clock.js';
import { type Cycle, HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { BASE_MARKET, MarketPlan } from '../../src/domain/markets/hours/market-view.js';
import { MARKET_FEED } from '../../src/domain/markets/hours/market.service.js';
import { PartnerService } from '../../src/domain/tenants/partners/partner.service.js';
import type { PositionRecord, WithdrawnRecord } from '../../src/domain/books/positions/quotes.js';
import { DepositService } from '../../src/domain/routing/transfers/deposit.service.js';
import { WithdrawalService } from '../../src/domain/routing/transfers/withdrawal.service.js';
import { UserService } from '../../src/domain/tenants/users/user.service.js';
import type { VaultFeed, Observation } from '../../src/domain/markets/vaults/feed.js';
import { createTestDatabase, schemaOf, type TestDatabase } from './database.js';
import { type DescribedStatement, describeStatement } from './described-statement.js';
import { change } from './change.js';

/**
 * An observation of a vault: APY as a fraction (null: one without a rate, such as a share price alone), TVL in micro-units (default: 100 million
 * units). null: no observation.
 */
export type VaultSight = { apy: number | null; tvl?: bigint | null } | null;
/** Observations by vault id. */
export type Sights = Record<string, VaultSight>;

export interface EngineOptions {
  /** Changes constants that `config/*.yaml` sets. */
  adjust?: (constants: Constants) => void;
  /** Changes the settings, such as the catalogue. */
  change?: (settings: Settings) => void;
  /** A database to share with another engine; it is not dropped at the end. */
  database?: TestDatabase;
  /** The time at the start. */
  now?: Date;
  /** In base64, where another process opens what the engine sealed. */
  secretsKey?: string;
  /** How moves are carried out; default: `instant`. */
  settlement?: ExecutionMode;
}

/** A UTC midnight in the middle of a month. */
const BEGINNING = new Date('2026-01-15T00:00:00.000Z');
const DEFAULT_TVL = 100_000_000_000_000n;
let count = 0;

/** Statements longer than this are prepared: planning them is expensive, and audits repeat them after each step. */
const LONG_TO_PLAN = 400;
const named = (text: string): { name?: string } =>
  text.length < LONG_TO_PLAN || text.includes(';')
    ? {}
    : { name: createHash('md5').update(text).digest('hex') };

/** A new transaction hash. */
export const newTxHash = (): string => `0x${randomBytes(32).toString('hex')}`;

/**
 * The whole domain on a real database, without a server and without a job queue: only the test acts, at times that it sets. The feed of the partner
 * contract is the test's; the vaults of the sandbox are simulated.
 */
export class Engine {
  /** The time of the domain's clock. */
  now: Date;
  /** Observations of the feed from the next tick on. A vault without one is silent. */
  sights: Sights = {};
  /** Works after each cycle, such as an executor of reported moves. */
  afterCycle: () => Promise<void> = async () => undefined;

  private constructor(
    readonly context: INestApplicationContext,
    readonly settings: Settings,
    readonly database: TestDatabase,
    private readonly client: Client,
    private readonly end: () => Promise<void>,
    now: Date,
  ) {
    this.now = now;
    context.get(Clock).now = () => new Date(this.now);
    // One market that the test drives, even where accounts have their own.
    change(context.get(MarketPlan), { marketOf: () => BASE_MARKET, ownerOf: () => null });
    const feed: VaultFeed = { observe: async (vaults) => this.observe(vaults.map(({ id }) => id)) };
    change(context.get<VaultFeed>(MARKET_FEED), feed);
  }

  static async start(contract: Contract, options: EngineOptions = {}): Promise<Engine> {
    const database = options.database ?? (await createTestDatabase());
    const settings = loadSettings({
      CONTRACT: contract,
      DATABASE_URL: database.url,
      SETTLEMENT: options.settlement ?? 'instant',
      SECRETS_KEY: options.secretsKey ?? Buffer.alloc(32).toString('base64'),
    });
    options.adjust?.(settings.constants);
    options.change?.(settings);
    const started = Promise.withResolvers<INestApplicationContext>();
    const stopped = Promise.withResolvers<void>();
    const running = withDomain(settings, async (context) => {
      started.resolve(context);
      await stopped.promise;
    });
    running.catch(started.reject);
    const context = await started.promise;
    const client = new Client({
      connectionString: database.url,
      options: `-c search_path=${schemaOf(contract)} -c timezone=UTC`,
    });
    // The server may stop before a failed test has closed its client.
    client.on('error', () => undefined);
    await client.connect();
    const end = async (): Promise<void> => {
      stopped.resolve();
      await running;
      await client.end();
      if (!options.database) await database.drop();
    };
    return new Engine(context, settings, database, client, end, options.now ?? BEGINNING);
  }

  stop(): Promise<void> {
    return this.end();
  }

  /** PostgreSQL's description of a statement. */
  described(text: string): Promise<DescribedStatement> {
    return describeStatement(this.client, text);
  }

  /** Runs SQL beside the engine. Integers of any size are returned as strings. */
  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query({ ...named(text), text, values })).rows as Row[];
  }

  /** The first row of a statement that returns at least one. */
  async row<Row>(text: string, values: unknown[] = []): Promise<Row> {
    const [row] = await this.sql<Row>(text, values);
    if (!row) throw new Error(`No row: ${text}`);
    return row;
  }

  /** Advances the clock hour by hour, with a cycle at each. @returns the last cycle */
  async hours(number = 1): Promise<Cycle> {
    let cycle = await this.cycle();
    for (let hour = 0; hour < number; hour++) {
      this.now = addHours(this.now, 1);
      cycle = await this.cycle();
    }
    return cycle;
  }

  /** Advances the clock over missed hours, and runs one cycle. */
  async skip(hours: number): Promise<Cycle> {
    this.now = addHours(this.now, hours);
    return this.cycle();
  }

  /** Runs the hourly cycle, as the worker does at every full hour. */
  async cycle(): Promise<Cycle> {
    const cycle = await this.context.get(HourlyCycle).run();
    await this.afterCycle();
    return cycle;
  }

  /** Advances the clock by less than an hour, so that no tick becomes due. */
  wait(milliseconds = 1): void {
    if (milliseconds >= HOUR_MS) throw new Error('An hour has a cycle: use hours().');
    this.now = new Date(this.now.getTime() + milliseconds);
  }

  /** @returns the new partner's id */
  async createPartner(revenueShareBps?: number): Promise<string> {
    const input = { name: `Partner ${++count}`, ...(revenueShareBps !== undefined && { revenueShareBps }) };
    return (await this.context.get(PartnerService).create(input)).partner.id;
  }

  /** @returns the new user's id */
  async createUser(partnerId: string): Promise<string> {
    return (await this.context.get(UserService).create(partnerId, { externalId: `engine:${++count}` })).id;
  }

  /** @param amount micro-units */
  deposit(
    userId: string,
    amount: bigint,
    asset = 'USDC',
    txHash: string | null = null,
  ): Promise<PositionRecord> {
    return this.context.get(DepositService).deposit({ userId, asset, amount, txHash, partnerId: null });
  }

  /** @param amount micro-units; null: everything */
  withdraw(
    positionId: string,
    amount: bigint | null,
    txHash: string | null = null,
  ): Promise<WithdrawnRecord> {
    return this.context.get(WithdrawalService).withdraw({ positionId, amount, txHash, partnerId: null });
  }

  private observe(vaultIds: readonly string[]): Map<string, Observation> {
    const observations = vaultIds.flatMap((id): [string, Observation][] => {
      const sight = this.sights[id];
      if (!sight) return [];
      const { apy, tvl = DEFAULT_TVL } = sight;
      return [[id, { apy, tvl, assets: tvl, liquidity: tvl, observedAt: this.now }]];
    });
    return new Map(observations);
  }
}
