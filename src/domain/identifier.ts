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

/** Counts on from a random start, so that ids made within one millisecond still sort in the order in which this process made them. */
let sequence = randomInt(2 ** 30);

/** A new id: prefix, underscore, 26 characters of lower-case Crockford base32 over a UUIDv7 of that time (TypeID), so ids sort by time. */
export function newId(kind: IdKind, at: Date): string {
  sequence = (sequence + 1) % 2 ** 31;
  return TypeID.fromUUID(ID_PREFIXES[kind], v7({ msecs: at.getTime(), seq: sequence })).toString();
}

/** True for a string of the shape of such an id; says nothing about its existence. The first digit bounds the value to 128 bits. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return (
    value.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(value.slice(prefix.length + 1))
  );
}
