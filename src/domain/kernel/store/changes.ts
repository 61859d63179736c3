import { isDeepStrictEqual } from 'node:util';

/** Whether a change gives a field of a record another value. JSON is compared as it is stored: without the order of names, and -0 is 0. */
export const differs = <Fields extends object>(record: Fields, change: Partial<Fields>): boolean =>
  (Object.keys(change) as (keyof Fields)[]).some(
    (name) => !isDeepStrictEqual(stored(record[name]), stored(change[name])),
  );

const stored = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
