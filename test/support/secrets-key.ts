import { randomBytes } from 'node:crypto';

/** The default secrets key of the deployments of a test file: replicas and later processes share it. */
export const SECRETS_KEY = randomBytes(32).toString('base64');
