import { expect, it } from '@jest/globals';
import { deprecation } from './deprecation.js';

const SINCE = new Date('2026-11-01T00:00:00.000Z');

it('says since when, what to call instead, and until when once that is set', () => {
  const headers = { Deprecation: '@1793491200', Link: '</new>; rel="successor-version"' };
  expect(deprecation(SINCE, '/new')).toEqual(headers);
  expect(deprecation(SINCE, '/new', new Date('2027-07-31T23:59:59.000Z'))).toEqual({
    ...headers,
    Sunset: 'Sat, 31 Jul 2027 23:59:59 GMT',
  });
});
