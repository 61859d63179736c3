import { setTimeout as sleep } from 'node:timers/promises';
import type { Resources } from './process.js';
import type { Server } from './server.js';
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

/** Resources of a process, and connections of its deployment, at a moment. */
interface Sample extends Resources {
  at: number;
  connections: number;
}

/** What a process took: its samples, and its held heap after the warm-up and at the end. */
interface Taken {
  name: string;
  samples: Sample[];
  heaps: number[];
}

/** Samples every process until the time is over, and ages rows. */
export async function watch(servers: readonly Server[], warmAt: number): Promise<Taken[]> {
  const end = performance.now() + MINUTES * 60_000;
  const watched = servers.flatMap((server) =>
    server.processes.map((process) => ({
      server,
      process,
      taken: { name: process.name, samples: [] as Sample[], heaps: [] as number[] },
    })),
  );
  const collect = async (): Promise<void> => {
    for (const { process, taken } of watched) taken.heaps.push(await process.heldHeap());
  };
  let hasCollected = false;
  let day = performance.now() + DAY_MS;
  while (performance.now() < end) {
    await sleep(SAMPLE_MS);
    for (const { server, process, taken } of watched)
      taken.samples.push({
        at: performance.now(),
        ...(await process.resources()),
        connections: await server.connections(),
      });
    if (performance.now() >= warmAt && !hasCollected) {
      hasCollected = true;
      await collect();
    }
    if (performance.now() < day) continue;
    day += DAY_MS;
    for (const server of servers) {
      await server.age();
      await server.run('sweep', 'prune');
    }
  }
  await collect();
  return watched.map(({ taken }) => taken);
}

/** Resources of a process at the end, against those after the warm-up. */
export function growths({ name, samples, heaps }: Taken, warmAt: number): Finding[] {
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
