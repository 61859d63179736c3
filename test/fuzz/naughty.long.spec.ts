import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../support/api.js';
import type { Call } from './call.js';
import { judge } from './judge.js';
import { NAUGHTY, NAUGHTY_STRINGS } from './naughty.strings.js';
import { type Operation, type Schema, typeOf } from './operation.js';
import { each, RUNS, SEED, shareOf, some } from './run.js';
import { callOf, type Input, inputOf } from './values.js';
import { World } from './world.js';

const MINUTE_MS = 60_000;
const json = JSON.stringify;

/** A place of a request that takes a text: `put` inserts one there. */
interface Slot {
  name: string;
  put: (call: Call, text: string, input: Input) => Call;
  /** Reads the text back from an answer; undefined: no answer shows it. */
  shown?: (answer: Answer) => unknown;
}

/** Fields that are stored as they are sent. */
const KEPT = new Set(['name', 'label', 'description', 'external_id', 'email', 'contact_email']);

const inBody = (name: string, value: (text: string) => string, shown?: Slot['shown']): Slot => ({
  name,
  put: (call, text, { body }) => {
    const others = Object.entries(body!).filter(([field]) => field !== name);
    const members = others.map(([field, one]) => `${json(field)}:${json(one)}`);
    return { ...call, body: `{${[...members, `${json(name)}:${value(text)}`].join(',')}}` };
  },
  ...(shown && { shown }),
});

function slotsOfField(name: string, schema: Schema): Slot[] {
  const data = ({ body }: Answer): any => body.data.partner ?? body.data;
  switch (typeOf(schema)) {
    case 'string':
      return [inBody(name, json, KEPT.has(name) ? (answer) => data(answer)[name] : undefined)];
    case 'array':
      return [inBody(name, (text) => json([text]))];
    case 'object':
      return [
        inBody(
          name,
          (text) => `{"x":${json(text)}}`,
          (answer) => data(answer)[name].x,
        ),
        inBody(
          name,
          (text) => `{${json(text)}:"x"}`,
          (answer) => Object.entries(data(answer)[name]).find(([, value]) => value === 'x')?.[0],
        ),
      ];
    default:
      return [inBody(name, json)];
  }
}

function slotsOf({ body, parameters }: Operation): Slot[] {
  const fields = Object.entries(body?.properties ?? {});
  return [
    ...fields.flatMap(([name, schema]) => slotsOfField(name, schema)),
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name }): Slot => ({
        name,
        put: (call, text) => ({ ...call, target: `${call.target.split('?')[0]}?${name}=${encoded(text)}` }),
      })),
    ...parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }): Slot => ({
        name,
        put: (call, text, { path }) => ({
          ...call,
          target: call.target.replace(path[name]!, () => encoded(text) || '%20'),
        }),
      })),
  ];
}

/** Where a text is stored, texts that normalisation would change are tried every time. */
const textsFor = ({ shown }: Slot, offset: number): readonly string[] => [
  ...(shown
    ? [...NAUGHTY['space and control']!, ...NAUGHTY['lower and upper']!, 'A\u030angstro\u0308m']
    : []),
  ...some(NAUGHTY_STRINGS, shown ? 3 : 1, offset),
];

/** A lone surrogate has no UTF-8 encoding: its bytes are those that a careless encoder writes. */
const encoded = (text: string): string =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%BD')).join('');

/** Texts that are known to break programs, in every place that takes a text. */
describe.each(['partner', 'sandbox'] as const)('%s contract: naughty texts', (contract) => {
  let world: World;
  let before: Record<string, string>;

  beforeAll(async () => {
    world = await World.start(contract);
    before = await world.reading();
  }, MINUTE_MS);
  afterAll(() => world.close());

  it(
    'are refused for a reason that is documented, or kept to the letter',
    async () => {
      let kept = 0;
      await each(shareOf(contract, world.operations), async (operation, index) => {
        await world.refreshFor(operation);
        const inputs = fc.sample(inputOf(operation, world), { numRuns: 10, seed: SEED + index });
        for (const [place, slot] of slotsOf(operation).entries()) {
          for (const [turn, text] of textsFor(slot, index * 31 + place).entries()) {
            const input = inputs[turn % inputs.length]!;
            const call = slot.put(callOf(operation, input, world), text, input);
            const answer = await world.send(call);
            const accepted = answer.status < 300;
            const status = accepted ? operation.successStatus : ([400, 422] as const);
            judge(world.conformance, call, answer, { status });
            if (!accepted || !slot.shown) continue;
            expect([slot.name, slot.shown(answer)]).toEqual([slot.name, text]);
            kept++;
          }
        }
      });
      expect(kept).toBeGreaterThan(0);
    },
    10 * MINUTE_MS * RUNS,
  );

  it('did nothing to a partner who only looked on', async () => {
    expect(await world.reading()).toEqual(before);
  });
});
