import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type { Answer } from '../support/api.js';
import type { Call } from './call.js';
import { BODIES } from './json.cases.js';
import { judge } from './judge.js';
import type { Operation } from './operation.js';
import { each, RUNS, SEED, shareOf, some } from './run.js';
import { callOf, inputOf } from './values.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;
const WITH_BODY = new Set(['POST', 'PATCH', 'PUT']);

/** Bodies as bytes: invalid JSON, and JSON whose meaning would change when it is parsed. */
describe.each(['partner', 'sandbox'] as const)('%s contract: bodies', (contract) => {
  let world: World;
  let readers: Operation[];

  beforeAll(async () => {
    world = await World.start(contract);
    readers = shareOf(contract, world.operations).filter(({ method }) => WITH_BODY.has(method));
  }, MINUTE_MS);
  afterAll(() => world.close());

  const goodCall = (operation: Operation, seed = SEED): Call =>
    callOf(operation, fc.sample(inputOf(operation, world), { numRuns: 1, seed })[0]!, world);
  const sent = (operation: Operation, body: string | Buffer, headers: Record<string, string> = {}): Call => {
    const call = goodCall(operation);
    return { ...call, body, headers: { ...call.headers, 'content-type': 'application/json', ...headers } };
  };
  const operation = (id: string): Operation =>
    world.operations.find(({ operationId }) => operationId === id)!;

  it(
    'that cannot be read as one JSON object are refused by every operation, and change nothing',
    async () => {
      const before = await world.rows();
      await each(readers, async (reader, index) => {
        for (const { name, body, status, code, field } of some(BODIES, 6, index)) {
          const call = sent(reader, body);
          const answer = await world.send(call);
          try {
            judge(world.conformance, call, answer, { status, code });
            if (field)
              expect([name, answer.body.error.details[0].field]).toEqual([
                name,
                expect.stringMatching(beginning(field)),
              ]);
          } catch (error) {
            throw new Error(`${reader.operationId}: ${name}: ${(error as Error).message}`, { cause: error });
          }
        }
      });
      expect(await world.rows()).toEqual(before);
    },
    2 * MINUTE_MS * RUNS,
  );

  it(
    'of another type, charset or encoding are 415, whatever they hold',
    async () => {
      const heads = [
        ...[
          '',
          ' ',
          'json',
          'text/json',
          'text/plain',
          'application/jsonp',
          'application/x-json',
          'application/vnd.api+json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/json, application/json',
          'application/json application/json',
          '*/*',
          'application/*',
        ],
        ...[
          'utf-16',
          'utf-16le',
          'utf-32',
          'utf-7',
          'latin1',
          'us-ascii',
          'x',
          '',
          '""',
          'utf-8; charset=utf-16',
        ].map((charset) => `application/json; charset=${charset}`),
      ].map((type) => ({ 'content-type': type }));
      const encodings = ['zstd', 'compress', 'x-gzip', 'gzip, gzip', 'br;q=1', '*', '', 'aes128gcm'].map(
        (encoding) => ({ 'content-encoding': encoding }),
      );
      await each(readers, async (reader, index) => {
        for (const head of some([...heads, ...encodings], 4, index)) {
          const call = sent(reader, zstdCompressSync('{}'), head);
          judge(world.conformance, call, await world.send(call), {
            status: 415,
            code: 'unsupported_media_type',
          });
        }
      });
    },
    MINUTE_MS,
  );

  it(
    'may be compressed in three ways, and are bounded by what they unfold to',
    async () => {
      const reader = operation('createPartner');
      const ways = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
      for (const [encoding, compress] of Object.entries(ways)) {
        const answerTo = async (body: Buffer, status: number, code?: string): Promise<Answer> => {
          const call = sent(reader, body, { 'content-encoding': encoding });
          const answer = await world.send(call);
          judge(world.conformance, call, answer, { status, ...(code && { code }) });
          return answer;
        };
        const packed = compress(Buffer.from('{"name":"In a parcel"}'));
        expect((await answerTo(packed, 201)).body.data.partner.name).toBe('In a parcel');
        await answerTo(packed.subarray(0, packed.length / 2), 400, 'malformed_json');
        await answerTo(Buffer.from('{"name":"Not in a parcel"}'), 400, 'malformed_json');
        await answerTo(compress(Buffer.alloc(50_000_000, ' ')), 413, 'payload_too_large');
      }
    },
    MINUTE_MS,
  );

  it('are taken with a byte order mark, with space around, in any letter case of their type', async () => {
    const reader = operation('createPartner');
    for (const [body, type] of [
      ['\ufeff{"name":"Marked"}', 'application/json'],
      [`${' '.repeat(60_000)}{"name":"Marked"}\r\n\t`, 'Application/JSON;charset=UTF-8'],
      ['{"n\\u0061me":"M\\u0061rked"}', 'application/json; charset="utf-8"; x=y'],
    ] as const) {
      const call = sent(reader, body, { 'content-type': type });
      const answer = await world.send(call);
      judge(world.conformance, call, answer, { status: 201 });
      expect(answer.body.data.partner.name).toBe('Marked');
    }
  });

  it('that are not read at all may be sent with what reads', async () => {
    for (const reader of world.operations.filter(({ method }) => method === 'GET')) {
      const call = sent(reader, '{"zz":');
      const [path, search] = call.target.split('?');
      const query = new URLSearchParams(search);
      // What would not be found is removed: another user's position, an administrator's key, an unknown version of a policy.
      query.delete('position_id');
      if (reader.operationId === 'listPartnerAudit') query.delete('key_id');
      query.delete('version');
      call.target = query.size === 0 ? path! : `${path}?${query.toString()}`;
      judge(world.conformance, call, await world.send(call), { status: 200 });
    }
  });
});

/** Matches the field itself, or a part of it. */
const beginning = (field: string): RegExp => new RegExp(`^${field.replace(/[.$[\]]/g, '\\$&')}(\\.|$)`);
