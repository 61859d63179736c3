import { openApiDocument } from '../../src/cli/openapi.js';
import type { Contract } from '../../src/config/deployments.js';
import { AnswerCheck } from './answer-check.js';

/** Checks answers against the document that the routes of this checkout generate. It is generated, and its schemas are compiled, once a worker. */
export class Conformance extends AnswerCheck {
  private static readonly made = new Map<Contract, Promise<Conformance>>();

  static of(contract: Contract): Promise<Conformance> {
    const making =
      this.made.get(contract) ??
      openApiDocument(contract).then((document) => new Conformance(document, contract));
    this.made.set(contract, making);
    return making;
  }
}
