/** More than any honest answer has: 1000 orders are one megabyte, and a full block of a chain a few. */
const MOST_BYTES = 32 * 1024 * 1024;

/** `fetch` that breaks off an answer of too many bytes, as they are once unpacked: its caller bounds the time. */
export async function boundedFetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) controller.error(new Error(`the answer has more than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound) ?? null, response);
}
