import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';

import { maskSigningSecret, newSigningSecret, sign } from './signature.js';

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

describe('a signature', () => {
  it('A signature is that of openssl dgst -sha256 -hmac over "1700000000.{...}"', () => {
    const expected = 't=1700000000,v1=4a59214890ea4bd9379f8b1b22ba92109053748deec41b445ce2e99de7bb26dc';
    expect(sign(SECRET, 1_700_000_000, '{"id":"evt_1"}')).toBe(expected);
    expect(sign(SECRET, 1_700_000_000, Buffer.from('{"id":"evt_1"}'))).toBe(expected);
  });

  it('A signature of a text is that of its UTF-8 bytes', () => {
    const body = '{"label":"Zürich €"}';
    expect(sign(SECRET, 1, body)).toBe(sign(SECRET, 1, Buffer.from(body, 'utf8')));
  });

  it.each([1_700_000_000.5, NaN, -1])('A signature is not made for the time %p', (seconds) => {
    expect(() => sign(SECRET, seconds, '')).toThrow(RangeError);
  });
});

describe("a receiver with Stripe's library", () => {
  const secret = newSigningSecret();
  const body = '{"id":"evt_1","object":"event","data":{"label":"Zürich €"}}';
  const header = sign(secret, Math.floor(Date.now() / 1000), body);

  it("A receiver with Stripe's library accepts the body as string and as bytes", () => {
    expect(Stripe.webhooks.constructEvent(body, header, secret)).toMatchObject({ id: 'evt_1' });
    expect(Stripe.webhooks.constructEvent(Buffer.from(body), header, secret)).toMatchObject({ id: 'evt_1' });
  });

  it("A receiver with Stripe's library rejects a body with any one byte changed", () => {
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = bytes[at]! ^ 1;
      expect(() => Stripe.webhooks.constructEvent(changed, header, secret)).toThrow(/signature/i);
    }
  });

  it("A receiver with Stripe's library rejects another secret, and a signature older than its tolerance", () => {
    expect(() => Stripe.webhooks.constructEvent(body, header, newSigningSecret())).toThrow(/signature/i);
    const old = sign(secret, Math.floor(Date.now() / 1000) - 301, body);
    expect(() => Stripe.webhooks.constructEvent(body, old, secret, 300)).toThrow(/tolerance/i);
  });
});

describe('a signing secret', () => {
  it('A signing secret is whsec_ and 32 bytes in base64, different each time', () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newSigningSecret()).not.toBe(secret);
  });

  it('A signing secret is masked to its last four characters', () => {
    expect(maskSigningSecret(SECRET)).toBe('whsec_****ZWY=');
  });
});
