import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { expectRefused } from '../support/fields.js';
import { createPartner, type TestPartner } from '../support/partner.js';

type Metadata = Record<string, unknown>;

/** Metadata whose JSON has a number of bytes. */
const ofBytes = (bytes: number, letter = 'n'): Metadata => {
  const room = bytes - Buffer.byteLength('{"note":""}');
  const letters = Math.floor(room / Buffer.byteLength(letter));
  return { note: letter.repeat(letters) + 'x'.repeat(room - letters * Buffer.byteLength(letter)) };
};

const ACCEPTED: [string, Metadata][] = [
  ['nothing', {}],
  [
    'values of every type',
    { text: 'gold', empty: '', whole: 12, part: -0.25, yes: true, no: false, none: null },
  ],
  ['empty objects and lists', { object: {}, list: [], both: [{}, [], [{}]] }],
  ['objects in lists in objects', { tags: ['a', 1, null, { name: 'b', marks: [true] }] }],
  ['four levels of objects', { a: { b: { c: { d: 1 } } } }],
  ['four levels of lists', { a: [[[1, 2]]] }],
  ['names that objects inherit', { toString: 1, deep: { valueOf: [], hasOwnProperty: { toString: null } } }],
  [
    'an empty name, and names in any script',
    { '': 'x', '🔑': '🔑'.repeat(1000), größe: { ключ: 'значение' } },
  ],
  [
    '50 names of 40 characters',
    Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}`.padEnd(40, 'n'), n])),
  ],
  [
    'numbers as far as a double goes',
    { most: 1.7976931348623157e308, least: 5e-324, exact: 9007199254740991, third: 1 / 3 },
  ],
  ['a text with escapes', { text: '"\\\b\f\n\r\t\u0001\u2028 <script>' }],
  ['two thousand values', { list: Array.from({ length: 2000 }, () => 0) }],
  ['4 KiB', ofBytes(4096)],
  ['4 KiB in characters of three bytes', ofBytes(4096, '✓')],
];

const REFUSED: [string, unknown][] = [
  ['a list', []],
  ['a text', 'gold'],
  ['null', null],
  ['five levels of objects', { a: { b: { c: { d: {} } } } }],
  ['five levels of lists', { a: [[[[]]]] }],
  ['51 names', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}`, n]))],
  ['a name of 41 characters', { ['n'.repeat(41)]: 1 }],
  ['more than 4 KiB', ofBytes(4097)],
  ['more than 4 KiB in characters of three bytes', ofBytes(4097, '✓')],
];

describe.each(eitherContract('partner'))('%s contract: metadata', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let places: { send: (metadata: unknown) => Promise<Answer>; read: (data: any) => Promise<any> }[];
  let count = 0;

  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
    const { admin } = app;
    const { api } = partner;
    const newUser = (metadata: unknown) =>
      api.post('/users', { external_id: `metadata:${++count}`, metadata });
    const { id: user } = (await newUser({})).body.data;
    const campaigns = `/partners/${partner.id}/campaigns`;
    const { id: campaign } = (await admin.post(campaigns, { name: 'Notes' })).body.data;
    const partnerOf = async (id: string) => (await admin.get(`/partners/${id}`)).body.data;
    // No operation shows one user or one campaign: a change of nothing does.
    const userOf = async (id: string) => (await api.patch(`/users/${id}`, {})).body.data;
    const campaignOf = async (id: string) => (await admin.patch(`${campaigns}/${id}`, {})).body.data;
    places = [
      { send: newUser, read: ({ id }) => userOf(id) },
      { send: (metadata) => api.patch(`/users/${user}`, { metadata }), read: ({ id }) => userOf(id) },
      {
        send: (metadata) => admin.post('/partners', { name: 'Notes', metadata }),
        read: (data) => partnerOf(data.partner.id),
      },
      {
        send: (metadata) => admin.patch(`/partners/${partner.id}`, { metadata }),
        read: ({ id }) => partnerOf(id),
      },
      {
        send: (metadata) => admin.post(campaigns, { name: 'Notes', metadata }),
        read: ({ id }) => campaignOf(id),
      },
      {
        send: (metadata) => admin.patch(`${campaigns}/${campaign}`, { metadata }),
        read: ({ id }) => campaignOf(id),
      },
    ];
  });
  afterAll(() => app.close());

  it.each(ACCEPTED)('comes out as it went in: %s', async (_, metadata) => {
    for (const { send, read } of places) {
      const { status, body } = await send(metadata);
      expect([200, 201]).toContain(status);
      expect((body.data.partner ?? body.data).metadata).toEqual(metadata);
      expect((await read(body.data)).metadata).toEqual(metadata);
    }
  });

  it.each(REFUSED)('is refused by name: %s', async (_, metadata) => {
    for (const { send } of places) expectRefused(await send(metadata), 'metadata');
  });

  it.each([
    ['{"a":{"b":"x\\u0000y"}}', 'metadata.a.b', 'must not contain NUL characters'],
    ['{"a":["\\ud800"]}', 'metadata.a.0', 'must not contain half of a surrogate pair'],
    [
      '{"a":{"n":12345678901234567890}}',
      'metadata.a.n',
      'must be a number of at most 15 digits, below 1e308',
    ],
    ['{"a":{"constructor":1}}', 'metadata.a.constructor', 'is a reserved name'],
    ['{"a":{"__proto__":{"b":1}}}', 'metadata.a.__proto__', 'is a reserved name'],
  ])('is refused where it could not come out as it went in: %s', async (metadata, field, message) => {
    const { status, body } = await partner.api.post('/users', `{"external_id":"x","metadata":${metadata}}`);
    expect([status, body.error.details]).toEqual([400, [{ field, message }]]);
  });
});
