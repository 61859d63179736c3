import { expect } from '@jest/globals';
import type { Answer } from './api.js';
import { expectError, fieldsOf } from './expected-error.js';

/** A time as the API writes it. */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const textsOf = (keys: number, name = 10, value = 10): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [String(n).padEnd(name, '.'), 'v'.repeat(value)]),
  );

/** Metadata that is accepted wherever it stands, and such that is not. */
export const GOOD_METADATA = [
  {},
  { tier: 'gold', note: '' },
  textsOf(50),
  textsOf(1, 40, 500),
  { '🔑': '🔑'.repeat(500) },
];
export const BAD_METADATA = [
  ...[textsOf(51), textsOf(1, 41), textsOf(1, 1, 501), { '': 'x' }],
  ...[{ a: 1 }, { a: null }, { a: {} }, { a: ['b'] }, [], 'text', null],
];

/** Refused for one field, which it names. */
export const expectRefused = (answer: Answer, field: string): void => {
  expectError(answer, 400, 'validation_failed');
  expect(fieldsOf(answer)).toEqual([field]);
};

/** `data` of a success of that status. */
export const dataOf = ({ status, body }: Answer, expected: number): any => {
  expect(status).toBe(expected);
  return body.data;
};

/** Tries each value of a field: what is accepted is shown as `shown` makes it, what is not names the field. */
export const expectField = async (
  write: (body: object) => Promise<Answer>,
  field: string,
  good: readonly unknown[],
  bad: readonly unknown[],
  shown: (data: any) => any = (data) => data,
): Promise<void> => {
  for (const value of good) {
    const { status, body } = await write({ [field]: value });
    expect([value, Math.floor(status / 100)]).toEqual([value, 2]);
    expect(shown(body.data)[field]).toEqual(value);
  }
  for (const value of bad) expectRefused(await write({ [field]: value }), field);
};
