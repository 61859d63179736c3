/** What both documents say of the API as a whole. */
export const CONVENTIONS = `
**Authentication.** Every operation takes \`Authorization: Bearer <API_KEY>\`. A key carries scopes; each operation names those that admit it.

**Envelope.** A success is \`{object, data}\`; a list adds \`meta: {has_more, next_cursor?}\`. A failure is \`{error: {code, message, request_id, details?}}\`:
programs read \`code\`, people \`message\`. Every answer carries \`X-Request-Id\`.

**Lists** take \`limit\` (1 to 500, default 100) and \`cursor\`. Send \`meta.next_cursor\` of one page as \`cursor\` for the next, with the same filters.

**Idempotency.** Every POST honours \`Idempotency-Key\`: a retry with the same key and request is answered with the first answer, byte for byte, and
\`Idempotency-Replayed: true\`.

**Units.** Times are ISO 8601 in UTC with milliseconds. Ids are opaque strings with a prefix that names their kind. Unknown fields are refused.

**Webhooks** are signed: \`Webhook-Signature: t=<unix seconds>,v1=<hex>\`, HMAC-SHA256 over \`<t>.<raw body>\` with the whole secret string as key. It is
the scheme that Stripe's libraries verify: \`stripe.webhooks.constructEvent(rawBody, signature, secret)\`. Each event is sent once and never again.
`.trim();

export const SHARED_TAGS = [
  { name: 'API keys', description: 'Keys and their scopes. For administrators.' },
  { name: 'Partners', description: 'Partners and their state. For administrators.' },
  {
    name: 'Campaigns',
    description: "Times in which a partner's deposits earn more points. For administrators.",
  },
  { name: 'End-users', description: "A partner's end-users." },
  { name: 'Webhooks', description: 'Receivers of signed events, and the log of what was sent.' },
];
