import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';

import { PATH, RUNS, SEED } from '../../../../test/support/runs.js';
import { closeAll, receiver, send, sender } from '../../../../test/support/sender-bench.js';
import { answerWith, type Answer } from '../../../../test/support/loopback-receiver.js';
import { until } from '../../../../test/support/until.js';
import { type SendOutcome } from './sender.js';

afterEach(closeAll);

const MEBIBYTE = 1024 * 1024;

jest.setTimeout(30_000 * RUNS);

/** Writes `head`, then `more` for as long as the connection takes it, counting what went out. */
function pouring(head: string, more: string): { answer: Answer; poured: () => number } {
  let written = 0;
  const answer: Answer = (socket) => {
    socket.write(head);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(more)) written += more.length;
    };
    socket.on('drain', pour);
    pour();
  };
  return { answer, poured: () => written };
}

describe('an endless response is cut off before the deadline', () => {
  const filling = 'x'.repeat(16_000);
  it.each<[what: string, head: string, more: string, expected: Partial<SendOutcome>]>(
    // prettier-ignore
    [
      ['of interim responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100), { ok: false }],
      ['of interim responses with large headers', '', `HTTP/1.1 103 E\r\nx: ${filling}\r\n\r\n`, { ok: false }],
      ['of empty lines', '', '\r\n'.repeat(8_000), { ok: false }],
      ['of a reason phrase', 'HTTP/1.1 200 ', filling, { ok: false }],
      ['of header fields', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(1_000), { ok: false }],
      ['of a header name', 'HTTP/1.1 200 OK\r\n', filling, { ok: false }],
      ['of a header value', 'HTTP/1.1 200 OK\r\nx: ', filling, { ok: false }],
      ['of folded header lines', 'HTTP/1.1 200 OK\r\nx: a', '\r\n b'.repeat(4_000), { ok: false }],
      ['of a chunk extension', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', filling, { ok: true }],
      ['of trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n', 'a: b\r\n'.repeat(1_000), { ok: true }],
      ['of bytes before any status', '', '\0'.repeat(16_000), { ok: false }],
      ['of a body until the end of the connection', 'HTTP/1.1 200 OK\r\n\r\n', filling, { ok: true }],
      [
        'of a compressed body, which is not decompressed',
        'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n',
        gzipSync(Buffer.alloc(MEBIBYTE)).toString('latin1'),
        { ok: true },
      ],
    ],
  )('An endless response %s is cut off before the deadline', async (_what, head, more, expected) => {
    const { answer, poured } = pouring(head, more);
    const hook = await receiver(answer);
    const outcome = await send(sender({ timeoutMs: 25_000 }), hook.url());
    expect(outcome).toMatchObject(expected);
    if (!outcome.ok) expect(outcome.failure).toBe('response_error');
    await until(() => Promise.resolve(hook.sockets.size === 0));
    // Limit on bytes read plus those in the system's buffers.
    expect(poured()).toBeLessThan(16 * MEBIBYTE);
    expect(hook.requests).toHaveLength(1);
  });

  it('The bytes of an endless response are counted from 0 for each send over one connection', async () => {
    const hook = await receiver(answerWith(200, { 'keep-alive': 'timeout=30' }, 'x'.repeat(15_000)));
    const shared = sender({ timeoutMs: 10_000 });
    for (let n = 0; n < 30; n++) {
      expect(await send(shared, hook.url(), `evt_${n}`)).toMatchObject({ ok: true });
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    expect(hook.connections).toBe(1);
  });
});

describe('interim responses', () => {
  const then = (interim: string): Answer => {
    return (socket, request) => {
      socket.write(interim);
      answerWith(200)(socket, request);
    };
  };

  it.each(['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n'])(
    'Interim responses are skipped: %j',
    async (interim) => {
      const hook = await receiver(then(interim.repeat(3)));
      expect(await send(sender({ timeoutMs: 5_000 }), hook.url())).toMatchObject({ ok: true, status: 200 });
    },
  );

  it('Interim responses fail the send if unexpected (100 Continue), as undici closes the connection', async () => {
    const hook = await receiver(then('HTTP/1.1 100 Continue\r\n\r\n'));
    expect(await send(sender({ timeoutMs: 5_000 }), hook.url())).toMatchObject({
      failure: 'response_error',
      status: null,
    });
    expect(hook.requests).toHaveLength(1);
  });
});

describe('any response, valid or broken', () => {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PIECES()) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 40 }) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 0, max: 999 })
        .map((n) => `HTTP/1.1 ${String(n).padStart(3, '0')} Any\r\n`),
    },
  );
  const script = fc.record({
    writes: fc.array(fc.array(piece, { minLength: 1, maxLength: 6 }), { maxLength: 4 }),
    end: fc.constantFrom('end', 'reset', 'leave'),
  });

  it('Any response, valid or broken, ends the send with an outcome after one request, and the next send to another receiver succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 30, maxLength: 30 }), async (scripts) => {
        const shared = sender({ timeoutMs: 250 });
        const healthy = await receiver(answerWith(200));
        await Promise.all(
          scripts.map(async ({ writes, end }, n) => {
            const hook = await receiver((socket) => void perform(socket, writes, end));
            const outcomes = [
              await send(shared, hook.url(), `evt_${n}_1`),
              await send(shared, hook.url(), `evt_${n}_2`),
            ];
            for (const outcome of outcomes) {
              if (!outcome.ok)
                expect(['response_error', 'http_status', 'timeout']).toContain(outcome.failure);
              else expect(Math.floor(outcome.status / 100)).toBe(2);
            }
            const bodies = hook.requests.map(({ body }) => String(body));
            expect(new Set(bodies).size).toBe(bodies.length);
          }),
        );
        // The send's deadline is short and the machine may be busy, so it is tried again.
        await until(async () => (await send(shared, healthy.url())).ok);
        await closeAll();
      }),
      {
        numRuns: 4 * RUNS,
        seed: SEED,
        ...PATH,
      },
    );
  });
});

async function perform(socket: Socket, writes: string[][], end: 'end' | 'reset' | 'leave'): Promise<void> {
  for (const write of writes) {
    if (socket.destroyed) return;
    socket.write(write.join(''), 'latin1');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (end === 'end') socket.end();
  else if (end === 'reset' && !socket.writableEnded) socket.resetAndDestroy();
  if (end !== 'leave' && !socket.destroyed) await once(socket, 'close').catch(() => undefined);
}

/** Building blocks of answers, well-formed and broken. */
function PIECES(): string[] {
  return [
    ...['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 204 No Content\r\n', 'HTTP/1.1 304 Not Modified\r\n'],
    ...['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 101 Switching\r\n'],
    ...[
      'HTTP/1.0 200 OK\r\n',
      'HTTP/0.9 200 OK\r\n',
      'HTTP/2 200\r\n',
      'HTTP/1.1 200\r\n',
      'HTTP/1.1 500 \r\n',
    ],
    ...['HTTP/1.1 099 Low\r\n', 'HTTP/1.1 1000 High\r\n', 'HTTP/1.1 000 Nil\r\n', '<html>', 'ICY 200 OK\r\n'],
    ...[
      'content-length: 2\r\n',
      'content-length: 0\r\n',
      'content-length: -1\r\n',
      'content-length: 2, 2\r\n',
    ],
    ...[
      'content-length: 99999999999999999999\r\n',
      'content-length: 16385\r\n',
      'content-length: 2\r\n'.repeat(2),
    ],
    ...['transfer-encoding: chunked\r\n', 'transfer-encoding: gzip, chunked\r\n', 'transfer-encoding: x\r\n'],
    ...['connection: close\r\n', 'connection: keep-alive\r\n', 'connection: upgrade\r\nupgrade: h2c\r\n'],
    ...['keep-alive: timeout=5\r\n', 'keep-alive: timeout=0\r\n', 'keep-alive: timeout=-1, max=x\r\n'],
    ...['content-encoding: gzip\r\n', 'location: http://127.0.0.1/\r\n', ': empty\r\n', 'no colon\r\n'],
    ...[
      'x: \xff\x00\r\n',
      `x: ${'y'.repeat(17_000)}\r\n`,
      'a: b\r\n'.repeat(300),
      ' folded\r\n',
      'x : y\r\n',
    ],
    ...['\r\n', '\r\n', '\r\n', '\n', '\r', 'ok', 'ok', '0\r\n\r\n', '2\r\nok\r\n', 'ffffffffffffffffff\r\n'],
    ...['-2\r\nok\r\n', '2;ext\r\nok\r\n', '0\r\ntrailer: x\r\n\r\n', 'x'.repeat(20_000), '\0\0\0'],
  ];
}
