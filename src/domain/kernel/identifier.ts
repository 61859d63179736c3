import { randomFillSync, randomInt } from 'node:crypto';
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
  deposit: 'dep',
  settlement: 'set',
  withdrawal: 'wdr',
  invoice: 'inv',
  decision: 'dec',
  move: 'mov',
  batch: 'bat',
  audit: 'aud',
  request: 'req',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** Limit on remembered moments: those of batches of records, and some more. */
const MOMENTS = 1_000;
/**
 * Newest sequence of each recent moment, the last used last. It counts up, so that ids sort in the order of creation in this process, from a random
 * number, so that two ids do not reveal how many others were created between them.
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

const bytes = new Uint8Array(16);

/** Random bytes drawn in advance: a system call for each id took 4 % of the CPU of an authenticated request. */
const pool = new Uint8Array(4_096);
let poolOffset = pool.length;

/** Fresh cryptographically random bytes, at most 64, valid until the next call. */
export function nextRandom(count: number): Uint8Array {
  if (poolOffset + count > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  return pool.subarray(poolOffset, (poolOffset += count));
}

const DIGITS = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz', 'latin1');
const DIGIT_BITS = 5;
const digits = Buffer.alloc(26);

/** Base32 of the UUID in `bytes`, behind two bits of 0. */
function encoded(): string {
  let [buffer, bits, index] = [0, 2, 0];
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    for (bits += 8; bits >= DIGIT_BITS; index++) {
      bits -= DIGIT_BITS;
      digits[index] = DIGITS[buffer >> bits]!;
      buffer &= (1 << bits) - 1;
    }
  }
  return digits.toString('latin1');
}

/** Ids for the next records of a kind, set by `runWithIds`. */
let presetIds: Partial<Record<IdKind, string[]>> = {};

/** Runs work whose first records of these kinds get the given ids, within others that are given, for the whole process: meant for demo records, before a server starts. */
export async function runWithIds<T>(
  ids: Partial<Record<IdKind, string[]>>,
  work: () => Promise<T>,
): Promise<T> {
  const outer = presetIds;
  presetIds = { ...outer, ...structuredClone(ids) };
  try {
    return await work();
  } finally {
    presetIds = outer;
  }
}

/** New id: prefix, underscore, 26 characters of lower-case Crockford base32 over a UUIDv7 of that time (TypeID), so that ids sort by time. */
export function newId(kind: IdKind, at: Date): string {
  const id = presetIds[kind]?.shift();
  if (id !== undefined) return id;
  const msecs = at.getTime();
  // Requests are never listed, so their ids are random within the millisecond.
  const order = kind === 'request' ? {} : { seq: nextSequence(msecs) };
  v7({ msecs, ...order, random: nextRandom(bytes.length) }, bytes);
  return `${ID_PREFIXES[kind]}_${encoded()}`;
}

/** Pattern of an id after its prefix. The first digit limits the value to 128 bits. */
export const ID_BODY = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const BODY = new RegExp(`^${ID_BODY}$`);

/** True for a well-formed id; says nothing about its existence. */
export function isId(kind: IdKind, value: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return value.startsWith(`${prefix}_`) && BODY.test(value.slice(prefix.length + 1));
}

export const KIND_BY_PREFIX: ReadonlyMap<string, IdKind> = new Map(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]),
);

/** Kind of a well-formed id; undefined for any other text. */
export function kindOf(value: string): IdKind | undefined {
  const kind = KIND_BY_PREFIX.get(value.slice(0, value.indexOf('_')));
  return kind !== undefined && isId(kind, value) ? kind : undefined;
}

/** Rows that a sum over many records is split into, against hot rows: concurrent writers of one partner seldom lock the same one. */
export const SLOTS = 16;

/** Slot of a new record, 0..15, from the random last digit of its id. */
export function slotOf(id: string): number {
  return DIGITS.indexOf(id.at(-1)!) % SLOTS;
}
