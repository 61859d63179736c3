import { crc32 } from 'node:zlib';
import { dataOf, equals, holds, made, matches, refused } from '../check.js';
import { ABSENT, ENVIRONMENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import { refusedFor, tried } from './fields.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What the last six characters of a secret stand for. */
const numberOf = (digits: string): number =>
  [...digits].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);

export const keysRules = rulesOf('keys', {
  created: [
    'A new key shows its secret of this environment in full, the last six characters of which are the CRC32 of all before, its first characters as prefix, and holds `read` alone where no scopes were asked for.',
    async ({ admin, name, contract }) => {
      const answer = await admin.post('/keys', { label: name('key') });
      const key = dataOf(answer, 201);
      equals('object', [answer.body.object, key.object], ['api_key', 'api_key'], answer);
      matches('secret', key.secret, new RegExp(`^vl_${ENVIRONMENT[contract]}_[0-9A-Za-z]{38}$`), answer);
      equals('prefix', key.prefix, key.secret.slice(0, 12), answer);
      equals('the checksum', numberOf(key.secret.slice(-6)), crc32(key.secret.slice(0, -6)), answer);
      const { scopes, partner_id, revoked, environment, last_used_at, expires_at } = key;
      const expected = {
        scopes: ['read'],
        partner_id: null,
        revoked: false,
        environment: ENVIRONMENT[contract],
        last_used_at: null,
        expires_at: null,
      };
      const shown = { scopes, partner_id, revoked, environment, last_used_at, expires_at };
      equals('the key', shown, expected, answer);
    },
  ],
  masked: [
    'A list of keys shows each as it was created, and of its secret no more than its prefix and four asterisks.',
    async ({ admin, name }) => {
      const key = made(await admin.post('/keys', { label: name('masked') }));
      const answer = await admin.get('/keys?limit=20');
      const listed = dataOf(answer, 200).find((one: any) => one.id === key.id);
      holds(listed !== undefined, 'a new key is not among the newest', answer);
      equals('the key', listed, { ...key, secret: `${key.prefix}****` }, answer);
    },
  ],
  revoked: [
    'A revoked key is refused from the moment its revocation was answered; revoking it again is answered the same.',
    async ({ admin, name }) => {
      const { id, secret } = made(
        await admin.post('/keys', { label: name('revoked'), scopes: ['keys:admin'] }),
      );
      const holder = admin.as('key to be revoked', secret);
      dataOf(await holder.get('/keys?limit=1'), 200);
      const first = await admin.delete(`/keys/${id}`);
      const { id: revokedId, revoked } = dataOf(first, 200);
      equals('the answer', { id: revokedId, revoked }, { id, revoked: true }, first);
      refused(await holder.get('/keys?limit=1'), 401, 'invalid_api_key');
      equals('revoked', dataOf(await admin.delete(`/keys/${id}`), 200).revoked, true);
      refused(await admin.delete(`/keys/key_${ABSENT}`), 404, 'not_found');
    },
  ],
  scopes: [
    'Scopes are known, not empty, and each once; `partner:read` needs a partner, which exists, and a bound key holds no more than `partner:read` and `read`.',
    async (stage) => {
      const { id, keyId } = await stage.partner();
      const create = (input: object) => stage.admin.post('/keys', { label: stage.name('scopes'), ...input });
      const unbound = ['read', 'write', 'keys:admin', 'partner:admin'];
      const none = [[], ['everything'], ['read', 'read'], ['read', null], 'read', null];
      await tried(create, 'scopes', [unbound], none);
      refusedFor(await create({ scopes: ['partner:read'] }), 'partner_id');
      for (const scope of ['write', 'keys:admin', 'partner:admin'])
        refusedFor(await create({ scopes: ['partner:read', scope], partner_id: id }), 'scopes');
      await tried(create, 'partner_id', [id], [`ptn_${ABSENT}`, 'ptn_1', keyId, '', null]);
      const reader = await create({ partner_id: id });
      equals('the scopes of a bound key', dataOf(reader, 201).scopes, ['read'], reader);
      const answer = await create({ scopes: ['partner:read', 'read'], partner_id: id });
      const { scopes, partner_id } = dataOf(answer, 201);
      equals('the key', { scopes, partner_id }, { scopes: ['partner:read', 'read'], partner_id: id }, answer);
    },
  ],
  fields: [
    'A label has 1 to 120 characters, and the environment is that of the deployment.',
    async ({ admin, name, contract }) => {
      const create = (input: object) => admin.post('/keys', { label: name('fields'), ...input });
      const good = ['x', 'x'.repeat(120), '🔑'.repeat(120)];
      await tried(create, 'label', good, ['', 'x'.repeat(121), '🔑'.repeat(121), null, 7]);
      refusedFor(await admin.post('/keys', {}), 'label');
      const own = ENVIRONMENT[contract];
      await tried(create, 'environment', [own], [own === 'live' ? 'sandbox' : 'live', 'test', null]);
    },
  ],
});
