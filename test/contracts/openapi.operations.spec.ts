import { describe, expect, it } from '@jest/globals';
import { CONTRACTS } from '../../src/config/environment.js';
import { EVENT_TYPES } from '../../src/domain/outbound/webhooks/event-type.js';
import { PublishedDocument } from '../support/published-document.js';

/** Nothing may be missing from any operation, whoever adds it. */
describe.each(CONTRACTS)('every operation of the %s document', (contract) => {
  const document = new PublishedDocument(contract);
  const { operations } = document;
  const parameterNames = (operation: any): string[] =>
    document.parametersOf(operation).map(({ name }) => name);

  it('bounds its parameters', () => {
    for (const { name, operation } of operations) {
      for (const parameter of document.parametersOf(operation)) {
        const at = `${name} ${parameter.in} ${parameter.name}`;
        const { type, enum: choices, pattern, maxLength, maximum } = parameter.schema;
        const bounded = type !== undefined && Boolean(choices ?? pattern ?? maxLength ?? maximum);
        expect([at, bounded]).toEqual([at, true]);
      }
    }
  });

  it('lists every error code that its access, path, paging and body can cause', () => {
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
    expect(lacking(once, (_, name) => name.startsWith('POST'))).toEqual(['POST /positions/preview']);
  });
});

describe.each(CONTRACTS)('the events of the %s document', (contract) => {
  const document = new PublishedDocument(contract);

  it('are all event types, with the headers for their verification', () => {
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

  it('list exactly the fields of each event type', () => {
    const { schemas } = document.content.components;
    // What the chain says of it is read, not sent.
    const shown = schemas.PartnerPosition.required.filter((name: string) => name !== 'settlement');
    const position = [...shown, 'decision_id'];
    const carried: Record<string, string[]> = {
      'position.opened': position,
      'position.active': position,
      'position.rebalanced': [...position, 'amount', 'cost'],
      'position.withdrawn': [...position, 'amount'],
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
