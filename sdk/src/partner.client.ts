import type { components } from './generated/partner.js';
import { PartnerOperations } from './generated/partner.operations.js';

/** The records of the partner contract by their names in its document: `PartnerSchemas['UserRecord']`. */
export type PartnerSchemas = components['schemas'];

/** The live contract. A method for each operation, named by its operationId. */
export class VaultlinePartner extends PartnerOperations {}
