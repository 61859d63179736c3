import { useRef } from 'preact/hooks';

/** The header that makes a retry safe. */
export interface OnceHeader {
  'Idempotency-Key': string;
}

/** `randomUUID` is there in secure contexts alone: loopback is one, plain http of another host is not. */
const newKey = (): string =>
  (crypto as Partial<Crypto>).randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join(
    '',
  );

/**
 * Retries of something that must happen once: the same request keeps its key until it succeeds, so that one whose answer was lost is not carried out twice.
 *
 * @returns sends a request by its key; `what` is everything that makes it another request
 */
export function useOnce(): <T>(what: unknown, send: (header: OnceHeader) => Promise<T>) => Promise<T> {
  const last = useRef<{ what: string; key: string } | null>(null);
  return async (what, send) => {
    const text = JSON.stringify(what);
    if (last.current?.what !== text) last.current = { what: text, key: newKey() };
    const answer = await send({ 'Idempotency-Key': last.current.key });
    last.current = null;
    return answer;
  };
}
