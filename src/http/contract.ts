import type { DomainErrorCode } from '../domain/kernel/domain-error.js';
import type { ListedParts } from './openapi/extensions.js';
import type { SentEvent } from './openapi/sent-events.js';

export interface DocumentIntroduction {
  title: string;
  description: string;
  tags: readonly { name: string; description: string }[];
}

/** HTTP status of every domain error. */
export type DomainStatuses = Record<DomainErrorCode, number>;

/** Operation of the other contract that this one leaves out, although it has the path under another method. */
export interface AbsentOperation {
  method: string;
  /** Path template below the API root, with `:id` for a parameter. */
  path: string;
}

export interface ContractDefinition {
  introduction: DocumentIntroduction;
  statuses: DomainStatuses;
  absent: readonly AbsentOperation[];
  events: readonly SentEvent[];
  /** Schema names of this contract's document, where they differ from the class names without `Dto`. */
  schemaNames: Readonly<Record<string, string>>;
  listed: ListedParts;
}

export const CONTRACT = Symbol('contract');
