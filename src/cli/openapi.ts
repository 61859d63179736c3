import type { OpenAPIObject } from '@nestjs/swagger';
import { Application } from '../application.js';
import { DEPLOYMENTS } from '../config/deployments.js';
import type { Contract } from '../config/environment.js';
import { loadSettings } from '../config/settings.js';

/** No key is needed to describe; without one, settings would make one and keep it on disk. */
const NO_SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * The OpenAPI document of a contract, the same on every machine: the environment is not read. A running deployment serves the same one under
 * `/openapi.json`, but for `servers`.
 */
export function openApiDocument(contract: Contract): Promise<OpenAPIObject> {
  const settings = loadSettings({ CONTRACT: contract, SECRETS_KEY: NO_SECRETS_KEY });
  // Where `npm start` serves the contract, so that what the document shows can be tried.
  const { port } = DEPLOYMENTS[contract].start;
  return Application.describe(settings, `http://127.0.0.1:${port}/${settings.apiRoot}`);
}
