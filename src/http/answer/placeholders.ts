import type { Constants } from '../../config/constants.js';
import { IDLE_PREFIX, type Vault } from '../../config/vault-catalogue.js';

/** Size in words, for prose. */
export const sizeInWords = (bytes: number): string =>
  bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;

/** Settings that the documents show. */
export interface DocumentSettings {
  constants: Constants;
  /** The catalogue, in which every asset has one lending vault. */
  vaults: readonly Vault[];
}

/** Lending vault of the first asset, or with `other` another vault of it, if there is one. */
function vaultOf({ constants, vaults }: DocumentSettings, other = false): Vault {
  const vaultsOfAsset = vaults.filter(
    ({ id, asset }) => asset === constants.assets[0] && !id.startsWith(IDLE_PREFIX),
  );
  return vaultsOfAsset.find(({ lendingBaseline }) => lendingBaseline !== other) ?? vaultsOfAsset[0]!;
}

/** Values of the deployment in the documents' prose and examples. */
const VALUES = {
  bodyLimit: ({ constants }: DocumentSettings) => sizeInWords(constants.http.bodyLimitBytes),
  deliveriesKept: ({ constants }: DocumentSettings) =>
    constants.webhooks.deliveriesKept.toLocaleString('en-US'),
  eventsKept: ({ constants }: DocumentSettings) => `${constants.retention.eventsDays} days`,
  answersKept: ({ constants }: DocumentSettings) => `${constants.idempotency.keptHours} hours`,
  vault: (settings: DocumentSettings) => vaultOf(settings).id,
  vaultName: (settings: DocumentSettings) => vaultOf(settings).name,
  vaultVenue: (settings: DocumentSettings) => vaultOf(settings).venue,
  otherVault: (settings: DocumentSettings) => vaultOf(settings, true).id,
};

/** Placeholder of such a value in text that deployments share; filled in when the document is generated. */
export const placeholder = (name: keyof typeof VALUES): string => `{{${name}}}`;

export const fillPlaceholders = (json: string, settings: DocumentSettings): string =>
  json.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof VALUES) =>
    JSON.stringify(VALUES[name](settings)).slice(1, -1),
  );
