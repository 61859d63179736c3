import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { expectReplay } from '../support/posts.js';
import { judge } from './judge.js';
import { mutatedBody, mutationsOf } from './mutations.js';
import type { Operation } from '../conformance/operations.js';
import { RUNS } from '../support/runs.js';
import { each, shareOf, tryAll } from './run.js';
import { callOf, type Input, inputOf } from './values.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;

const happensOnce = ({ parameters }: Operation): boolean =>
  parameters.some(({ name }) => name === 'Idempotency-Key');

/** Every operation that the server documents, with input that its schemas allow, and with one error. */
describe.each(['partner', 'sandbox'] as const)('%s contract: the documented API', (contract) => {
  let world: World;
  let operations: Operation[];
  let before: Record<string, string>;

  beforeAll(async () => {
    world = await World.start(contract);
    // Operations that reset the account come last, because they remove what the others need.
    const isLast = ({ operationId }: Operation): number => Number(operationId === 'resetSimulation');
    operations = shareOf(contract, world.operations).sort((a, b) => isLast(a) - isLast(b));
    before = await world.reading();
  }, MINUTE_MS);
  afterAll(() => world.close());

  it(
    'The documented API refuses a body or query with one wrong field, names it, and changes no row',
    async () => {
      await each(operations, async (operation) => {
        const mutations = mutationsOf(operation);
        const rows = await world.rows();
        await tryAll(operation.operationId, RUNS, inputOf(operation, world), async (input) => {
          for (const mutation of mutations) {
            const query = mutation.in === 'query' ? {} : input.query;
            const call = callOf(operation, { ...input, query }, world);
            if (mutation.in === 'query') call.target += `?${mutation.text}`;
            else call.body = mutatedBody(input.body!, mutation);
            const codes = ['validation_failed', ...(mutation.field === 'cursor' ? ['invalid_cursor'] : [])];
            const expected = { status: 400, codes, field: mutation.field };
            judge(world.conformance, call, await world.send(call), expected);
          }
        });
        expect([operation.operationId, await world.rows()]).toEqual([operation.operationId, rows]);
      });
    },
    5 * MINUTE_MS * RUNS,
  );

  it(
    'The documented API accepts what its schemas allow, or answers with a documented refusal',
    async () => {
      const unreached: string[] = [];
      await each(operations, async (operation) => {
        let successes = 0;
        for (let part = 0; part < RUNS; part++) {
          await world.refreshFor(operation);
          const once = fc.tuple(inputOf(operation, world), fc.option(fc.uuid()));
          const accepted = async ([input, key]: [Input, string | null]): Promise<void> => {
            const call = callOf(operation, input, world);
            if (key && happensOnce(operation)) call.headers['idempotency-key'] = key;
            const answer = await world.send(call);
            const refused = [404, 409, 422].includes(answer.status);
            const status = refused ? answer.status : operation.successStatus;
            judge(world.conformance, call, answer, { status });
            if (refused) return;
            successes++;
            if ('idempotency-key' in call.headers) expectReplay(await world.send(call), answer);
          };
          await tryAll(operation.operationId, 3, once, accepted, part);
        }
        if (successes === 0) unreached.push(operation.operationId);
      });
      // One ends a session, and the caller here has a key; the other reads a closed month, and none is closed.
      const unreachable = ['endCurrentSession', 'downloadPartnerPackage'];
      expect(unreached.filter((name) => !unreachable.includes(name))).toEqual([]);
    },
    5 * MINUTE_MS * RUNS,
  );

  it('The fuzzed requests change nothing of another partner', async () => {
    expect(await world.reading()).toEqual(before);
  });
});
