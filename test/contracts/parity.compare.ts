import { DIFFERENCES } from './differences.js';

/** A difference between the two contracts that was found. */
export interface Found {
  operation: string;
  what: string;
}

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
