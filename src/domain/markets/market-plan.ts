/** The market that follows the deployment's feeds on wall time. */
export const BASE_MARKET = 'base';

/** Which market a partner's positions are in. The deployment binds one of the plans below. */
export abstract class MarketPlan {
  /** Whether markets may be ahead of the wall, by years and each by its own. */
  abstract readonly hasOwnTimes: boolean;

  /** @param partnerId null: of nobody in particular */
  abstract marketOf(partnerId: string | null): string;

  /** The partner that a market is alone for; null: it is everybody's. */
  abstract ownerOf(marketId: string): string | null;
}

/** One market for everybody. */
export class SharedMarket extends MarketPlan {
  readonly hasOwnTimes = false;

  marketOf(): string {
    return BASE_MARKET;
  }

  ownerOf(): null {
    return null;
  }
}

/** A market for each partner, with its own time: nothing that one does moves another's figures. The base market is for those without a partner. */
export class MarketPerPartner extends MarketPlan {
  readonly hasOwnTimes = true;

  marketOf(partnerId: string | null): string {
    return partnerId ?? BASE_MARKET;
  }

  ownerOf(marketId: string): string | null {
    return marketId === BASE_MARKET ? null : marketId;
  }
}
