import { PAGE_ROWS } from '../../http/request/query-fields.js';
import { EVENTS_TAG } from '../../http/openapi/sent-events.js';
import { placeholder } from '../../http/answer/placeholders.js';

export const CONVENTIONS = `
**Authentication.** Every operation takes \`Authorization: Bearer <API_KEY>\`. A key carries scopes; each operation names those that admit it.
Without a key the answer is 401, whatever else is wrong with the request.

**Envelope.** A success is \`{object, data}\`; a list adds \`meta: {has_more, next_cursor?}\`. A failure is \`{error: {code, message, request_id, details?}}\`:
programs read \`code\`, people \`message\`. Every answer carries \`X-Request-Id\`, those to malformed HTTP and to \`CONNECT\` (405) included; only the interim
\`100 Continue\`, which Node sends by itself, does not. Any other \`Expect\` is answered 417. Idle connections are closed without an answer, and so are those beyond the server's limit.

**Lists** take \`limit\` (1 to ${PAGE_ROWS.maximum}, default ${PAGE_ROWS.default}) and \`cursor\`: send \`meta.next_cursor\` of a page as \`cursor\` of the next, with the same filters.
A page ends at \`limit\` rows or at about 1 MB, whichever comes first; rely on \`meta.has_more\`, not on the number of rows. With \`Accept: text/csv\` you get all rows at once, as CSV; statements, the history, points and the revenue share have it too.

**Limits.** A request costs one point, plus one per 10 kB read from its body (compressed or decompressed, whichever is larger) and one per 10 kB of its answer, even when it is
refused. A read costs at least one point per 100 rows that it reads, shown or not: a report with \`as_of\` reads the positions behind it. Keys of one partner
share their points. A few requests run concurrently, but only one with a \`limit\` above ${PAGE_ROWS.default}; the others queue. Beyond either limit the answer is 429
\`rate_limited\`: \`RateLimit-Reason\` is \`concurrency\` or \`points\`, \`Retry-After\` is the
wait in seconds. \`RateLimit\` in every answer to a key has the remaining points.

**Bodies** are JSON in UTF-8, plain or compressed (\`gzip\`, \`deflate\`, \`br\`): at most ${placeholder('bodyLimit')}, 16 levels, 50 fields and 2,500 values. Ambiguous input is
refused: an unknown field, a duplicate field, a number that a double cannot hold exactly.

**Idempotency.** Every POST except \`POST /positions/preview\`, which stores nothing, honours \`Idempotency-Key\` (1 to 255 printable ASCII characters): a retry with
the same key and request receives the first answer, byte for byte, with \`Idempotency-Replayed: true\`. While the first request is in progress, a retry is answered 409.
All API keys of a partner share its idempotency keys, also after a rotation; an API key without a partner has its own.

**Amounts** are JSON numbers in whole units of their asset, with at most 6 decimals (beyond 2^33 units \`<name>_exact\` has the exact text): \`12.5\` is 12.5 USDC, \`0.000001\` the smallest amount. An amount with more
decimals is refused, never rounded. Sums over assets add stablecoins at par.

**Rates** are annual decimal fractions with at most 12 decimals: an \`apy\` of \`0.0523\` is 5.23 %. A \`trend\` is a daily fraction: \`0.001\` is 0.10 percentage points a
day. Names that end in \`_bps\` are whole basis points: \`1000\` is 10 %. An unknown value is null, never 0.

**Times** are ISO 8601 in UTC with milliseconds. A query also accepts any offset (\`2026-01-31T14:00:00+02:00\`) and a date, which is the UTC day.

**Ids** are opaque strings with a prefix that names their kind. An id that does not exist, or belongs to another partner, is answered 404,
and so is a malformed one in a path. In a query a malformed id is answered 400; in a body it counts as one that does not exist.

**Extensions.** Every operation, parameter and field that the contract documents do not list carries \`x-extension: true\`, shown as a badge.

**Webhooks.** Each event is one signed \`POST\` to your endpoint, sent once, without retry or redelivery; it may arrive after a newer read of the same resource. Read missed
events from \`GET /events\`. Store the event's \`id\` to recognise a repeat. Answer 2xx within five seconds; work afterwards.

**Verifying webhooks.** \`Webhook-Signature: t=<unix seconds>,v1=<hex>\` is an HMAC-SHA256 over \`<t>.<raw body>\`, keyed with the endpoint's whole signing
secret, \`whsec_\` included. While a secret is rotated there are two \`v1\`: accept the delivery if either matches. Verify the raw bytes of the body: parsing and
serialising can change them. Refuse a \`t\` more than 300 seconds from your clock.

\`\`\`js
import { createHmac, timingSafeEqual } from 'node:crypto';

function verify(rawBody, header, secret) {
  const [, t, ...given] = /^t=(\\d+),v1=([0-9a-f]{64})(?:,v1=([0-9a-f]{64}))?$/.exec(header) ?? [];
  if (!t || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false;
  const digest = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return given.some((v1) => v1 && timingSafeEqual(digest, Buffer.from(v1, 'hex')));
}
\`\`\`

Stripe's libraries verify this scheme: \`stripe.webhooks.constructEvent(rawBody, header, secret)\`.
`.trim();

export const SHARED_TAGS = [
  { name: 'API keys', description: 'API keys and their scopes. For administrators.' },
  { name: 'Sessions', description: 'Sessions, which a browser uses instead of a key.' },
  { name: 'Audit log', description: 'Who changed what, when and from where.' },
  { name: 'Deployment', description: 'Health of the deployment. For administrators.' },
  { name: 'Partners', description: 'Partners and their state. For administrators.' },
  {
    name: 'Campaigns',
    description: "Periods in which a partner's deposits earn more points. For administrators.",
  },
  { name: 'End-users', description: "A partner's end-users." },
  { name: 'Positions', description: 'Deposits of end-users, their value and yield.' },
  { name: 'Withdrawals', description: 'Money that end-users are paid out of their positions.' },
  { name: 'Moves', description: "Moves of funds between vaults; live, with your executor's reports." },
  {
    name: 'Policies',
    description: "A partner's rules for where its funds may go, and the administrator's bounds.",
  },
  { name: 'Vaults', description: 'Vaults that deposits are routed to.' },
  { name: 'Reports', description: 'Totals over your end-users.' },
  { name: 'Yields', description: 'Yield of the vaults over time.' },
  { name: 'Analytics', description: 'Signals, routing decisions, and uplift.' },
  { name: 'Webhooks', description: 'Endpoints for signed events, and the delivery log.' },
  { name: 'Alerts', description: 'Endpoints for alerts to administrators.' },
  { name: EVENTS_TAG, description: 'The events that your endpoints receive.' },
];
