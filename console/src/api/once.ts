import { useRef } from 'preact/hooks';

/** The Idempotency-Key header, which makes a retry safe. */
export interface OnceHeader {
  'Idempotency-Key': string;
}

/** `randomUUID` exists in secure contexts only: on loopback, but not on plain http of another host. */
const newKey = (): string =>
  (crypto as Partial<Crypto>).randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join(
    '',
  );

/**
 * Idempotent retries: a request keeps its key until it succeeds, so that one whose answer was lost is not carried out twice.
 *
 * @returns a function that sends a request with its key; a changed `what` makes it a new request
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
