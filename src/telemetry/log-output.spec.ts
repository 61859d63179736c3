import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogOutput, type Sink } from './log-output.js';

/** Sink that accepts as much as the test allows. */
class Gate implements Sink {
  readonly taken: string[] = [];
  isOpen = true;
  /** Bytes of a write that are accepted before its error. */
  failing: number | null = null;
  private pending: (() => void) | null = null;

  write(bytes: Buffer, done: (error: Error | null, taken: number) => void): void {
    const take = (): void => {
      const count = this.failing ?? bytes.length;
      this.taken.push(bytes.subarray(0, count).toString());
      done(this.failing === null ? null : new Error('ENOSPC'), count);
    };
    if (this.isOpen) queueMicrotask(take);
    else this.pending = take;
  }

  open(): void {
    this.isOpen = true;
    const { pending } = this;
    this.pending = null;
    pending?.();
  }

  get text(): string {
    return this.taken.join('');
  }
}

describe('the output of the log', () => {
  let gate: Gate;
  let output: LogOutput;
  beforeEach(() => {
    jest.useRealTimers();
    gate = new Gate();
    output = new LogOutput(gate, 100, (dropped) => output.write(`(${dropped})\n`));
  });
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, n) => `line ${String(from + n).padStart(4, '0')}\n`).join('');
  const write = (from: number, to: number): void =>
    lines(from, to)
      .split(/(?<=\n)/)
      .forEach((line) => output.write(line));

  it('writes lines whole and in order, several at once while one write is under way', async () => {
    write(1, 10);
    await output.drained(1_000);
    expect(gate.text).toBe(lines(1, 10));
    expect(gate.taken).toHaveLength(2);
  });

  it('holds what is not taken up to the bound, drops the rest, and says how many there were', async () => {
    gate.isOpen = false;
    write(1, 25);
    expect(output.dropped).toBe(15);
    gate.open();
    await output.drained(1_000);
    expect(gate.text).toBe(`${lines(1, 10)}(15)\n`);
    write(26, 27);
    await output.drained(1_000);
    expect(gate.text).toBe(`${lines(1, 10)}(15)\n${lines(26, 27)}`);
    expect(output.dropped).toBe(15);
  });

  it('counts bytes, not characters', () => {
    gate.isOpen = false;
    for (let count = 0; count < 5; count++) output.write('€'.repeat(10));
    expect(output.dropped).toBe(2);
  });

  it('tries again what a failed write left, from where it ended', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
    gate.failing = 3;
    write(1, 3);
    await Promise.resolve();
    expect(gate.text).toBe('lin');
    write(4, 25);
    expect(output.dropped).toBeGreaterThan(10);
    gate.failing = null;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(gate.text.startsWith(lines(1, 5))).toBe(true);
    expect(gate.text).toMatch(/\(\d+\)\n$/);
  });

  it('is waited for no longer than one likes to', async () => {
    gate.isOpen = false;
    write(1, 1);
    await output.drained(10);
    expect(gate.text).toBe('');
    gate.open();
    await output.drained(10);
    expect(gate.text).toBe(lines(1, 1));
  });
});
