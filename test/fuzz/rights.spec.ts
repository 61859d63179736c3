import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newKeySecret } from '../../src/domain/tenants/access/key-secret.js';
import { SCOPES } from '../../src/domain/tenants/access/scope.js';
import type { Answer } from '../support/api.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { BODIES } from './json.cases.js';
import { judge } from './judge.js';
import { mutatedBody, mutationsOf } from './mutations.js';
import type { Operation } from './operation.js';
import { each, isAsked, RUNS, tryAll } from './run.js';
import { callOf, inputOf } from './values.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;

/** A caller without the scopes of an operation. */
interface Stranger {
  key: string | undefined;
  status: 401 | 403;
  code: string;
}

const NOBODY: Stranger = { key: undefined, status: 401, code: 'missing_api_key' };

/** A caller without the required scope is refused, whatever it sends, and the request has no effect. */
describe.each(eitherContract('sandbox'))('%s contract: rights', (contract) => {
  let world: World;
  let unbound: Map<Operation, string>;
  let reader: string;
  let revoked: TestPartner;

  beforeAll(async () => {
    world = await World.start(contract);
    const { admin } = world.app;
    const newKey = async (input: object): Promise<string> =>
      (await admin.post('/keys', { label: 'stranger', ...input })).body.data.secret;
    unbound = new Map();
    for (const operation of world.operations) {
      const others = SCOPES.filter((scope) => scope !== 'partner:read' && !operation.scopes.includes(scope));
      // An operation without required scopes admits any key.
      if (others.length > 0) unbound.set(operation, await newKey({ scopes: others }));
    }
    reader = await newKey({ scopes: ['read'], partner_id: world.partner.id });
    revoked = await createPartner(admin);
    await admin.delete(`/keys/${revoked.keyId}`);
  }, MINUTE_MS);
  afterAll(() => world.close());

  const strangersOf = (operation: Operation): Stranger[] => {
    const environment = contract === 'partner' ? 'live' : 'sandbox';
    const elsewhere = contract === 'partner' ? 'sandbox' : 'live';
    const { partnerOnly, scopes } = operation;
    return [
      // createSession also admits a one-time code instead of a key.
      ...(operation.operationId === 'createSession' ? [] : [NOBODY]),
      { key: newKeySecret(environment), status: 401, code: 'invalid_api_key' },
      { key: `${world.keyOf(operation)}x`, status: 401, code: 'invalid_api_key' },
      { key: revoked.key, status: 401, code: 'invalid_api_key' },
      { key: newKeySecret(elsewhere), status: 401, code: 'wrong_environment' },
      ...(unbound.has(operation)
        ? [
            {
              key: unbound.get(operation)!,
              status: 403,
              code: partnerOnly ? 'partner_key_required' : 'insufficient_scope',
            } as const,
          ]
        : []),
      ...(scopes.includes('read') ? [] : [{ key: reader, status: 403, code: 'insufficient_scope' } as const]),
    ];
  };

  it(
    'no operation is reached without them, with a good body, a bad one or bytes',
    async () => {
      const before = await world.rows();
      await each(world.operations.filter(isAsked), async (operation) => {
        const mutations = mutationsOf(operation).filter((mutation) => mutation.in === 'body');
        const bodies = fc.oneof(
          fc.constant(null),
          fc.constantFrom(...BODIES.map(({ body }) => body)),
          ...(mutations.length > 0 ? [fc.constantFrom(...mutations)] : []),
        );
        const tried = fc.tuple(inputOf(operation, world), bodies, fc.constantFrom(...strangersOf(operation)));
        await tryAll(
          operation.operationId,
          12 * RUNS,
          tried,
          async ([input, other, { key, status, code }]) => {
            const call = callOf(operation, input, world);
            const { authorization: _, ...headers } = call.headers;
            call.headers = { ...headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) };
            if (typeof other === 'string' || Buffer.isBuffer(other)) call.body = other;
            else if (other) call.body = mutatedBody(input.body!, other);
            judge(world.conformance, call, await world.send(call), { status, code });
          },
        );
      });
      expect(await world.rows()).toEqual(before);
    },
    3 * MINUTE_MS * RUNS,
  );

  it(
    "another partner's things are as unknown as what nobody has: to the byte, in every operation that names one",
    async () => {
      const stranger = await createPartner(world.app.admin);
      // A sandbox account gets its market with its first request.
      await stranger.api.get('/partner/summary');
      // Vaults belong to no partner.
      const ofPartners = world.operations.filter(
        ({ path, scopes }) => /(?<!vaults\/)\{id\}/.test(path) && scopes.includes('partner:read'),
      );
      const before = await world.reading();
      const rows = await world.rows();
      await each(ofPartners.filter(isAsked), async (operation) => {
        await tryAll(operation.operationId, 4 * RUNS, inputOf(operation, world), async (input) => {
          const answers: string[] = [];
          for (const id of [input.path['id']!, `${input.path['id']!.slice(0, -4)}zzzz`, 'nobody']) {
            const call = callOf(operation, { ...input, path: { ...input.path, id } }, world);
            call.headers['authorization'] = `Bearer ${stranger.key}`;
            const answer = await world.send(call);
            judge(world.conformance, call, answer, { status: 404, code: 'not_found' });
            answers.push(withoutRequestId(answer));
          }
          expect(new Set(answers).size).toBe(1);
        });
      });
      expect(await world.rows()).toEqual(rows);
      expect(await world.reading()).toEqual(before);
    },
    MINUTE_MS * RUNS,
  );
});

const withoutRequestId = ({ text, body }: Answer): string => text.replace(body.error.request_id, '');
