import type { webhooks as PartnerWebhooks } from './generated/partner.js';
import type { webhooks as SandboxWebhooks } from './generated/sandbox.js';

type EventOf<Webhooks> = {
  [Type in keyof Webhooks]: Webhooks[Type] extends {
    post: { requestBody: { content: { 'application/json': infer Event } } };
  }
    ? Event
    : never;
}[keyof Webhooks];

/** Every event that the partner contract sends; its `type` tells them apart. */
export type PartnerEvent = EventOf<PartnerWebhooks>;
/** Every event that the sandbox contract sends. */
export type SandboxEvent = EventOf<SandboxWebhooks>;
export type WebhookEvent = PartnerEvent | SandboxEvent;

export interface VerifyOptions {
  /** The tolerance for the age of a signature, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** The present time. Default: this machine's. */
  now?: Date;
}

export type VerificationFailure =
  'missing_header' | 'malformed_header' | 'stale' | 'wrong_signature' | 'malformed_body';

/** A request that cannot be trusted. Answer 400 and ignore its content. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly reason: VerificationFailure,
    message: string,
  ) {
    super(message);
  }
}

const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$/;

/**
 * Verifies a webhook and reads its event. One of the one or two signatures must match, compared in constant time, and be made within the tolerance.
 *
 * @param rawBody the bytes as they arrived, before any JSON parser
 * @param signatureHeader the value of `Webhook-Signature`
 * @param secret the endpoint's whole signing secret, `whsec_` included
 * @throws WebhookVerificationError for a request that cannot be trusted, TypeError for an invalid call
 */
export async function verifyWebhook<Event extends { type: string } = WebhookEvent>(
  rawBody: string | Uint8Array | ArrayBuffer,
  signatureHeader: string | null | undefined,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<Event> {
  const body = bytesOf(rawBody);
  checkSecret(secret);
  if (signatureHeader === null || signatureHeader === undefined || signatureHeader === '')
    throw new WebhookVerificationError('missing_header', 'The request has no Webhook-Signature header.');
  const match = HEADER.exec(signatureHeader);
  if (!match)
    throw new WebhookVerificationError(
      'malformed_header',
      'Webhook-Signature is not t=<unix seconds> with one v1=<64 hex> or two.',
    );
  const [, time = '', ...signatures] = match;
  if (!(await isSigned(secret, time, body, signatures)))
    throw new WebhookVerificationError(
      'wrong_signature',
      "No signature is right: the secret is another endpoint's, or the body is not the bytes that came.",
    );
  const age = Math.abs(now.getTime() / 1000 - Number(time));
  if (!(age <= toleranceSeconds))
    throw new WebhookVerificationError(
      'stale',
      `The signature is ${Math.round(age)} seconds from this machine's clock, beyond ${toleranceSeconds}.`,
    );
  return eventOf<Event>(body);
}

/** Web Crypto compares in constant time. */
async function isSigned(
  secret: string,
  time: string,
  body: Uint8Array,
  signatures: readonly (string | undefined)[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['verify']);
  const prefix = encode(`${time}.`);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  const verified = signatures
    .filter((signature) => signature !== undefined)
    .map((signature) => crypto.subtle.verify('HMAC', key, fromHex(signature), message));
  return (await Promise.all(verified)).includes(true);
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError(
    'rawBody is no string or bytes: give the body as it came, before a JSON parser had it.',
  );
}

function checkSecret(secret: string): void {
  if (typeof secret !== 'string' || !secret.startsWith('whsec_'))
    throw new TypeError('secret is no signing secret: one begins with whsec_, which is part of it.');
  if (secret.includes('*'))
    throw new TypeError('secret is masked: only the answer that creates an endpoint shows it whole.');
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}

function eventOf<Event>(body: Uint8Array): Event {
  try {
    const event = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(body),
    ) as Partial<WebhookEvent> | null;
    if (typeof event?.id === 'string' && typeof event.type === 'string') return event as Event;
  } catch {
    // The error is thrown below.
  }
  throw new WebhookVerificationError(
    'malformed_body',
    'The body is signed, and no event: it has no id and type in JSON.',
  );
}
