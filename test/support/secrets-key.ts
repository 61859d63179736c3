import { randomBytes } from 'node:crypto';

/** What the deployments of a test file seal their secrets with, unless a test says otherwise: replicas share it, and so does who comes after. */
export const SECRETS_KEY = randomBytes(32).toString('base64');
