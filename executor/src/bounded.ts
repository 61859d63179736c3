/** More than any honest answer has: 1000 orders are one megabyte, and a full block of a chain a few. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Callers abort earlier. This bound holds if `fetch` has lost their signal, which happens once it was garbage-collected. */
const MOST_MS = 20_000;

/** `fetch` that reads the whole answer, and breaks it off at too many bytes, as they are once unpacked, or after too long. */
export async function boundedFetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const whole = async (): Promise<Response> => {
    const response = await fetch(input, init);
    reader = response.body?.getReader();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      bytes += part.value.length;
      if (bytes > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`);
      chunks.push(part.value);
    }
    return new Response(reader ? Buffer.concat(chunks) : null, response);
  };
  let timer!: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the answer did not come in time')), MOST_MS);
  });
  try {
    return await Promise.race([whole(), late]);
  } finally {
    clearTimeout(timer);
    reader?.cancel().catch(() => undefined);
  }
}
