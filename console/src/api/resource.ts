import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from './api-error.js';

export interface Resource<T> {
  /** The newest answer, kept while a newer one is requested. */
  data: T | null;
  error: ApiError | null;
  loading: boolean;
  reload: () => void;
}

/**
 * Data of the server for a screen.
 *
 * @param key everything that the answer depends on: another key sends a new request and aborts the pending one; null sends none
 */
export function useResource<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>({
    data: null,
    error: null,
    loading: key !== null,
  });
  const [round, setRound] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  useEffect(() => {
    if (key === null) return setState({ data: null, error: null, loading: false });
    const abort = new AbortController();
    setState(({ data }) => ({ data, error: null, loading: true }));
    loader.current(abort.signal).then(
      (data) => !abort.signal.aborted && setState({ data, error: null, loading: false }),
      (thrown: unknown) =>
        !abort.signal.aborted && setState({ data: null, error: asApiError(thrown), loading: false }),
    );
    return () => abort.abort();
  }, [key, round]);
  return { ...state, reload: useCallback(() => setRound((count) => count + 1), []) };
}

export interface Page<T> {
  data: T[];
  meta: { has_more: boolean; next_cursor?: string };
}

/** A filter that the API does not have. */
export interface Sieve<T> {
  fits: (row: T) => boolean;
  /** The number of rows that fill a page. */
  enough: number;
  /** The most pages that one search reads before it asks whether to continue. */
  mostPages: number;
}

/** Every page of a list, one after another. */
export async function* pagesOf<T>(
  load: (cursor: string | undefined) => Promise<Page<T>>,
  from?: string,
): AsyncGenerator<Page<T>> {
  let cursor = from;
  do {
    const page = await load(cursor);
    yield page;
    cursor = page.meta.next_cursor;
  } while (cursor !== undefined);
}

/** A page of matching rows: pages of the list are read until there are enough. */
export async function sifted<T>(
  load: (cursor: string | undefined) => Promise<Page<T>>,
  from: string | undefined,
  { fits, enough, mostPages }: Sieve<T>,
): Promise<Page<T>> {
  const page: Page<T> = { data: [], meta: { has_more: false } };
  let count = 0;
  for await (const { data, meta } of pagesOf(load, from)) {
    page.data.push(...data.filter(fits));
    page.meta = meta;
    if (page.data.length >= enough || ++count >= mostPages) break;
  }
  return page;
}

export interface Listing<T> {
  rows: readonly T[];
  error: ApiError | null;
  loading: boolean;
  /** Loads the next page; null at the end of the list. */
  more: (() => void) | null;
  reload: () => void;
}

/** A list that grows by a page at a time; another key starts it again. */
export function useListing<T>(
  key: string | null,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
): Listing<T> {
  const [pages, setPages] = useState<readonly T[]>([]);
  const [cursor, setCursor] = useState<string | undefined>();
  const [rest, setRest] = useState<{ error: ApiError | null; loading: boolean }>({
    error: null,
    loading: false,
  });
  const first = useResource(key, (signal) => load(undefined, signal));
  const next = cursor ?? first.data?.meta.next_cursor;
  const started = useRef(first.data);
  if (started.current !== first.data) {
    started.current = first.data;
    setPages([]);
    setCursor(undefined);
    setRest({ error: null, loading: false });
  }
  const loadMore = (): void => {
    setRest({ error: null, loading: true });
    const of = first.data;
    load(next, new AbortController().signal).then(
      (page) => {
        if (started.current !== of) return;
        setPages((rows) => [...rows, ...page.data]);
        setCursor(page.meta.next_cursor ?? '');
        setRest({ error: null, loading: false });
      },
      (thrown: unknown) => setRest({ error: asApiError(thrown), loading: false }),
    );
  };
  return {
    rows: [...(first.data?.data ?? []), ...pages],
    error: first.error ?? rest.error,
    loading: first.loading || rest.loading,
    more: next ? loadMore : null,
    reload: first.reload,
  };
}
