import type { OpenAPIObject } from '@nestjs/swagger';
import { Application } from '../application.js';
import { DEPLOYMENTS } from '../config/deployments.js';
import type { Contract } from '../config/deployments.js';
import { loadSettings } from '../config/settings.js';

/** Placeholder key: settings would otherwise generate one and write it to disk. */
const NO_SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * OpenAPI document of a contract, the same on every machine, because the environment is not read. A running deployment serves it under
 * `/openapi.json`, with other `servers`.
 */
export function openApiDocument(contract: Contract): Promise<OpenAPIObject> {
  const settings = loadSettings({ CONTRACT: contract, SECRETS_KEY: NO_SECRETS_KEY });
  // The address under which `npm start` serves the contract, so that requests can be tried from the document.
  const { port } = DEPLOYMENTS[contract].start;
  return Application.describe(settings, `http://127.0.0.1:${port}/${settings.apiRoot}`);
}
