import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PRELOAD = new URL('shifted-time.mjs', import.meta.url).href;
const HOUR_MS = 3_600_000;

/** The wall clock of real processes: the machine's clock and an offset, which all processes started with its `env` follow at once. */
export class WallClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'vaultline-clock-'));
  private readonly path = join(this.folder, 'offset');
  private offsetMs = 0;

  /** @param hours ahead of the machine; below 0: behind it */
  constructor(hours = 0) {
    this.add(hours);
  }

  /** Environment of the processes that follow the clock. */
  get env(): Record<string, string> {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, WALL_CLOCK: this.path };
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  add(hours: number): void {
    this.offsetMs += hours * HOUR_MS;
    writeFileSync(this.path, String(this.offsetMs));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
