import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LONE_KEYS, type LoneKey } from '../../src/cli/openapi.js';
import { CONTRACTS } from '../../src/config/environment.js';
import { shortMarkets, startApp, type TestApp } from '../support/app.js';
import { type DocumentedOperation, documentedOperations, filledPath } from '../support/document.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';

/** The list in docs/security.md is made from the documents; here each key is tried on each operation. */
describe.each(CONTRACTS)('who may call what in the %s contract', (contract) => {
  let app: TestApp;
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    app = await startApp(contract, {}, undefined, shortMarkets);
    operations = await documentedOperations(app);
  });
  afterAll(() => app.close());

  const keyOf = async ({ scope, bound }: LoneKey): Promise<string> => {
    const partner = bound ? { partner_id: (await createPartner(app.admin)).id } : {};
    return (await app.admin.post('/keys', { label: 'lone', scopes: [scope], ...partner })).body.data.secret;
  };

  it.each(LONE_KEYS)(
    'a key with $scope alone (bound: $bound): let through where the operation names it, else 403',
    async (lone) => {
      const api = app.admin.as(await keyOf(lone));
      for (const asked of operations) {
        const { name, method, scopes, partnerOnly, example } = asked;
        const answer = await api.send(method, filledPath(asked), example);
        if (scopes.includes(lone.scope) && (lone.bound || !partnerOnly))
          expect([name, answer.status >= 500, [401, 403].includes(answer.status)]).toEqual([
            name,
            false,
            false,
          ]);
        else
          expectError(
            answer,
            403,
            partnerOnly && !lone.bound ? 'partner_key_required' : 'insufficient_scope',
          );
      }
    },
  );

  it('the scope read gives nothing of a partner: it reads, and names no record but a vault', () => {
    // Every key may read its own identity and scopes.
    const open = operations.filter(
      ({ path, scopes }) => scopes.includes('read') && !path.startsWith('/sessions'),
    );
    expect(open.length).toBeGreaterThan(3);
    for (const { name, method, partnerOnly, parameters } of open) {
      const kinds = parameters.flatMap(({ schema }) => /^\^([a-z]+)_/.exec(schema?.pattern ?? '')?.[1] ?? []);
      expect([name, method, partnerOnly, kinds.filter((kind) => kind !== 'vlt')]).toEqual([
        name,
        'GET',
        false,
        [],
      ]);
    }
  });

  it('no key: 401, whatever is called', async () => {
    const nobody = app.admin.as(undefined);
    for (const asked of operations)
      expectError(await nobody.send(asked.method, filledPath(asked), asked.example), 401, 'missing_api_key');
  });
});
