import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample, Server } from './server.js';
import { beyond, type Finding, growth } from './verdict.js';

export const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
export const SEED = Number(process.env['SOAK_SEED'] ?? 1);
/** Warm-up, in which code is compiled, and pools and caches are filled. */
export const WARM_MS = Math.min(2, MINUTES / 4) * 60_000;
const WINDOW_MS = Math.min(2, MINUTES / 4) * 60_000;
const SAMPLE_MS = 2_000;
/** The interval at which rows kept for a day are made a day older. */
const DAY_MS = 20_000;
/** The bound on memory at the end as a multiple of memory after the warm-up. */
const MOST_GROWTH = 1.1;

/**
 * Samples every process until the time is over, and ages rows. @returns the samples, and each process's held heap after the warm-up and at the end
 */
export async function watch(servers: readonly Server[], warmAt: number): Promise<[Sample[][], number[][]]> {
  const end = performance.now() + MINUTES * 60_000;
  const samples: Sample[][] = servers.map(() => []);
  const heaps: number[][] = servers.map(() => []);
  const collect = async (): Promise<void> => {
    for (const [place, server] of servers.entries()) heaps[place]!.push(await server.heldHeap());
  };
  let day = performance.now() + DAY_MS;
  while (performance.now() < end) {
    await sleep(SAMPLE_MS);
    for (const [place, server] of servers.entries()) samples[place]!.push(await server.sample());
    if (performance.now() >= warmAt && heaps[0]!.length === 0) await collect();
    if (performance.now() < day) continue;
    day += DAY_MS;
    for (const server of servers) {
      await server.age();
      await server.run('sweep', 'prune');
    }
  }
  await collect();
  return [samples, heaps];
}

/** Resources of a process at the end, against those after the warm-up. */
export function taken(
  name: string,
  samples: readonly Sample[],
  heaps: readonly number[],
  warmAt: number,
): Finding[] {
  const of = (figure: keyof Sample) => growth(samples, warmAt, WINDOW_MS, (sample) => sample[figure]);
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
  const [warm, after] = [heaps[0]!, heaps.at(-1)!];
  const rss = beyond(samples, warmAt, WINDOW_MS, (sample) => sample.rss);
  const memory = [
    { what: `rss after / warm (${mb(rss.before)}, ${mb(rss.after)})`, value: rss.ratio },
    { what: `heap held after / warm (${mb(warm)}, ${mb(after)})`, value: after / warm },
  ].map(({ what, value }) => ({ what: `${name}: ${what}`, value, most: MOST_GROWTH }));
  const held = (['files', 'handles', 'connections'] as const).map((figure) => {
    const { before, after: later } = of(figure);
    return {
      what: `${name}: ${figure} after (warm ${before})`,
      value: later,
      most: Math.ceil(before * 1.1) + 3,
    };
  });
  return [...memory, ...held];
}
