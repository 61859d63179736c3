import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Window of deflate. */
const WINDOW_BYTES = 32_768;

/**
 * Compresses an answer with its request as the dictionary, so that text repeated from the request takes no storage. A retry carries the same request,
 * with which the answer is decompressed.
 * @param content the request, as fingerprinted
 */
export function pack(answer: Buffer, content: Buffer): Buffer {
  return deflateRawSync(answer, { dictionary: dictionaryOf(content) });
}

/** @throws Error for other content than it was compressed with */
export function unpack(packed: Buffer, content: Buffer): Buffer {
  return inflateRawSync(packed, { dictionary: dictionaryOf(content) });
}

const dictionaryOf = (content: Buffer): Buffer => content.subarray(-WINDOW_BYTES);
