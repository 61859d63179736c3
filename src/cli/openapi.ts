import type { OpenAPIObject } from '@nestjs/swagger';
import { Application } from '../application.js';
import type { Contract } from '../config/environment.js';
import { loadSettings } from '../config/settings.js';

/** Where `npm start` serves each contract: the documents name it, so that what they show can be tried. */
const SERVERS: Record<Contract, string> = {
  partner: 'http://127.0.0.1:3000/api/v1',
  sandbox: 'http://127.0.0.1:3001/api/v1',
};

/** No key is needed to describe; without one, settings would make one and keep it on disk. */
const NO_SECRETS_KEY = Buffer.alloc(32).toString('base64');

/**
 * The OpenAPI document of a contract, the same on every machine: the environment is not read. A running deployment serves the same one under
 * `/openapi.json`, but for `servers`.
 */
export function openApiDocument(contract: Contract): Promise<OpenAPIObject> {
  const settings = loadSettings({ CONTRACT: contract, SECRETS_KEY: NO_SECRETS_KEY });
  return Application.describe(settings, SERVERS[contract]);
}
