import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Contract, CONTRACTS } from '../../src/config/deployments.js';
import { EVENT_TYPES } from '../../src/domain/outbound/webhooks/event-type.js';
import { LISTED } from '../conformance/operations.js';
import { PublishedDocument } from '../support/published-document.js';
import { ENDS } from '../support/child-environment.js';

const DOCUMENTS = { partner: new PublishedDocument('partner'), sandbox: new PublishedDocument('sandbox') };
const published = (contract: Contract): any => DOCUMENTS[contract].content;

it('docs/openapi, docs/postman and the SDK have up-to-date files', () => {
  const check = () =>
    execFileSync(process.execPath, ['scripts/openapi.mjs', '--check'], { stdio: 'pipe', ...ENDS });
  expect(check).not.toThrow();
});

describe.each(CONTRACTS)('the Postman collection of the %s contract', (contract) => {
  const collection = JSON.parse(readFileSync(`docs/postman/${contract}.json`, 'utf8'));
  const document = published(contract);

  it('A Postman collection has every operation once, with the example body of the document', () => {
    const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, { requestBody }]) => {
        const example = requestBody?.content['application/json'].example;
        return [`${method.toUpperCase()} {{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`, example];
      }),
    );
    const requests = collection.item
      .flatMap(({ item }: any) => item)
      .map(({ request }: any) => [
        `${request.method} ${request.url.raw}`,
        request.body && JSON.parse(request.body.raw),
      ]);
    const byName = (all: any[]) => all.sort(([a], [b]) => (a < b ? -1 : 1));
    expect(byName(requests)).toEqual(byName(operations));
  });
});

it('The OpenAPI documents name shared schemas as the contract documents do', () => {
  const names = (contract: Contract): string[] => Object.keys(published(contract).components.schemas);
  const records = [
    'ApiKey',
    'RevokedApiKey',
    'Partner',
    'PartnerCreated',
    'Campaign',
    'UserRecord',
    'ListMeta',
    ...['PartnerSummary', 'AttributedUser', 'PartnerDeposits', 'PartnerWithdrawals', 'PartnerTvl'],
    ...['PartnerYield', 'PartnerPoints', 'RevenueShareOutputDto', 'PartnerPosition'],
    ...['YieldHistory', 'Decision'],
  ];
  const inputs = [
    ...['CreateKeyInputDto', 'CreatePartnerInputDto', 'UpdatePartnerInputDto'],
    ...['CreateCampaignInputDto', 'UpdateCampaignInputDto', 'CreateUserInputDto'],
  ];
  const live = [
    ...['WebhookEndpoint', 'WebhookDelivery', 'WebhookEventTypes', 'DeletedResource'],
    ...['CreateWebhookInputDto', 'UpdateWebhookInputDto'],
    ...['SignalDto', 'RegimeDto', 'UpliftDto'],
  ];
  const simulated = [
    ...['Webhook', 'Delivery', 'DeletedWebhook', 'CreateWebhookRequest'],
    ...['Signal', 'Regime', 'UpliftReport', 'Advisor'],
  ];
  expect(names('partner')).toEqual(expect.arrayContaining([...records, ...inputs, ...live]));
  expect(names('sandbox')).toEqual(expect.arrayContaining([...records, ...inputs, ...simulated]));
  expect(names('sandbox').filter((name) => live.includes(name))).toEqual([]);
  expect(names('partner').filter((name) => simulated.includes(name))).toEqual([]);
});

it("Each OpenAPI document has its deployment's assets and environment", () => {
  const fields = (contract: Contract, name: string): any =>
    published(contract).components.schemas[name].properties;
  expect(fields('partner', 'Campaign').asset.enum).toEqual(['USDC', 'USDT0', null]);
  expect(fields('sandbox', 'Campaign').asset.enum).toEqual(['USDC', 'USDT', null]);
  expect(fields('sandbox', 'CreateCampaignInputDto').asset.enum).toEqual(['USDC', 'USDT', null]);
  expect(fields('partner', 'ApiKey').environment.enum).toEqual(['live']);
  expect(fields('sandbox', 'ApiKey').environment.enum).toEqual(['sandbox']);
  expect(JSON.stringify(published('sandbox'))).not.toContain('vl_live_');
  expect(published('partner').components.securitySchemes.bearer.bearerFormat).toBe('vl_live_...');
  expect(published('sandbox').components.securitySchemes.bearer.bearerFormat).toBe('vl_sandbox_...');
});

it.each(CONTRACTS)(
  "The %s contract's documents name only vaults of its catalogue, and their protocols",
  (contract) => {
    const catalogue = readFileSync(`config/${contract}.yaml`, 'utf8');
    const idle = published(contract).components.schemas.Campaign.properties.asset.enum.map(
      (asset: string | null) => `vlt_idle_${asset?.toLowerCase()}`,
    );
    const [document, collection] = ['openapi', 'postman'].map((kind) =>
      readFileSync(`docs/${kind}/${contract}.json`, 'utf8'),
    );
    const named = new Set(`${document}${collection}`.match(/\bvlt_[a-z0-9_]+\b/g));
    expect(named.size).toBeGreaterThan(2);
    expect([...named].filter((id) => !idle.includes(id) && !catalogue.includes(` ${id}\n`))).toEqual([]);
    const [{ name, venue }] = published(contract).components.schemas.Vault.examples;
    for (const shown of [name, venue]) expect(catalogue).toContain(`: ${shown}\n`);
  },
);

/** Nothing may be missing from any operation, whoever adds it. */
describe.each(CONTRACTS)('every operation of the %s document', (contract) => {
  const document = DOCUMENTS[contract];
  const { operations } = document;
  const parameterNames = (operation: any): string[] =>
    document.parametersOf(operation).map(({ name }) => name);

  it('Every operation bounds its parameters', () => {
    for (const { name, operation } of operations) {
      for (const parameter of document.parametersOf(operation)) {
        const at = `${name} ${parameter.in} ${parameter.name}`;
        const { type, enum: choices, pattern, maxLength, maximum } = parameter.schema;
        const bounded = type !== undefined && Boolean(choices ?? pattern ?? maxLength ?? maximum);
        expect([at, bounded]).toEqual([at, true]);
      }
    }
  });

  it('Every operation lists every error code that its access, path, paging and body can cause', () => {
    const lacking = (codes: string[], applies: (operation: any, name: string) => boolean): string[] =>
      document.except((operation, name) => {
        const named = document.codesOf(operation);
        return !applies(operation, name) || codes.every((code) => named.includes(code));
      });
    const caller = ['missing_api_key', 'invalid_api_key', 'wrong_environment', 'insufficient_scope'];
    const request = [
      'validation_failed',
      'not_acceptable',
      'request_timeout',
      'rate_limited',
      'headers_too_large',
    ];
    expect(lacking([...caller, ...request, 'internal_error', 'service_unavailable'], () => true)).toEqual([]);
    expect(lacking(['not_found'], (_, name) => name.includes('{id}'))).toEqual([]);
    expect(lacking(['partner_key_required'], (operation) => operation['x-partner-key-required'])).toEqual([]);
    expect(lacking(['invalid_cursor'], (operation) => parameterNames(operation).includes('cursor'))).toEqual(
      [],
    );
    const body = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];
    expect(lacking(body, (_, name) => /^(POST|PUT|PATCH)/.test(name))).toEqual([]);
    const once = ['idempotency_in_progress', 'idempotency_key_reused'];
    expect(lacking(once, (_, name) => name.startsWith('POST'))).toEqual([
      'POST /positions/preview',
      'POST /users/{id}/withdrawals/preview',
    ]);
  });
});

describe.each(CONTRACTS)('the events of the %s document', (contract) => {
  const document = DOCUMENTS[contract];

  it('A document describes all event types, with the headers for their verification', () => {
    const { webhooks } = document.content;
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES]);
    for (const [type, { post }] of Object.entries<any>(webhooks)) {
      expect(document.parametersOf(post).map(({ name }) => name)).toEqual([
        'Webhook-Signature',
        'Webhook-Id',
      ]);
      const schema = document.resolved(post.requestBody.content['application/json'].schema);
      expect(schema.required).toEqual(['id', 'type', 'created_at', 'data']);
      expect(schema.properties.type.enum).toEqual([type]);
    }
  });

  it('A document lists exactly the fields of each event type', () => {
    const { schemas } = document.content.components;
    // `settlement` is only read, not sent.
    const shown = schemas.PartnerPosition.required.filter((name: string) => name !== 'settlement');
    const position = [...shown, 'decision_id'];
    const carried: Record<string, string[]> = {
      'position.opened': position,
      'position.active': position,
      'position.rebalanced': [...position, 'amount', 'cost'],
      'position.withdrawn': [...position, 'amount', 'withdrawal_id'],
      'position.closed': position,
      'yield.threshold': ['asset', 'threshold', 'direction', 'apy', 'previous_apy', 'at'],
      'system.status': ['message', 'requested_at'],
    };
    expect(Object.keys(carried)).toEqual([...EVENT_TYPES]);
    for (const [type, { post }] of Object.entries<any>(document.content.webhooks)) {
      const envelope = document.resolved(post.requestBody.content['application/json'].schema);
      const data = document.resolved(envelope.properties.data);
      // An alert alone has it.
      const optional = type === 'system.status' ? ['alert'] : [];
      const always = Object.keys(data.properties).filter((name) => !name.endsWith('_exact'));
      expect([type, always, data.required]).toEqual([type, [...carried[type]!, ...optional], carried[type]]);
    }
  });
});

const WEBHOOK = ['id', 'object', 'partner_id', 'url', 'events', 'secret', 'active', 'created_at'];
const EVENT = ['id', 'type', 'created_at', 'data'];
const DELIVERY = [
  ...['id', 'object', 'webhook_id', 'partner_id', 'url', 'event', 'payload', 'signature', 'status'],
  ...['attempts', 'at', 'latency_ms'],
];
const API_KEY = [
  ...['id', 'object', 'label', 'prefix', 'environment', 'created_at', 'last_used_at', 'revoked', 'scopes'],
  ...['partner_id', 'secret'],
];

const SIGNAL = ['volatility', 'trend', 'insufficient_history'];

/**
 * Fields that the contract document lists, by schema. A schema not named here has only extensions. If the document leaves an input open, every field of its
 * record counts as listed.
 */
const FIELDS: Record<string, readonly string[]> = {
  ApiKey: API_KEY,
  CreateKeyInputDto: API_KEY,
  RevokedApiKey: ['id', 'revoked'],
  Partner: ['id', 'status'],
  UpdatePartnerInputDto: ['status'],
  PartnerCreated: ['partner', 'api_key'],
  Campaign: ['id', 'status'],
  UpdateCampaignInputDto: ['status'],
  UserRecord: [
    ...['id', 'object', 'external_id', 'label', 'email', 'metadata', 'wallets', 'status', 'created_at'],
    'updated_at',
  ],
  CreateUserInputDto: ['external_id', 'label', 'wallets'],
  UserLedgerEvent: [
    ...['id', 'object', 'user_id', 'position_id', 'asset', 'type', 'amount', 'apy', 'vault_id', 'note', 'at'],
  ],
  SignalDto: SIGNAL,
  Signal: SIGNAL,
  RegimeDto: ['regime'],
  Regime: ['regime'],
  WebhookEndpoint: WEBHOOK,
  Webhook: WEBHOOK,
  CreateWebhookInputDto: ['url', 'events'],
  CreateWebhookRequest: ['url', 'events'],
  UpdateWebhookInputDto: WEBHOOK,
  WebhookDelivery: DELIVERY,
  Delivery: DELIVERY,
  WebhookEventTypes: ['object', 'events'],
  DeletedResource: ['id', 'deleted'],
  DeletedWebhook: ['id', 'deleted'],
  EventEnvelope: EVENT,
  PositionOpenedEvent: EVENT,
  PositionActiveEvent: EVENT,
  PositionRebalancedEvent: EVENT,
  PositionWithdrawnEvent: EVENT,
  PositionClosedEvent: EVENT,
  YieldThresholdEvent: EVENT,
  SystemStatusEvent: EVENT,
  SystemStatus: ['message', 'requested_at'],
  ListMeta: ['next_cursor'],
  ErrorEnvelope: ['error', 'error.code', 'error.message', 'error.request_id'],
};

/** Parameters, beyond those of the path, that the contract document lists for an operation. Paging is the sandbox document's convention for all lists. */
const PARAMETERS: Record<string, readonly string[]> = {
  'GET /partners': ['status'],
  'GET /partners/{id}/campaigns': ['status'],
  'GET /analytics/signals': ['asset'],
  'GET /analytics/regime': ['asset'],
  'GET /analytics/uplift': ['asset', 'user_id', 'position_id'],
  'GET /analytics/decisions': ['user_id', 'position_id', 'asset'],
  'POST /webhooks': ['Idempotency-Key'],
};
const DELIVERY_LOG: Record<Contract, string> = {
  partner: 'GET /webhooks/deliveries',
  sandbox: 'GET /webhooks/events',
};
const PAGE = ['limit', 'cursor'];

describe.each(CONTRACTS)('the %s document marks as extensions', (contract) => {
  const document = DOCUMENTS[contract];
  const { operations, content } = document;

  /** Names of the fields of a record, with their marks. Fields of nested records have dotted names. */
  const fieldsOf = (schema: any, above = ''): [name: string, isMarked: boolean][] =>
    Object.entries<any>(schema.properties ?? {}).flatMap(([name, field]) => [
      [`${above}${name}`, field['x-extension'] === true],
      ...fieldsOf(field, `${above}${name}.`),
      ...fieldsOf(field.items ?? {}, `${above}${name}.`),
    ]);

  it('The operations that a document marks as extensions are those that its contract document does not list', () => {
    const marked = operations.filter(({ operation }) => operation['x-extension']).map(({ name }) => name);
    const unlisted = operations.map(({ name }) => name).filter((name) => !LISTED[contract].includes(name));
    expect(marked).toEqual(unlisted);
    expect(operations.length - marked.length).toBe(LISTED[contract].length);
  });

  it('The parameters that a document marks as extensions are those that its contract document does not list', () => {
    for (const { name, operation } of operations) {
      const listedNames = [
        ...PAGE,
        ...(PARAMETERS[name] ?? []),
        ...(name === DELIVERY_LOG[contract] ? ['webhook_id'] : []),
      ];
      const isListed = LISTED[contract].includes(name);
      const parameters = document.parametersOf(operation);
      const marked = parameters
        .filter((parameter) => parameter['x-extension'])
        .map((parameter) => parameter.name);
      const unlisted = parameters
        .filter(
          (parameter) => !listedNames.includes(parameter.name) && !(parameter.in === 'path' && isListed),
        )
        .map((parameter) => parameter.name);
      expect([name, marked]).toEqual([name, unlisted]);
    }
  });

  it('The fields that a document marks as extensions are those that its contract document does not list', () => {
    const records = Object.entries<any>(content.components.schemas).filter(
      ([name, { properties }]) => properties && !/(List|Answer)$/.test(name),
    );
    const recordNames = records.filter(([name]) => name in FIELDS).map(([name]) => name);
    expect(recordNames.length).toBeGreaterThan(20);
    for (const [name, schema] of records) {
      const fields = fieldsOf(schema);
      const marked = fields.filter(([, isMarked]) => isMarked).map(([field]) => field);
      const unlisted = fields.map(([field]) => field).filter((field) => !FIELDS[name]?.includes(field));
      expect([name, marked]).toEqual([name, unlisted]);
    }
  });
});
