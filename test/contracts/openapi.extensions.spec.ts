import { describe, expect, it } from '@jest/globals';
import { type Contract, CONTRACTS } from '../../src/config/environment.js';
import { LISTED } from '../conformance/operations.js';
import { PublishedDocument } from '../support/published-document.js';

const WEBHOOK = ['id', 'object', 'partner_id', 'url', 'events', 'secret', 'active', 'created_at'];
const DELIVERY = [
  ...['id', 'object', 'webhook_id', 'partner_id', 'url', 'event', 'payload', 'signature', 'status'],
  ...['attempts', 'at', 'latency_ms'],
];
const API_KEY = [
  ...['id', 'object', 'label', 'prefix', 'environment', 'created_at', 'last_used_at', 'revoked', 'scopes'],
  ...['partner_id', 'secret'],
];

/**
 * Records whose fields a contract document lists, with those fields. An input of which the document says that it has further ones may have every field of
 * its record.
 */
const FIELDS: Record<string, readonly string[]> = {
  ApiKey: API_KEY,
  CreateKeyInputDto: API_KEY,
  RevokedApiKey: ['id', 'revoked'],
  UserRecord: [
    ...['id', 'object', 'external_id', 'label', 'email', 'metadata', 'wallets', 'status', 'created_at'],
    'updated_at',
  ],
  CreateUserInputDto: ['external_id', 'label', 'wallets'],
  UserLedgerEvent: [
    ...['id', 'object', 'user_id', 'position_id', 'asset', 'type', 'amount', 'apy', 'vault_id', 'note', 'at'],
  ],
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
  EventEnvelope: ['id', 'type', 'created_at', 'data'],
  SystemStatus: ['message', 'requested_at'],
};

/** Query parameters that a contract document lists for an operation. Pages of lists are the sandbox's convention for all of them. */
const PARAMETERS: Record<string, readonly string[]> = {
  'GET /partners': ['status'],
  'GET /partners/{id}/campaigns': ['status'],
  'GET /analytics/signals': ['asset'],
  'GET /analytics/regime': ['asset'],
  'GET /analytics/uplift': ['asset', 'user_id', 'position_id'],
  'GET /analytics/decisions': ['user_id', 'position_id', 'asset'],
};
const DELIVERY_LOG: Record<Contract, string> = {
  partner: 'GET /webhooks/deliveries',
  sandbox: 'GET /webhooks/events',
};
const PAGE = ['limit', 'cursor'];

describe.each(CONTRACTS)('the %s document marks as extensions', (contract) => {
  const document = new PublishedDocument(contract);
  const { operations, content } = document;

  it('parameters of a listed operation that no contract document lists, and no others', () => {
    const listed = operations.filter(({ name }) => LISTED[contract].includes(name));
    for (const { name, operation } of listed) {
      const known = [
        ...PAGE,
        ...(PARAMETERS[name] ?? []),
        ...(name === DELIVERY_LOG[contract] ? ['webhook_id'] : []),
      ];
      const parameters = document.parametersOf(operation).filter((one) => one.in === 'query');
      const marked = parameters.filter((one) => one['x-extension']).map((one) => one.name);
      const unlisted = parameters.map((one) => one.name).filter((one) => !known.includes(one));
      expect([name, marked]).toEqual([name, unlisted]);
    }
    expect(listed.length).toBe(LISTED[contract].length);
  });

  it('fields that no contract document lists, in records whose fields one lists', () => {
    const found = Object.keys(FIELDS).filter((name) => name in content.components.schemas);
    expect(found.length).toBeGreaterThan(10);
    for (const name of found) {
      const fields = Object.entries<any>(content.components.schemas[name].properties);
      const marked = fields.filter(([, schema]) => schema['x-extension']).map(([field]) => field);
      const unlisted = fields.map(([field]) => field).filter((field) => !FIELDS[name]!.includes(field));
      expect([name, marked]).toEqual([name, unlisted]);
    }
  });
});
