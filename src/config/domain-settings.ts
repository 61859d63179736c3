import type { BridgeCostEntry, CustodyAccounts, TokenContract } from './chains.js';
import type { Constants } from './constants.js';
import type { DeploymentEnvironment } from './deployments.js';
import type { Environment, ExecutionMode } from './environment.js';
import type { Vault } from './vault-catalogue.js';

/** Variables whose values hold as they are; `ENVIRONMENT` names and explains them. */
const Given = class {} as new () => Pick<
  Environment,
  'role' | 'requestsAtOnce' | 'webhookAllowedNetworks' | 'webhookTimeoutMs'
>;

/** Settings that the domain reads. Secrets, addresses of databases and RPC URLs are not among them, so that no domain service can name one. */
export class DomainSettings extends Given {
  environment: DeploymentEnvironment;
  webhookRequireHttps: boolean;
  /** Whether the live contract runs on a simulated market, so that its figures are not real. False in the sandbox, where that goes without saying. */
  simulatedYields: boolean;
  /** How moves are settled; `instant` in the sandbox, and by default on simulated yields. */
  settlement: ExecutionMode;
  constants: Constants;
  /** The catalogue in the order of the file, followed by the cash vault of each asset. */
  vaults: Vault[];
  bridgeCosts: BridgeCostEntry[];
  /** Token contracts of assets by chain; transfers of an asset without a contract on a chain are not checked there. */
  tokens: TokenContract[];
  /** With shared custody, the accounts that hold everybody's funds. Empty on simulated yields. */
  custodyAccounts: CustodyAccounts;
}
