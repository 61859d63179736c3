import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What deflate looks back on. */
const WINDOW_BYTES = 32_768;

/**
 * An answer without what it repeats of its request: a retry brings the same request, and with it the same answer is unpacked. So a caller's own words
 * take no room a second time.
 *
 * @param content the request, as its fingerprint is made of
 */
export function pack(answer: Buffer, content: Buffer): Buffer {
  return deflateRawSync(answer, { dictionary: dictionaryOf(content) });
}

/** @throws Error with another content than it was packed with */
export function unpack(packed: Buffer, content: Buffer): Buffer {
  return inflateRawSync(packed, { dictionary: dictionaryOf(content) });
}

const dictionaryOf = (content: Buffer): Buffer => content.subarray(-WINDOW_BYTES);
