import { randomUUID } from 'node:crypto';
import type { Answer, Api } from '../support/api.js';
import { newTxHash } from '../support/market.js';
import type { Place, Surface } from './isolation.places.js';
import { IDLE_WALLET, type Party, type Stage } from './isolation.stage.js';

/** What goes with an operation beside its ids. */
export interface Variant {
  name: string;
  /** True where only a rule of the domain has something to say: what is asked is well-formed. */
  wellFormed?: boolean;
  query?: Record<string, string>;
  /** A text is sent as it is; an object gets the ids that belong into it. */
  body?: object | string;
  /** Made for each sending. */
  headers?: () => Record<string, string>;
}

/** Which id goes where. A place that is not named is left out: of a query or a body, where it may be absent. */
export type Assignment = ReadonlyMap<Place, string>;

interface Bodies {
  /** Accepted with ids of the caller's own; new each time. */
  accepted: () => object;
  /** Well-formed, and refused by a rule when the ids are the caller's own. */
  refused?: object[];
}

let count = 0;
const FORBIDDEN_URL = 'http://10.0.0.1/hook';

/** What to send to each operation that takes a body, by its id. One that is missing here is named by the tests. */
function bodiesOf({ contract, receiver }: Stage): Record<string, Bodies> {
  const settled = (): object => (contract === 'partner' ? { tx_hash: newTxHash() } : {});
  const named = (): { name: string } => ({ name: `Name ${++count}` });
  const shared: Record<string, Bodies> = {
    createKey: { accepted: () => ({ label: `key ${++count}`, scopes: ['read'] }) },
    rotateKey: { accepted: () => ({ previous_expires_in: 60 }) },
    createSession: { accepted: () => ({ expires_in: 60 }), refused: [{ scopes: ['write'] }] },
    createPartner: { accepted: named },
    updatePartner: { accepted: named },
    createCampaign: {
      accepted: named,
      refused: [
        { name: 'c', asset: 'DOGE' },
        { name: 'c', starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-01-01T00:00:00Z' },
      ],
    },
    updateCampaign: { accepted: named, refused: [{ asset: 'DOGE' }, { ends_at: '2020-01-01T00:00:00Z' }] },
    createUser: { accepted: () => ({ external_id: `isolation:${++count}` }) },
    updateUser: {
      accepted: () => ({ label: `label ${++count}` }),
      // Of each party's idle user.
      refused: [{ wallets: [IDLE_WALLET] }],
    },
    createWebhook: {
      accepted: () => ({ url: receiver.url }),
      refused: [{ url: FORBIDDEN_URL }],
    },
    checkWebhook: { accepted: () => ({ url: receiver.url }) },
    rotateWebhookSecret: { accepted: () => ({ previous_expires_in: 0 }) },
    createPosition: {
      accepted: () => ({ asset: 'USDC', amount: 50, ...settled() }),
      refused: [
        { asset: 'DOGE', amount: 50, ...settled() },
        { asset: 'USDC', amount: 0.0000001, ...settled() },
        { asset: 'USDC', amount: 1_000_000_001, ...settled() },
      ],
    },
    withdrawPosition: {
      accepted: () => ({ amount: 0.01, ...settled() }),
      refused: [
        { amount: 900_000_000, ...settled() },
        { amount: 0.0000001, ...settled() },
      ],
    },
  };
  return contract === 'partner'
    ? {
        ...shared,
        resolveSettlement: { accepted: () => ({ action: 'accept', note: `note ${++count}` }) },
        allocatePosition: { accepted: settled },
        reportMoveRedeemed: { accepted: () => ({ amount: 20, ...settled() }) },
        reportMoveSettled: { accepted: () => ({ amount: 20, ...settled() }) },
        reportMoveFailed: { accepted: () => ({ note: `note ${++count}` }) },
        updateWebhook: {
          accepted: () => ({ description: `note ${++count}` }),
          refused: [{ url: FORBIDDEN_URL }, { url: 'http://nobody:secret@example.com/' }],
        },
      }
    : {
        ...shared,
        advanceSimulationClock: { accepted: () => ({ hours: 30 }) },
        bendSimulatedMarket: { accepted: () => ({ scenario: 'volatile' }) },
        resetSimulation: { accepted: () => ({ seed: `seed ${++count}` }) },
        simulateEvent: {
          accepted: () => ({ type: 'position.closed' }),
          refused: [{ type: 'system.status' }],
        },
      };
}

/** A body that its operation accepts. @throws Error for an operation that nobody wrote one for */
export function acceptedBody(stage: Stage, { operationId, takesBody, name }: Surface): object | undefined {
  if (!takesBody) return undefined;
  const bodies = bodiesOf(stage)[operationId];
  if (!bodies)
    throw new Error(`${name} takes a body: say in bodiesOf what it accepts, and what a rule refuses.`);
  return bodies.accepted();
}

/** As it should be; what rules refuse; and what is not valid in every field and parameter. */
export function variantsOf(stage: Stage, surface: Surface): Variant[] {
  const body = acceptedBody(stage, surface);
  const { queries, fields, method, operationId } = surface;
  const refused = bodiesOf(stage)[operationId]?.refused ?? [];
  return [
    { name: 'as it should be', wellFormed: true, ...(body && { body }) },
    ...(method === 'POST'
      ? [{ name: 'with a key', ...(body && { body }), headers: () => ({ 'idempotency-key': randomUUID() }) }]
      : []),
    ...refused.map((one) => ({ name: `refused: ${JSON.stringify(one)}`, wellFormed: true, body: one })),
    ...queries.map((one) => ({ name: `bad ${one}`, query: { [one]: 'broken' }, ...(body && { body }) })),
    { name: 'unknown parameter', query: { unknown: '1' }, ...(body && { body }) },
    ...(body
      ? [
          { name: 'no JSON', body: '{' },
          { name: 'a list', body: '[]' },
          { name: 'nothing', body: '{}' },
          { name: 'unknown field', body: { ...body, unknown: 1 } },
          ...fields.map((one) => ({ name: `bad ${one}`, body: { ...body, [one]: [{}] } })),
        ]
      : []),
  ];
}

/** Sends an operation with ids in their places. */
export function send(
  api: Api,
  { method, path, parameters, takesBody }: Surface,
  assignment: Assignment,
  { query = {}, body, headers }: Variant,
): Promise<Answer> {
  const at = (where: Place['in']): [string, string][] =>
    [...assignment].filter(([place]) => place.in === where).map(([place, id]) => [place.name, id]);
  const inPath = new Map(at('path'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { schema, example } = parameters.find((one) => one.name === name) ?? {};
    return encodeURIComponent(inPath.get(name) ?? schema?.enum?.[0] ?? example ?? '');
  });
  const search = new URLSearchParams([...Object.entries(query), ...at('query')]).toString();
  const content =
    typeof body === 'string' || !takesBody ? body : { ...body, ...Object.fromEntries(at('body')) };
  return api.send(method, search === '' ? filled : `${filled}?${search}`, content, headers?.());
}

/** All that an answer says, as far as two answers to the same question agree. */
export function bytesOf({ status, headers, text, body }: Answer): string {
  const own = new Set(['x-request-id', 'date', 'ratelimit']);
  const fields = [...headers].filter(([name]) => !own.has(name)).map(([name, value]) => `${name}: ${value}`);
  const id: string | undefined = body?.error?.request_id;
  return [status, ...fields.sort(), id === undefined ? text : text.replace(id, 'req_')].join('\n');
}

/** The most ordinary id of a party for each place. */
export function ownIds(places: readonly Place[], party: Party): Assignment {
  return new Map(places.map((place) => [place, idsOf(party, place)[0]!]));
}

/** Every id of a party for a place. @throws Error for a kind of which the parties have none */
export function idsOf(party: Party, { kind, name }: Place): string[] {
  const ids = Object.values(party.ids[kind] ?? {});
  if (ids.length === 0)
    throw new Error(
      `Nobody has an id of the kind ${kind}, which ${name} takes: give each party of the stage some.`,
    );
  return ids;
}

/** Every way to put `choices` into the places that they are for. */
export function combinations(
  places: readonly Place[],
  choices: (place: Place) => readonly (string | null)[],
): Assignment[] {
  return places.reduce<Assignment[]>(
    (some, place) =>
      some.flatMap((one) => choices(place).map((id) => (id === null ? one : new Map([...one, [place, id]])))),
    [new Map()],
  );
}
