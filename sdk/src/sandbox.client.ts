import type { components } from './generated/sandbox.js';
import { SandboxOperations } from './generated/sandbox.operations.js';
import type { ListEvents } from './events.js';
import { Users } from './users.js';
import type { SandboxEvent } from './webhook.js';
import { Simulation } from './simulation.js';

/** The records of the sandbox contract by their names in its document: `SandboxSchemas['UserRecord']`. */
export type SandboxSchemas = components['schemas'];

/** The simulated contract. A method for each operation, named by its operationId. */
export class VaultlineSandbox extends SandboxOperations {
  /** What end-users have, and its withdrawal. */
  readonly users = new Users<SandboxSchemas>(this.calls);
  declare readonly listEvents: ListEvents<SandboxOperations['listEvents'], SandboxEvent>;
  /** The account's clock and market. */
  readonly simulation = new Simulation(this.calls);
}
