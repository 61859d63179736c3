import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ID_PREFIXES, type IdKind, newId } from '../../src/domain/kernel/identifier.js';
import type { Answer, Api } from '../support/api.js';
import { prefixOf } from '../support/document.js';
import { eitherContract } from '../support/long.js';
import { untilSettled } from '../support/settled.js';
import type { Place, Surface } from './isolation.places.js';
import {
  acceptedBody,
  type Assignment,
  bytesOf,
  combinations,
  idsOf,
  ownIds,
  send,
  variantsOf,
} from './isolation.requests.js';
import { type Party, Stage } from './isolation.stage.js';

/** Refusals that an owner meets only in states that these parties are not in. */
const NOT_MET = new Set([
  'idempotency_in_progress',
  'idempotency_key_reused',
  // Refusals of the whole deployment, or while a clock is advanced: no id leads to them.
  'advance_in_progress',
  // Refusals that depend on the amount of stored records, whichever id is named.
  'quota_exceeded',
  // A rotation in this test ends at once.
  'rotation_in_progress',
]);

/** The same, of one operation. */
const NOT_MET_BY: Record<string, (contract: string) => string[]> = {
  // Where executors pay, contradicted funds are reserved, and not taken; elsewhere a user has no open withdrawal, and these users too few positions.
  createWithdrawal: (contract) =>
    contract === 'partner' ? ['settlement_unresolved'] : ['withdrawal_limit_reached'],
  previewWithdrawal: () => ['withdrawal_limit_reached'],
};

/**
 * A partner's key cannot tell another partner's record from one that does not exist. The cases are generated: every operation, each place of an id.
 */
describe.each(eitherContract('sandbox'))("%s contract: another partner's ids", (contract) => {
  let stage: Stage;
  let owner: Party;
  let other: Party;
  /** Operations that take an id. */
  let surfaces: Surface[];
  /** The operations of `surfaces` that admit a partner's key. */
  let open: Surface[];
  let before: string[][];

  beforeAll(async () => {
    stage = await Stage.start(contract);
    [owner, other] = [stage.first, stage.second];
    surfaces = stage.surfaces.filter(({ places }) => places.length > 0);
    open = surfaces.filter(({ scopes }) => scopes.includes('partner:read'));
    before = await Promise.all([other, stage.third].map((party) => stage.traces(party)));
  });
  afterAll(() => stage.close());

  const nobodys = ({ kind }: Place): string => {
    const [kindName] = Object.entries(ID_PREFIXES).find(([, prefix]) => prefix === prefixOf(kind))!;
    return newId(kindName as IdKind, new Date());
  };
  /** Whether all ids of the assignment are ordinary ones. */
  const isPlain = (assignment: Assignment): boolean =>
    [...assignment].every(([location, id]) =>
      [owner, other].some((party) => idsOf(party, location)[0] === id),
    );
  /**
   * Sends every variant of an operation with each of the assignments, and again with the ids that `instead` puts in their place. A malformed variant
   * is sent with ordinary ids only.
   *
   * @returns the answers that differ
   */
  const differences = async (
    surface: Surface,
    api: Api,
    assignments: Assignment[],
    instead: (assignment: Assignment) => Assignment,
    codes = new Set<string>(),
  ): Promise<string[]> => {
    const asking = variantsOf(stage, surface).flatMap((variant) =>
      assignments
        .filter((assignment) => variant.wellFormed || isPlain(assignment))
        .map((assignment) => ({ variant, assignment })),
    );
    const answers = await Promise.all(
      asking.map(async ({ variant, assignment }): Promise<string[]> => {
        const asked = await send(api, surface, assignment, variant);
        const absent = await send(api, surface, instead(assignment), variant);
        codes.add(asked.body?.error?.code);
        if (bytesOf(asked) === bytesOf(absent)) return [];
        const where = [...assignment].map(([{ name }, id]) => `${name}=${id}`).join(' ');
        return [`${surface.name} ${variant.name} ${where}: ${asked.text}, not as ${absent.text}`];
      }),
    );
    return answers.flat();
  };

  it('Every operation with an id is tested with existing ids and a valid body', () => {
    expect(surfaces.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GET /users/{id}/ledger', 'POST /positions', 'GET /analytics/uplift']),
    );
    for (const surface of surfaces) {
      expect(acceptedBody(stage, surface) !== undefined).toBe(surface.takesBody);
      for (const location of surface.places)
        for (const party of stage.parties)
          expect(idsOf(party, location)[0]).toMatch(`${prefixOf(location.kind)}_`);
    }
  });

  it("Another partner's id has the same response as an unknown id, with every variant of the request", async () => {
    const foreign = new Set(Object.values(other.ids).flatMap((some) => Object.values(some)));
    const breaches: string[] = [];
    for (const surface of surfaces) {
      const all = combinations(surface.places, (location) => [
        ...(location.in === 'query' ? [null] : []),
        idsOf(owner, location)[0]!,
        ...idsOf(other, location),
      ]).filter((assignment) => [...assignment.values()].some((id) => foreign.has(id)));
      const absent = (assignment: Assignment): Assignment =>
        new Map(
          [...assignment].map(([location, id]) => [location, foreign.has(id) ? nobodys(location) : id]),
        );
      const codes = new Set<string>();
      const callers = surface.scopes.includes('read') ? [owner.api, owner.reader] : [owner.api];
      for (const api of callers) breaches.push(...(await differences(surface, api, all, absent, codes)));
      // A refusal that only an owner may see must not appear for another partner's records.
      const told = [...codes].filter((code) => surface.refusals.includes(code));
      expect([surface.name, told]).toEqual([surface.name, []]);
    }
    expect(breaches).toEqual([]);
  });

  it('Names are unique per partner, except live external ids, whose refusal does not reveal the owner', async () => {
    const answers = async (holder: Party): Promise<Answer[]> => {
      const [, { external_id, wallets }] = (await holder.api.get('/partner/users')).body.data;
      const fresh = `fresh of ${holder === owner ? 'mine' : 'theirs'}`;
      const taken = [{ external_id }, { external_id: fresh, wallets }, { external_id, wallets }];
      const all: Answer[] = [];
      for (const body of taken) all.push(await owner.api.post('/users', body));
      return all;
    };
    const [mine, theirs] = [await answers(owner), await answers(other)];
    expect(mine.map(({ status }) => status)).toEqual([409, 409, 409]);
    if (contract === 'partner') {
      expect(theirs.map(({ status }) => status)).toEqual([409, 201, 409]);
      for (const [at, answer] of [theirs[0]!, theirs[2]!].entries()) {
        const own = [mine[0]!, mine[2]!][at]!;
        const { details, ...refusal } = own.body.error;
        expect(details).toEqual([expect.objectContaining({ user_id: expect.any(String) })]);
        // Of its own user the caller learns the id; of another's nothing.
        const text = JSON.stringify({ error: refusal });
        expect(bytesOf(answer)).toBe(
          bytesOf({ ...own, text }).replace(/content-length: \d+/, `content-length: ${text.length}`),
        );
      }
    } else expect(theirs.map(({ status }) => status)).toEqual([201, 201, 409]);
  });

  it('These requests change no row of another partner', async () => {
    await untilSettled(stage.app);
    expect(await Promise.all([other, stage.third].map((party) => stage.traces(party)))).toEqual(before);
  });

  it('The owner succeeds with each id, and gets every documented refusal', async () => {
    for (const surface of open.sort((a, b) => rank(a) - rank(b))) {
      const codes = new Set<string>();
      for (const location of surface.places) {
        const rest = new Map(
          [...ownIds(surface.places, other)].filter(([row]) => row === location || row.in !== 'query'),
        );
        const variants = variantsOf(stage, surface).filter(({ headers }) => headers === undefined);
        const absent = bytesOf(
          await send(other.api, surface, new Map([...rest, [location, nobodys(location)]]), variants[0]!),
        );
        let different = 0;
        for (const id of idsOf(other, location)) {
          for (const variant of variants) {
            const answer = await send(other.api, surface, new Map([...rest, [location, id]]), variant);
            codes.add(answer.body?.error?.code);
            if (variant === variants[0] && answer.status < 300 && bytesOf(answer) !== absent) different++;
          }
        }
        if (`${surface.name} ${location.name}` !== SEPARATE)
          expect([surface.name, location.name, different > 0]).toEqual([
            ...[surface.name, location.name, true],
          ]);
      }
      const unmet = NOT_MET_BY[surface.operationId]?.(contract) ?? [];
      const untold = surface.refusals.filter(
        (code) => !NOT_MET.has(code) && !unmet.includes(code) && !codes.has(code),
      );
      expect([surface.name, untold]).toEqual([surface.name, []]);
    }
  });
});

/** With shared custody no reading is of a partner's own accounts: separate custody has its own tests. */
const SEPARATE = 'GET /reserves/history partner_id';

/** Operations that end something come last; a user is deleted before a deposit prevents it. */
const rank = ({ method, operationId }: Surface): number =>
  method === 'GET'
    ? 0
    : operationId === 'deleteUser'
      ? 0.5
      : method === 'DELETE'
        ? 2
        : operationId === 'withdrawPosition'
          ? 1.5
          : 1;
