import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { VERSION } from '../config/version.js';
import { OtlpTracing } from './otlp-tracing.js';
import { tracePlace } from './trace-place.js';

const ATTRIBUTES = {
  'k8s.pod.name': 'api-7',
  'service.name': 'other',
  'deployment.environment.name': 'live',
};

describe('what records traces', () => {
  let collector: Server;
  let url: string;
  let status: number;
  let taken: any[];
  let resources: any[];
  let lines: string[];
  beforeEach(async () => {
    [status, taken, resources, lines] = [200, [], [], []];
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
        resources.push(...resourceSpans.map(({ resource }: any) => resource));
        for (const { scopeSpans } of resourceSpans)
          taken.push(...scopeSpans.flatMap(({ spans }: any) => spans));
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  });
  afterEach(() => {
    collector.closeAllConnections();
    collector.close();
  });

  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const start = (ratio = 1): OtlpTracing =>
    new OtlpTracing({ url, serviceName: 'test', ratio, attributes: ATTRIBUTES }, 'sandbox', pino(sink));

  it('holds what the collector has not taken yet up to a bound, and drops the rest', async () => {
    const tracing = start();
    for (let count = 0; count < 5_000; count++) tracing.begin('request', 'GET')!.end();
    await tracing.close();
    expect(taken.length).toBeGreaterThan(500);
    // A batch in flight, and a full buffer behind it.
    expect(taken.length).toBeLessThanOrEqual(512 + 2_048);
  });

  it('loses spans of a collector that refuses them, counts them, says so once, and fails nothing', async () => {
    status = 400;
    const tracing = start();
    for (let count = 0; count < 1_500; count++) tracing.begin('request', 'GET')!.end();
    await tracing.close();
    // The last batches may be refused a moment later.
    while (tracing.lost < 1_500) await sleep(5);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!).lost).toBeGreaterThan(0);
  });

  it('records no more of a trace than its bound, and says how many were left out', async () => {
    const tracing = start();
    const root = tracing.begin('tick', 'tick')!;
    const statements = tracing.within(root, () =>
      Array.from({ length: 600 }, () => tracing.begin('statement', 'some.statement')),
    );
    for (const statement of statements) statement?.end();
    root.end();
    await tracing.close();
    expect(taken).toHaveLength(500);
    expect(taken.find(({ name }) => name === 'tick').attributes).toContainEqual({
      key: 'vaultline.spans_left_out',
      value: { intValue: 101 },
    });
  });

  it('records no statement of what nobody asked for, or of what is over', () => {
    const tracing = start();
    expect(tracing.begin('statement', 'some.statement')).toBeNull();
    const request = tracing.begin('request', 'GET')!;
    expect(tracing.within(request, () => tracePlace.getStore()?.traceId)).toBe(request.traceId);
    request.end();
    expect(tracing.within(request, () => tracing.begin('statement', 'some.statement'))).toBeNull();
    return tracing.close();
  });

  it('names the resource by the attributes that it is given, unless they are its own', async () => {
    const tracing = start();
    tracing.begin('request', 'GET')!.end();
    await tracing.close();
    const found = Object.fromEntries(
      resources[0].attributes.map(({ key, value }: any) => [key, value.stringValue]),
    );
    expect(found).toEqual({
      'k8s.pod.name': 'api-7',
      'service.name': 'test',
      'service.version': VERSION,
      'deployment.environment.name': 'sandbox',
    });
  });

  it('goes by its own ratio, whatever the caller says of its trace', async () => {
    const tracing = start(0);
    const span = tracing.begin('request', 'GET', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)!;
    expect(span.traceId).toBe('a'.repeat(32));
    expect(tracing.within(span, () => tracing.begin('statement', 'some.statement'))).toBeNull();
    span.end();
    await tracing.close();
    expect(taken).toEqual([]);
  });
});
