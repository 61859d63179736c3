import { DIFFERENCES } from './differences.js';

/** A difference between the two contracts that was found. */
export interface Found {
  operation: string;
  what: string;
}

/** The part of an answer that contracts have in common. */
export interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Headers of the connection, and headers that an answer has only at times. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date', 'content-length', 'etag', 'vary']);

export const covers = (
  difference: { operation: string; what: readonly string[] },
  { operation, what }: Found,
): boolean =>
  difference.operation === operation &&
  difference.what.some(
    (one) => what === one || ['.', '[', ' ', '|'].some((end) => what.startsWith(one + end)),
  );

/** Differences that `differences.ts` does not list. */
export const unlisted = (found: readonly Found[]): string[] =>
  found
    .filter((one) => !DIFFERENCES.some((difference) => covers(difference, one)))
    .map(({ operation, what }) => `${operation}: ${what}`);

/** Lines in which two descriptions differ; null is equal to anything. */
export function differing(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((what) => {
    const said = [one.get(what), other.get(what)];
    return said[0] !== said[1] && !(said.includes('null') && !said.includes(undefined));
  });
}

/** What depends on the rows that are there: a cursor is absent on a last page, an event carries what its type has, and shares are by vault. */
const BY_ROWS =
  /^answer\.(meta\.next_cursor$|data(\[\])?\.((payload\.)?data|before|after|exposure\.\w+\.\w+)\.)/;

/** The same of two answers: there is nothing to compare within a null and an empty list. */
export const differingAnswers = (one: Answered, other: Answered): string[] => {
  const [ours, theirs] = [shapeOf(one), shapeOf(other)];
  const isKnown = (what: string, lines: Map<string, string>): boolean => {
    if (lines.has(what)) return true;
    const above = what.replace(/(\[\]|\.\w+)$/, '');
    if (above === what) return true;
    if (!lines.has(above)) return isKnown(above, lines);
    return lines.get(above) !== 'null' && !(what.endsWith('[]') && lines.get(above) === 'array');
  };
  return differing(ours, theirs).filter(
    (what) => !BY_ROWS.test(what) && isKnown(what, ours) && isKnown(what, theirs),
  );
};

/**
 * The shape of an answer, a line each: its status, its headers, and every field with its type. A field that is null in one answer may have a value in
 * another.
 */
function shapeOf({ status, headers, body }: Answered): Map<string, string> {
  const lines = new Map([['status', String(status)]]);
  for (const name of headers.keys()) if (!OF_THE_CONNECTION.has(name)) lines.set(`header ${name}`, 'sent');
  describe(body, 'answer', lines);
  return lines;
}

function describe(value: unknown, at: string, lines: Map<string, string>): void {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const known = lines.get(at);
  if (known === undefined || known === 'null') lines.set(at, kind);
  else if (kind !== 'null' && known !== kind) lines.set(at, `${known} or ${kind}`);
  if (Array.isArray(value)) for (const one of value) describe(one, `${at}[]`, lines);
  else if (kind === 'object')
    for (const [name, child] of Object.entries(value as object)) describe(child, `${at}.${name}`, lines);
}
