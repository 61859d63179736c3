import type { Contract } from './environment.js';

/** What differs by contract, beside its document, its modules (`app.module.ts`) and its file in `config/`. */
interface DeploymentTraits {
  /** What its API keys and its database schema are named after. */
  environment: string;
  /** Whether it is simulated by its nature: nobody moves its funds on a chain, and an account may begin anew, which deletes what is else kept for ever. */
  simulated: boolean;
  /** Where `npm start` serves it: the setting, its default port, and what is added to `MANAGEMENT_PORT` for its `/metrics`. */
  start: { setting: 'PARTNER_PORT' | 'SANDBOX_PORT'; port: number; managementOffset: number };
}

export const DEPLOYMENTS = {
  partner: {
    environment: 'live',
    simulated: false,
    start: { setting: 'PARTNER_PORT', port: 3000, managementOffset: 0 },
  },
  sandbox: {
    environment: 'sandbox',
    simulated: true,
    start: { setting: 'SANDBOX_PORT', port: 3001, managementOffset: 1 },
  },
} as const satisfies Record<Contract, DeploymentTraits>;

export type DeploymentEnvironment = (typeof DEPLOYMENTS)[Contract]['environment'];
export const ENVIRONMENTS = Object.values(DEPLOYMENTS).map(({ environment }) => environment);

/** How the secrets of its API keys begin. */
export const keyPrefixOf = (environment: DeploymentEnvironment): string => `vl_${environment}_`;
