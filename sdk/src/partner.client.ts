import type { components } from './generated/partner.js';
import { PartnerOperations } from './generated/partner.operations.js';
import type { ListEvents } from './events.js';
import { Users } from './users.js';
import type { PartnerEvent } from './webhook.js';

/** The records of the partner contract by their names in its document: `PartnerSchemas['UserRecord']`. */
export type PartnerSchemas = components['schemas'];

/** The live contract. A method for each operation, named by its operationId. */
export class VaultlinePartner extends PartnerOperations {
  /** What end-users have, and its withdrawal. */
  readonly users = new Users<PartnerSchemas>(this.calls);
  declare readonly listEvents: ListEvents<PartnerOperations['listEvents'], PartnerEvent>;
}
