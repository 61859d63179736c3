import type { ComponentChildren } from 'preact';
import type { Listing } from '../api/resource.js';
import { Loading, Refusal } from './state.js';
import { TableFoot } from './table.js';

interface ListedProps<T> {
  of: Listing<T>;
  /** The message of an empty list. */
  empty: ComponentChildren;
  /** A table of the rows, which shows how many there are and a button for the next page. */
  children: (rows: readonly T[]) => ComponentChildren;
}

/** A list that is loaded by the page. */
export function Listed<T>({ of, empty, children }: ListedProps<T>) {
  const { rows, error, loading, more, reload } = of;
  if (rows.length === 0) {
    if (error) return <Refusal error={error} again={reload} />;
    return loading ? <Loading /> : <>{empty}</>;
  }
  const foot = (
    <>
      <span>
        {rows.length} shown{more ? '' : ', which is all'}
      </span>
      {more && (
        <button type="button" onClick={more} disabled={loading}>
          {loading ? 'Loading' : 'Show more'}
        </button>
      )}
    </>
  );
  return (
    <>
      <TableFoot.Provider value={foot}>{children(rows)}</TableFoot.Provider>
      {error && <Refusal error={error} again={more ?? reload} />}
    </>
  );
}
