import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { rowsText } from '../../kernel/store/column.js';
import type { RowFrom } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { pipelined } from '../../kernel/store/transaction.js';
import { DAY_HOURS, type Level, WEEK_HOURS } from '../vaults/recent.js';
import { addHours, HOUR_MS } from '../../kernel/clock.js';
import type { VaultState } from '../vaults/vault-state.js';
import { hoursNeeded, Market, type MarketMemory } from './market.js';
import * as queries from './market.queries.js';
import { toState } from './market-view.js';
import type { MarketPoint } from './market-series.js';
import { isIdle } from '../../kernel/catalogue/catalogue.js';

type YieldRow = RowFrom<typeof queries.FIND_YIELDS>;

/** Markets as they are stored: a fixed number of statements, whatever the number of vaults and hours. */
@Injectable()
export class MarketRepository {
  constructor(
    private readonly store: Store,
    private readonly settings: DomainSettings,
  ) {}

  async tickedHour(marketId: string): Promise<Date | null> {
    return (await this.reached(marketId))?.tickedHour ?? null;
  }

  /** Creates the market when it is new, and locks it until commit. @param ownerId null: shared */
  async lock(marketId: string, ownerId: string | null): Promise<RowFrom<typeof queries.LOCK_MARKET>> {
    const [market] = await this.store.query(queries.LOCK_MARKET, [marketId, ownerId]);
    return market!;
  }

  /** Newest hour of a market, hours by which its clock is ahead of the wall clock, and its scenario; undefined for an unknown market. */
  async reached(marketId: string): Promise<RowFrom<typeof queries.FIND_REACHED> | undefined> {
    return (await this.store.query(queries.FIND_REACHED, [marketId]))[0];
  }

  async states(marketId: string): Promise<Map<string, VaultState>> {
    const rows = await this.store.query(queries.FIND_STATES, [marketId]);
    return new Map(rows.map((row) => [row.vaultId, toState(row)]));
  }

  /** First hour in the market of each vault that was never observed, by id. */
  async findUnobserved(marketId: string): Promise<Map<string, Date>> {
    const rows = await this.store.query(queries.FIND_UNOBSERVED, [marketId]);
    return new Map(rows.map(({ vaultId, since }) => [vaultId, since]));
  }

  /** The market with what its next hours depend on. @param hour that it has reached, or begins after */
  async read(marketId: string, hour: Date): Promise<Market> {
    return new Market(this.settings, await this.memory(marketId, hour));
  }

  private async memory(marketId: string, hour: Date): Promise<MarketMemory> {
    const { store } = this;
    const { vaults, constants } = this.settings;
    const length = hoursNeeded(constants);
    const from = addHours(hour, 1 - length);
    const [states, histories, regimes, yields] = await pipelined([
      this.states(marketId),
      store.query(queries.FIND_HISTORIES, [
        marketId,
        vaults.filter((vault) => !isIdle(vault)).map(({ id }) => id),
        from,
        hour,
        addHours(hour, 1 - DAY_HOURS),
        addHours(hour, 1 - WEEK_HOURS),
      ]),
      store.query(queries.FIND_REGIMES, [marketId]),
      store.query(queries.FIND_YIELDS, [marketId, constants.assets, from, hour]),
    ]);
    const first = from.getTime() / HOUR_MS;
    const hourly = <Value>(hours: string | null, at: (index: number) => Value): (Value | null)[] => {
      const slots = Array.from<Value | null>({ length }).fill(null);
      hours?.split(',').forEach((hour, index) => (slots[Number(hour) - first] = at(index)));
      return slots;
    };
    return {
      hour,
      states,
      histories: new Map(
        histories.map(({ vaultId, firstHour, hours, apys, levels, assets }) => [
          vaultId,
          {
            firstHour,
            apys: hourly(hours, (index) => apys![index]!),
            levels: (levels ?? []).map(toLevel),
            assets: assets ?? [],
          },
        ]),
      ),
      series: new Map(
        yields.map((row) => [
          row.asset,
          { firstHour: row.firstHour, points: hourly(row.hours, (index) => pointOf(row, index)) },
        ]),
      ),
      regimes: new Map(regimes.map(({ asset, ...state }) => [asset, state])),
      yields: new Map(yields.map(({ asset, apy, thresholds }) => [asset, { apy, thresholds }])),
    };
  }

  /** Writes snapshots and points of every added hour, and the rest as of the newest, in one round trip; the market drops what is stored. */
  async save(marketId: string, market: Market, begunHour: Date): Promise<void> {
    const { states, hour, regimes, assetYields } = market;
    const labels = regimes.map(({ asset, state, reading }) => ({ asset, ...reading, ...state }));
    const thresholds = [...assetYields].flatMap(([asset, assetYield]) =>
      assetYield.thresholds.map((threshold) => ({ asset, ...threshold })),
    );
    await pipelined([
      this.appendSnapshots(marketId, market),
      this.store.query(queries.SAVE_STATES, [marketId, rowsText(states.map(toRow))]),
      this.saveSignals(marketId, market),
      this.store.query(queries.SAVE_REGIMES, [marketId, hour, rowsText(labels)]),
      this.appendPoints(marketId, market),
      this.store.query(queries.SAVE_THRESHOLDS, [marketId, rowsText(thresholds)]),
      this.store.query(queries.SET_TICKED_HOUR, [marketId, hour, begunHour]),
    ]);
    market.dropStored();
  }

  async endQuarantine(marketId: string, vaultId: string): Promise<void> {
    await this.store.query(queries.END_QUARANTINE, [marketId, vaultId]);
  }

  async appendSnapshots(marketId: string, { snapshots }: Pick<Market, 'snapshots'>): Promise<void> {
    const rows = snapshots.map(({ index, ...snapshot }) => ({ ...snapshot, shareIndex: index }));
    await this.store.query(queries.APPEND_SNAPSHOTS, [marketId, rowsText(rows)]);
  }

  async saveSignals(marketId: string, market: Market): Promise<void> {
    await this.store.query(queries.SAVE_SIGNALS, [marketId, market.hour, rowsText(market.signals())]);
  }

  async appendPoints(marketId: string, { points }: Pick<Market, 'points'>): Promise<void> {
    await this.store.query(queries.APPEND_POINTS, [marketId, rowsText(points)]);
  }
}

function pointOf({ apys, tvls, vaults }: YieldRow, index: number): MarketPoint {
  const tvl = tvls![index] ?? null;
  return { apy: apys![index] ?? null, tvl: tvl === null ? null : BigInt(tvl), vaults: vaults![index]! };
}

const toLevel = ([index, liquidity]: [string, string | null]): Level => ({
  index: BigInt(index),
  liquidity: liquidity === null ? null : BigInt(liquidity),
});

const toRow = ({ index, smoothed, price, quarantine, ...state }: VaultState): object => ({
  ...state,
  shareIndex: index,
  recentApy: smoothed?.recent,
  longApy: smoothed?.long,
  priceSource: price?.source,
  price: price?.value,
  priceTarget: price?.target,
  priceBlock: price?.blockNumber,
  priceAt: price?.blockAt,
  weekApy: price?.weekApy,
  otherApy: price?.otherApy,
  quarantinedUntil: quarantine?.until,
  quarantineReason: quarantine?.reason,
});
