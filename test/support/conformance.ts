import { openApiDocument } from '../../src/cli/openapi.js';
import type { Contract } from '../../src/config/environment.js';
import { AnswerCheck } from './answer-check.js';

/** Checks answers against the document that the routes of this checkout generate. */
export class Conformance extends AnswerCheck {
  static async of(contract: Contract): Promise<Conformance> {
    return new Conformance(await openApiDocument(contract), contract);
  }
}
