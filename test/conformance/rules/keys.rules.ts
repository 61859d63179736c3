import { dataOf, equals, holds, made, matches, refused, refusedField } from '../check.js';
import { ABSENT, ENVIRONMENT } from '../operations.js';
import { rulesOf } from '../rule.js';

export const keysRules = rulesOf('keys', {
  created: [
    'A new key shows its secret of this environment in full, its first characters as prefix, and holds `read` alone where no scopes were asked for.',
    async ({ admin, name, contract }) => {
      const answer = await admin.post('/keys', { label: name('key') });
      const key = dataOf(answer, 201);
      equals('object', [answer.body.object, key.object], ['api_key', 'api_key'], answer);
      matches('secret', key.secret, new RegExp(`^vl_${ENVIRONMENT[contract]}_[0-9A-Za-z]{38}$`), answer);
      equals('prefix', key.prefix, key.secret.slice(0, 12), answer);
      const { scopes, partner_id, revoked, environment, last_used_at } = key;
      const expected = {
        scopes: ['read'],
        partner_id: null,
        revoked: false,
        environment: ENVIRONMENT[contract],
        last_used_at: null,
      };
      equals('the key', { scopes, partner_id, revoked, environment, last_used_at }, expected, answer);
    },
  ],
  masked: [
    'A list of keys shows no secret but its prefix and four asterisks.',
    async ({ admin, name }) => {
      const { id, prefix } = made(await admin.post('/keys', { label: name('masked') }));
      const answer = await admin.get('/keys?limit=20');
      const listed = dataOf(answer, 200).find((one: any) => one.id === id);
      holds(listed !== undefined, 'a new key is not among the newest', answer);
      equals('secret', listed.secret, `${prefix}****`, answer);
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
    'Scopes are known, not empty, and each once; `partner:read` needs a partner, and a bound key holds no more than `partner:read` and `read`.',
    async (stage) => {
      const { id } = await stage.partner();
      const create = (input: object) => stage.admin.post('/keys', { label: stage.name('scopes'), ...input });
      for (const scopes of [[], ['everything'], ['read', 'read'], 'read'])
        refusedField(await create({ scopes }), 'scopes');
      refused(await create({ scopes: ['partner:read'] }), 400, 'validation_failed');
      for (const scope of ['write', 'keys:admin', 'partner:admin'])
        refused(await create({ scopes: [scope], partner_id: id }), 400, 'validation_failed');
      equals(
        'partner_id',
        dataOf(await create({ scopes: ['partner:read'], partner_id: id }), 201).partner_id,
        id,
      );
    },
  ],
  fields: [
    'A label has 1 to 120 characters, and the environment is that of the deployment.',
    async ({ admin, contract }) => {
      for (const label of ['', 'x'.repeat(121), null])
        refusedField(await admin.post('/keys', { label }), 'label');
      const environment = ENVIRONMENT[contract] === 'live' ? 'sandbox' : 'live';
      refusedField(await admin.post('/keys', { label: 'elsewhere', environment }), 'environment');
    },
  ],
});
