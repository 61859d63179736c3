import { randomFillSync, randomInt } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** Kinds of records and the prefix of their ids. */
export const ID_PREFIXES = {
  apiKey: 'key',
  session: 'ses',
  partner: 'ptn',
  campaign: 'cmp',
  user: 'usr',
  webhook: 'wh',
  delivery: 'del',
  event: 'evt',
  position: 'pos',
  settlement: 'set',
  decision: 'dec',
  move: 'mov',
  request: 'req',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** Moments that are remembered: those that batches of records are made at, and some beside them. */
const MOMENTS = 1_000;
/**
 * The newest sequence of each of the latest moments, the one used last at the end. Within a moment it counts on, so that ids sort in the order in which
 * this process made them; each begins at random, so that two ids of a caller's own do not tell how many others were made between them.
 */
const sequences = new Map<number, number>();

function nextSequence(moment: number): number {
  const newest = sequences.get(moment);
  const sequence = newest === undefined ? randomInt(2 ** 30) : (newest + 1) % 2 ** 31;
  sequences.delete(moment);
  sequences.set(moment, sequence);
  if (sequences.size > MOMENTS) sequences.delete(sequences.keys().next().value!);
  return sequence;
}

const UUID_BYTES = 16;
/** Random bytes for many ids: asked for one by one, they take most of the time that an id takes. */
const randomness = new Uint8Array(256 * UUID_BYTES);
let used = randomness.length;

function nextRandom(): Uint8Array {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  return randomness.subarray(used, (used += UUID_BYTES));
}

const bytes = new Uint8Array(UUID_BYTES);

/** A new id: prefix, underscore, 26 characters of lower-case Crockford base32 over a UUIDv7 of that time (TypeID), so ids sort by time. */
export function newId(kind: IdKind, at: Date): string {
  const msecs = at.getTime();
  // Requests stand in no list: theirs are random within the millisecond.
  const order = kind === 'request' ? {} : { seq: nextSequence(msecs) };
  v7({ msecs, random: nextRandom(), ...order }, bytes);
  return TypeID.fromUUIDBytes(ID_PREFIXES[kind], bytes).toString();
}

/** What follows the prefix, as a pattern. The first digit bounds the value to 128 bits. */
export const ID_BODY = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const BODY = new RegExp(`^${ID_BODY}$`);

/** True for a string of the shape of such an id; says nothing about its existence. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return value.startsWith(`${prefix}_`) && BODY.test(value.slice(prefix.length + 1));
}
