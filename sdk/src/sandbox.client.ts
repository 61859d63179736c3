import type { components } from './generated/sandbox.js';
import { SandboxOperations } from './generated/sandbox.operations.js';
import { Simulation } from './simulation.js';

/** The records of the sandbox contract by their names in its document: `SandboxSchemas['UserRecord']`. */
export type SandboxSchemas = components['schemas'];

/** The simulated contract. A method for each operation, named by its operationId. */
export class VaultlineSandbox extends SandboxOperations {
  /** The account's clock and market. */
  readonly simulation = new Simulation(this.calls);
}
