// Types of the API, generated from the OpenAPI documents. The console imports nothing of the server's source.
import type { components as LiveComponents, paths as LivePaths } from '../../../sdk/src/generated/partner.js';
import type {
  components as SandboxComponents,
  paths as SandboxPaths,
} from '../../../sdk/src/generated/sandbox.js';

export type { LivePaths, SandboxPaths };
export type LiveSchemas = LiveComponents['schemas'];
/** Types of what both contracts have, from the sandbox's document; an asset may be one of either contract. */
export type Schemas = SandboxComponents['schemas'];

export type Environment = Schemas['ApiKey']['environment'] | LiveSchemas['ApiKey']['environment'];
export type Scope = Schemas['ApiKey']['scopes'][number];
export type Asset = Schemas['Vault']['asset'];

/** Differences between the contracts, by the environment that a session names. */
interface ContractTraits {
  name: string;
  /** A remark that applies to every figure. */
  remark: string;
  assets: readonly string[];
  simulation: boolean;
  /** Whether transfers settle on chains, and executors carry moves out. */
  executes: boolean;
  /** Whether endpoints can be changed. */
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
