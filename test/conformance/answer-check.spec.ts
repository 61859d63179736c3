import { expect, it } from '@jest/globals';
import { Conformance } from '../support/conformance.js';

it('holds answers to more than their status', async () => {
  const conformance = await Conformance.of('partner');
  const id = 'wh_01kaabcdefghjkmnpqrstvwxyz';
  const body = { object: 'webhook', data: { id, deleted: true } };
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_01kaabcdefghjkmnpqrstvwxyz' };
  const answer = { status: 200, headers: new Headers(headers), body };
  const check = (changed: object) => () =>
    conformance.check('DELETE', `/webhooks/${id}`, { ...answer, ...changed });
  expect(check({})).not.toThrow();
  expect(check({ status: 201 })).toThrow('201 is not documented');
  expect(check({ headers: new Headers({ 'content-type': 'application/json' }) })).toThrow(
    'X-Request-Id is missing',
  );
  expect(check({ body: { ...body, data: { ...body.data, hash: 'x' } } })).toThrow('additional properties');
  expect(check({ body: { ...body, data: { id: 'ptn_1', deleted: true } } })).toThrow('pattern');
  const error = { code: 'wallet_taken', message: 'No.', request_id: headers['x-request-id'] };
  expect(check({ status: 404, body: { error } })).toThrow('wallet_taken is not among');
  expect(() => conformance.checkBody('POST', '/users', { external_id: 'a', name: 'b' })).toThrow(
    'additional',
  );
});
