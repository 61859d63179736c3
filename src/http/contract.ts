import type { AbsentOperation, DomainStatuses } from './answer/error.filter.js';
import type { SentEvent } from './openapi/sent-events.js';

/** Introduction of a contract's OpenAPI document. */
export interface DocumentIntroduction {
  title: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

/** Definition of a contract, as the HTTP layer needs it. */
export interface ContractDefinition {
  introduction: DocumentIntroduction;
  statuses: DomainStatuses;
  /** Operations of the other contract that this one leaves out, although it has the path under another method. */
  absent: readonly AbsentOperation[];
  /** Every event type that is sent to webhooks. */
  events: readonly SentEvent[];
  /** Schema names of this contract's document, where they differ from the class names. */
  schemaNames: Readonly<Record<string, string>>;
}

/** Injection token of the running contract's definition. */
export const CONTRACT = Symbol('contract');
