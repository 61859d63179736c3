import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { change } from '../../test/support/change.js';
import { VERSION } from '../config/version.js';
import { OtlpTracing } from './otlp-tracing.js';
import { tracePlace } from './logger.js';

/** What the collector of this file takes, and quickly. */
const USUAL = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '10' };

describe('the recorder of traces', () => {
  let collector: Server;
  let changed: Disposable;
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
        if (status === 404) return response.writeHead(status).end();
        const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
        resources.push(...resourceSpans.map(({ resource }: any) => resource));
        for (const { scopeSpans } of resourceSpans)
          taken.push(...scopeSpans.flatMap(({ spans }: any) => spans));
        return response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    changed = change(process.env, { ...USUAL, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  });
  afterEach(() => {
    changed[Symbol.dispose]();
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
    new OtlpTracing({ ratio }, { contract: 'partner', environment: 'live' }, pino(sink));

  it('The recorder of traces buffers at most 2,048 spans behind a batch of 512 in flight, drops the rest, and counts them', async () => {
    const tracing = start();
    for (let count = 0; count < 5_000; count++) tracing.begin('request', 'GET')!.end();
    await tracing.close();
    expect(taken.length).toBeGreaterThan(500);
    // A batch in flight, and a full buffer behind it.
    expect(taken.length).toBeLessThanOrEqual(512 + 2_048);
    expect(taken.length + (await tracing.lost())).toBe(5_000);
  });

  it('The recorder of traces drops spans that the collector refuses, counts them, logs one warning, and throws no error', async () => {
    status = 400;
    const tracing = start();
    for (let count = 0; count < 1_500; count++) tracing.begin('request', 'GET')!.end();
    await tracing.close();
    // The last batches may be refused a moment later.
    while ((await tracing.lost()) < 1_500) await sleep(5);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, sdk: expect.stringContaining('Bad Request') });
  });

  it('The recorder of traces records at most 500 spans of a trace, and adds the number of omitted ones to its root', async () => {
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

  it('The recorder of traces records no statement outside of a request or after its end', () => {
    const tracing = start();
    expect(tracing.begin('statement', 'some.statement')).toBeNull();
    const request = tracing.begin('request', 'GET')!;
    expect(tracing.within(request, () => tracePlace.getStore()?.traceId)).toBe(request.traceId);
    request.end();
    expect(tracing.within(request, () => tracing.begin('statement', 'some.statement'))).toBeNull();
    return tracing.close();
  });

  const resourceOf = async (env: Record<string, string>): Promise<Record<string, unknown>> => {
    const set = change(process.env, env);
    const tracing = start();
    set[Symbol.dispose]();
    tracing.begin('request', 'GET')!.end();
    await tracing.close();
    return Object.fromEntries(resources[0].attributes.map(({ key, value }: any) => [key, value.stringValue]));
  };

  it('The recorder of traces names the resource after the contract, version and environment', async () => {
    expect(await resourceOf({})).toMatchObject({
      'service.name': 'vaultline-partner',
      'service.version': VERSION,
      'deployment.environment.name': 'live',
    });
  });

  it('The recorder of traces adds the attributes of OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME, which take precedence', async () => {
    const env = { OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=api-7,team=a%2Cb', OTEL_SERVICE_NAME: 'money' };
    expect(await resourceOf(env)).toMatchObject({
      'k8s.pod.name': 'api-7',
      team: 'a,b',
      'service.name': 'money',
      'service.version': VERSION,
    });
  });

  it('The recorder of traces records nothing at a ratio of 0, and still has the trace id', async () => {
    const tracing = start(0);
    const span = tracing.begin('request', 'GET', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`)!;
    expect(span.traceId).toBe('a'.repeat(32));
    expect(tracing.within(span, () => tracing.begin('statement', 'some.statement'))).toBeNull();
    span.end();
    await tracing.close();
    expect(taken).toEqual([]);
  });

  // By `traceidratio`, the lowest id would be recorded at any ratio.
  it.each([
    [0.000000001, `${'0'.repeat(31)}1`, '01', 0],
    [1, 'f'.repeat(32), '00', 1],
  ])(
    'The recorder of traces samples at a ratio of %d, regardless of the caller’s trace id and sampled flag',
    async (ratio, id, flag, recorded) => {
      const tracing = start(ratio);
      tracing.begin('request', 'GET', `00-${id}-${'b'.repeat(16)}-${flag}`)!.end();
      await tracing.close();
      expect(taken).toHaveLength(recorded);
    },
  );
});
