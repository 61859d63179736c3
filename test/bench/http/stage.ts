import { randomUUID } from 'node:crypto';
import { newKeySecret } from '../../../src/domain/tenants/access/authenticator.js';
import { type Answer, Api } from '../../support/api.js';
import { createPartner, type TestPartner } from '../../support/partner.js';
import type { NextRequest } from './load.js';

/** Tenants that send requests, each over as many connections as a tenant may have requests in flight. */
const TENANTS = 4;
const CONNECTIONS_EACH = 4;
const ENDPOINTS = 20;

/** What is measured: an operation, its answer's status, and the next request of a tenant. */
export interface Operation {
  name: string;
  /** Highest CPU time a request, as a share of stock's; null: none was set. */
  goal: number | null;
  status: number;
  /** One a connection. */
  requests: readonly NextRequest[];
  /** The same request, sent once to each server to compare their answers. */
  sample: { method: string; path: string; key: string; body?: object };
}

/** Creates partners with webhooks, and the requests that are sent for them. */
export async function setStage(url: string, adminKey: string): Promise<Operation[]> {
  const admin = new Api(url, adminKey);
  const partners: TestPartner[] = [];
  for (let number = 0; number < TENANTS; number++) {
    const partner = await createPartner(admin);
    partners.push(partner);
    for (let count = 0; count < ENDPOINTS; count++)
      created(await partner.api.post('/webhooks', { url: `http://127.0.0.1:9/${count}` }));
  }
  const keys = partners.map(({ key: secret }) => secret);
  const strangers = Array.from({ length: TENANTS }, () => newKeySecret('live'));
  return [
    reading('authentication alone', 0.35, '/webhooks/events', keys),
    reading(`list of ${ENDPOINTS}`, 0.6, `/webhooks?limit=${ENDPOINTS}`, keys),
    {
      name: 'POST with a key',
      goal: 0.8,
      status: 201,
      requests: eachConnection(keys, (secret) => () => creation(secret)),
      sample: {
        method: 'POST',
        path: '/users',
        key: keys[0]!,
        body: { external_id: `sample ${randomUUID()}` },
      },
    },
    reading('refused (401)', null, '/webhooks/events', strangers, 401),
  ];
}

function reading(
  name: string,
  goal: number | null,
  path: string,
  keys: readonly string[],
  status = 200,
): Operation {
  const requests = eachConnection(keys, (secret) => {
    const request = `${head('GET', path, secret)}\r\n`;
    return () => request;
  });
  return { name, goal, status, requests, sample: { method: 'GET', path, key: keys[0]! } };
}

function creation(secret: string): string {
  const body = JSON.stringify({ external_id: randomUUID() });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: ${randomUUID()}\r\n`;
  return `${head('POST', '/users', secret)}${headers}\r\n${body}`;
}

/** The head of a request as common clients send it. */
const head = (method: string, path: string, secret: string): string =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${secret}\r\nAccept: application/json\r\nUser-Agent: bench\r\n`;

const eachConnection = (keys: readonly string[], of: (secret: string) => NextRequest): NextRequest[] =>
  keys.flatMap((secret) => Array.from({ length: CONNECTIONS_EACH }, () => of(secret)));

function created({ status, text, body }: Answer): any {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return body.data;
}
