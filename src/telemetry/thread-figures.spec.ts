import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Figures } from './metrics.js';
import { ThreadFigures } from './thread-figures.js';

/** Metrics of a thread that made so many sends, with one observation of the deployment. */
async function told(sends: number): Promise<Figures> {
  const registers = [new Registry()];
  const help = 'Test.';
  const labels = { outcome: 'delivered' };
  new Counter({ name: 'sends', help, labelNames: ['outcome'], registers }).inc(labels, sends);
  const times = new Histogram({ name: 'seconds', help, buckets: [1, 5], registers });
  for (let send = 0; send < sends; send++) times.observe(3);
  new Gauge({ name: 'gain', help, registers }).set(-sends);
  new Gauge({ name: 'queued', help, aggregator: 'max', registers }).set(8);
  return registers[0]!.getMetricsAsJSON();
}

const readings = (figures: Figures): Record<string, number> =>
  Object.fromEntries(
    figures.flatMap(({ name, values }) =>
      values.map((value) => {
        const { metricName = name } = value as { metricName?: string };
        return [`${metricName} ${Object.values(value.labels).join()}`.trim(), value.value];
      }),
    ),
  );
const counts = (sends: number): Record<string, number> => ({
  'sends delivered': sends,
  'seconds_bucket 1': 0,
  'seconds_bucket 5': sends,
  'seconds_bucket +Inf': sends,
  seconds_sum: 3 * sends,
  seconds_count: sends,
  gain: -sends,
});

describe('metrics of a thread and of those that it replaced', () => {
  it('are those of the thread as long as it tells them, and its counts when it does not', async () => {
    const figures = new ThreadFigures();
    expect(figures.read(false)).toEqual([]);
    figures.hear(await told(5));
    expect(readings(figures.read(true))).toEqual({ ...counts(5), queued: 8 });
    expect(readings(figures.read(false))).toEqual(counts(5));
    figures.hear(await told(7));
    expect(readings(figures.read(true))).toEqual({ ...counts(7), queued: 8 });
  });

  it('go on from the counts of ended threads, and do not count them twice', async () => {
    const figures = new ThreadFigures();
    figures.hear(await told(5));
    figures.end();
    expect(readings(figures.read(true))).toEqual(counts(5));
    figures.hear(await told(2));
    expect(readings(figures.read(true))).toEqual({ ...counts(7), queued: 8 });
    expect(readings(figures.read(true))).toEqual({ ...counts(7), queued: 8 });
    figures.end();
    figures.end();
    expect(readings(figures.read(false))).toEqual(counts(7));
  });
});
