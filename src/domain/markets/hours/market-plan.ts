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

/** One market for all partners. */
export class SharedMarket extends MarketPlan {
  readonly hasOwnTimes = false;

  marketOf(): string {
    return BASE_MARKET;
  }

  ownerOf(): null {
    return null;
  }
}

/**
 * A market with its own clock for each partner, so that no partner's actions change another's figures. Callers without a partner use the base market.
 */
export class MarketPerPartner extends MarketPlan {
  readonly hasOwnTimes = true;

  marketOf(partnerId: string | null): string {
    return partnerId ?? BASE_MARKET;
  }

  ownerOf(marketId: string): string | null {
    return marketId === BASE_MARKET ? null : marketId;
  }
}
