import type { DomainStatuses } from './answer/error.filter.js';
import type { SentEvent } from './openapi/sent-events.js';
import type { AbsentOperation } from './request/route-table.js';

/** What a contract says of itself in its document. */
export interface DocumentIntroduction {
  title: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

/** What a contract tells the edge about itself. */
export interface ContractDefinition {
  introduction: DocumentIntroduction;
  statuses: DomainStatuses;
  /** What the other contract mounts and this one does not, where the path exists under another method. */
  absent: readonly AbsentOperation[];
  /** Every type of event that is sent to webhooks. */
  events: readonly SentEvent[];
  /** Classes whose schemas this contract's document knows by another name. */
  schemaNames: Readonly<Record<string, string>>;
}

/** Injection token of the mounted contract's definition. */
export const CONTRACT = Symbol('contract');
