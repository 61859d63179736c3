import { readFileSync } from 'node:fs';
import type { Contract } from '../../src/config/deployments.js';
import { inlined } from '../../src/http/openapi/share.js';
import { resolved } from './document.js';

/** The document of a contract in `docs/openapi`, with the queries that tests need. */
export class PublishedDocument {
  readonly content: any;
  readonly operations: readonly NamedOperation[];

  constructor(contract: Contract) {
    const file = new URL(`../../docs/openapi/${contract}.json`, import.meta.url);
    this.content = inlined(JSON.parse(readFileSync(file, 'utf8')));
    this.operations = Object.entries<any>(this.content.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  }

  /** The node that a reference points to, or the node itself. */
  resolved(node: any): any {
    return resolved(this.content, node);
  }

  parametersOf(operation: any): any[] {
    return operation.parameters.map((parameter: unknown) => this.resolved(parameter));
  }

  responsesOf(operation: any): [status: string, response: any][] {
    return Object.entries(operation.responses).map(([status, response]) => [status, this.resolved(response)]);
  }

  /** Every error code that the document lists for an operation. */
  codesOf(operation: any): string[] {
    return this.responsesOf(operation).flatMap(([, { content }]) =>
      Object.keys(content['application/json']?.examples ?? {}),
    );
  }

  /** Names of the operations for which a condition does not hold; empty: it holds for all. */
  except(holds: (operation: any, name: string) => boolean, of = this.operations): string[] {
    return of.filter(({ operation, name }) => !holds(operation, name)).map(({ name }) => name);
  }
}

export interface NamedOperation {
  /** `GET /keys/{id}` */
  name: string;
  operation: any;
}
