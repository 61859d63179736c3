import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemResolver } from '../../src/domain/outbound/egress/system-resolver.js';
import type { Answer as ApiAnswer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { withoutRequestId } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { answerWith, LoopbackReceiver, type Answer } from '../support/loopback-receiver.js';
import { NameServer, type NameAnswer } from '../support/name-server.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { freePort } from '../support/replica.js';

const DATA = new URL('../support/data/', import.meta.url);
const IDENTITY = {
  cert: readFileSync(new URL('self-signed-cert.pem', DATA), 'utf8'),
  key: readFileSync(new URL('self-signed-key.pem', DATA), 'utf8'),
};
const TOLD = 'told-in-confidence';

/** A partner can learn nothing of a foreign network but the documented classes of failure. */
describe.each(eitherContract('partner'))('%s contract: what responses reveal of an address', (contract) => {
  const log = contract === 'partner' ? '/webhooks/deliveries' : '/webhooks/events';
  let names: NameServer;
  let open: TestApp;
  let closed: TestApp;
  let partners: Map<TestApp, TestPartner>;
  const receivers: LoopbackReceiver[] = [];

  beforeAll(async () => {
    names = await NameServer.open();
    open = await startApp(contract, { WEBHOOK_TIMEOUT_MS: '1500' });
    closed = await startApp(contract, { WEBHOOK_ALLOWED_NETWORKS: '' });
    partners = new Map();
    for (const app of [open, closed]) {
      app.application.get(SystemResolver).servers = [names.address];
      partners.set(app, await createPartner(app.admin));
    }
  });
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  afterAll(async () => {
    await open.close();
    await closed.close();
    names.close();
  });

  const receiving = async (answer: Answer, identity?: typeof IDENTITY): Promise<LoopbackReceiver> => {
    const receiver = await LoopbackReceiver.open(answer, identity);
    receivers.push(receiver);
    return receiver;
  };
  const register = (app: TestApp, url: string): Promise<ApiAnswer> =>
    partners.get(app)!.api.post('/webhooks', { url });

  it('Refusals of an address are the same whether a server listens there or not', async () => {
    const hook = await receiving(answerWith(200));
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
      const answers = await Promise.all(
        [hook.port, await freePort()].map((port) => register(closed, `http://${host}:${port}/`)),
      );
      expect(answers.map(({ status }) => status)).toEqual([422, 422]);
      expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
    }
    expect(hook.connections).toBe(0);
  });

  it('Refusals of a name do not depend on the private address that it resolves to', async () => {
    const inside: NameAnswer[] = [
      ['10.1.2.3'],
      ['127.0.0.1'],
      ['169.254.169.254'],
      ['fd12:3456::1'],
      ['93.184.216.34', '10.1.2.3'],
      ['192.168.7.7', '192.168.7.8'],
    ];
    const answers: ApiAnswer[] = [];
    for (const said of inside) {
      names.says('split.example.com', said);
      answers.push(await register(closed, 'https://split.example.com/'));
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(new Set(answers.map(withoutRequestId)).size).toBe(1);
    expect(answers[0]!.text).not.toMatch(/\d+\.\d+\.\d+|fd12|93\.184/);
  });

  it.each<[what: string, answer: Answer, failure: string | null]>([
    ['delivered', answerWith(200, { 'x-told': TOLD, 'set-cookie': TOLD }, TOLD), null],
    ['refused', answerWith(418, { 'x-told': TOLD, 'retry-after': '9' }, TOLD), 'http_status'],
    [
      'refused for a reason',
      (socket) => void socket.end(`HTTP/1.1 500 ${TOLD}\r\n\r\n${TOLD}`),
      'http_status',
    ],
    ['redirected', answerWith(302, { location: `https://${TOLD}.example.com/` }), 'http_status'],
    ['reset', (socket) => void socket.resetAndDestroy(), 'response_error'],
    ['answered with something else', (socket) => void socket.end(`220 ${TOLD} ESMTP\r\n`), 'response_error'],
    ['left waiting', () => {}, 'timeout'],
    ['shown a certificate of nobody', answerWith(200), 'tls_error'],
  ])(
    'The record of a send that was %s has its class and status, and nothing of the answer',
    async (_what, answer, failure) => {
      const tls = failure === 'tls_error';
      const hook = await receiving(answer, tls ? IDENTITY : undefined);
      const { api } = partners.get(open)!;
      const { id } = (await register(open, hook.url(tls ? 'https' : 'http'))).body.data;
      const sent = await api.post(`/webhooks/${id}/test`);
      const listed = await api.get(`${log}?webhook_id=${id}`);
      expect(sent.body.data.failure).toBe(failure);
      expect(Object.keys(sent.body.data as object).sort()).toEqual(FIELDS);
      expect(listed.body.data).toEqual([sent.body.data]);
      const rows = await open.sql<{ row: string }>(
        'SELECT d::text AS row FROM deliveries d WHERE webhook_id = $1',
        [id],
      );
      const logged = open
        .logs()
        .split('\n')
        .filter((line) => !line.includes('"msg":"a feed has a problem"'));
      for (const text of [sent.text, listed.text, JSON.stringify(rows), logged.join('\n')]) {
        expect(text).not.toContain(TOLD);
        expect(text).not.toMatch(/ECONN|EPIPE|EPROTO|UND_ERR|SELF_SIGNED|ERR_TLS|errno|syscall|undici/);
      }
      for (const header of sent.headers.values()) expect(header).not.toContain(TOLD);
    },
  );
});

const FIELDS = [
  'at',
  'attempts',
  'event',
  'failure',
  'id',
  'latency_ms',
  'object',
  'partner_id',
  'payload',
  'response_status',
  'signature',
  'status',
  'url',
  'webhook_id',
];
