import { fstatSync, write as writeFile } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Pause after a failed write: a disk may have space again, a terminal may resume. */
const RETRY_MS = 250;
/** Bytes of one write. */
const BATCH_BYTES = 65_536;

/** Destination of lines. `done` is called once with the number of bytes accepted, and the error that stopped the rest. */
export interface Sink {
  write(bytes: Buffer, done: (error: Error | null, taken: number) => void): void;
}

/**
 * Standard output without blocking (backpressure): a stalled reader or a full disk costs lines, never a request or the process. Unwritten lines wait
 * in a bounded buffer; further ones are dropped and counted, and a line reports their number later. sonic-boom is not used: in asynchronous mode it
 * blocks a thread of the pool, for which a process waits at its exit without limit; and after a failed write it never retries a full buffer.
 */
export class LogOutput implements DestinationStream {
  /** Number of dropped lines since the start. */
  dropped = 0;
  private untold = 0;
  private heldBytes = 0;
  private lines: string[] = [];
  /** Batch that is being written, or will be retried. */
  private batch: Buffer | null = null;
  private waiting: (() => void)[] = [];

  /**
   * @param boundBytes limit on buffered bytes
   * @param tell logs the number of lines missing before it
   */
  constructor(
    private readonly sink: Sink,
    private readonly boundBytes: number,
    private readonly tell: (dropped: number) => void,
  ) {}

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.heldBytes + bytes > this.boundBytes) {
      this.dropped++;
      this.untold++;
      return;
    }
    this.lines.push(line);
    this.heldBytes += bytes;
    if (this.batch === null) this.writeNext();
  }

  /** Resolves when every line is written, or the time is over. */
  async drained(ms: number): Promise<void> {
    if (this.heldBytes === 0) return;
    let giveUp: NodeJS.Timeout | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.waiting.push(resolve)),
      new Promise<void>((resolve) => (giveUp = setTimeout(resolve, ms))),
    ]);
    clearTimeout(giveUp);
  }

  private writeNext(): void {
    this.batch = this.nextBatch();
    if (this.batch !== null) return this.writeBatch(this.batch);
    this.waiting.forEach((wake) => wake());
    this.waiting = [];
  }

  private nextBatch(): Buffer | null {
    if (this.lines.length === 0) return null;
    let [count, length] = [0, 0];
    while (count < this.lines.length && length < BATCH_BYTES) length += this.lines[count++]!.length;
    return Buffer.from(this.lines.splice(0, count).join(''));
  }

  private writeBatch(batch: Buffer): void {
    this.sink.write(batch, (error, taken) => {
      this.heldBytes -= taken;
      this.batch = batch.subarray(taken);
      if (error) {
        setTimeout(() => this.writeBatch(this.batch!), RETRY_MS).unref();
        return;
      }
      if (this.batch.length > 0) return this.writeBatch(this.batch);
      this.sayWhatIsMissing();
      this.writeNext();
    });
  }

  private sayWhatIsMissing(): void {
    // Reported once the buffer is half empty: the line fits, and a reader that is barely fast enough does not get one for every gap.
    if (this.untold === 0 || this.heldBytes > this.boundBytes / 2) return;
    const dropped = this.untold;
    this.untold = 0;
    this.tell(dropped);
  }
}

/** Sink for standard output, by its type. */
export function standardOutput(): Sink {
  const kind = fstatSync(process.stdout.fd);
  return kind.isFIFO() || kind.isSocket() ? pipeSink(process.stdout) : fileSink(process.stdout.fd);
}

/** Pipe that Node writes to without a thread as the reader drains it: a stalled reader blocks nothing, not even the exit. */
function pipeSink(stream: NodeJS.WriteStream): Sink {
  // Write callbacks receive the error as well.
  stream.on('error', () => undefined);
  return {
    write: (bytes, done) =>
      void stream.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length)),
  };
}

/** File, device or terminal, written in a thread of the pool, one write at a time. */
function fileSink(fd: number): Sink {
  return { write: (bytes, done) => writeFile(fd, bytes, (error, taken = 0) => done(error, taken)) };
}
