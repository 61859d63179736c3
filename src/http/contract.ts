import type { AbsentOperation } from './route-table.js';
import type { DocumentIntroduction } from './openapi/document.js';
import type { DomainStatuses } from './error.filter.js';

/** What a contract module tells the edge about itself. */
export interface ContractDefinition {
  introduction: DocumentIntroduction;
  statuses: DomainStatuses;
  /** What the other contract mounts and this one does not, where the path exists under another method. */
  absent: readonly AbsentOperation[];
}

/** Injection token of the mounted contract's definition. */
export const CONTRACT = Symbol('contract');
