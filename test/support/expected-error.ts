import { expect } from '@jest/globals';
import type { Answer } from './api.js';

/** Checks what every failed request has: the status, the envelope with no further field, and the request id in header and body. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(`${answer.status} ${answer.body?.error?.code}`).toBe(`${status} ${code}`);
  const requestId = answer.headers.get('x-request-id');
  expect(requestId).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  const { details, ...error } = answer.body.error;
  expect(answer.body).toEqual({ error: expect.anything() });
  expect(error).toEqual({ code, message: expect.stringMatching(/\S.{10,}[.]$/), request_id: requestId });
  if (details !== undefined) {
    expect(details.length).toBeGreaterThan(0);
    for (const detail of details) {
      const named = /_taken$/.test(code) ? { user_id: expect.stringMatching(/^usr_/) } : {};
      expect(detail).toEqual({ field: expect.any(String), message: expect.any(String), ...named });
    }
  }
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
}

/** The fields that a refusal of input names. */
export const fieldsOf = (answer: Answer): string[] =>
  (answer.body.error.details ?? []).map(({ field }: { field: string }) => field);

/** The bytes of a refusal without the request id, which alone may differ. */
export const withoutRequestId = ({ text, body }: Answer): string =>
  text.replace(body.error.request_id, 'req_');
