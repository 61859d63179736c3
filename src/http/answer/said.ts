import type { Constants } from '../../config/constants.js';
import { IDLE_PREFIX, type Vault } from '../../config/vault-catalogue.js';

/** Size in words, for prose. */
export const sizeInWords = (bytes: number): string =>
  bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;

/** Settings that the documents show. */
export interface SaidSettings {
  constants: Constants;
  /** The catalogue, in which every asset has one lending vault. */
  vaults: readonly Vault[];
}

/** Lending vault of the first asset, or with `other` another vault of it, if there is one. */
function vaultOf({ constants, vaults }: SaidSettings, other = false): Vault {
  const ofAsset = vaults.filter(
    ({ id, asset }) => asset === constants.assets[0] && !id.startsWith(IDLE_PREFIX),
  );
  return ofAsset.find(({ lendingBaseline }) => lendingBaseline !== other) ?? ofAsset[0]!;
}

/** Values of the deployment in the documents' prose and examples. */
const SAID = {
  bodyLimit: ({ constants }: SaidSettings) => sizeInWords(constants.http.bodyLimitBytes),
  deliveriesKept: ({ constants }: SaidSettings) => constants.webhooks.deliveriesKept.toLocaleString('en-US'),
  eventsKept: ({ constants }: SaidSettings) => `${constants.retention.eventsDays} days`,
  answersKept: ({ constants }: SaidSettings) => `${constants.idempotency.keptHours} hours`,
  vault: (settings: SaidSettings) => vaultOf(settings).id,
  vaultName: (settings: SaidSettings) => vaultOf(settings).name,
  vaultVenue: (settings: SaidSettings) => vaultOf(settings).venue,
  otherVault: (settings: SaidSettings) => vaultOf(settings, true).id,
};

/** Placeholder of such a value in text that deployments share; filled in when the document is generated. */
export const said = (name: keyof typeof SAID): string => `{{${name}}}`;

export const withSaid = (json: string, settings: SaidSettings): string =>
  json.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof SAID) =>
    JSON.stringify(SAID[name](settings)).slice(1, -1),
  );
