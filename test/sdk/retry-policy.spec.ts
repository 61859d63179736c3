import { describe, expect, it } from '@jest/globals';
import { type Failure, parseRetryAfter, retryDelay } from '../../sdk/src/retry.policy.js';

const PACE = { retryDelayMs: 100, maxRetryDelayMs: 1_000, maxRetryAfterSeconds: 60 };
const failed = (of: Partial<Failure>): Failure => ({
  status: 503,
  code: null,
  retryAfterSeconds: null,
  ...of,
});

describe('retryDelay', () => {
  it('retryDelay doubles with each attempt up to its maximum, with a jitter of half', () => {
    const delays = [1, 2, 3, 4, 5, 60].map((attempt) =>
      [0, 1].map((chance) => retryDelay(failed({}), attempt, PACE, chance)),
    );
    expect(delays).toEqual([
      [50, 100],
      [100, 200],
      [200, 400],
      [400, 800],
      [500, 1_000],
      [500, 1_000],
    ]);
  });

  it.each([
    [null, null, true],
    [408, 'request_timeout', true],
    [409, 'idempotency_in_progress', true],
    [409, 'external_id_taken', false],
    [409, null, false],
    [404, 'not_found', false],
    [425, null, false],
    [429, 'rate_limited', true],
    [500, 'internal_error', true],
    [501, null, false],
    [502, null, true],
    [503, 'service_unavailable', true],
    [504, null, true],
    [505, null, false],
  ])('retryDelay after status %p with code %p is a retry: %p', (status, code, isRepeated) => {
    expect(retryDelay(failed({ status, code }), 1, PACE) !== null).toBe(isRepeated);
  });

  it('retryDelay is never below Retry-After, and null if that exceeds the maximum wait', () => {
    const after = (retryAfterSeconds: number, chance: number): number | null =>
      retryDelay(failed({ retryAfterSeconds }), 1, PACE, chance);
    expect([after(2, 0), after(2, 1), after(0, 0), after(60, 0), after(61, 0)]).toEqual([
      2_000,
      2_100,
      50,
      60_000,
      null,
    ]);
  });
});

it.each([
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  ['Sat, 31 Jan 2026 12:00:30 GMT', 30],
  ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
  ['soon', null],
  [null, null],
])('Retry-After %p is %p seconds', (value, seconds) => {
  expect(parseRetryAfter(value, Date.parse('2026-01-31T12:00:00Z'))).toBe(seconds);
});
