import { describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { verifyWebhook, type VerifyOptions, WebhookVerificationError } from '../../sdk/src/index.js';
import { maskSigningSecret, newSigningSecret, sign } from '../../src/domain/outbound/webhooks/signature.js';

const BODY = Buffer.from(
  '{"id":"evt_1","type":"system.status","created_at":"2026-01-31T12:00:00.000Z","data":{"message":"Zürich €"}}',
);
const SECRET = newSigningSecret();
const NOW = new Date('2026-01-31T12:00:00.400Z');
const T = Math.floor(NOW.getTime() / 1000);

const v1 = (secret: string, at = T): string => sign(secret, at, BODY).slice(`t=${at},`.length);
const [valid, other] = [v1(SECRET), v1(newSigningSecret())];
const verify = (header: string | null, options: VerifyOptions = {}, body: any = BODY): Promise<any> =>
  verifyWebhook(body, header, SECRET, { now: NOW, ...options });
const reasonOf = (verified: Promise<unknown>): Promise<string> =>
  verified.then(
    () => 'none',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : String(error)),
  );

describe('verifyWebhook', () => {
  it.each([
    ['one v1', `t=${T},${valid}`],
    ['its own before another', `t=${T},${valid},${other}`],
    ['its own after another', `t=${T},${other},${valid}`],
  ])("verifyWebhook accepts %s, as Stripe's library does", async (_, header) => {
    expect(await verify(header)).toMatchObject({ id: 'evt_1', data: { message: 'Zürich €' } });
    const stripe = Stripe.webhooks.constructEvent(BODY, header, SECRET, Infinity);
    expect(await verify(header)).toEqual(stripe);
  });

  it('verifyWebhook accepts the body as text and as bytes of any type', async () => {
    const padded = new Uint8Array([0, ...BODY, 0]);
    const view = padded.subarray(1, -1);
    for (const body of [
      BODY.toString(),
      view,
      view.slice().buffer,
      new DataView(padded.buffer, 1, BODY.length),
    ])
      expect(await verify(`t=${T},${valid}`, {}, body)).toMatchObject({ id: 'evt_1' });
  });

  it.each([
    ['another secret', 'wrong_signature', `t=${T},${other}`],
    ['two other secrets', 'wrong_signature', `t=${T},${other},${other}`],
    ['another time', 'wrong_signature', `t=${T + 1},${valid}`],
    ['no header', 'missing_header', null],
    ['an empty header', 'missing_header', ''],
    ['three v1', 'malformed_header', `t=${T},${valid},${valid},${valid}`],
    ['no v1', 'malformed_header', `t=${T}`],
    ['upper case', 'malformed_header', `t=${T},${valid.toUpperCase()}`],
    ['a line end', 'malformed_header', `t=${T},${valid}\n`],
    ['a short v1', 'malformed_header', `t=${T},${valid.slice(0, -2)}`],
  ])('verifyWebhook refuses %s: %s', async (_, reason, header) => {
    expect(await reasonOf(verify(header))).toBe(reason);
  });

  it.each([
    [0, 300, 'none'],
    [-300, 300, 'none'],
    [300, 300, 'none'],
    [-301, 300, 'stale'],
    [302, 300, 'stale'],
    [-301, 600, 'none'],
    [-1, 0, 'stale'],
  ])('%i seconds off, with a tolerance of %i: %s', async (offset, toleranceSeconds, reason) => {
    const at = T + offset;
    const now = new Date(T * 1000);
    expect(await reasonOf(verify(`t=${at},${v1(SECRET, at)}`, { toleranceSeconds, now }))).toBe(reason);
  });

  it('verifyWebhook has a default tolerance of 300 seconds', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    expect(await reasonOf(verifyWebhook(BODY, sign(SECRET, seconds - 290, BODY), SECRET))).toBe('none');
    expect(await reasonOf(verifyWebhook(BODY, sign(SECRET, seconds - 310, BODY), SECRET))).toBe('stale');
  });

  it('verifyWebhook refuses a changed body, and a signed one that is no event', async () => {
    expect(await reasonOf(verify(`t=${T},${valid}`, {}, `${BODY.toString()} `))).toBe('wrong_signature');
    for (const body of ['[]', 'null', '{"id":1}', 'not JSON', ''])
      expect(await reasonOf(verify(sign(SECRET, T, body), {}, body))).toBe('malformed_body');
  });

  it('verifyWebhook refuses invalid arguments with an error of their own', async () => {
    await expect(verify(`t=${T},${valid}`, {}, JSON.parse(BODY.toString()))).rejects.toThrow(
      /^rawBody .* JSON parser/,
    );
    await expect(verifyWebhook(BODY, `t=${T},${valid}`, maskSigningSecret(SECRET))).rejects.toThrow('masked');
    await expect(verifyWebhook(BODY, `t=${T},${valid}`, '')).rejects.toThrow(/^secret is no signing secret/);
    await expect(verifyWebhook(BODY, `t=${T},${valid}`, SECRET.slice(6))).rejects.not.toThrow(
      SECRET.slice(6),
    );
  });
});
