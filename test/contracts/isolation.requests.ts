import { randomUUID } from 'node:crypto';
import { acceptedBody as exampleBody } from '../support/accepted-body.js';
import type { Answer, Api } from '../support/api.js';
import { newTxHash } from '../support/market.js';
import type { Place, Surface } from './isolation.places.js';
import { IDLE_WALLET, type Party, type Stage } from './isolation.stage.js';

/** The rest of a request, beside its ids. */
export interface Variant {
  name: string;
  /** True where the request is well-formed, so that only a rule of the domain can refuse it. */
  wellFormed?: boolean;
  query?: Record<string, string>;
  /** A string is sent as it is; an object is completed with the ids of its places. */
  body?: object | string;
  /** Called for each request. */
  headers?: () => Record<string, string>;
}

/** An id for each place. A place without an id is left out of the query or the body, where it is optional. */
export type Assignment = ReadonlyMap<Place, string>;

interface Bodies {
  /** A body that is accepted with ids of the caller's own, where the document's example does not fit these records; new each time. */
  accepted?: () => object;
  /** Well-formed bodies that a rule refuses even with ids of the caller's own. */
  refused?: object[];
}

let count = 0;
const FORBIDDEN_URL = 'http://10.0.0.1/hook';

/** By operation id, what the document does not show: bodies that these records need, and bodies that rules refuse. */
function bodiesOf({ contract }: Stage): Record<string, Bodies> {
  const settled = (): object => (contract === 'partner' ? { tx_hash: newTxHash() } : {});
  const policy = (): object => ({
    allowed_vaults: null,
    max_risk_tier: 'high',
    min_gain: ++count / 1e6,
    paused: false,
  });
  const report = (): object => ({ amount: 20, ...settled() });
  return {
    createKey: { accepted: () => ({ label: `key ${++count}`, scopes: ['read'] }) },
    createSession: { accepted: () => ({ expires_in: 60 }), refused: [{ scopes: ['write'] }] },
    createCampaign: {
      refused: [
        { name: 'c', asset: 'DOGE' },
        { name: 'c', starts_at: '2026-02-01T00:00:00Z', ends_at: '2026-01-01T00:00:00Z' },
      ],
    },
    updateCampaign: { refused: [{ asset: 'DOGE' }, { ends_at: '2020-01-01T00:00:00Z' }] },
    // The wallet belongs to each party's idle user.
    updateUser: { refused: [{ wallets: [IDLE_WALLET] }] },
    createWebhook: { refused: [{ url: FORBIDDEN_URL }] },
    updateWebhook: { refused: [{ url: FORBIDDEN_URL }, { url: 'http://nobody:secret@example.com/' }] },
    // A rotation ends at once.
    rotateWebhookSecret: { accepted: () => ({ previous_expires_in: 0 }) },
    createPosition: {
      accepted: () => ({ asset: 'USDC', amount: 50, ...settled() }),
      refused: [
        { asset: 'DOGE', amount: 50, ...settled() },
        { asset: 'USDC', amount: 0.0000001, ...settled() },
        { asset: 'USDC', amount: 1_000_000_001, ...settled() },
      ],
    },
    previewPosition: { refused: [{ asset: 'DOGE', amount: 50 }] },
    replacePolicy: { accepted: policy, refused: [{ ...policy(), allowed_vaults: ['vlt_none'] }] },
    boundPartnerPolicy: { accepted: policy },
    withdrawPosition: {
      accepted: () => ({ amount: 0.01, ...settled() }),
      refused: [
        { amount: 900_000_000, ...settled() },
        { amount: 0.0000001, ...settled() },
      ],
    },
    createWithdrawal: {
      accepted: () => ({ asset: 'USDC', amount: 0.01 }),
      refused: [
        { asset: 'DOGE', amount: 1 },
        { asset: 'USDC', amount: 900_000_000 },
        { asset: 'USDC', amount: 1, wallet: IDLE_WALLET },
      ],
    },
    previewWithdrawal: {
      accepted: () => ({ asset: 'USDC', amount: 0.01 }),
      refused: [{ asset: 'DOGE' }, { asset: 'USDC', amount: 900_000_000 }],
    },
    reportWithdrawalPaid: { accepted: () => ({ ...settled(), amount: 0.01 }) },
    resolveSettlement: { accepted: () => ({ action: 'accept', note: `note ${++count}` }) },
    allocatePosition: { accepted: settled },
    reportMoveRedeemed: { accepted: report },
    reportMoveSettled: { accepted: report },
    advanceSimulationClock: { accepted: () => ({ hours: 30 }) },
    simulateEvent: { accepted: () => ({ type: 'position.closed' }), refused: [{ type: 'system.status' }] },
  };
}

/** A body that the operation accepts with ids of the caller's own, which are added when it is sent. */
export const acceptedBody = (stage: Stage, surface: Surface): object | undefined =>
  bodiesOf(stage)[surface.operationId]?.accepted?.() ??
  exampleBody(surface, { ids: {}, url: stage.receiver.url });

/** A valid request, requests that rules refuse, and requests with invalid fields and parameters. */
export function variantsOf(stage: Stage, surface: Surface): Variant[] {
  const body = acceptedBody(stage, surface);
  const { queries, fields, method, operationId } = surface;
  const refused = bodiesOf(stage)[operationId]?.refused ?? [];
  return [
    { name: 'as it should be', wellFormed: true, ...(body && { body }) },
    ...(method === 'POST'
      ? [{ name: 'with a key', ...(body && { body }), headers: () => ({ 'idempotency-key': randomUUID() }) }]
      : []),
    ...refused.map((row) => ({ name: `refused: ${JSON.stringify(row)}`, wellFormed: true, body: row })),
    // The pipe refuses these before the handler looks anything up, whichever field or parameter is wrong.
    ...queries
      .slice(0, 1)
      .map((query) => ({ name: `bad ${query}`, query: { [query]: 'broken' }, ...(body && { body }) })),
    { name: 'unknown parameter', query: { unknown: '1' }, ...(body && { body }) },
    ...(body
      ? [
          { name: 'no JSON', body: '{' },
          { name: 'nothing', body: '{}' },
          ...fields.slice(0, 1).map((field) => ({ name: `bad ${field}`, body: { ...body, [field]: [{}] } })),
        ]
      : []),
  ];
}

/** Sends an operation with the ids in their places. */
export function send(
  api: Api,
  { method, path, parameters, takesBody }: Surface,
  assignment: Assignment,
  { query = {}, body, headers }: Variant,
): Promise<Answer> {
  const at = (where: Place['in']): [string, string][] =>
    [...assignment].filter(([location]) => location.in === where).map(([place, id]) => [place.name, id]);
  const inPath = new Map(at('path'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { schema, example } = parameters.find((parameter) => parameter.name === name) ?? {};
    return encodeURIComponent(inPath.get(name) ?? schema?.enum?.[0] ?? example ?? '');
  });
  const search = new URLSearchParams([...Object.entries(query), ...at('query')]).toString();
  const content =
    typeof body === 'string' || !takesBody ? body : { ...body, ...Object.fromEntries(at('body')) };
  return api.send(method, search === '' ? filled : `${filled}?${search}`, content, headers?.());
}

/** An answer without the parts that differ between two answers to the same request. */
export function bytesOf({ status, headers, text, body }: Answer): string {
  const volatileHeaders = new Set(['x-request-id', 'date', 'ratelimit']);
  const fields = [...headers]
    .filter(([name]) => !volatileHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`);
  const id: string | undefined = body?.error?.request_id;
  return [status, ...fields.sort(), id === undefined ? text : text.replace(id, 'req_')].join('\n');
}

/** The ordinary id of a party for each place. */
export function ownIds(places: readonly Place[], party: Party): Assignment {
  return new Map(places.map((location) => [location, idsOf(party, location)[0]!]));
}

/** Every id of a party for a place. @throws Error for a kind of record that the parties do not have */
export function idsOf(party: Party, { kind, name }: Place): string[] {
  const ids = Object.values(party.ids[kind] ?? {});
  if (ids.length === 0)
    throw new Error(
      `Nobody has an id of the kind ${kind}, which ${name} takes: give each party of the stage some.`,
    );
  return ids;
}

/** Every combination of the choices for the places. */
export function combinations(
  places: readonly Place[],
  choices: (location: Place) => readonly (string | null)[],
): Assignment[] {
  return places.reduce<Assignment[]>(
    (some, index) =>
      some.flatMap((row) => choices(index).map((id) => (id === null ? row : new Map([...row, [index, id]])))),
    [new Map()],
  );
}
