import type { ComponentChildren } from 'preact';
import type { Listing } from '../api/resource.js';
import { Loading, Refusal } from './state.js';

interface ListedProps<T> {
  of: Listing<T>;
  /** The message of an empty list. */
  empty: ComponentChildren;
  children: (rows: readonly T[]) => ComponentChildren;
}

/** A list with a button for the next page, by the list's cursor. */
export function Listed<T>({ of, empty, children }: ListedProps<T>) {
  const { rows, error, loading, more, reload } = of;
  if (rows.length === 0) {
    if (error) return <Refusal error={error} again={reload} />;
    return loading ? <Loading /> : <>{empty}</>;
  }
  return (
    <>
      {children(rows)}
      {error && <Refusal error={error} again={more ?? reload} />}
      <p class="list-end">
        <span>
          {rows.length} shown{more ? '' : ', which is all'}
        </span>
        {more && (
          <button type="button" onClick={more} disabled={loading}>
            {loading ? 'Loading' : 'Show more'}
          </button>
        )}
      </p>
    </>
  );
}
