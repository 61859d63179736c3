import { Injectable } from '@nestjs/common';
import { DomainSettings } from '../../../config/domain-settings.js';
import { invalid, notFound } from '../domain-error.js';
import type { Vault } from '../../../config/vault-catalogue.js';

export { RISK_TIERS } from '../../../config/vault-catalogue.js';
export type { ChainSource, FeedSource, RiskTier, Vault } from '../../../config/vault-catalogue.js';

/** Whether the vault is the cash vault of its asset, which is not part of the market and is never chosen as a target. */
export const isIdle = ({ feed }: Pick<Vault, 'feed'>): boolean => feed.kind === 'idle';

/** The deployment's assets and vaults: the part of the settings that most of the domain needs. */
@Injectable()
export class Catalogue {
  constructor(private readonly settings: DomainSettings) {}

  get assets(): readonly string[] {
    return this.settings.constants.assets;
  }

  /** In the order of the file, followed by the cash vault of each asset. */
  get vaults(): readonly Vault[] {
    return this.settings.vaults;
  }

  requireAsset(asset: string): void {
    if (!this.assets.includes(asset)) throw invalid('asset', `must be one of ${this.assets.join(', ')}`);
  }

  /** The requested asset, or all. @throws DomainError `validation_failed` as above */
  requestedAssets(asset: string | undefined): readonly string[] {
    if (asset === undefined) return this.assets;
    this.requireAsset(asset);
    return [asset];
  }

  vault(id: string): Vault {
    const vault = this.vaults.find((vault) => vault.id === id);
    if (!vault) throw notFound('vault');
    return vault;
  }

  /** Passive baseline of an asset: every asset has one, otherwise the process does not start. */
  lendingVault(asset: string): Vault {
    return this.vaults.find((vault) => vault.asset === asset && vault.lendingBaseline)!;
  }
}
