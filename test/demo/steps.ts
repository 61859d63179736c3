import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../src/domain/markets/chain/chain-provider.js';

/** What came true: its transaction or block, in words, and what a program may want to know besides. */
export interface Outcome {
  hash: Hex;
  text: string;
  facts?: Record<string, unknown>;
}

/** A step that did not come true. */
export class StepFailed extends Error {}

/** Prints each step as a line, once it has come true. */
export class Steps {
  private readonly startedAt = performance.now();
  private isStopped = false;

  /** @param print takes a line for people, and its object for machines */
  constructor(private readonly print: (line: string, object: object) => void) {}

  /** Since the start. */
  get seconds(): number {
    return Math.round((performance.now() - this.startedAt) / 100) / 10;
  }

  /** Takes no further step. */
  stop(): void {
    this.isStopped = true;
  }

  /** @param bound seconds that the step may take @throws StepFailed */
  async take(step: string, bound: number, work: () => Promise<Outcome>): Promise<void> {
    if (this.isStopped) throw new StepFailed(`${step}: It was not begun.`);
    const ended = new AbortController();
    const late = sleep(bound * 1_000, undefined, { signal: ended.signal }).then(() => {
      throw new StepFailed(`It did not come true within ${bound} s.`);
    });
    try {
      const { hash, text, facts } = await Promise.race([work(), late]);
      const { seconds } = this;
      this.print(`${seconds.toFixed(1).padStart(6)} s  ${step.padEnd(10)}  ${hash}  ${text}`, {
        step,
        hash,
        seconds,
        text,
        ...facts,
      });
    } catch (error) {
      throw new StepFailed(`${step}: ${(error as Error).message}`, { cause: error });
    } finally {
      ended.abort();
      late.catch(() => undefined);
    }
  }
}
