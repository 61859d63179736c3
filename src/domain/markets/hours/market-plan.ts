import { type Scenario, SimulatedMarket } from '../simulation/simulated-market.js';
import type { Observation } from '../vaults/feed.js';
import { addHours } from '../../kernel/clock.js';
import { orNull, type RowOf, text, time } from '../../kernel/store/column.js';
import { idleObservation, nextHour, stateAt, type VaultState } from '../vaults/vault-state.js';
import { isIdle, type Vault } from '../../kernel/catalogue/catalogue.js';
import type { NextHour } from './market.js';

/** The shared market, which follows the deployment's feeds on wall time. */
export const BASE_MARKET = 'base';

/** Assignment of partners to markets. The deployment binds one of the plans below. */
export abstract class MarketPlan {
  /** Whether markets have clocks of their own, up to years ahead of wall time. */
  abstract readonly hasOwnTimes: boolean;

  /** @param partnerId null: no particular partner */
  abstract marketOf(partnerId: string | null): string;

  /** Partner that has the market to itself; null: it is shared. */
  abstract ownerOf(marketId: string): string | null;
}

export class SharedMarket extends MarketPlan {
  readonly hasOwnTimes = false;

  marketOf(): string {
    return BASE_MARKET;
  }

  ownerOf(): null {
    return null;
  }
}

/** A market with its own clock for each partner, so that no partner's actions change another's figures. */
export class MarketPerPartner extends MarketPlan {
  readonly hasOwnTimes = true;

  marketOf(partnerId: string | null): string {
    return partnerId ?? BASE_MARKET;
  }

  ownerOf(marketId: string): string | null {
    return marketId === BASE_MARKET ? null : marketId;
  }
}

/** Where a market's simulated yields come from. */
export const ORIGIN = {
  /** null: the market's id is the seed. */
  seed: orNull(text()),
  /** The market's first hour; null: never ticked. */
  begunHour: orNull(time()),
  /** null: no scenario is active. */
  scenario: orNull(text<Scenario['name']>()),
  scenarioFrom: orNull(time()),
};
export type MarketOrigin = RowOf<typeof ORIGIN>;

/** Observations of feeds, by vault id, and the hour that they count for. */
export interface Sighting {
  hour: Date;
  seen: ReadonlyMap<string, Observation>;
}

/** The market's first hour. @param from hour that it has reached, or begins after */
export const beginningOf = ({ begunHour }: MarketOrigin, from: Date): Date => begunHour ?? addHours(from, 1);

/**
 * Transition of a market's vaults to the next hour. A simulated vault is observed at every hour; a real one only in the hour in which its feed was
 * read.
 * @param from hour that the market has reached, or begins after
 * @param sighting absent: no observations of real vaults
 */
export function advanceOf(
  marketId: string,
  origin: MarketOrigin,
  from: Date,
  vaults: readonly Vault[],
  sighting?: Sighting,
): NextHour {
  const { seed, scenario: name, scenarioFrom } = origin;
  // Created when a simulated hour is missing: most reads of a market find none.
  let made: SimulatedMarket | undefined;
  const simulated = (): SimulatedMarket =>
    (made ??= new SimulatedMarket({
      seed: seed ?? marketId,
      begunAt: beginningOf(origin, from),
      vaults: vaults.filter((vault) => !isIdle(vault)),
    }));
  const scenario = name === null || scenarioFrom === null ? null : { name, from: scenarioFrom };
  return (vault, before, hour) => {
    const { kind } = vault.feed;
    // Cash needs no feed.
    if (kind === 'idle') return nextHour(before, hour, idleObservation(hour), kind);
    if (kind !== 'simulated') {
      const seen = sighting?.hour.getTime() === hour.getTime() ? sighting.seen.get(vault.id) : undefined;
      return nextHour(before, hour, seen, kind);
    }
    const simulation = simulated();
    const place =
      before.simulated === null
        ? simulation.begin(vault, hour)
        : simulation.next(vault, hour, before.simulated, scenario);
    const observation = simulation.observe(vault, hour, place, scenario);
    return nextHour({ ...before, simulated: place }, hour, observation ?? undefined, kind);
  };
}

export const vaultStateAt = (
  vault: Vault,
  state: VaultState,
  hour: Date,
  at: Date,
  advance: NextHour,
): VaultState => stateAt(state, hour, at, (before, next) => advance(vault, before, next).state);
