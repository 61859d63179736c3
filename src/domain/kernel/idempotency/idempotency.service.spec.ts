import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pack, unpack } from './idempotency.service.js';

describe('a packed response', () => {
  const words = randomBytes(12_000).toString('base64');
  const content = Buffer.from(JSON.stringify({ note: words, type: 'system.status' }));
  const answer = Buffer.from(
    JSON.stringify({ object: 'event', data: { id: 'evt_1', note: words, at: 'é' } }),
  );

  it('A packed response is unpacked byte for byte with the content of its request', () => {
    expect(unpack(pack(answer, content), content).equals(answer)).toBe(true);
  });

  it('A packed response does not contain the content of the request, even if that is incompressible', () => {
    expect(pack(answer, content).length).toBeLessThan(400);
  });

  it.each([0, 1, 40_000, 65_536])(
    'A packed response is restored for any response to a request of %d bytes',
    (bytes) => {
      const other = randomBytes(bytes);
      const whole = Buffer.concat([other, answer]);
      expect(unpack(pack(whole, other), other).equals(whole)).toBe(true);
    },
  );
});
