export const CONTRACTS = ['partner', 'sandbox'] as const;
export type Contract = (typeof CONTRACTS)[number];

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

export const YIELDS = ['simulated', 'observed', 'none'] as const;

/** What the yields of a deployment are: `none` before a feed has answered. @param vaultsObserved vaults that were ever observed */
export const yieldsOf = (
  { contract, simulatedYields }: { contract: Contract; simulatedYields: boolean },
  vaultsObserved: number,
): (typeof YIELDS)[number] =>
  DEPLOYMENTS[contract].simulated || simulatedYields ? 'simulated' : vaultsObserved > 0 ? 'observed' : 'none';

/** Prefix of the environment's API keys. */
export const keyPrefixOf = (environment: DeploymentEnvironment): string => `vl_${environment}_`;

/** URL under which this machine reaches a server that listens on a host. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
