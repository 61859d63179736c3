import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LogOutput, logOutput } from './log-output.js';

const HELD_BYTES = 200_000;
const line = (number: number): string => `line ${String(number).padStart(6, '0')} ${'x'.repeat(87)}\n`;

describe('the output of the log, on a pipe', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaultline-log-'));
  let reading: number;
  let writing: number;
  let output: LogOutput;
  beforeEach(() => {
    const path = join(folder, `pipe-${Math.random()}`);
    execFileSync('mkfifo', [path], { timeout: 10_000 });
    reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    output = logOutput((dropped) => output.write(`${dropped} missing\n`), {
      fd: writing,
      heldBytes: HELD_BYTES,
    });
  });
  afterEach(async () => {
    await output.drained(10);
    closeSync(reading);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (from: number, to: number): void => {
    for (let number = from; number < to; number++) output.write(line(number));
  };
  /** Reads until nothing has come for a while. */
  const read = async (): Promise<string[]> => {
    const bytes = Buffer.alloc(65_536);
    let text = '';
    for (let idle = 0; idle < 30;) {
      const taken = ((): number => {
        try {
          return readSync(reading, bytes);
        } catch {
          return 0;
        }
      })();
      text += bytes.toString('utf8', 0, taken);
      if (taken > 0) idle = 0;
      else {
        idle++;
        await sleep(20);
      }
    }
    return text.split(/(?<=\n)/);
  };
  const lines = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => line(from + index));

  it('has every line, in order', async () => {
    write(0, 500);
    expect(await read()).toEqual(lines(0, 500));
    expect(output.dropped).toBe(0);
  });

  it('holds what a stalled reader does not take up to a bound, drops the rest, and says how many', async () => {
    write(0, 10_000);
    const { dropped } = output;
    expect(dropped).toBeGreaterThan(6_000);
    const taken = await read();
    expect(taken).toEqual([...lines(0, 10_000 - dropped), `${dropped} missing\n`]);
    write(10_000, 10_010);
    expect(await read()).toEqual(lines(10_000, 10_010));
    expect(output.dropped).toBe(dropped);
  });

  it('keeps nobody waiting: not who writes, and who ends no longer than wanted', async () => {
    const begun = performance.now();
    write(0, 5_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await output.drained(50);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('is waited for where its reader goes on', async () => {
    write(0, 1_500);
    const [taken] = await Promise.all([read(), output.drained(10_000)]);
    expect(taken).toEqual(lines(0, 1_500));
  });

  it('ends nothing when its reader is gone', async () => {
    closeSync(reading);
    write(0, 100);
    await output.drained(100);
    write(100, 200);
    reading = openSync('/dev/null', 'r');
  });
});

describe('the output of the log, on a full disk', () => {
  it('ends nothing', async () => {
    const output = logOutput(() => undefined, { fd: openSync('/dev/full', 'w'), heldBytes: HELD_BYTES });
    for (let number = 0; number < 5_000; number++) output.write(line(number));
    await sleep(20);
    expect(output.dropped).toBeGreaterThan(0);
    await output.drained(100);
  });
});
