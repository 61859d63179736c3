import { equals, holds, refused } from '../check.js';
import { type Exchange, fieldsOf, isSuccess, summaryOf } from '../exchange.js';

const textsOf = (keys: number, name = 10, value = 10): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [String(n).padEnd(name, '.'), 'v'.repeat(value)]),
  );

/** Metadata that is accepted wherever it stands, and such that is not. */
export const GOOD_METADATA = [
  {},
  { tier: 'gold', note: '', level: 2.5, kyc: { passed: true, by: null, steps: [{ id: 1 }, []] } },
  textsOf(50),
  textsOf(1, 40, 4000),
  { '🔑': '🔑'.repeat(1000) },
  { a: { b: { c: { d: 1 } } } },
];
export const BAD_METADATA = [
  ...[textsOf(51), textsOf(1, 41), textsOf(1, 1, 4096), { a: { b: { c: { d: {} } } } }],
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
