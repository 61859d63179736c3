import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';

import { closeAll, LOOPBACK, receiver, send, sender } from '../../../../test/support/sender-bench.js';
import { answerWith, LoopbackReceiver, type Answer } from '../../../../test/support/loopback-receiver.js';
import { type SendOutcome } from './sender.js';
import { type HostResolver } from '../egress/url-guard.js';

afterEach(closeAll);

const DATA = new URL('../../../../test/support/data/', import.meta.url);
const IDENTITY = {
  cert: readFileSync(new URL('self-signed-cert.pem', DATA), 'utf8'),
  key: readFileSync(new URL('self-signed-key.pem', DATA), 'utf8'),
};
/** Far above any deadline in this file: it only shows that a send ended, not how fast. */
const SOON_MS = 8_000;
describe('a send', () => {
  it.each([200, 201, 204, 299])('A send succeeds with the status %i', async (status) => {
    const hook = await receiver(answerWith(status, {}, status === 204 ? '' : 'thanks'));
    expect(await send(sender(), hook.url())).toEqual({ ok: true, status, latencyMs: expect.any(Number) });
  });

  it('A send contains the given bytes and headers, and the User-Agent of the service', async () => {
    const hook = await receiver(answerWith(200));
    const body = Buffer.from([0x7b, 0xc3, 0xbc, 0x00, 0xff, 0x7d]);
    await sender().send({ url: hook.url(), body, headers: { 'webhook-signature': 't=1,v1=ab' } });
    const [request] = hook.requests;
    expect(request?.body.equals(body)).toBe(true);
    expect(request?.head).toMatch(/^POST \/hook\?from=test HTTP\/1\.1\r\n/);
    expect(request?.head).toContain(`host: 127.0.0.1:${hook.port}`);
    expect(request?.head).toContain('webhook-signature: t=1,v1=ab');
    expect(request?.head).toContain('user-agent: Vaultline/test');
  });

  it('A send reads at most 16 KiB of an endless response, and closes the connection', async () => {
    let read = 0;
    const count = (message: unknown): void => void (read += (message as { chunk: Buffer }).chunk.length);
    subscribe('undici:request:bodyChunkReceived', count);
    const flood: Answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(0x400)}\r\n`));
      };
      socket.on('drain', pour);
      pour();
    };
    const hook = await receiver(flood);
    const outcome = await send(sender(), hook.url());
    unsubscribe('undici:request:bodyChunkReceived', count);
    expect(outcome).toMatchObject({ ok: true, status: 200 });
    expect(read).toBeLessThanOrEqual(16 * 1024);
    await until(() => hook.sockets.size === 0);
    expect(hook.connections).toBe(1);
  });

  it('A send succeeds if the receiver drops the connection after a 2xx status', async () => {
    const hook = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    expect(await send(sender(), hook.url())).toMatchObject({ ok: true, status: 200 });
    expect(hook.requests).toHaveLength(1);
  });

  it('A send uses TLS with a trusted certificate for the name in its URL', async () => {
    const hook = await receiver(answerWith(200), IDENTITY);
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, IDENTITY.cert]);
    try {
      expect(await send(sender(), hook.url('https', 'receiver.example.test'))).toMatchObject({ ok: true });
      expect(await send(sender(), hook.url('https', 'other.example.test'))).toMatchObject({
        failure: 'tls_error',
      });
    } finally {
      setDefaultCACertificates(before);
    }
    expect(hook.requests).toHaveLength(1);
  });
});

describe('a send whose request was received fails without a repeat on', () => {
  const half = (status: number): Answer => {
    const head = `HTTP/1.1 ${status} Any\r\ncontent-length: 100\r\n\r\nhalf`;
    return (socket) => void socket.write(head, () => setTimeout(() => socket.resetAndDestroy(), 50));
  };
  const drip: Answer = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('.'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const dripHeaders: Answer = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  };

  it.each<[string, Answer, Partial<SendOutcome>]>(
    // prettier-ignore
    [
      ['500', answerWith(500), { failure: 'http_status', status: 500 }],
      ['429 with Retry-After', answerWith(429, { 'retry-after': '0' }), { failure: 'http_status', status: 429 }],
      ['404', answerWith(404), { failure: 'http_status', status: 404 }],
      ['304', answerWith(304, {}, ''), { failure: 'http_status', status: 304 }],
      ['500 and a truncated body', half(500), { failure: 'http_status', status: 500 }],
      ['a reset', (socket) => void socket.resetAndDestroy(), { failure: 'response_error', status: null }],
      ['a hang-up', (socket) => void socket.end(), { failure: 'response_error', status: null }],
      ['a truncated header', (socket) => void socket.end('HTTP/1.1 200 O'), { failure: 'response_error', status: null }],
      ['a response other than HTTP', (socket) => void socket.end('220 mail.example.com ESMTP\r\n'), { failure: 'response_error', status: null }],
      ['101', (socket) => void socket.write('HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'), { failure: 'response_error' }],
      ['a header of 32 KiB', answerWith(200, { 'x-large': 'x'.repeat(32_768) }), { failure: 'response_error', status: null }],
      ['a reset within the head of the response', (socket) => void socket.write('HTTP/1.1 200 OK\r\nx: y', () => setTimeout(() => socket.resetAndDestroy(), 20)), { failure: 'response_error', status: null }],
      ['a response that is cut after an interim one', (socket) => void socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'), { failure: 'response_error', status: null }],
      ['nothing', () => {}, { failure: 'timeout', status: null }],
      ['a header that never ends', dripHeaders, { failure: 'timeout', status: null }],
      ['a body that drips past the deadline', drip, { failure: 'timeout', status: 200 }],
    ],
  )('A send whose request was received fails without a repeat on %s', async (_what, answer, expected) => {
    const hook = await receiver(answer);
    const outcome = await send(sender({ timeoutMs: 1_000 }), hook.url());
    expect(outcome).toMatchObject({ ok: false, attempted: true, ...expected });
    expect(outcome.latencyMs).toBeLessThan(SOON_MS);
    // A duplicate send would arrive at once, on a new connection.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(hook.requests).toHaveLength(1);
    expect(hook.connections).toBe(1);
  });

  it.each([301, 302, 307, 308])(
    'A send whose request was received fails without a repeat on a redirect (%i), which is not followed',
    async (status) => {
      const target = await receiver(answerWith(200));
      const hook = await receiver(answerWith(status, { location: target.url() }));
      expect(await send(sender(), hook.url())).toMatchObject({ failure: 'http_status', status });
      expect(target.connections).toBe(0);
    },
  );
});

it('A send that TLS ends after its request, for want of a client certificate, is a failed response', async () => {
  const asking = { ...IDENTITY, requestCert: true, rejectUnauthorized: true };
  const hook = await receiver(answerWith(200), asking);
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, IDENTITY.cert]);
  try {
    const outcome = await send(sender(), hook.url('https', 'receiver.example.test'));
    expect(outcome).toMatchObject({ failure: 'response_error', attempted: true });
  } finally {
    setDefaultCACertificates(before);
  }
  expect(hook.requests).toHaveLength(0);
});

describe('a send fails before its request on', () => {
  const never = (): Promise<never> => new Promise(() => {});
  const notFound: HostResolver = async () => {
    throw Object.assign(new Error('query'), { code: 'ENOTFOUND' });
  };
  /** Resolves by these, one after the other: the first for the check, the second for the connection. */
  const inTurn = (...resolvers: HostResolver[]): HostResolver => {
    let lookups = 0;
    return (...args) => resolvers[lookups++ % resolvers.length]!(...args);
  };
  const after =
    (ms: number): HostResolver =>
    async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return LOOPBACK(...args);
    };
  const at =
    (address: string): HostResolver =>
    async () => [{ address, family: 4 }];

  type Identity = typeof IDENTITY | undefined;
  type Given = Parameters<typeof sender>;
  type Case = [string, Identity, 'http' | 'https', host: string, ...Required<Given>, Partial<SendOutcome>];
  const NAME = 'receiver.example.test';
  const rebinding = { allowedNetworks: [], resolve: inTurn(at('93.184.216.34'), at('127.0.0.1')) };

  it.each<Case>(
    // prettier-ignore
    [
      ['an untrusted certificate', IDENTITY, 'https', '127.0.0.1', {}, {}, { failure: 'tls_error', attempted: true }],
      ['a receiver that never finishes the TLS handshake', undefined, 'https', '127.0.0.1', { timeoutMs: 300 }, {}, { failure: 'timeout', attempted: true }],
      ['a name that resolves after the deadline', undefined, 'http', NAME, { timeoutMs: 150 }, { resolve: inTurn(LOOPBACK, after(300)) }, { failure: 'timeout', attempted: true }],
      ['a name that resolves to a public address for the check and to loopback for the connection', undefined, 'http', NAME, {}, rebinding, { failure: 'blocked_address', attempted: false }],
      ['a name that does not resolve for the check', undefined, 'http', NAME, {}, { resolve: notFound }, { failure: 'dns_error', attempted: false }],
      ['a name that does not resolve for the connection', undefined, 'http', NAME, {}, { resolve: inTurn(LOOPBACK, notFound) }, { failure: 'dns_error', attempted: false }],
      ['name servers that do not answer', undefined, 'http', NAME, {}, { resolve: never, resolveTimeoutMs: 100 }, { failure: 'dns_error', attempted: false }],
      ['name servers that do not answer before the deadline', undefined, 'http', NAME, { timeoutMs: 100 }, { resolve: never, resolveTimeoutMs: 300 }, { failure: 'timeout', attempted: false }],
    ],
  )('A send fails before its request on %s', async (_, identity, scheme, host, options, guard, expected) => {
    const hook = await receiver(answerWith(200), identity);
    const outcome = await send(sender(options, guard), hook.url(scheme, host));
    expect(outcome).toMatchObject({ ok: false, status: null, ...expected });
    expect(outcome.latencyMs).toBeLessThan(SOON_MS);
    // A late answer of a name server opens no connection either.
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (scheme === 'http') expect(hook.connections).toBe(0);
    expect(hook.requests).toHaveLength(0);
  });

  it('A send fails before its request on a refused connection', async () => {
    const closedReceiver = await LoopbackReceiver.open(answerWith(200));
    const url = closedReceiver.url();
    await closedReceiver.close();
    const refused = { failure: 'connect_error', status: null, attempted: true };
    expect(await send(sender(), url)).toMatchObject(refused);
  });

  it('A send fails before its request on a connection that is reset while the request is sent', async () => {
    const hook = await receiver(answerWith(200));
    hook.onConnection((socket) => socket.pause() && setTimeout(() => socket.resetAndDestroy(), 100));
    const request = { url: hook.url(), body: Buffer.alloc(64 * 1024 * 1024), headers: {} };
    expect(await sender().send(request)).toMatchObject({ failure: 'connect_error', attempted: true });
    expect(hook.requests).toHaveLength(0);
  });

  it('A send fails before its request on a receiver without TLS', async () => {
    const hook = await receiver(() => {});
    hook.onConnection((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await send(sender(), hook.url('https'))).toMatchObject({ failure: 'tls_error', status: null });
  });

  it('A send fails before its request on a receiver that hangs after slow name servers, within one common deadline', async () => {
    const hook = await receiver(() => {});
    const guard = { resolve: inTurn(after(1_900), LOOPBACK), resolveTimeoutMs: 10_000 };
    const outcome = await send(sender({ timeoutMs: 2_000 }, guard), hook.url('https', NAME));
    expect(outcome).toMatchObject({ failure: 'timeout', status: null });
    expect(outcome.latencyMs).toBeLessThan(3_500); // two deadlines in a row would take 3,900
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
