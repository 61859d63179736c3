import type { Contract } from './environment.js';

/** Differences between contracts, beside document, modules (`app.module.ts`) and the file in `config/`. */
interface DeploymentTraits {
  /** Name in its API keys and its database schema. */
  environment: string;
  /**
   * Whether it is simulated by nature: no funds are moved on a chain, and accounts can be reset, which deletes data that is otherwise kept for ever.
   */
  simulated: boolean;
  /** Address under `npm start`: setting, default port, and offset from `MANAGEMENT_PORT` for its `/metrics`. */
  start: { setting: 'partnerPort' | 'sandboxPort'; port: number; managementOffset: number };
}

export const DEPLOYMENTS = {
  partner: {
    environment: 'live',
    simulated: false,
    start: { setting: 'partnerPort', port: 3000, managementOffset: 0 },
  },
  sandbox: {
    environment: 'sandbox',
    simulated: true,
    start: { setting: 'sandboxPort', port: 3001, managementOffset: 1 },
  },
} as const satisfies Record<Contract, DeploymentTraits>;

export type DeploymentEnvironment = (typeof DEPLOYMENTS)[Contract]['environment'];
export const ENVIRONMENTS = Object.values(DEPLOYMENTS).map(({ environment }) => environment);

/** Prefix of the environment's API keys. */
export const keyPrefixOf = (environment: DeploymentEnvironment): string => `vl_${environment}_`;
