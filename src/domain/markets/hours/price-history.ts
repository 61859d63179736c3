import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import type { ChainPass } from '../chain/chain-pass.js';
import { Chains } from '../chain/chains.js';
import { addHours, Clock, HOUR_MS, hourOf } from '../../kernel/clock.js';
import { listOf, text, time } from '../../kernel/store/column.js';
import { statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { sharesAt } from '../vaults/chain.feed.js';
import { type FollowedVault, isFollowed, sourceOf } from '../vaults/share-readers.js';
import { type PricedHour, SharePrices } from './share-prices.js';
import type { Block } from '../chain/chain-provider.js';

/** Known hours of each vault's own contract since $3. Parameters: vault ids, their contracts, the hour. */
const FIND_KNOWN_HOURS = statement(
  'markets.find_known_price_hours',
  { values: [listOf(text()), listOf(text()), time()], row: { vaultId: text(), hour: time() } },
  `SELECT vault_id AS "vaultId", hour FROM share_prices JOIN unnest($1::text[], $2::text[]) AS asked(id, origin) ON vault_id = asked.id AND source = asked.origin
    WHERE hour >= $3`,
);

/** Hours of history that a start reads: the half-life of the long average, which has little use of older ones. */
const HISTORY_HOURS = 720;
/** Time that one start spends on it; the next one goes on. A provider that limits its callers takes some seconds an hour of history. */
const HISTORY_MS = 30 * 60_000;
const HOURS_AT_ONCE = 6;

export interface ReadHistory {
  prices: number;
  /** Chains with missing prices that may still be readable: the next run continues there. */
  unfinished: string[];
}

/**
 * Backfill of share prices: hour by hour, the newest first, as far back as `HISTORY_HOURS` and the providers have archived state. Prices are stored
 * as they are read, so that an interrupted run continues. Unreadable hours stay unknown.
 */
@Injectable()
export class PriceHistory {
  private stopping = false;

  constructor(
    private readonly store: Store,
    private readonly chains: Chains,
    private readonly prices: SharePrices,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
  ) {}

  stop(): void {
    this.stopping = true;
  }

  /** Holds no database connection while it waits for a chain. */
  async read(): Promise<ReadHistory> {
    const until = performance.now() + HISTORY_MS;
    const groups = Map.groupBy(this.settings.vaults.filter(isFollowed), ({ chain }) => chain!);
    const read = await Promise.all(
      Array.from(groups, async ([chain, vaults]) => ({
        chain,
        ...(await this.readChain(chain, vaults, until)),
      })),
    );
    return {
      prices: read.reduce((sum, { prices }) => sum + prices, 0),
      unfinished: read.filter(({ unfinished }) => unfinished).map(({ chain }) => chain),
    };
  }

  private async readChain(
    chain: string,
    vaults: readonly FollowedVault[],
    until: number,
  ): Promise<{ prices: number; unfinished: boolean }> {
    const missing = await this.missingHours(vaults);
    let prices = 0;
    if (missing.length === 0) return { prices, unfinished: false };
    const pass = await this.chains.pass(chain);
    if (pass === null) return { prices, unfinished: true };
    const blocks = new BlocksByTime(pass);
    for (let from = 0; from < missing.length; from += HOURS_AT_ONCE) {
      if (this.stopping || performance.now() > until) return { prices, unfinished: true };
      const datedHours = await readHours(pass, blocks, missing.slice(from, from + HOURS_AT_ONCE));
      await this.prices.append(datedHours);
      prices += datedHours.length;
      // No provider is left: a lack of archived state and a failure look alike. A run that has found prices is worth another one.
      if (pass.provider === null) return { prices, unfinished: prices > 0 };
    }
    return { prices, unfinished: false };
  }

  /** Newest first; each hour with the vaults whose price it lacks. The present hour belongs to the tick. */
  private async missingHours(vaults: readonly FollowedVault[]): Promise<MissingHour[]> {
    const present = hourOf(this.clock.now());
    const first = addHours(present, -HISTORY_HOURS);
    const rows = await this.store.query(FIND_KNOWN_HOURS, [
      vaults.map(({ id }) => id),
      vaults.map(sourceOf),
      first,
    ]);
    const storedHours = new Set(rows.map(({ vaultId, hour }) => `${vaultId} ${hour.getTime()}`));
    const missing: MissingHour[] = [];
    for (let hour = addHours(present, -1); hour >= first; hour = addHours(hour, -1)) {
      const lacking = vaults.filter(({ id }) => !storedHours.has(`${id} ${hour.getTime()}`));
      if (lacking.length > 0) missing.push({ hour, vaults: lacking });
    }
    return missing;
  }
}

interface MissingHour {
  hour: Date;
  vaults: readonly FollowedVault[];
}

/** Prices of some hours, each at the newest block before it. */
async function readHours(
  pass: ChainPass,
  blocks: BlocksByTime,
  missing: readonly MissingHour[],
): Promise<PricedHour[]> {
  const dated = [];
  // In sequence: each block is found from the one before.
  for (const { hour, vaults } of missing) {
    const block = await blocks.find(hour);
    // The last block of a stopped chain has no price of this hour.
    if (block !== null && hour.getTime() - block.at.getTime() < HOUR_MS) dated.push({ hour, vaults, block });
  }
  const read = await Promise.all(
    dated.map(async ({ hour, vaults, block }) => {
      const shares = await sharesAt(block, vaults, (calls) => pass.read(calls, block));
      return [...(shares ?? [])].map(([vaultId, { price, tvl, assets, liquidity }]) => ({
        vaultId,
        hour,
        price: price!,
        tvl,
        assets,
        liquidity,
      }));
    }),
  );
  return read.flat();
}

/** Tolerance: a block may be this much older than the moment that it stands for. */
const TOLERANCE_MS = 2 * 60_000;
/** Initial guess of the block interval; the observed interval of the chain replaces it. */
const PACE_MS = 12_000;
/** A plain bisection ends within this many steps on any chain. */
const MAX_STEPS = 64;

/** Search for a chain's blocks by time, with the chain's own block interval: a few requests each, fewer near blocks that are known. */
class BlocksByTime {
  private readonly knownBlocks: Block[];

  constructor(private readonly pass: ChainPass) {
    this.knownBlocks = [pass.block];
  }

  /** The newest block up to a moment, or one at most two minutes older. @returns null when the chain begins later, or no provider answers */
  async find(moment: Date): Promise<Block | null> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const above = this.knownBlocks.findIndex(({ at }) => at > moment);
      const [low, high] = [this.knownBlocks.at(above === -1 ? -1 : above - 1)!, this.knownBlocks[above]];
      if (high === undefined) return low;
      if (above === 0) {
        if (high.number === 0n) return null;
        if (!(await this.learn(this.below(high, moment, step)))) return null;
        continue;
      }
      const near = moment.getTime() - low.at.getTime() <= TOLERANCE_MS;
      if (near || low.number + 1n === high.number) return low;
      if (!(await this.learn(between(low, high, moment, step)))) return null;
    }
    return null;
  }

  /** A block that is probably older than the moment; each failed guess goes further back. */
  private below(high: Block, moment: Date, step: number): bigint {
    const [next] = this.knownBlocks.slice(1);
    const pace = next ? (next.at.getTime() - high.at.getTime()) / Number(next.number - high.number) : PACE_MS;
    const away = (high.at.getTime() - moment.getTime()) / Math.max(1, pace);
    const back = BigInt(Math.ceil(away * 1.01 * 2 ** Math.min(step, 40))) + 1n;
    return back >= high.number ? 0n : high.number - back;
  }

  private async learn(number: bigint): Promise<boolean> {
    const block = await this.pass.blockAt(number);
    if (block === null || block.number !== number) return false;
    this.knownBlocks.push(block);
    this.knownBlocks.sort((a, b) => Number(a.number - b.number));
    return true;
  }
}

/** Interpolation by time, and bisection in every third step, because block intervals may be uneven. */
function between(low: Block, high: Block, moment: Date, step: number): bigint {
  const distance = high.number - low.number;
  const part = (moment.getTime() - low.at.getTime()) / Math.max(1, high.at.getTime() - low.at.getTime());
  const ahead = step % 3 === 2 ? distance / 2n : BigInt(Math.floor(Number(distance) * part));
  const maxStep = distance - 1n;
  return low.number + (ahead < 1n ? 1n : ahead > maxStep ? maxStep : ahead);
}
