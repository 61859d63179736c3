import { randomInt } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';

/** Kinds of records and the prefix of their ids. */
export const ID_PREFIXES = {
  apiKey: 'key',
  partner: 'ptn',
  campaign: 'cmp',
  user: 'usr',
  webhook: 'wh',
  delivery: 'del',
  event: 'evt',
  position: 'pos',
  decision: 'dec',
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

/** A new id: prefix, underscore, 26 characters of lower-case Crockford base32 over a UUIDv7 of that time (TypeID), so ids sort by time. */
export function newId(kind: IdKind, at: Date): string {
  const msecs = at.getTime();
  // Requests stand in no list: theirs are random within the millisecond.
  const order = kind === 'request' ? {} : { seq: nextSequence(msecs) };
  return TypeID.fromUUID(ID_PREFIXES[kind], v7({ msecs, ...order })).toString();
}

/** What follows the prefix, as a pattern. The first digit bounds the value to 128 bits. */
export const ID_BODY = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const BODY = new RegExp(`^${ID_BODY}$`);

/** True for a string of the shape of such an id; says nothing about its existence. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return value.startsWith(`${prefix}_`) && BODY.test(value.slice(prefix.length + 1));
}
