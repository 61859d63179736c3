import { stat } from 'node:fs';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';

import { closeAll, receiver, send, sender } from '../../../../test/support/sender-bench.js';
import { answerWith } from '../../../../test/support/loopback-receiver.js';

afterEach(closeAll);

/** undici returns a connection one turn of the event loop after the answer. */
const freed = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Answer with a keep-alive timeout, as most servers send it. */
const WAITING = answerWith(200, { 'keep-alive': 'timeout=30' });

describe('connections', () => {
  it.each(['127.0.0.1', 'hooks.example.test', 'localhost'])(
    'Connections to %s are reused if it sends a keep-alive timeout',
    async (host) => {
      const hook = await receiver(WAITING);
      const shared = sender();
      for (let n = 0; n < 5; n++) {
        expect(await send(shared, hook.url('http', host))).toMatchObject({ ok: true });
        await freed();
      }
      expect(hook.requests).toHaveLength(5);
      expect(hook.connections).toBe(1);
    },
  );

  it('Connections are not reused without a keep-alive timeout, as the receiver may be closing them', async () => {
    const hook = await receiver((socket, request) => {
      answerWith(200)(socket, request);
      setTimeout(() => socket.destroy(), 2);
    });
    const shared = sender();
    for (let n = 0; n < 30; n++) {
      expect(await send(shared, hook.url(), `evt_${n}`)).toMatchObject({ ok: true });
      await pause(3 + (n % 3));
    }
    expect(hook.requests).toHaveLength(30);
  });

  it.each<[string, Record<string, string>, connections: number]>([
    ['timeout=60, max=2', { 'keep-alive': 'timeout=60, max=2' }, 2],
    ['timeout=60, max=1', { 'keep-alive': 'timeout=60, max=1' }, 4],
    ['timeout=1', { 'keep-alive': 'timeout=1' }, 4],
    ['max=100', { 'keep-alive': 'max=100' }, 4],
    ['timeout=60 with Connection: close', { 'keep-alive': 'timeout=60', connection: 'close' }, 4],
  ])(
    'Connections are reused no longer than the receiver announces: %s',
    async (_what, fields, connections) => {
      const hook = await receiver(answerWith(200, fields));
      const shared = sender();
      for (let n = 0; n < 4; n++) {
        expect(await send(shared, hook.url())).toMatchObject({ ok: true });
        await freed();
      }
      expect(hook.connections).toBe(connections);
    },
  );

  it('Connections lose no send to a receiver that announces 60 s and closes after 4', async () => {
    const lastAt = new WeakMap<Socket, number>();
    const hook = await receiver((socket, request) => {
      const idleMs = performance.now() - (lastAt.get(socket) ?? Infinity);
      if (idleMs > 4_000) return void socket.resetAndDestroy();
      lastAt.set(socket, performance.now());
      answerWith(200, { 'keep-alive': 'timeout=60' })(socket, request);
    });
    const shared = sender();
    expect(await send(shared, hook.url())).toMatchObject({ ok: true });
    await pause(4_050);
    expect(await send(shared, hook.url())).toMatchObject({ ok: true });
    expect(hook.connections).toBe(2);
  });

  it('Connections are not reused after 3 s in a process that was too busy to close them', async () => {
    const hook = await receiver(answerWith(200, { 'keep-alive': 'timeout=60' }));
    const shared = sender();
    await send(shared, hook.url());
    await freed();
    // A callback of a file comes between the timers and the check for closed connections.
    const sending = new Promise<unknown>((resolve) =>
      stat('.', () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_100);
        resolve(send(shared, hook.url()));
      }),
    );
    expect(await sending).toMatchObject({ ok: true });
    expect(hook.connections).toBe(2);
  });

  it('Connections to a hanging receiver delay no other, and are closed at the deadline', async () => {
    const hanging = await receiver(() => {});
    const healthy = await receiver(answerWith(200));
    const shared = sender({ timeoutMs: 1_500 });
    const stuck = Array.from({ length: 20 }, (_, n) => send(shared, hanging.url(), `evt_${n}`));
    for (let n = 0; n < 20; n++) expect(await send(shared, healthy.url())).toMatchObject({ ok: true });
    for (const outcome of await Promise.all(stuck)) expect(outcome).toMatchObject({ failure: 'timeout' });
    expect(hanging.requests).toHaveLength(20);
    while (hanging.sockets.size > 0) await pause(5);
    const bodies = hanging.requests.map(({ body }) => String(body));
    expect(new Set(bodies).size).toBe(bodies.length);
  });
});

describe('a connection that the receiver closes while it is idle', () => {
  it('A connection that the receiver closes while it is idle is replaced, and the request is sent once', async () => {
    const hook = await receiver((socket, request) => {
      answerWith(200)(socket, request);
      socket.end();
    });
    const shared = sender();
    for (let n = 0; n < 20; n++)
      expect(await send(shared, hook.url(), `evt_${n}`)).toMatchObject({ ok: true });
    expect(hook.requests.map(({ body }) => String(body))).toEqual(
      Array.from({ length: 20 }, (_, n) => `evt_${n}`),
    );
  });

  it.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => void socket.end()],
    ['reset', (socket) => void socket.resetAndDestroy()],
  ])(
    'A connection that is %s by the receiver after the next request was written fails that request, which is not repeated',
    async (_how, drop) => {
      const served = new WeakSet<Socket>();
      const hook = await receiver((socket, request) => {
        if (served.has(socket)) return drop(socket);
        served.add(socket);
        WAITING(socket, request);
      });
      const shared = sender();
      expect(await send(shared, hook.url(), 'first')).toMatchObject({ ok: true });
      await freed();
      expect(await send(shared, hook.url(), 'second')).toMatchObject({
        failure: 'response_error',
        status: null,
        attempted: true,
      });
      await pause(100);
      expect(hook.requests.map(({ body }) => String(body))).toEqual(['first', 'second']);
      expect(await send(shared, hook.url(), 'third')).toMatchObject({ ok: true });
      expect(hook.connections).toBe(2);
    },
  );

  it('A connection that the receiver closes at any time never causes a duplicate request', async () => {
    let dice = 1;
    const roll = (sides: number): number => (dice = (dice * 48_271) % 2_147_483_647) % sides;
    const hook = await receiver((socket, request) => {
      // Answer that ends its connection; Node never releases a socket that is reset while it is ending.
      const closing = (): void =>
        void (socket.writableEnded || roll(2) === 0 ? socket.end() : socket.resetAndDestroy());
      if (roll(4) === 0) return closing();
      WAITING(socket, request);
      const when = roll(4);
      if (when < 2) setTimeout(closing, roll(4));
      else if (when === 2) setImmediate(closing);
    });
    const shared = sender();
    const delivered: string[] = [];
    for (let n = 0; n < 100; n++) {
      const ids = Array.from({ length: 1 + roll(3) }, (_, k) => `evt_${n}_${k}`);
      const outcomes = await Promise.all(ids.map((id) => send(shared, hook.url(), id)));
      delivered.push(...ids.filter((_, k) => outcomes[k]?.ok));
      if (roll(3) === 0) await pause(roll(4));
    }
    const bodies = hook.requests.map(({ body }) => String(body));
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies).toEqual(expect.arrayContaining(delivered));
    expect(delivered.length).toBeGreaterThan(0);
  });
});

describe('closing a sender', () => {
  it('Closing a sender waits for running sends, closes idle connections, and rejects new sends', async () => {
    const slow = await receiver(
      (socket, request) => void setTimeout(() => answerWith(200)(socket, request), 200),
    );
    const shared = sender();
    const underWay = send(shared, slow.url());
    await shared.close();
    expect(await underWay).toMatchObject({ ok: true });
    while (slow.sockets.size > 0) await pause(5);
    await expect(send(shared, slow.url())).rejects.toThrow('closed');
    await shared.close();
  });

  it('Closing a sender ends at the deadline of a hanging send', async () => {
    const hanging = await receiver(() => {});
    const shared = sender({ timeoutMs: 300 });
    const underWay = send(shared, hanging.url());
    await shared.close();
    expect(await underWay).toMatchObject({ failure: 'timeout' });
  });
});

it('A send with an invalid header is rejected before any request', async () => {
  const hook = await receiver(answerWith(200));
  const request = { url: hook.url(), body: Buffer.alloc(0), headers: { 'webhook-id': 'a\r\nb: c' } };
  await expect(sender().send(request)).rejects.toThrow('header');
  expect(hook.requests).toHaveLength(0);
});
