import { PAGE_ROWS } from '../../http/request/query-fields.js';
import { placeholder } from '../../http/answer/placeholders.js';

/** One line that is always shown, and what it leaves out, which a reader unfolds. */
const convention = (line: string, text: string): string =>
  `<details><summary>${line}</summary>\n\n${text.trim()}\n\n</details>`;

const VERIFYING = `
\`Webhook-Signature: t=<unix seconds>,v1=<hex>\` is an HMAC-SHA256 over \`<t>.<raw body>\`, keyed with the endpoint's whole signing
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
`;

export const CONVENTIONS = [
  'What the contract documents do not list has `x-extension: true`: a badge marks it. Each line below unfolds.',
  convention(
    '<b>Authentication:</b> <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Each operation names the scopes that admit a key.',
    'Without a key the answer is 401, whatever else is wrong with the request.',
  ),
  convention(
    '<b>Answers:</b> <code>{object, data}</code>, or <code>{error: {code, message, request_id, details?}}</code>.',
    `
Programs read \`code\`, people \`message\`. Every answer carries \`X-Request-Id\`, those to malformed HTTP and to \`CONNECT\` (405) included; only the interim
\`100 Continue\`, which Node sends by itself, does not. Any other \`Expect\` is answered 417. Idle connections are closed without an answer, and so are those beyond the server's limit.`,
  ),
  convention(
    `<b>Lists</b> take <code>limit</code> (1 to ${PAGE_ROWS.maximum}, default ${PAGE_ROWS.default}) and <code>cursor</code>; <code>Accept: text/csv</code> gets all rows.`,
    `
A list adds \`meta: {has_more, next_cursor?}\`: send \`meta.next_cursor\` of a page as \`cursor\` of the next, with the same filters.
A page ends at \`limit\` rows or at about 1 MB, whichever comes first; rely on \`meta.has_more\`, not on the number of rows. Statements, the history, points and the revenue share are CSV too.`,
  ),
  convention(
    '<b>Rate limits:</b> points per minute and concurrent requests. Beyond either the answer is 429 with <code>Retry-After</code>.',
    `
A request costs one point, plus one per 10 kB read from its body (compressed or decompressed, whichever is larger) and one per 10 kB of its answer, even when it is
refused. A read costs at least one point per 100 rows that it reads, shown or not: a report with \`as_of\` reads the positions behind it. Keys of one partner
share their points. A few requests run concurrently, but only one with a \`limit\` above ${PAGE_ROWS.default}; the others queue. Beyond either limit the answer is 429
\`rate_limited\`: \`RateLimit-Reason\` is \`concurrency\` or \`points\`, \`Retry-After\` is the
wait in seconds. \`RateLimit\` in every answer to a key has the remaining points.`,
  ),
  convention(
    `<b>Bodies</b> are JSON of at most ${placeholder('bodyLimit')}. Unknown fields are refused.`,
    `
UTF-8, plain or compressed (\`gzip\`, \`deflate\`, \`br\`): at most 16 levels, 50 fields and 2,500 values. Ambiguous input is
refused: an unknown field, a duplicate field, a number that a double cannot hold exactly.`,
  ),
  convention(
    '<b>Retries:</b> with an <code>Idempotency-Key</code> a repeated POST gets the first answer.',
    `
Every POST except \`POST /positions/preview\`, which stores nothing, honours \`Idempotency-Key\` (1 to 255 printable ASCII characters): a retry with
the same key and request receives the first answer, byte for byte, with \`Idempotency-Replayed: true\`. While the first request is in progress, a retry is answered 409.
All API keys of a partner share its idempotency keys, also after a rotation; an API key without a partner has its own.`,
  ),
  convention(
    '<b>Numbers:</b> amounts in units of their asset with at most 6 decimals; rates are fractions of a year: 0.05 is 5 %.',
    `
An amount of \`12.5\` is 12.5 USDC, \`0.000001\` the smallest; beyond 2^33 units \`<name>_exact\` has the exact text. An amount with more
decimals is refused, never rounded. Sums over assets add stablecoins at par. Rates have at most 12 decimals. A \`trend\` is a daily fraction: \`0.001\` is 0.10 percentage points a
day. Names that end in \`_bps\` are whole basis points: \`1000\` is 10 %. An unknown value is null, never 0.`,
  ),
  convention(
    '<b>Times</b> are ISO 8601 in UTC; <b>ids</b> are opaque strings with a prefix of their kind.',
    `
Times have milliseconds. A query also accepts any offset (\`2026-01-31T14:00:00+02:00\`) and a date, which is the UTC day. An id that does not exist, or belongs to another partner, is answered 404,
and so is a malformed one in a path. In a query a malformed id is answered 400; in a body it counts as one that does not exist.`,
  ),
  convention(
    '<b>Webhooks:</b> one signed POST for each event, never repeated. Verify its signature; read missed ones from <code>GET /events</code>.',
    `
An event may arrive after a newer read of the same resource. Store its \`id\` to recognise a repeat. Answer 2xx within five seconds; work afterwards.
${VERIFYING}`,
  ),
].join('\n\n');

/** Groups with operations that a contract document lists. */
export const LISTED_TAGS = [
  { name: 'End-users', description: "A partner's end-users." },
  { name: 'Reports', description: 'Totals over your end-users.' },
  { name: 'Yields', description: 'Yield of the vaults over time.' },
  { name: 'Analytics', description: 'Signals, routing decisions, and uplift.' },
  { name: 'Webhooks', description: 'Endpoints for signed events, and the delivery log.' },
  { name: 'API keys', description: 'API keys and their scopes. For administrators.' },
  { name: 'Partners', description: 'Partners and their state. For administrators.' },
  {
    name: 'Campaigns',
    description: "Periods in which a partner's deposits earn more points. For administrators.",
  },
];

/** Groups of extensions. */
export const EXTENSION_TAGS = [
  { name: 'Positions', description: 'Deposits of end-users, their value and yield.' },
  { name: 'Withdrawals', description: 'Money that end-users are paid out of their positions.' },
  { name: 'Vaults', description: 'Vaults that deposits are routed to.' },
  {
    name: 'Policies',
    description: "A partner's rules for where its funds may go, and the administrator's bounds.",
  },
  { name: 'Moves', description: "Moves of funds between vaults; live, with the executor's reports." },
  { name: 'Alerts', description: 'Endpoints for alerts to administrators.' },
  { name: 'Deployment', description: 'Health of the deployment. For administrators.' },
  { name: 'Sessions', description: 'Sessions, which a browser uses instead of a key.' },
  { name: 'Audit log', description: 'Who changed what, when and from where.' },
];
