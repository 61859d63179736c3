import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import {
  BrokenRule,
  dataOf,
  equals,
  holds,
  made,
  matches,
  refused,
  rowsOf,
  shows,
  SkippedRule,
} from '../check.js';
import { codeOf, type Exchange, fieldsOf } from '../exchange.js';
import type { Received } from '../../support/receiver.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { listedOnce } from '../listed.js';
import { ABSENT } from '../operations.js';
import { refusedFor } from './fields.js';

export const EVENTS = [
  'position.opened',
  'position.active',
  'position.rebalanced',
  'position.withdrawn',
  'position.closed',
  'yield.threshold',
  'system.status',
];
const CREATED = 201;
/** Within which an endpoint gets what another one of the same event got. */
const SENT_MS = 100;
const testStatus = ({ contract }: Stage): number => (contract === 'partner' ? 201 : 200);
export const logPath = ({ contract }: Stage): string =>
  contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';

/** Never a receiver, whatever networks an operator allows. */
const NEVER = [
  'http://169.254.169.254/latest/meta-data',
  'http://[fe80::1]/',
  'http://0.0.0.0/',
  'http://metadata.google.internal/',
  'http://[::ffff:169.254.169.254]/',
];
const LOOPBACK = [
  'http://127.0.0.1:9/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::ffff:127.0.0.1]/',
];

/** URLs that are none of a receiver, whatever addresses an operator allows. */
const noReceivers = (host: string): string[] => [
  `ftp://${host}/`,
  `https://user:pass@${host}/`,
  `https://${host}/#part`,
];

/** What a receiver got is as the document describes the event. */
function asDocumented({ check }: Stage, got: Received, answer: Exchange): void {
  try {
    check.checkEvent(got);
  } catch (error) {
    throw new BrokenRule(`what was sent is not as documented: ${(error as Error).message}`, answer);
  }
}

/** What a receiver got would be signed so with that secret, at the time that its signature names. */
function signed({ headers, body }: Received, secret: string): string {
  const [, time] = /^t=(\d+),/.exec(String(headers['webhook-signature'])) ?? [];
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;
}

/** A test send that arrived at the receiver on this machine. */
async function arrived(stage: Stage) {
  const { inbox, hook } = await stage.inbox();
  const answer = await tested(stage, hook.id);
  const record = dataOf(answer, testStatus(stage));
  return { inbox, hook, answer, record, got: await inbox.requestOf(record.payload.id, answer) };
}

function expectEveryType(answer: Exchange): void {
  const missing = EVENTS.filter((text) => !answer.body.data.events?.includes(text));
  equals('the types that are missing', missing, [], answer);
}

/** The record of a test send to a receiver that does not exist. */
async function tested(stage: Stage, id: string): Promise<Exchange> {
  const { caller } = await stage.partner();
  return caller.post(`/webhooks/${id}/test`);
}

export const webhooksRules = rulesOf('webhooks', {
  created: [
    'A new endpoint is active, with its full signing secret: whsec_ and 32 bytes in base64.',
    async (stage) => {
      const answer = await stage.newWebhook({ description: 'Ledger' });
      const endpoint = dataOf(answer, CREATED);
      const expected = { object: 'webhook', active: true, events: ['system.status'], description: 'Ledger' };
      shows('the endpoint', endpoint, { ...expected, partner_id: (await stage.partner()).id }, answer);
      matches('secret', endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/, answer);
    },
  ],
  'secret-once': [
    'An endpoint is listed as created, with its signing secret masked in every response but that of its creation.',
    async (stage) => {
      const { caller } = await stage.partner();
      const created = (await stage.newWebhook({ description: 'Ledger' })).body.data;
      const { id, secret } = created;
      const mask = `whsec_****${secret.slice(-4)}`;
      const listed = await caller.get('/webhooks?limit=5');
      const shown = rowsOf(listed).find((row) => row.id === id);
      equals('the endpoint in the list', shown, { ...created, secret: mask }, listed);
      if (stage.contract === 'partner') {
        const patched = await caller.patch(`/webhooks/${id}`, { description: 'changed' });
        equals('secret', dataOf(patched, 200).secret, mask, patched);
      }
    },
  ],
  events: [
    'An endpoint gets every event type by default; chosen types are known, unique and not empty.',
    async (stage) => {
      const { caller } = await stage.partner();
      const url = `https://${stage.run}.invalid/all`;
      const answer = await caller.post('/webhooks', { url });
      shows('the endpoint', dataOf(answer, CREATED), { active: true, description: null }, answer);
      expectEveryType(answer);
      for (const [field, value] of [
        ['active', 'yes'],
        ['secret', 'whsec_mine'],
      ] as const)
        refusedFor(await caller.post('/webhooks', { url, [field]: value }), field);
      refusedFor(await caller.post('/webhooks', {}), 'url');
      for (const [field, events] of [
        ['events[1]', ['system.status', 'position.exploded']],
        ['events[1]', ['system.status', 'system.status']],
        ['events', []],
        ['events', 'system.status'],
      ] as const)
        refusedFor(await caller.post('/webhooks', { url, events }), field);
    },
  ],
  catalogue: [
    'GET /webhooks/events lists the event types.',
    async (stage) => {
      const answer = await (await stage.partner()).caller.get('/webhooks/events');
      dataOf(answer, 200);
      equals('object', answer.body.object, 'webhook_events', answer);
      expectEveryType(answer);
    },
    'partner',
  ],
  'log-at-events': [
    'GET /webhooks/events is the delivery log, paged.',
    async (stage) => {
      await stage.delivery();
      const answer = await (await stage.partner()).caller.get('/webhooks/events');
      const [record] = rowsOf(answer);
      equals('object', [answer.body.object, record.object], ['list', 'delivery'], answer);
    },
    'sandbox',
  ],
  'forbidden-addresses': [
    'A receiver at a link-local, unspecified or metadata address is refused in every notation: 422 webhook_url_forbidden.',
    async (stage) => {
      const { caller } = await stage.partner();
      for (const url of NEVER) {
        const answer = await caller.post('/webhooks', { url });
        const isPlain =
          answer.status === 400 && /https/i.test(String(answer.body?.error?.details?.[0]?.message));
        // A deployment that takes https alone says that first.
        if (isPlain)
          refused(
            await caller.post('/webhooks', { url: url.replace('http:', 'https:') }),
            422,
            'webhook_url_forbidden',
          );
        else refused(answer, 422, 'webhook_url_forbidden');
      }
    },
  ],
  loopback: [
    'A receiver at a loopback address is refused in every notation: 422 webhook_url_forbidden.',
    async (stage) => {
      const { caller } = await stage.partner();
      const answers: Exchange[] = [];
      for (const url of LOOPBACK)
        answers.push(await caller.post('/webhooks', { url: url.replace('http:', 'https:') }));
      if (answers.every(({ status }) => status === CREATED))
        throw new SkippedRule('the deployment allows receivers on loopback (WEBHOOK_ALLOWED_NETWORKS)');
      for (const answer of answers) refused(answer, 422, 'webhook_url_forbidden');
    },
  ],
  url: [
    'A URL is http or https, without credentials or fragment, with at most 2,048 characters.',
    async (stage) => {
      const { caller } = await stage.partner();
      const host = `${stage.run}.invalid`;
      const longest = `https://${host}/`.padEnd(2048, 'x');
      equals('url', dataOf(await caller.post('/webhooks', { url: longest }), CREATED).url, longest);
      refusedFor(await caller.post('/webhooks', { url: `${longest}x` }), 'url');
      for (const url of [7, null]) refusedFor(await caller.post('/webhooks', { url }), 'url');
      for (const url of [...noReceivers(host), 'nonsense', 'https://']) {
        const answer = await caller.post('/webhooks', { url });
        refused(answer, 422, 'webhook_url_forbidden');
        equals('what details name', fieldsOf(answer), ['url'], answer);
      }
    },
  ],
  patched: [
    'A PATCH of an endpoint changes the fields in its body only, and checks a new URL as on creation.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id } = (await stage.newWebhook()).body.data;
      const listed = async () =>
        dataOf(await caller.get('/webhooks?limit=5'), 200).find((row: any) => row.id === id);
      const before = await listed();
      const changed = await caller.patch(`/webhooks/${id}`, { events: ['yield.threshold'] });
      equals('the endpoint', dataOf(changed, 200), { ...before, events: ['yield.threshold'] }, changed);
      equals('the endpoint in the list', await listed(), changed.body.data, changed);
      for (const description of ['changed', null]) {
        const noted = await caller.patch(`/webhooks/${id}`, { description });
        equals('description', dataOf(noted, 200).description, description, noted);
      }
      dataOf(await caller.patch(`/webhooks/${id}`, {}), 200);
      const off = await caller.patch(`/webhooks/${id}`, { active: false });
      equals('active', dataOf(off, 200).active, false, off);
      const forbidden = ['https://169.254.169.254/', ...noReceivers(`${stage.run}.invalid`)];
      for (const url of forbidden)
        refused(await caller.patch(`/webhooks/${id}`, { url }), 422, 'webhook_url_forbidden');
      equals('url', (await listed()).url, before.url);
      // A test send works on an endpoint that is off.
      dataOf(await tested(stage, id), testStatus(stage));
    },
    'partner',
  ],
  deleted: [
    'A deletion returns {id, deleted: true}; the endpoint is then unknown, and its deliveries stay in the log.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id } = (await stage.newWebhook()).body.data;
      const sent = made(await tested(stage, id));
      const answer = await caller.delete(`/webhooks/${id}`);
      equals('data', dataOf(answer, 200), { id, deleted: true }, answer);
      refused(await caller.delete(`/webhooks/${id}`), 404, 'not_found');
      refused(await tested(stage, id), 404, 'not_found');
      const listed = await caller.get('/webhooks?limit=500');
      holds(!dataOf(listed, 200).some((row: any) => row.id === id), 'it is still listed', listed);
      const log = await caller.get(`${logPath(stage)}?webhook_id=${id}`);
      equals('its deliveries', dataOf(log, 200), [sent], log);
    },
  ],
  tested: [
    'A test send returns the delivery of its one attempt, also if that failed.',
    async (stage) => {
      const { id, url } = await stage.webhook();
      const answer = await tested(stage, id);
      const { attempts, payload, ...record } = dataOf(answer, testStatus(stage));
      const failed = { object: 'delivery', status: 'failed', response_status: null };
      shows('the record', record, { ...failed, webhook_id: id, url, event: 'system.status' }, answer);
      holds(attempts === 0 || attempts === 1, 'attempts is neither 0 nor 1', answer);
      matches('payload.id', payload?.id, /^evt_[0-9a-hjkmnp-tv-z]{26}$/, answer);
      equals(
        'payload',
        [payload.type, typeof payload.data?.message, typeof payload.data?.requested_at],
        ['system.status', 'string', 'string'],
        answer,
      );
    },
  ],
  log: [
    'The delivery log shows each record once, newest first, filtered by endpoint, status or event, with an integer latency_ms.',
    async (stage) => {
      const { caller } = await stage.partner();
      const { id } = (await stage.newWebhook()).body.data;
      const sent: any[] = [];
      for (let n = 0; n < 3; n++) sent.unshift(made(await tested(stage, id)));
      const whole = await caller.get(`${logPath(stage)}?limit=500`);
      for (const { latency_ms } of dataOf(whole, 200))
        holds(Number.isInteger(latency_ms), `a latency_ms is ${latency_ms}`, whole);
      const path = `${logPath(stage)}?webhook_id=${id}`;
      for (const filter of ['', '&status=failed', '&event=system.status']) {
        const answer = await caller.get(`${path}${filter}`);
        const shown = dataOf(answer, 200).map((row: any) => row.id);
        const expected = sent.map((row) => row.id);
        equals('the log', shown, expected, answer);
      }
      const other = await caller.get(`${path}&status=delivered`);
      equals('the log of what was delivered', dataOf(other, 200), [], other);
      const paged = await caller.get(`${path}&limit=1`);
      equals('the newest', dataOf(paged, 200), [sent[0]], paged);
      const next = await caller.get(`${path}&limit=2&cursor=${paged.body.meta.next_cursor}`);
      equals('the rest', dataOf(next, 200), sent.slice(1), next);
    },
  ],
  signature: [
    'Webhook-Signature is t=<unix seconds>,v1=<HMAC-SHA256 of t, a dot and the raw body, with the whole secret>, as in the delivery.',
    async (stage) => {
      const { hook, answer, record, got } = await arrived(stage);
      const outcome = { status: 'delivered', attempts: 1, failure: null, response_status: 200 };
      shows('the outcome', record, outcome, answer);
      const header = String(got.headers['webhook-signature']);
      matches('Webhook-Signature', header, /^t=\d+,v1=[0-9a-f]{64}$/, answer);
      equals('Webhook-Signature', header, signed(got, hook.secret), answer);
      equals('signature of the record', record.signature, header, answer);
      const apart = Math.abs(Date.now() / 1000 - Number(header.slice(2, header.indexOf(','))));
      holds(apart < 300, `${header} is ${apart} s from the clock of this machine`, answer);
    },
  ],
  sent: [
    'A send is the event of its delivery as JSON, once, with Webhook-Id and User-Agent.',
    async (stage) => {
      const { inbox, answer, record, got } = await arrived(stage);
      equals('the body', JSON.parse(got.body.toString()), record.payload, answer);
      matches('Content-Type', got.headers['content-type'], /^application\/json\b/, answer);
      matches('User-Agent', got.headers['user-agent'], /^Vaultline\/\d/, answer);
      const all = inbox.received.filter(({ headers }) => headers['webhook-id'] === record.payload.id);
      equals('the number of requests', all.length, 1, answer);
      asDocumented(stage, got, answer);
    },
  ],
  verified: [
    'A public verifier (Stripe) accepts a send as bytes and text, and refuses it with a changed byte or another secret.',
    async (stage) => {
      const { hook, answer, record, got } = await arrived(stage);
      const verify = (raw: Buffer | string, secret: string = hook.secret): unknown => {
        try {
          return Stripe.webhooks.constructEvent(raw, String(got.headers['webhook-signature']), secret);
        } catch (error) {
          return (error as Error).constructor.name;
        }
      };
      for (const raw of [got.body, got.body.toString()])
        equals('what the verifier reads', verify(raw), record.payload, answer);
      const changed = Buffer.from(got.body);
      changed[0]! ^= 1;
      for (const wrong of [verify(changed), verify(changed.toString()), verify(got.body, `${hook.secret}x`)])
        equals('what the verifier answers', wrong, 'StripeSignatureVerificationError', answer);
    },
  ],
  checked: [
    'A check of a receiver shows each step of the send, signs with a one-time secret, and is not in the delivery log.',
    async (stage) => {
      const { inbox } = await stage.inbox();
      const { caller } = await stage.partner();
      const answer = await caller.post('/webhooks/check', { url: inbox.url });
      const check = dataOf(answer, 200);
      equals('object', answer.body.object, 'webhook_check', answer);
      shows('the outcome', check, { passed: true, response_status: 200 }, answer);
      const failed = check.steps.filter((step: any) => step.passed === false);
      equals('the steps that failed', failed, [], answer);
      const got = await inbox.requestOf(check.payload.id, answer);
      equals('Webhook-Signature', got.headers['webhook-signature'], signed(got, check.secret), answer);
      const log = await caller.get(`${logPath(stage)}?limit=1`);
      holds(dataOf(log, 200)[0]?.payload.id !== check.payload.id, 'it is in the log', log);
    },
  ],
  rotated: [
    "A rotation of an endpoint's secret returns the new one, which signs every further send; a second one while the old secret is valid is a 409.",
    async (stage) => {
      const { inbox } = await stage.inbox();
      const { caller } = await stage.partner();
      const hook = made(await caller.post('/webhooks', { url: inbox.url, events: ['system.status'] }));
      const answer = await caller.post(`/webhooks/${hook.id}/secret/rotate`, { previous_expires_in: 0 });
      const { secret } = dataOf(answer, 200);
      const health = { id: hook.id, failing_since: null, consecutive_failures: 0 };
      shows('the endpoint', answer.body.data, health, answer);
      holds(secret !== hook.secret, 'the secret is the old one', answer);
      matches('secret', secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const got = await inbox.requestOf(made(await tested(stage, hook.id)).payload.id, answer);
      equals('Webhook-Signature', got.headers['webhook-signature'], signed(got, secret), answer);
      const slowly = (): Promise<Exchange> =>
        caller.post(`/webhooks/${hook.id}/secret/rotate`, { previous_expires_in: 60 });
      dataOf(await slowly(), 200);
      refused(await slowly(), 409, 'rotation_in_progress');
      made(await caller.delete(`/webhooks/${hook.id}`));
    },
  ],
  health: [
    'An endpoint shows the start and number of its consecutive failures, or its last success.',
    async (stage) => {
      const { hook } = await stage.inbox();
      const { caller } = await stage.partner();
      const { id } = (await stage.newWebhook()).body.data;
      for (const hookId of [id, hook.id]) made(await tested(stage, hookId));
      const answer = await caller.get('/webhooks?limit=500');
      const of = (which: string): any => rowsOf(answer).find((row) => row.id === which);
      const [failing, well] = [of(id), of(hook.id)];
      equals('the failures', [failing.consecutive_failures, failing.last_success_at], [1, null], answer);
      matches('failing_since', failing.failing_since, /Z$/, answer);
      equals('the failures', [well.consecutive_failures, well.failing_since], [0, null], answer);
      matches('last_success_at', well.last_success_at, /Z$/, answer);
    },
  ],
  raised: [
    'GET /events shows each event with its outcome per endpoint; an endpoint without failures has missed none.',
    async (stage) => {
      const { hook } = await stage.inbox();
      const { id } = hook;
      const { caller } = await stage.partner();
      const before = made(await tested(stage, id)).payload.id;
      const { payload } = made(await tested(stage, id));
      const path = `/events?types=system.status&after=${before}`;
      const answer = await listedOnce(caller, path, (events) => events.length > 0);
      const shown = dataOf(answer, 200).map((event: any) => [
        ...[event.object, event.id, event.type, event.undelivered_to],
        event.deliveries.map((delivery: any) => [delivery.webhook_id, delivery.status]),
      ]);
      const delivered = [['event', payload.id, 'system.status', [], [[id, 'delivered']]]];
      equals('the events', shown, delivered, answer);
      const missed = await caller.get(`/events?undelivered_to=${id}`);
      equals('what it missed', dataOf(missed, 200), [], missed);
    },
  ],
  'raised-after': [
    'GET /events after an event that is not among the partner’s is a 404 event_removed; of an endpoint that it does not have, a 404 not_found.',
    async (stage) => {
      const { caller } = await stage.partner();
      refused(await caller.get(`/events?after=evt_${ABSENT}`), 404, 'event_removed');
      refused(await caller.get(`/events?undelivered_to=wh_${ABSENT}`), 404, 'not_found');
    },
  ],
  switched: [
    'An endpoint set inactive gets no event, and one set active again gets them.',
    async (stage) => {
      const { inbox } = await stage.inbox();
      const { caller } = await stage.funds();
      const register = async (): Promise<string> =>
        made(
          await caller.post('/webhooks', {
            url: `${inbox.url}/${stage.name('hook')}`,
            events: ['position.opened'],
          }),
        ).id;
      const [switched, steady] = [await register(), await register()];
      /** The endpoints that get the event of a deposit: the steady one is the last to get it. */
      const reached = async (active: boolean): Promise<string[]> => {
        const answer = await caller.patch(`/webhooks/${switched}`, { active });
        equals('active', dataOf(answer, 200).active, active, answer);
        const { id } = made(await stage.deposit(1));
        const isOf = ({ body }: Received): boolean => JSON.parse(body.toString()).data?.id === id;
        const expected = active ? 2 : 1;
        await inbox.comes((got) => isOf(got) && inbox.received.filter(isOf).length >= expected);
        const isRaised = ({ data }: any): boolean => data.id === id;
        const path = '/events?types=position.opened&limit=500';
        const listed = await listedOnce(caller, path, (events) => events.some(isRaised));
        const event = rowsOf(listed).find(isRaised);
        holds(event !== undefined, `no event of ${id} is listed`, listed);
        await new Promise((resolve) => setTimeout(resolve, active ? 0 : SENT_MS));
        equals('how many sends came', inbox.received.filter(isOf).length, expected, answer);
        const sent = event.deliveries.map(({ webhook_id }: any) => webhook_id);
        return [switched, steady].filter((hook) => sent.includes(hook));
      };
      equals('who is sent to while it is inactive', await reached(false), [steady]);
      equals('who is sent to while it is active', await reached(true), [switched, steady]);
      for (const id of [switched, steady]) made(await caller.delete(`/webhooks/${id}`));
    },
    'partner',
  ],
  'no-oracle': [
    'An invalid registration body is refused before its URL is checked.',
    async (stage) => {
      const answer = await (
        await stage.partner()
      ).caller.post('/webhooks', { url: 'https://169.254.169.254/', unknown: 1 });
      holds(codeOf(answer) === 'validation_failed', 'the address was judged first', answer);
    },
  ],
});
