import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';

const INHERITED = ['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const RESERVED = ['__proto__', 'constructor', 'prototype'];

/**
 * Property names that JavaScript objects inherit, such as `constructor`, are ordinary names to callers: they must be validated and stored like any
 * other.
 */
describe('names that JavaScript objects inherit', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp('partner');
  });
  afterAll(() => app.close());

  it.each([...INHERITED, ...RESERVED])('%s is not a field of a body or a query', async (name) => {
    const body = await app.admin.post('/partners', `{"name":"x","${name}":"y"}`);
    expect(body.status).toBe(400);
    expect(body.body.error.details).toEqual([{ field: name, message: 'is not a known field' }]);
    const query = await app.admin.get(`/partners?${name}=y`);
    expect(query.status).toBe(400);
    expect(query.body.error.details).toEqual([{ field: name, message: 'is not a known field' }]);
  });

  it.each(INHERITED)('%s is kept in metadata', async (name) => {
    const metadata = { [name]: 'kept', other: 'too' };
    const created = await app.admin.post('/partners', { name: 'x', metadata });
    expect(created.body.data.partner.metadata).toEqual(metadata);
    const read = await app.admin.get(`/partners/${created.body.data.partner.id}`);
    expect(read.body.data.metadata).toEqual(metadata);
  });

  it.each(RESERVED)('%s is refused in metadata, not dropped', async (name) => {
    const { status, body } = await app.admin.post('/partners', `{"name":"x","metadata":{"${name}":"y"}}`);
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ field: `metadata.${name}`, message: 'is a reserved name' }]);
  });

  it('blank names are refused, missing ones are named as missing', async () => {
    const blank = await app.admin.post('/partners', { name: ' \t' });
    expect(blank.body.error.details).toEqual([{ field: 'name', message: 'must not be blank' }]);
    const missing = await app.admin.post('/partners', {});
    expect(missing.body.error.details).toEqual([{ field: 'name', message: 'is required' }]);
  });
});
