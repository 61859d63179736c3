import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventService } from '../../src/domain/outbound/webhooks/event.service.js';
import type { Answer, Api } from '../support/api.js';
import { eitherContract, LONG } from '../support/long.js';
import type { Received } from '../support/receiver.js';
import { untilSettled } from '../support/settled.js';
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

const TELLING = ['createPosition', 'withdrawPosition', 'testWebhook', 'checkWebhook'];
/** Operations that end in events, and so in requests to the receivers of the acting partner. */
const TELLS: Record<string, readonly string[]> = {
  partner: [...TELLING, 'reportWithdrawalPaid', 'reportWithdrawalFailed'],
  sandbox: [...TELLING, 'createWithdrawal', 'simulateEvent'],
};
/** Operations that make a signing secret. */
const SIGNS = new Set(['createWebhook', 'rotateWebhookSecret', 'checkWebhook']);
/** Operations that remove records which other operations need, or narrow what is sent of them, come last. */
const LAST = ['updateWebhook', 'resetSimulation', 'revokeKey', 'deleteWebhook', 'deleteUser'];

/** Everything that can be observed of a partner. */
interface State {
  readings: string[];
  rows: string[];
}

/** Three partners with equal records: an operation of one changes nothing that the others store, read or are sent. */
describe.each(eitherContract('partner'))('%s contract: the isolation of partners', (contract) => {
  let stage: Stage;
  let actor: Party;
  let changing: Surface[];
  let before: Map<Party, State>;

  beforeAll(async () => {
    stage = await Stage.start(contract);
    actor = stage.first;
    const order = ({ operationId }: Surface): number => LAST.indexOf(operationId);
    // A session ends itself; an API key has no session to end.
    const ends = ({ operationId }: Surface): boolean => operationId === 'endCurrentSession';
    changing = stage.surfaces
      .filter((surface) => surface.method !== 'GET' && !ends(surface))
      .sort((a, b) => order(a) - order(b));
    before = new Map();
    for (const party of [stage.second, stage.third]) before.set(party, await state(party));
    stage.receiver.received.length = 0;
  });
  afterAll(() => stage.close());

  /** Requests of a list: without a filter by id, and with each id in each filter. */
  const asked = ({ places }: Surface, party: Party): Assignment[] => {
    const pathPlaces = places.filter((location) => location.in === 'path');
    const inPath = combinations(pathPlaces, (location) => idsOf(party, location));
    // A record's list is narrowed to what is of the same record: the ordinary ones.
    const filters = places
      .filter((location) => location.in === 'query')
      .flatMap((location) => {
        const ids = idsOf(party, location).slice(0, pathPlaces.length > 0 ? 1 : undefined);
        return ids.map((id) => new Map([...ownIds(pathPlaces, party), [location, id]]));
      });
    return [...inPath, ...filters];
  };
  /** Everything that a partner's keys read, and that an administrator reads of the partner. */
  const readings = async (party: Party): Promise<string[]> => {
    const reading = async (surface: Surface, api: Api, ids: Assignment): Promise<string> => {
      const query = surface.isList ? { limit: '500' } : {};
      return `${surface.name} ${[...ids.values()].join()}\n${bytesOf(await send(api, surface, ids, { name: 'all', query }))}`;
    };
    const gets = stage.surfaces.filter(({ method }) => method === 'GET');
    return Promise.all(
      gets.flatMap((surface) => {
        const open = surface.scopes.includes('partner:read');
        const closed = surface.scopes.includes('write') ? stage.protocol : stage.app.admin;
        // Lists that every caller reads alike belong to no partner.
        return asked(surface, party)
          .filter((ids) => open || ids.size > 0)
          .map((ids) => reading(surface, open ? party.api : closed, ids));
      }),
    );
  };
  const state = async (party: Party): Promise<State> => ({
    readings: await readings(party),
    rows: await stage.traces(party),
  });
  /** @param all false: compares rows alone; the long form also compares the readings of the second partner */
  const expectUnmoved = async (what: string, all = true): Promise<void> => {
    await untilSettled(stage.app);
    for (const [party, was] of before) {
      const rows = await stage.traces(party);
      expect([what, rows]).toEqual([what, was.rows]);
      if (all || (LONG && party === stage.second))
        expect([what, await readings(party)]).toEqual([what, was.readings]);
    }
  };
  /** A user with positions cannot be deleted. */
  const touched = ({ operationId, places }: Surface, party: Party): Assignment =>
    operationId === 'deleteUser'
      ? new Map(places.map((location) => [location, party.ids['usr']!['idle']!]))
      : ownIds(places, party);
  const act = (surface: Surface, party: Party, ids = touched(surface, party)): Promise<Answer> => {
    const body = acceptedBody(stage, surface);
    const { scopes } = surface;
    const api = scopes.includes('partner:read')
      ? party.api
      : scopes.includes('write')
        ? stage.protocol
        : stage.app.admin;
    return send(api, surface, ids, { name: 'as it should be', ...(body && { body }) });
  };
  const expectSentBy = (party: Party, received: readonly Received[]): void => {
    const others = stage.parties.filter((row) => row !== party);
    for (const request of received) {
      expect(party.secrets.filter((secret) => verifies(secret, request))).toHaveLength(1);
      for (const other of others) {
        expect(other.secrets.filter((secret) => verifies(secret, request))).toEqual([]);
        for (const id of idsIn(other)) expect(request.body.toString()).not.toContain(id);
      }
    }
  };

  it('The isolation of partners is tested with non-empty lists and figures of the other partners', async () => {
    for (const party of before.keys()) {
      const { readings: texts, rows } = before.get(party)!;
      expect(texts.filter((text) => !text.includes('\n200\n'))).toEqual([]);
      // Some answers are empty: those for ids without records, such as a user without positions.
      const bare = texts.filter((text) => text.includes(' \n200'));
      expect(bare.length).toBeGreaterThan(15);
      expect(bare.filter((text) => text.includes('"data":[]'))).toEqual([]);
      expect(rows.length).toBeGreaterThan(12);
    }
  });

  it('The isolation of partners holds when all partners read at once', async () => {
    const parties = [...before.keys()];
    const all = await Promise.all(parties.map(readings));
    expect(all).toEqual(parties.map((party) => before.get(party)!.readings));
  });

  it('The isolation of partners holds for each write: it changes no response or row of another partner, and reaches its own receivers alone', async () => {
    const { received } = stage.receiver;
    for (const surface of changing) {
      const earlier = received.length;
      const ids = surface.operationId === 'deleteUser' ? undefined : await stage.actedOn(surface, actor);
      const created = made(await act(surface, actor, ids));
      if (SIGNS.has(surface.operationId)) actor.secrets.push(created.secret);
      await expectUnmoved(surface.name, surface === changing.at(-1));
      const now = received.slice(earlier);
      expectSentBy(actor, now);
      if (TELLS[contract]!.includes(surface.operationId))
        expect([surface.name, now.length > 0]).toEqual([surface.name, true]);
    }
  });

  it('The isolation of partners holds when a partner is disabled and enabled again', async () => {
    for (const status of ['disabled', 'active']) {
      made(await stage.app.admin.patch(`/partners/${actor.id}`, { status }));
      await expectUnmoved(status);
    }
  });

  it('The isolation of partners holds for a broadcast: a shared URL gets it once per endpoint, signed with that endpoint’s secret', async () => {
    const { received } = stage.receiver;
    received.length = 0;
    const id = await stage.app.application.get(EventService).broadcastStatus('Maintenance at noon.');
    await untilSettled(stage.app);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(received.map(() => id));
    for (const party of [stage.second, stage.third]) {
      const ownRequests = received.filter((request) =>
        party.secrets.some((secret) => verifies(secret, request)),
      );
      expect(ownRequests).toHaveLength(1);
    }
    const secrets = stage.parties.flatMap((party) => party.secrets);
    for (const request of received)
      expect(secrets.filter((secret) => verifies(secret, request))).toHaveLength(1);
  });
});

const idsIn = ({ ids }: Party): string[] => Object.values(ids).flatMap((some) => Object.values(some));

/** Verifies a signature as a receiver does. */
function verifies(secret: string, { headers, body }: Received): boolean {
  const header = /^t=(\d+),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$/;
  const [, time, ...signatures] = header.exec(String(headers['webhook-signature']))!;
  return signatures.includes(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
}
