import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { startApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectError } from '../support/expected-error.js';
import { createPartner } from '../support/partner.js';
import type { Surface } from './isolation.places.js';
import {
  acceptedBody,
  type Assignment,
  bytesOf,
  combinations,
  idsOf,
  ownIds,
  send,
} from './isolation.requests.js';
import { made, type Party, Stage } from './isolation.stage.js';

/** A list of a caller: its path and its filters. */
interface Listing {
  surface: Surface;
  api: Api;
  ids: Assignment;
  query: Record<string, string>;
}

/** Cursors, and answers stored for an Idempotency-Key, are valid only for the caller that they were given to. */
describe.each(eitherContract('partner'))('%s contract: what a caller carries', (contract) => {
  let stage: Stage;
  let own: Party;
  let other: Party;

  beforeAll(async () => {
    stage = await Stage.start(contract);
    [own, other] = [stage.first, stage.second];
  });
  afterAll(() => stage.close());

  const page = ({ surface, api, ids, query }: Listing, cursor?: string): Promise<Answer> =>
    send(api, surface, ids, { name: 'page', query: { ...query, limit: '1', ...(cursor && { cursor }) } });
  const cursorOf = async (listing: Listing): Promise<string | undefined> =>
    (await page(listing)).body.meta.next_cursor;
  const lists = (): Surface[] => stage.surfaces.filter(({ isList }) => isList);
  /** A list without filters. */
  const listing = (surface: Surface, party: Party, api: Api = callerOf(surface, party)): Listing => {
    const ids = ownIds(
      surface.places.filter((place) => place.in === 'path'),
      party,
    );
    return { surface, api, ids, query: {} };
  };
  const callerOf = ({ scopes }: Surface, party: Party): Api =>
    scopes.includes('partner:read') ? party.api : scopes.includes('write') ? stage.protocol : stage.app.admin;
  const filtersOf = (surface: Surface): Listing[] => {
    const bare = listing(surface, own);
    const choices = surface.parameters
      .filter(({ name }) => surface.queries.includes(name))
      .flatMap(({ name, schema }) =>
        (schema?.enum ?? [])
          .filter((value) => value !== schema?.default)
          .map((value) => ({ ...bare, query: { [name]: value } })),
      );
    const byId = surface.places
      .filter((place) => place.in === 'query')
      .map((place) => ({ ...bare, ids: new Map([...bare.ids, [place, idsOf(own, place)[0]!]]) }));
    return [...choices, ...byId];
  };
  /** The answer to an invalid cursor: every foreign cursor must be answered alike. */
  const refused = async (one: Listing): Promise<string> => {
    const answer = await page(one, 'AAAA');
    expectError(answer, 400, 'invalid_cursor');
    return bytesOf(answer);
  };

  describe('a cursor', () => {
    it('is good for every key that reads the list', async () => {
      for (const surface of lists().filter(({ scopes }) => scopes.includes('partner:read'))) {
        const cursor = await cursorOf(listing(surface, own));
        expect([surface.name, typeof cursor]).toEqual([surface.name, 'string']);
        const [first, second] = await Promise.all(
          [own.api, own.colleague].map((api) => page(listing(surface, own, api), cursor)),
        );
        expect([surface.name, second!.status]).toEqual([surface.name, 200]);
        expect(bytesOf(second!)).toBe(bytesOf(first!));
      }
    });

    it("of another partner's list is none, unless everybody reads the same list", async () => {
      // A list without a partner of its own: of the deployment, and of the live market. An account of the sandbox has a market of its own.
      const isEverybodys = (surface: Surface): boolean =>
        listing(surface, own).ids.size === 0 &&
        (callerOf(surface, own) === callerOf(surface, other) ||
          (contract === 'partner' && surface.scopes.includes('read')));
      for (const surface of lists()) {
        const [mine, theirs] = [listing(surface, own), listing(surface, other)];
        const cursor = (await cursorOf(theirs))!;
        const answer = await page(mine, cursor);
        const all = await Promise.all(
          [mine, theirs].map((one) => send(one.api, surface, one.ids, { name: 'all' })),
        );
        // These partners have statements of the same periods, whose names alone the list shows.
        const isAlike = isEverybodys(surface) || surface.operationId === 'listPartnerStatements';
        expect([surface.name, bytesOf(all[0]!) === bytesOf(all[1]!)]).toEqual([surface.name, isAlike]);
        const as = isEverybodys(surface) ? bytesOf(await page(theirs, cursor)) : await refused(mine);
        expect([surface.name, bytesOf(answer)]).toEqual([surface.name, as]);
        // A cursor is bound to its caller, even for a list that names another partner's record.
        if (mine.ids.size > 0 && mine.api !== theirs.api)
          expect(bytesOf(await page({ ...theirs, api: mine.api }, cursor))).toBe(await refused(mine));
      }
    });

    it('of another list of the same caller is none', async () => {
      const given = await Promise.all(
        lists().map(async (surface) => ({ surface, cursor: (await cursorOf(listing(surface, own)))! })),
      );
      for (const surface of lists()) {
        const as = await refused(listing(surface, own));
        for (const one of given.filter((each) => each.surface !== surface)) {
          const answer = await page(listing(surface, own), one.cursor);
          expect([surface.name, one.surface.name, bytesOf(answer)]).toEqual([
            surface.name,
            one.surface.name,
            as,
          ]);
        }
      }
    });

    it('of the same list with other filters, or of another record, is none', async () => {
      for (const surface of lists()) {
        const bare = listing(surface, own);
        const cursor = (await cursorOf(bare))!;
        const records = combinations([...bare.ids.keys()], (place) =>
          idsOf(other, place).concat(idsOf(own, place)),
        )
          .map((ids) => ({ ...bare, ids }))
          .filter(({ ids }) => [...ids].some(([place, id]) => id !== bare.ids.get(place)));
        for (const one of [...filtersOf(surface), ...records]) {
          const what = [surface.name, JSON.stringify([one.query, ...one.ids.values()])];
          expect([...what, bytesOf(await page(one, cursor))]).toEqual([...what, await refused(one)]);
          const filtered = await page(one);
          const back = filtered.status === 200 ? filtered.body.meta.next_cursor : undefined;
          if (back !== undefined)
            expect([...what, bytesOf(await page(bare, back))]).toEqual([...what, await refused(bare)]);
        }
      }
    });

    it('that was changed in any byte, cut or lengthened is none', async () => {
      const [surface] = lists().filter(({ operationId }) => operationId === 'listWebhooks');
      const mine = listing(surface!, own);
      const [cursor, as] = [(await cursorOf(mine))!, await refused(mine)];
      const bytes = Buffer.from(cursor, 'base64url');
      const flipped = [...bytes.keys()].map((at) => {
        const copy = Buffer.from(bytes);
        copy[at]! ^= 1;
        return copy.toString('base64url');
      });
      for (const bad of [
        ...flipped,
        cursor.slice(0, -1),
        cursor.slice(1),
        `${cursor}A`,
        `${cursor}=`,
        `${cursor}.`,
      ])
        expect([bad, bytesOf(await page(mine, bad))]).toEqual([bad, as]);
    });
  });

  describe('an Idempotency-Key', () => {
    const posts = (): Surface[] => stage.surfaces.filter(({ happensOnce }) => happensOnce);
    /** The acting partner: an operation that removes everything acts as a partner that no other case uses. */
    const actor = ({ operationId }: Surface): Party =>
      operationId === 'resetSimulation' ? stage.third : own;
    const sender = (surface: Surface): Api =>
      surface.scopes.includes('partner:read')
        ? actor(surface).api
        : surface.scopes.includes('write')
          ? stage.protocol
          : stage.app.admin;
    const sentBy = (
      api: Api,
      surface: Surface,
      body: object | undefined,
      key: string,
      ids = ownIds(surface.places, actor(surface)),
    ): Promise<Answer> =>
      send(api, surface, ids, {
        name: 'once',
        ...(body && { body }),
        headers: () => ({ 'idempotency-key': key }),
      });

    const expectNoReplay = ({ name }: Surface, answer: Answer, first: Answer): void => {
      expect([name, answer.headers.get('idempotency-replayed')]).toEqual([name, null]);
      // A clock that is set again, and a move that is reported again, give the same answer.
      if (!['simulation_clock', 'move_order'].includes(first.body.object) && !name.endsWith('/allocated'))
        expect([name, answer.text === first.text]).toEqual([name, false]);
    };

    const expectReplay = ({ name }: Surface, answer: Answer, first: Answer): void =>
      expect([name, answer.headers.get('idempotency-replayed'), answer.text]).toEqual([
        name,
        'true',
        first.text,
      ]);

    it("gives its answer to the partner's keys that may ask for it, and to nobody else: another partner, the partner's readers, an administrator", async () => {
      const keyOf = async (scopes: string[]): Promise<Api> =>
        stage.app.admin.as(made(await stage.app.admin.post('/keys', { label: 'second', scopes })).secret);
      const administrator = await keyOf(['keys:admin', 'partner:admin', 'write', 'read']);
      for (const surface of posts()) {
        const [body, key] = [acceptedBody(stage, surface), randomUUID()];
        const api = sender(surface);
        const ids = await stage.actedOn(surface, actor(surface));
        const first = await sentBy(api, surface, body, key, ids);
        made(first);
        const { colleague, reader } = actor(surface);
        for (const another of [administrator, other.api, colleague, reader]) {
          const answer = await sentBy(another, surface, body, key, ids);
          // The answer with a session is repeated only to the API key that asked for it.
          const isShared = surface.scopes.includes('partner:read') && surface.operationId !== 'createSession';
          if (another === colleague && isShared) expectReplay(surface, answer, first);
          else expectNoReplay(surface, answer, first);
        }
        expectReplay(surface, await sentBy(api, surface, body, key, ids), first);
      }
    });

    it('of another partner, on its ids, is answered as on unknown ids', async () => {
      for (const surface of posts().filter(
        ({ scopes, places }) => scopes.includes('partner:read') && places.length > 0,
      )) {
        const [body, key] = [acceptedBody(stage, surface), randomUUID()];
        made(await sentBy(own.api, surface, body, key));
        const answer = await sentBy(other.api, surface, body, key);
        const once = {
          name: 'once',
          ...(body && { body }),
          headers: () => ({ 'idempotency-key': randomUUID() }),
        };
        const absent = new Map(
          surface.places.map((place) => [place, `${place.kind}_01kaabcdefghjkmnpqrstvwxyz`]),
        );
        expectError(answer, 404, 'not_found');
        expect(bytesOf(answer)).toBe(bytesOf(await send(other.api, surface, absent, once)));
      }
    });

    it('gives its answer to the key that replaces the first one, and no more to the first one', async () => {
      const keyOf = async (party: Party) =>
        made(
          await stage.app.admin.post('/keys', {
            label: 'brief',
            scopes: ['partner:read', 'read'],
            partner_id: party.id,
          }),
        );
      for (const surface of posts().filter(
        ({ scopes, operationId }) => scopes.includes('partner:read') && operationId !== 'createSession',
      )) {
        const [brief, heir] = [await keyOf(actor(surface)), await keyOf(actor(surface))];
        const [body, key] = [acceptedBody(stage, surface), randomUUID()];
        const first = await sentBy(stage.app.admin.as(brief.secret), surface, body, key);
        made(first);
        await stage.app.admin.delete(`/keys/${brief.id}`);
        expectError(
          await sentBy(stage.app.admin.as(brief.secret), surface, body, key),
          401,
          'invalid_api_key',
        );
        const answer = await sentBy(stage.app.admin.as(heir.secret), surface, body, key);
        expectReplay(surface, answer, first);
      }
    });
  });
});

it('a cursor of the other contract is none, also where both are sealed with the same key', async () => {
  const env = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const [live, sandbox] = [await startApp('partner', env), await startApp('sandbox', env)];
  for (const { admin } of [live, sandbox]) for (const _ of [1, 2]) await createPartner(admin);
  for (const path of ['/keys', '/partners']) {
    for (const [from, to] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const cursor: string = (await from.admin.get(`${path}?limit=1`)).body.meta.next_cursor;
      expect((await from.admin.get(`${path}?limit=1&cursor=${cursor}`)).status).toBe(200);
      expectError(await to.admin.get(`${path}?limit=1&cursor=${cursor}`), 400, 'invalid_cursor');
    }
  }
  await live.close();
  await sandbox.close();
});
