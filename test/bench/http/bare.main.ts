import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type Client, Pool, type PoolClient } from 'pg';
import { loadSettings } from '../../../src/config/settings.js';
import { summaryView } from '../../../src/contracts/shared/report.dto.js';
import { userView } from '../../../src/contracts/shared/user.dto.js';
import { webhookView } from '../../../src/contracts/shared/webhook.dto.js';
import { partnerView } from '../../../src/contracts/shared/partner.dto.js';
import '../../../src/domain/access/authenticator.js';
import '../../../src/domain/partners/partner.service.js';
import '../../../src/domain/webhooks/endpoint.service.js';
import { digestOf } from '../../../src/domain/access/key-secret.js';
import { sealContext } from '../../../src/domain/idempotency/idempotency.service.js';
import { newId } from '../../../src/domain/identifier.js';
import { BASE_MARKET } from '../../../src/domain/markets/market-plan.js';
import { toMarketView } from '../../../src/domain/markets/market-view.js';
import { LOOK } from '../../../src/domain/markets/market.queries.js';
import { PartnerBook } from '../../../src/domain/reporting/partner-book.js';
import { summary } from '../../../src/domain/reporting/partner-reports.js';
import { FIND_BOOKS } from '../../../src/domain/reporting/report.queries.js';
import { Cipher } from '../../../src/domain/store/cipher.js';
import { slotOf } from '../../../src/domain/store/slot.js';
import { type Statement, statements } from '../../../src/domain/store/statement.js';
import { EVENT_TYPES } from '../../../src/domain/webhooks/event-type.js';
import { INSERT_USER } from '../../../src/domain/users/user.queries.js';

/**
 * The baseline of the request path: Node's HTTP server and the PostgreSQL driver, with the same statements, rules and answers as the server, and
 * nothing else. It checks no header and no field, limits nothing, and logs nothing.
 */
const settings = loadSettings(process.env);
const { assets, points, revenue, idempotency } = settings.constants;
const cipher = new Cipher(settings.secretsKey);
const pool = new Pool({
  connectionString: settings.database.url!,
  max: settings.database.poolSize,
  options: `-c search_path=${settings.database.schema} -c timezone=UTC`,
});

const named = (name: string): Statement => {
  const found = statements.get(name);
  if (found === undefined) throw new Error(`no statement is named ${name}`);
  return found;
};
const FIND_KEY = named('access.find_key');
const LOOK_UP_CLAIM = named('idempotency.look');
const CLAIM = named('idempotency.claim');
const ANSWER = named('idempotency.answer');
const LIST_ENDPOINTS = named('webhooks.list_endpoints');
const FIND_PARTNER = named('partners.find');

interface Caller {
  keyId: string;
  partnerId: string | null;
}

interface Answer {
  status: number;
  body: string;
}

const answered = (object: string, data: unknown, status = 200): Answer => ({
  status,
  body: JSON.stringify({ object, data }),
});

async function rows({ name, text }: Statement, ...values: unknown[]): Promise<any[]> {
  return (await pool.query({ name, text, values })).rows;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { method, url = '' } = request;
  if (url === '/health/ready') return answered('health', null);
  const secret = request.headers.authorization!.slice('Bearer '.length);
  const [caller] = (await rows(FIND_KEY, digestOf(secret), new Date())) as Caller[];
  if (!caller) return { status: 401, body: refusal() };
  if (method === 'POST') return createUser(request, caller, await bodyOf(request));
  const path = url.slice('/api/v1'.length);
  if (path === '/webhooks/events')
    return answered('webhook_events', { object: 'webhook_events', events: EVENT_TYPES });
  if (path.startsWith('/webhooks?limit=')) {
    const limit = Number(path.slice('/webhooks?limit='.length));
    const found = await rows(LIST_ENDPOINTS, caller.partnerId, 'infinity', '', limit + 1);
    const data = found.slice(0, limit).map(webhookView);
    return {
      status: 200,
      body: JSON.stringify({ object: 'list', data, meta: { has_more: found.length > limit } }),
    };
  }
  if (path === '/partner/summary') return readSummary(caller.partnerId!);
  const [partner] = await rows(FIND_PARTNER, path.slice('/partners/'.length));
  return answered('partner', partnerView(partner));
}

async function readSummary(partnerId: string): Promise<Answer> {
  const [[stored], look] = await Promise.all([rows(FIND_BOOKS, partnerId), rows(LOOK, BASE_MARKET)]);
  const view = toMarketView(BASE_MARKET, look, settings.vaults, new Date());
  const context = {
    partnerId,
    book: new PartnerBook(stored, view),
    assets,
    pointsPerUsdDay: points.perUsdDay,
    performanceFeeBps: revenue.performanceFeeBps,
    asOf: view.now,
  };
  return answered('partner_summary', summaryView(summary(context)));
}

async function createUser(request: IncomingMessage, caller: Caller, text: string): Promise<Answer> {
  const { external_id: externalId } = JSON.parse(text) as { external_id: string };
  const [partnerId, keyId] = [caller.partnerId!, caller.keyId];
  const name = {
    scope: partnerId,
    route: 'POST /api/v1/users',
    key: request.headers['idempotency-key'] as string,
  };
  const claim = [name.scope, name.route, name.key] as const;
  const fingerprint = createHash('sha256').update(`${request.url}\n${text}`).digest();
  await rows(LOOK_UP_CLAIM, ...claim, idempotency.keptHours);
  return inTransaction(async (client) => {
    const ask = async ({ name, text }: Statement, ...values: unknown[]): Promise<void> =>
      void (await client.query({ name, text, values }));
    await ask(CLAIM, ...claim, idempotency.keptHours, keyId, fingerprint);
    const now = new Date();
    const user = {
      ...{ id: newId('user', now), partnerId, externalScope: '', externalId, label: externalId, email: null },
      ...{ metadata: {}, wallets: [], status: 'active' as const, createdAt: now, updatedAt: now },
    };
    await ask(
      INSERT_USER,
      user.id,
      partnerId,
      externalId,
      externalId,
      null,
      {},
      now,
      [],
      slotOf(user.id),
      '',
    );
    const created = answered('user', userView(user), 201);
    await ask(ANSWER, ...claim, cipher.encrypt(created.body, sealContext(keyId, name)), null, keyId);
    return created;
  });
}

async function inTransaction<T>(work: (client: Client | PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('START TRANSACTION');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

const refusal = (): string =>
  JSON.stringify({
    error: {
      code: 'invalid_api_key',
      message: 'This API key is unknown, revoked or mistyped. Check it, or ask for a new one.',
      request_id: newId('request', new Date()),
    },
  });

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => {
      response.writeHead(status, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
      });
      response.end(body);
    },
    (error: Error) => {
      process.stderr.write(`${error.stack}\n`);
      response.destroy();
    },
  );
});
server.listen(settings.port, settings.host);
process.on('SIGTERM', () => process.exit(0));
