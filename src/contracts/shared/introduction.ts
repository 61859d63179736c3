import { PAGE_ROWS } from '../../http/request/field-rules.js';
import { EVENTS_TAG } from '../../http/openapi/sent-events.js';
import { said } from '../../http/answer/said.js';

/** Introduction that both documents share. */
export const CONVENTIONS = `
**Authentication.** Every operation takes \`Authorization: Bearer <API_KEY>\`. A key carries scopes; each operation names those that admit it.
Without a key the answer is 401, whatever else is wrong with the request.

**Envelope.** A success is \`{object, data}\`; a list adds \`meta: {has_more, next_cursor?}\`. A failure is \`{error: {code, message, request_id, details?}}\`:
programs read \`code\`, people \`message\`. Every answer carries \`X-Request-Id\`.

**Lists** take \`limit\` (1 to ${PAGE_ROWS.most}, default ${PAGE_ROWS.default}) and \`cursor\`. Send \`meta.next_cursor\` of one page as \`cursor\` for the next, with the same filters. A page
ends at \`limit\` rows or at about 1 MB, whichever comes first: \`meta.has_more\` says whether there is more, and not the number of its rows.
With \`Accept: text/csv\` a list comes whole, as CSV.

**Limits.** A request costs a point, and one more for every 10 kB of its body and its answer, also when it is refused; keys of one partner share their points. A few requests are answered at once, further ones
wait. Beyond either limit the answer is 429 \`rate_limited\`: \`RateLimit-Reason\` says which (\`concurrency\` or \`points\`), \`Retry-After\` for how many seconds to wait. Every answer to a key says what is left, in \`RateLimit\`.

**Bodies** are JSON in UTF-8, plain or compressed (\`gzip\`, \`deflate\`, \`br\`): at most ${said('bodyLimit')}, 16 levels, 50 fields and 2,500 values. What one reader could take otherwise
than another is refused: an unknown field, a field given twice, a number that a double does not hold as it is written.

**Idempotency.** Every POST but \`POST /positions/preview\`, which stores nothing, honours \`Idempotency-Key\`, 1 to 255 printable ASCII characters: a retry
with the same key and request is answered with the first answer, byte for byte, and \`Idempotency-Replayed: true\`. While the first request is in progress, a retry is 409. A key is known by all API keys of a partner, and goes on being known when one is replaced; a key that is bound to no partner has its own.

**Amounts** are JSON numbers in whole units of their asset, exact, with at most 6 decimals: \`12.5\` is 12.5 USDC, and \`0.000001\` is the least there is. One with more
decimals is refused, never rounded. Sums over assets add stablecoins at par.

**Rates** are decimal fractions with at most 12 decimals, a year where nothing else is said: an \`apy\` of \`0.0523\` is 5.23 %. A \`trend\` is a fraction a day: \`0.001\` is 0.10 percentage points a day. Fees
and shares whose names end in \`_bps\` are whole basis points: \`1000\` is 10 %. What is not known is null, never 0.

**Times** are ISO 8601 in UTC with milliseconds. A query also takes any offset (\`2026-01-31T14:00:00+02:00\`) and a date, which is the UTC day.

**Ids** are opaque strings with a prefix that names their kind. A filter by an id refuses what cannot be one with 400; an id that does not exist, or is another
partner's, is 404.

**Extensions.** An operation, a parameter or a field that no contract document lists carries \`x-extension: true\`, which pages show as a badge. What only an extension
has needs no mark of its own. A record whose fields no document lists has no marked fields.

**Webhooks.** Each event is one signed \`POST\` to your endpoint, sent once: there is no retry and no redelivery, and a delivery may arrive after a newer read
of the same resource. What an endpoint missed is read from \`GET /events\`. Persist the event's \`id\`, and treat a repeat as one. Answer 2xx within five seconds; do the work afterwards.

**Verifying webhooks.** \`Webhook-Signature: t=<unix seconds>,v1=<hex>\` is an HMAC-SHA256 over \`<t>.<raw body>\`, keyed with the endpoint's whole signing
secret, \`whsec_\` included. Accept two \`v1\`, of which one must match: while a secret is being replaced, a delivery is signed with the old one and the new one. Take the body's bytes as they came: parsing and writing it again can change them. Refuse a \`t\` that is more than 300 seconds from
your clock.

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

function verify(rawBody, header, secret) {
  const [, t, ...given] = /^t=(\\d+),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$/.exec(header) ?? [];
  if (!t || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  const digest = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return given.some((v1) => v1 && timingSafeEqual(digest, Buffer.from(v1, 'hex')));
}
\`\`\`

It is the scheme that Stripe's libraries verify: \`stripe.webhooks.constructEvent(rawBody, header, secret)\`.
`.trim();

export const SHARED_TAGS = [
  { name: 'API keys', description: 'Keys and their scopes. For administrators.' },
  { name: 'Sessions', description: 'What a browser signs in with in place of a key.' },
  { name: 'Audit log', description: 'Who changed what, when and from where.' },
  { name: 'Deployment', description: 'How the service itself is. For administrators.' },
  { name: 'Partners', description: 'Partners and their state. For administrators.' },
  {
    name: 'Campaigns',
    description: "Times in which a partner's deposits earn more points. For administrators.",
  },
  { name: 'End-users', description: "A partner's end-users." },
  { name: 'Positions', description: 'What end-users deposited, what it is worth, and what it earned.' },
  {
    name: 'Policies',
    description: "Rules of a partner's own for where its funds go, and an administrator's bounds of them.",
  },
  { name: 'Vaults', description: 'Where deposits earn.' },
  { name: 'Reports', description: "What came of your end-users' deposits, in sums." },
  { name: 'Yields', description: 'How the vaults yielded, for every reader of the market.' },
  { name: 'Analytics', description: 'What deposits are routed by, what was decided, and what it brought.' },
  { name: 'Webhooks', description: 'Receivers of signed events, and the log of what was sent.' },
  { name: 'Alerts', description: 'Receivers of what the deployment tells its administrators.' },
  { name: EVENTS_TAG, description: 'What your endpoints are sent.' },
];
