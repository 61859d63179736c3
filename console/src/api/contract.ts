// What the console knows of the server: the types that are generated from the OpenAPI documents, and nothing of its source.
import type { components as LiveComponents, paths as LivePaths } from '../../../sdk/src/generated/partner.js';
import type {
  components as SandboxComponents,
  paths as SandboxPaths,
} from '../../../sdk/src/generated/sandbox.js';

export type { LivePaths, SandboxPaths };
export type LiveSchemas = LiveComponents['schemas'];
/** What both contracts say is typed by the sandbox's document; an asset is one of either. */
export type Schemas = SandboxComponents['schemas'];

export type Environment = Schemas['ApiKey']['environment'] | LiveSchemas['ApiKey']['environment'];
export type Scope = Schemas['ApiKey']['scopes'][number];
export type Asset = Schemas['Vault']['asset'];

/** What differs between the contracts, by the environment that a session names. */
interface ContractTraits {
  name: string;
  /** What a reader must know of every figure. */
  remark: string;
  assets: readonly string[];
  simulation: boolean;
  /** Transfers settle on chains, and executors carry moves out. */
  executes: boolean;
  /** Endpoints can be changed. */
  changesWebhooks: boolean;
  deliveryLog: '/webhooks/deliveries' | '/webhooks/events';
}

export const CONTRACTS: Record<Environment, ContractTraits> = {
  live: {
    name: 'Live',
    remark: 'The live contract',
    assets: ['USDC', 'USDT0'],
    simulation: false,
    executes: true,
    changesWebhooks: true,
    deliveryLog: '/webhooks/deliveries',
  },
  sandbox: {
    name: 'Sandbox',
    remark: 'The sandbox contract: simulated, nothing is real',
    assets: ['USDC', 'USDT'],
    simulation: true,
    executes: false,
    changesWebhooks: false,
    deliveryLog: '/webhooks/events',
  },
};
