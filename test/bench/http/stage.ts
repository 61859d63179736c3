import { randomBytes, randomUUID } from 'node:crypto';
import { newKeySecret } from '../../../src/domain/access/key-secret.js';
import { type Answer, Api } from '../../support/api.js';
import { createPartner, type TestPartner } from '../../support/partner.js';
import { until } from '../../support/until.js';
import type { NextRequest } from './load.js';

/** Tenants that send requests, each over as many connections as a tenant may have requests in flight. */
const TENANTS = 4;
const CONNECTIONS_EACH = 4;
const ENDPOINTS = 20;
const MARKET_MS = 60_000;

/** What is measured: an operation, its answer's status, and the next request of a tenant. */
export interface Operation {
  name: string;
  status: number;
  /** One a connection. */
  requests: readonly NextRequest[];
  /** The same request, sent once to each server to compare their answers. */
  sample: { method: string; path: string; key: string; body?: object };
}

/** Creates partners with webhooks and positions, and the requests that are sent for them. */
export async function setStage(url: string, adminKey: string): Promise<Operation[]> {
  const admin = new Api(url, adminKey);
  const writer = await key(admin, ['write']);
  const admins = await Promise.all(Array.from({ length: TENANTS }, () => key(admin, ['partner:admin'])));
  const partners: TestPartner[] = [];
  for (let number = 0; number < TENANTS; number++) {
    const partner = await createPartner(admin);
    partners.push(partner);
    for (let count = 0; count < ENDPOINTS; count++)
      created(await partner.api.post('/webhooks', { url: `http://127.0.0.1:9/${count}` }));
    const user = created(await partner.api.post('/users', { external_id: `first of ${partner.id}` }));
    await deposit(admin.as(writer), user.id, 'USDC');
    await deposit(admin.as(writer), user.id, 'USDT0');
  }
  const keys = partners.map(({ key: secret }) => secret);
  const strangers = Array.from({ length: TENANTS }, () => newKeySecret('live'));
  const [{ id }] = partners as [TestPartner];
  return [
    reading('authentication alone', '/webhooks/events', keys),
    reading(`list of ${ENDPOINTS}`, `/webhooks?limit=${ENDPOINTS}`, keys),
    reading('one record', `/partners/${id}`, admins),
    reading('/partner/summary', '/partner/summary', keys),
    {
      name: 'POST with a key',
      status: 201,
      requests: eachConnection(keys, (secret) => () => creation(secret)),
      sample: {
        method: 'POST',
        path: '/users',
        key: keys[0]!,
        body: { external_id: `sample ${randomUUID()}` },
      },
    },
    reading('refused (401)', '/webhooks/events', strangers, 401),
  ];
}

function reading(name: string, path: string, keys: readonly string[], status = 200): Operation {
  const requests = eachConnection(keys, (secret) => {
    const request = `${head('GET', path, secret)}\r\n`;
    return () => request;
  });
  return { name, status, requests, sample: { method: 'GET', path, key: keys[0]! } };
}

function creation(secret: string): string {
  const body = JSON.stringify({ external_id: randomUUID() });
  const own = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nIdempotency-Key: ${randomUUID()}\r\n`;
  return `${head('POST', '/users', secret)}${own}\r\n${body}`;
}

/** The head of a request as common clients send it. */
const head = (method: string, path: string, secret: string): string =>
  `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${secret}\r\nAccept: application/json\r\nUser-Agent: bench\r\n`;

const eachConnection = (keys: readonly string[], of: (secret: string) => NextRequest): NextRequest[] =>
  keys.flatMap((secret) => Array.from({ length: CONNECTIONS_EACH }, () => of(secret)));

async function key(admin: Api, scopes: string[]): Promise<string> {
  return created(await admin.post('/keys', { label: scopes.join(), scopes })).secret;
}

/** A deposit is retried: the market has its first hour only a moment after the start. */
async function deposit(writer: Api, userId: string, asset: string): Promise<void> {
  const body = { user_id: userId, asset, amount: 250, tx_hash: `0x${randomBytes(32).toString('hex')}` };
  await until(async () => {
    const { status, text } = await writer.post('/positions', body);
    if (status !== 201 && status !== 503) throw new Error(`POST /positions answered ${status}: ${text}`);
    return status === 201;
  }, MARKET_MS);
}

function created({ status, text, body }: Answer): any {
  if (status !== 201) throw new Error(`answered ${status}: ${text}`);
  return body.data;
}
