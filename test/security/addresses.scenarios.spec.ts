import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemResolver } from '../../src/domain/outbound/egress/system-resolver.js';
import { startApp, type TestApp } from '../support/app.js';
import { eitherContract } from '../support/long.js';
import { answerWith, LoopbackReceiver, type Answer } from '../support/loopback-receiver.js';
import { NameServer, type NameAnswer, type NameAnswers } from '../support/name-server.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { Border } from './addresses.border.js';
import { REDIRECTS, TURNING } from './addresses.rows.js';

const PUBLIC = ['93.184.216.34', '2606:4700:4700::1111'];
const METADATA = ['169.254.169.254'];
const BLOCKED = { status: 'failed', failure: 'blocked_address', attempts: 0, response_status: null };
const UNRESOLVED = { ...BLOCKED, failure: 'dns_error' };
/** The record of a send that was allowed: the border refuses its connection. */
const REACHED = { status: 'failed', failure: 'connect_error', attempts: 1, response_status: null };

/** Receivers and name servers whose answers change. The operator allows 127.0.0.0/8, and the border lets nothing else through. */
describe.each(eitherContract('sandbox'))('%s contract: an address that changes', (contract) => {
  let border: Border;
  let names: NameServer;
  let app: TestApp;
  let partner: TestPartner;
  let count = 0;
  const receivers: LoopbackReceiver[] = [];

  beforeAll(async () => {
    border = Border.close();
    names = await NameServer.open();
    app = await startApp(contract);
    border.letThrough(app.url);
    border.letThrough(app.settings.defillamaBaseUrl);
    app.application.get(SystemResolver).servers = [names.address];
    partner = await createPartner(app.admin);
  });
  beforeEach(() => {
    border.crossings.length = 0;
  });
  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  afterAll(async () => {
    await app.close();
    names.close();
    border.open();
  });

  const receiving = async (answer: Answer): Promise<LoopbackReceiver> => {
    const receiver = await LoopbackReceiver.open(answer);
    border.letThrough(receiver.url());
    receivers.push(receiver);
    return receiver;
  };
  const register = async (url: string): Promise<string> => {
    const { status, body } = await partner.api.post('/webhooks', { url });
    expect({ url, status }).toEqual({ url, status: 201 });
    return body.data.id;
  };
  const sendTest = async (id: string): Promise<any> =>
    (await partner.api.post(`/webhooks/${id}/test`)).body.data;
  /** A new name that is registered while it does not exist, and that resolves as given from then on. */
  const named = async (said: NameAnswer | NameAnswers, port = 443): Promise<{ name: string; id: string }> => {
    const name = `hooks-${++count}.example.com`;
    const id = await register(`${port === 443 ? 'https' : 'http'}://${name}:${port}/`);
    names.says(name, said);
    return { name, id };
  };
  const pinned = (): string[][] => border.crossings.map(({ addresses }) => addresses);

  it.each([...REDIRECTS, [303, 'http://127.0.0.1/'], [307, 'https://example.com/']] as const)(
    'An address that changes is not followed in a redirect: %i to %s fails as a status that is not 2xx',
    async (status, location) => {
      const hook = await receiving(answerWith(status, { location }));
      const id = await register(hook.url());
      expect(await sendTest(id)).toMatchObject({
        status: 'failed',
        failure: 'http_status',
        attempts: 1,
        response_status: status,
      });
      expect(hook.requests).toHaveLength(1);
      expect(border.crossings).toEqual([]);
    },
  );

  it.each(TURNING)(
    'An address that changes is checked again at each send after registration: %s',
    async (url) => {
      const name = new URL(url).hostname;
      names.says(name, PUBLIC);
      const id = await register(url);
      expect(await sendTest(id)).toMatchObject(REACHED);
      names.says(name, METADATA);
      expect((await partner.api.post('/webhooks', { url })).status).toBe(422);
      // The URL that is stored is no change; another one at the same name is.
      const other = new URL('/other', url).href;
      if (contract === 'partner')
        expect((await partner.api.patch(`/webhooks/${id}`, { url: other })).status).toBe(422);
      expect(await sendTest(id)).toMatchObject(BLOCKED);
      expect(pinned()).toEqual([PUBLIC]);
    },
  );

  it('An address that changes is checked again at a send, however it came into the database', async () => {
    const id = await register('https://hooks.example.com/');
    for (const url of ['http://169.254.169.254/', 'http://[::ffff:10.0.0.1]/']) {
      await app.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, url]);
      expect(await sendTest(id)).toMatchObject(BLOCKED);
    }
    expect(border.crossings).toEqual([]);
  });

  it('An address that changes is checked again at the connection: a second DNS answer cannot bypass the check', async () => {
    const { name, id } = await named((_, time) => (time === 0 ? PUBLIC : METADATA));
    expect(await sendTest(id)).toMatchObject(BLOCKED);
    expect(names.timesAsked(name, 4)).toBe(2);
    expect(border.crossings).toEqual([]);
  });

  it('An address that changes ends the use of a kept-alive connection after the change', async () => {
    const hook = await receiving(answerWith(200, { 'keep-alive': 'timeout=30' }));
    const { name, id } = await named(['127.0.0.1'], hook.port);
    for (let n = 0; n < 3; n++) expect(await sendTest(id)).toMatchObject({ status: 'delivered' });
    expect(hook.connections).toBe(1);
    for (const said of [METADATA, ['127.0.0.1', '10.0.0.1']]) {
      names.says(name, said);
      expect(await sendTest(id)).toMatchObject(BLOCKED);
    }
    names.says(name, 'no such name');
    expect(await sendTest(id)).toMatchObject(UNRESOLVED);
    expect(hook.requests).toHaveLength(3);
  });

  it('An address that changes is denied with all addresses of its name if one is denied; of 100 allowed ones four are tried', async () => {
    const many = (length: number): string[] => Array.from({ length }, (_, n) => `93.184.216.${n}`);
    const { name, id } = await named(many(100));
    expect(await sendTest(id)).toMatchObject(REACHED);
    expect(pinned()).toEqual([many(4)]);
    names.says(name, [...many(99), '10.0.0.1']);
    expect(await sendTest(id)).toMatchObject(BLOCKED);
    names.says(name, many(200));
    expect(await sendTest(id)).toMatchObject(BLOCKED);
    expect(border.crossings).toHaveLength(1);
  });
});
