import type { Vault } from '../../config/vault-catalogue.js';

export { RISK_TIERS } from '../../config/vault-catalogue.js';
export type { ChainSource, FeedSource, RiskTier, Vault } from '../../config/vault-catalogue.js';

/** Cash of the asset: no vault that anybody chooses, and no part of the market. One an asset. */
export const isIdle = ({ feed }: Pick<Vault, 'feed'>): boolean => feed.kind === 'idle';
