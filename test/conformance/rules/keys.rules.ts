import { crc32 } from 'node:zlib';
import { dataOf, equals, holds, made, matches, refused, shows } from '../check.js';
import type { Exchange } from '../exchange.js';
import { ABSENT, ENVIRONMENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { refusedFor, tried } from './fields.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What the last six characters of a secret stand for. */
const numberOf = (digits: string): number =>
  [...digits].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);

/** Time after which a use must be shown. */
const SHOWN_WITHIN_MS = 15_000;
const SECOND_MS = 1000;

/** A key as the list shows it. */
async function listed({ admin }: Stage, id: string): Promise<{ answer: Exchange; key: any }> {
  const answer = await admin.get('/keys?limit=20');
  const key = dataOf(answer, 200).find((row: any) => row.id === id);
  holds(key !== undefined, `the list does not show ${id}`, answer);
  return { answer, key };
}

export const keysRules = rulesOf('keys', {
  created: [
    'A new key shows its full secret, which ends in a CRC32 checksum, its prefix and environment, and has `read` by default.',
    async ({ admin, name, contract }) => {
      const answer = await admin.post('/keys', { label: name('key') });
      const key = dataOf(answer, 201);
      equals('object', [answer.body.object, key.object], ['api_key', 'api_key'], answer);
      matches('secret', key.secret, new RegExp(`^vl_${ENVIRONMENT[contract]}_[0-9A-Za-z]{38}$`), answer);
      equals('prefix', key.prefix, key.secret.slice(0, 12), answer);
      equals('the checksum', numberOf(key.secret.slice(-6)), crc32(key.secret.slice(0, -6)), answer);
      const fresh = { partner_id: null, revoked: false, last_used_at: null, expires_at: null };
      shows('the key', key, { ...fresh, scopes: ['read'], environment: ENVIRONMENT[contract] }, answer);
    },
  ],
  masked: [
    'A list of keys shows each as created, with its secret masked to the prefix and four asterisks.',
    async (stage) => {
      const { admin, name } = stage;
      const bound = { partner_id: (await stage.partner()).id, expires_at: '2099-01-01T00:00:00.000Z' };
      for (const input of [{}, bound]) {
        const created = made(await admin.post('/keys', { label: name('masked'), ...input }));
        const { answer, key } = await listed(stage, created.id);
        equals('the key', key, { ...created, secret: `${created.prefix}****` }, answer);
      }
    },
  ],
  revoked: [
    'A revoked key is refused from the response on, and listed as revoked; a second revocation succeeds as well.',
    async (stage) => {
      const { admin, name } = stage;
      const { id, secret } = made(
        await admin.post('/keys', { label: name('revoked'), scopes: ['keys:admin'] }),
      );
      const holder = admin.as('key to be revoked', secret);
      dataOf(await holder.get('/keys?limit=1'), 200);
      const first = await admin.delete(`/keys/${id}`);
      shows('the answer', dataOf(first, 200), { id, revoked: true }, first);
      refused(await holder.get('/keys?limit=1'), 401, 'invalid_api_key');
      const { answer, key } = await listed(stage, id);
      equals('revoked in the list', key.revoked, true, answer);
      equals('revoked', dataOf(await admin.delete(`/keys/${id}`), 200).revoked, true);
      refused(await admin.delete(`/keys/key_${ABSENT}`), 404, 'not_found');
    },
  ],
  used: [
    'A use of a key is in its last_used_at within 15 seconds, to the second; an unused key has null.',
    async (stage) => {
      const { admin, name } = stage;
      const [used, idle] = [
        made(await admin.post('/keys', { label: name('used'), scopes: ['keys:admin'] })),
        made(await admin.post('/keys', { label: name('idle') })),
      ];
      const began = Date.now();
      dataOf(await admin.as('key that is used', used.secret).get('/keys?limit=1'), 200);
      for (;;) {
        const { answer, key } = await listed(stage, used.id);
        const waited = Date.now() - began;
        if (key.last_used_at === null && waited < SHOWN_WITHIN_MS) {
          await new Promise((resolve) => setTimeout(resolve, SECOND_MS / 4));
          continue;
        }
        const after = Date.parse(key.last_used_at) - Date.parse(used.created_at);
        const isRight = after >= 0 && after <= waited + SECOND_MS;
        holds(isRight, `last_used_at is ${key.last_used_at}, of a key of ${used.created_at}`, answer);
        break;
      }
      const { answer, key } = await listed(stage, idle.id);
      equals('last_used_at of a key that was not used', key.last_used_at, null, answer);
    },
  ],
  rotated: [
    'A rotation returns a new key with the same label, scopes and partner; the old one ends after previous_expires_in.',
    async (stage) => {
      const { admin, name } = stage;
      const before = made(await admin.post('/keys', { label: name('rotated'), scopes: ['keys:admin'] }));
      const answer = await admin.post(`/keys/${before.id}/rotate`, { previous_expires_in: 0 });
      const { id, label, scopes, partner_id, secret } = dataOf(answer, 201);
      equals('the key', [label, scopes, partner_id], [before.label, before.scopes, null], answer);
      holds(id !== before.id && secret !== before.secret, 'it is the one before', answer);
      const list = await listed(stage, id);
      const { last_used_at: _, ...rotated } = answer.body.data;
      shows('the key in the list', list.key, { ...rotated, secret: `${rotated.prefix}****` }, list.answer);
      dataOf(await admin.as('key that took its place', secret).get('/keys?limit=1'), 200);
      refused(await admin.as('rotated key', before.secret).get('/keys?limit=1'), 401, 'invalid_api_key');
    },
  ],
  scopes: [
    'Scopes are known, unique and not empty; `partner:read` needs an existing partner; bound keys have it and `read` at most.',
    async (stage) => {
      const { id, keyId } = await stage.partner();
      const create = (input: object) => stage.admin.post('/keys', { label: stage.name('scopes'), ...input });
      const unbound = ['read', 'write', 'keys:admin', 'partner:admin'];
      await tried(create, 'scopes', [unbound], [[], 'read', null]);
      for (const scopes of [['everything'], ['read', 'read'], ['read', null]])
        refusedFor(await create({ scopes }), `scopes[${scopes.length - 1}]`);
      refusedFor(await create({ scopes: ['partner:read'] }), 'partner_id');
      for (const scope of ['write', 'keys:admin', 'partner:admin'])
        refusedFor(await create({ scopes: ['partner:read', scope], partner_id: id }), 'scopes[1]');
      await tried(create, 'partner_id', [id], [`ptn_${ABSENT}`, 'ptn_1', keyId, '', null]);
      const reader = await create({ partner_id: id });
      equals('the scopes of a bound key', dataOf(reader, 201).scopes, ['read'], reader);
      const answer = await create({ scopes: ['partner:read', 'read'], partner_id: id });
      shows('the key', dataOf(answer, 201), { scopes: ['partner:read', 'read'], partner_id: id }, answer);
    },
  ],
  fields: [
    'A key has a label of 1 to 120 characters, and the environment of its deployment.',
    async ({ admin, name, contract }) => {
      const create = (input: object) => admin.post('/keys', { label: name('fields'), ...input });
      const good = ['x', 'x'.repeat(120), '🔑'.repeat(120)];
      await tried(create, 'label', good, ['', 'x'.repeat(121), '🔑'.repeat(121), null, 7]);
      refusedFor(await admin.post('/keys', {}), 'label');
      const environment = ENVIRONMENT[contract];
      await tried(
        create,
        'environment',
        [environment],
        [environment === 'live' ? 'sandbox' : 'live', 'test', null],
      );
    },
  ],
});
