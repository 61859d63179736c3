import type { Figures } from './metrics.js';

/**
 * Metrics of a thread and of those that it replaced. Counters, histograms and sums never fall while the process runs: a scraper would take each fall
 * for a restart, and the recovery for new events. Counts of an ended thread that nobody had read are lost.
 */
export class ThreadFigures {
  /** Counts of ended threads. */
  private before: Figures = [];
  /** Metrics of the present thread, as it last told them. */
  private last: Figures = [];

  /** @param figures of the present thread */
  hear(figures: Figures): void {
    this.last = figures;
  }

  /** Keeps the counts of the present thread, which has ended: its successor begins at 0. */
  end(): void {
    this.before = this.read(false);
    this.last = [];
  }

  /** @param isFresh whether the present thread has just told its metrics; otherwise its gauges may no longer be true, and only its counts are returned */
  read(isFresh: boolean): Figures {
    return summed([...this.before, ...(isFresh ? this.last : this.last.filter(isCount))]);
  }
}

/** Whether a metric counts a thread's own work, and is no observation of the whole deployment. */
const isCount = ({ aggregator }: Figures[number]): boolean => aggregator === 'sum';

/** Adds up metrics of the same name, value by value. */
function summed(figures: Figures): Figures {
  return [...Map.groupBy(figures, ({ name }) => name).values()].map((same) => {
    const values = new Map<string, Figures[number]['values'][number]>();
    for (const value of same.flatMap((metric) => metric.values)) {
      // Values of a histogram have names of their own: buckets, sum and count.
      const key = JSON.stringify([(value as { metricName?: string }).metricName, value.labels]);
      values.set(key, { ...value, value: (values.get(key)?.value ?? 0) + value.value });
    }
    return { ...same[0]!, values: [...values.values()] };
  });
}
