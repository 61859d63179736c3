import { equals, holds, refused } from '../check.js';
import { type Exchange, fieldsOf, isSuccess, summaryOf } from '../exchange.js';

const textsOf = (keys: number, name = 10, value = 10): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [String(n).padEnd(name, '.'), 'v'.repeat(value)]),
  );

/** Metadata that is accepted wherever it stands, and such that is not. */
export const GOOD_METADATA: Record<string, unknown>[] = [
  {},
  { tier: 'gold', note: '', level: 2.5, kyc: { passed: true, by: null, steps: [{ id: 1 }, []] } },
  textsOf(50),
  textsOf(1, 40, 4000),
  { '🔑': '🔑'.repeat(1000) },
  { a: { b: { c: { d: 1 } } }, lists: [[[1, 2]]] },
  { toString: 1, deep: { valueOf: [], hasOwnProperty: { toString: null } } },
  { most: 1.7976931348623157e308, least: 5e-324, exact: 9007199254740991, third: 1 / 3 },
  { '': '"\\\b\f\n\r\t\u0001\u2028 <script>', ключ: 'значение', list: Array.from({ length: 1900 }, () => 0) },
  { note: '✓'.repeat(1361) },
];
export const BAD_METADATA = [
  ...[textsOf(51), textsOf(1, 41), textsOf(1, 1, 4096), { note: '✓'.repeat(1362) }],
  ...[{ a: { b: { c: { d: {} } } } }, { a: [[[[]]]] }],
  ...[[], 'text', null],
];

/** Refused for one field, which is all that the answer names. */
export function refusedFor(answer: Exchange, field: string): void {
  refused(answer, 400, 'validation_failed');
  equals('what details name', fieldsOf(answer), [field], answer);
}

/** Tries each value of a field: what is accepted is shown as it was given, what is not names the field. */
export async function tried(
  write: (body: object) => Promise<Exchange>,
  field: string,
  good: readonly unknown[],
  bad: readonly unknown[],
): Promise<void> {
  for (const value of good) {
    const answer = await write({ [field]: value });
    holds(isSuccess(answer), `${summaryOf(answer)}, and must be accepted`, answer);
    equals(field, answer.body.data[field], value, answer);
  }
  for (const value of bad) refusedFor(await write({ [field]: value }), field);
}
