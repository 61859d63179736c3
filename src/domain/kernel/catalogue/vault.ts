import type { Vault } from '../../../config/vault-catalogue.js';

export { RISK_TIERS } from '../../../config/vault-catalogue.js';
export type { ChainSource, FeedSource, RiskTier, Vault } from '../../../config/vault-catalogue.js';

/** Whether the vault is the cash vault of its asset, which is not part of the market and is never chosen as a target. */
export const isIdle = ({ feed }: Pick<Vault, 'feed'>): boolean => feed.kind === 'idle';
