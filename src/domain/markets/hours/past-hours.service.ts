import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { smoothApy } from '../signals/signal.js';
import { columnsOf, double, listOf, numbers, text, time, whole } from '../../kernel/store/column.js';
import { type RowFrom, statement } from '../../kernel/store/statement.js';
import { Store } from '../../kernel/store/store.js';
import { addHours, HOUR_MS } from '../../kernel/clock.js';
import type { Observation } from '../vaults/feed.js';
import type { PricePoint } from '../vaults/share-price.js';
import { isFollowed, sourceOf } from '../vaults/share-readers.js';
import {
  initialState,
  nextHour,
  type SmoothedApy,
  type Snapshot,
  type VaultState,
} from '../vaults/vault-state.js';
import { atLeastOne } from '../vaults/yield-index.js';
import { BASE_MARKET } from './market-view.js';
import { MarketRepository } from './market.repository.js';
import { SharePrices, STORED_PRICE } from './share-prices.js';
import { blend, type YieldPoint } from './market-series.js';

/** Prices of vaults $2 with contracts $3 before the market's first hour $4, where their snapshots begin there; oldest first. */
const FIND_BEFORE_BEGINNING = statement(
  'markets.find_prices_before_beginning',
  {
    values: [text(), listOf(text()), listOf(text()), time()],
    row: STORED_PRICE,
  },
  `SELECT ${columnsOf(STORED_PRICE, 'known')}
     FROM share_prices AS known JOIN unnest($2::text[], $3::text[]) AS asked(id, origin) ON known.vault_id = asked.id AND known.source = asked.origin
    WHERE known.hour < $4
      AND NOT EXISTS (SELECT FROM snapshots AS earlier WHERE earlier.market_id = $1 AND earlier.vault_id = known.vault_id AND earlier.hour < $4)
    ORDER BY known.vault_id, known.hour`,
);

/** Each vault's index at the market's first hour $3, and the yields observed since, oldest first. Parameters: market, vault ids, the hour. */
const FIND_SINCE_BEGINNING = statement(
  'markets.find_snapshots_since_beginning',
  {
    values: [text(), listOf(text()), time()],
    row: { vaultId: text(), index: whole(), apys: numbers<number[]>() },
  },
  `SELECT vault_id AS "vaultId", (array_agg(share_index ORDER BY hour))[1] AS index,
          coalesce(json_agg(apy ORDER BY hour) FILTER (WHERE apy IS NOT NULL), '[]') AS apys
     FROM snapshots WHERE market_id = $1 AND vault_id = ANY($2) AND hour >= $3 GROUP BY vault_id`,
);

const SAVE_AVERAGES = statement(
  'markets.save_averages',
  { values: [text(), listOf(text()), listOf(double()), listOf(double())], row: {} },
  `UPDATE vault_states AS state SET recent_apy = new.recent, long_apy = new.long
     FROM unnest($2::text[], $3::float8[], $4::float8[]) AS new(id, recent, long)
    WHERE state.market_id = $1 AND state.vault_id = new.id`,
);

type PriceRow = RowFrom<typeof FIND_BEFORE_BEGINNING>;

type HoursSinceBeginning = RowFrom<typeof FIND_SINCE_BEGINNING>;

/**
 * Prepends hours before a market's first one, for vaults whose past share prices were read later, so that they have a history to be evaluated by.
 * Existing hours stay unchanged, and nobody held anything in the new ones.
 */
@Injectable()
export class PastHours {
  constructor(
    private readonly store: Store,
    private readonly markets: MarketRepository,
    private readonly prices: SharePrices,
    private readonly settings: DomainSettings,
  ) {}

  /** Once for each vault. @returns number of added hours over all vaults; null when the market has not begun */
  async prepend(): Promise<number | null> {
    return this.store.transaction(async () => {
      const { begunHour, tickedHour } = await this.markets.lock(BASE_MARKET, null);
      if (begunHour === null || tickedHour === null) return null;
      const followed = this.settings.vaults.filter(isFollowed);
      const rows = await this.store.query(FIND_BEFORE_BEGINNING, [
        BASE_MARKET,
        followed.map(({ id }) => id),
        followed.map(sourceOf),
        begunHour,
      ]);
      if (rows.length === 0) return 0;
      const byVault = Map.groupBy(rows, ({ vaultId }) => vaultId);
      const sinces = await this.store.query(FIND_SINCE_BEGINNING, [
        BASE_MARKET,
        [...byVault.keys()],
        begunHour,
      ]);
      const paths = sinces.map((since) => this.pathOf(byVault.get(since.vaultId)!, begunHour, since));
      const snapshots = paths.flatMap((path) => path.snapshots);
      // Signals of past hours are not computed.
      const evaluated = snapshots.map((snapshot) => ({ ...snapshot, riskAdjustedApy: null }));
      await this.markets.appendSnapshots(BASE_MARKET, { snapshots: evaluated });
      await this.markets.appendPoints(BASE_MARKET, { points: this.pointsOf(snapshots) });
      await this.saveAverages(paths);
      await this.markets.saveSignals(BASE_MARKET, await this.markets.read(BASE_MARKET, tickedHour));
      return snapshots.length;
    });
  }

  /** Hours of a vault as a market at that time would have recorded them, ending at the index that it began with. */
  private pathOf(
    rows: readonly PriceRow[],
    begunHour: Date,
    { vaultId, index, apys }: HoursSinceBeginning,
  ): { vaultId: string; snapshots: Snapshot[]; smoothed: SmoothedApy | null } {
    const byHour = new Map(rows.map((row) => [row.hour.getTime(), row]));
    const points: PricePoint[] = [];
    const snapshots: Snapshot[] = [];
    let state: VaultState = initialState(vaultId);
    for (let hour = rows[0]!.hour; hour < begunHour; hour = addHours(hour, 1)) {
      const row = byHour.get(hour.getTime());
      if (row) points.push({ at: row.blockAt, value: row.price });
      const next = nextHour(state, hour, row && this.observation(row, points), 'chain');
      state = next.state;
      snapshots.push(next.snapshot);
    }
    const reached = nextHour(state, begunHour, undefined, 'chain').snapshot.index;
    const observedApys = [...snapshots.flatMap(({ apy }) => apy ?? []), ...apys];
    const { signals } = this.settings.constants;
    return {
      vaultId,
      snapshots: snapshots.map((snapshot) => ({
        ...snapshot,
        index: atLeastOne((snapshot.index * index) / reached),
      })),
      smoothed: observedApys.reduce<SmoothedApy | null>(
        (before, apy) => smoothApy(before, apy, signals),
        null,
      ),
    };
  }

  private observation(
    { source, price, tvl, assets, liquidity, blockNumber, blockHash, blockAt }: PriceRow,
    points: readonly PricePoint[],
  ): Observation {
    return {
      apy: this.prices.dayYield(points),
      tvl,
      assets,
      liquidity,
      observedAt: blockAt,
      price: { source, value: price, blockNumber, blockHash, blockAt },
    };
  }

  /** Market series of those hours, over the vaults that are known. */
  private pointsOf(snapshots: readonly Snapshot[]): YieldPoint[] {
    const vaults = new Map(this.settings.vaults.map((vault) => [vault.id, vault]));
    const active = snapshots.filter(({ vaultId, apy }) => apy !== null && vaults.get(vaultId)?.active);
    const groups = Map.groupBy(
      active,
      ({ vaultId, hour }) => `${vaults.get(vaultId)!.asset} ${hour.getTime() / HOUR_MS}`,
    );
    return [...groups.values()].map((group) => {
      const { vaultId, hour } = group[0]!;
      const { asset } = vaults.get(vaultId)!;
      return { asset, hour, ...blend(group.map(({ apy, tvl }) => ({ apy, tvl, vaults: 1 }))) };
    });
  }

  private async saveAverages(
    paths: readonly { vaultId: string; smoothed: SmoothedApy | null }[],
  ): Promise<void> {
    const observedPaths = paths.filter(({ smoothed }) => smoothed !== null);
    await this.store.query(SAVE_AVERAGES, [
      BASE_MARKET,
      observedPaths.map(({ vaultId }) => vaultId),
      observedPaths.map(({ smoothed }) => smoothed!.recent),
      observedPaths.map(({ smoothed }) => smoothed!.long),
    ]);
  }
}
