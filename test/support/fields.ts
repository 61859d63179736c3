import { expect } from '@jest/globals';
import type { Answer } from './api.js';
import { expectError, fieldsOf } from './expected-error.js';

/** A time as the API writes it. */
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Checks a refusal that names this field alone. */
export const expectRefused = (answer: Answer, field: string): void => {
  expectError(answer, 400, 'validation_failed');
  expect(fieldsOf(answer)).toEqual([field]);
};

/** `data` of a success with that status. */
export const dataOf = ({ status, body }: Answer, expected: number): any => {
  expect(status).toBe(expected);
  return body.data;
};
