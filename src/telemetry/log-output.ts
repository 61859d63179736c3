import { fstatSync, write as writeFile } from 'node:fs';
import type { DestinationStream } from 'pino';

/** From a write that failed to the next try: a disk may have room again, a terminal flow again. */
const RETRY_MS = 250;
/** Bytes written at once. */
const BATCH_BYTES = 65_536;

/** Where lines go. `done` is called once with how many bytes were taken, and the error that kept the rest out. */
export interface Sink {
  write(bytes: Buffer, done: (error: Error | null, taken: number) => void): void;
}

/**
 * Standard output without blocking (backpressure): a reader that stalls or a disk that is full costs lines, never a request and never the process. What is not
 * taken waits, up to a bound; what does not fit is dropped and counted, and a line says how many once the others are out.
 *
 * Not sonic-boom: asynchronous it leaves a blocking write to a thread of the pool, and a process that exits waits for that thread for ever; and a buffer
 * that is full behind a failed write is never tried again.
 */
export class LogOutput implements DestinationStream {
  /** Lines that were dropped since the start. */
  dropped = 0;
  private untold = 0;
  private heldBytes = 0;
  private lines: string[] = [];
  /** What is being written, or is to be tried again. */
  private batch: Buffer | null = null;
  private waiting: (() => void)[] = [];

  /**
   * @param boundBytes of lines that wait
   * @param tell logs how many lines are missing before it
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

  /** Resolves when every line is out, or the time is over. */
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
    // Half empty: one line fits, and a reader that is hardly faster than the lines is not told of every gap.
    if (this.untold === 0 || this.heldBytes > this.boundBytes / 2) return;
    const dropped = this.untold;
    this.untold = 0;
    this.tell(dropped);
  }
}

/** Standard output, by what it is. */
export function standardOutput(): Sink {
  const kind = fstatSync(process.stdout.fd);
  return kind.isFIFO() || kind.isSocket() ? pipeSink(process.stdout) : fileSink(process.stdout.fd);
}

/** A pipe that Node writes to as the reader takes it, in no thread: one that stalls keeps nothing waiting, not even the end of the process. */
function pipeSink(stream: NodeJS.WriteStream): Sink {
  // Told to every write as well.
  stream.on('error', () => undefined);
  return {
    write: (bytes, done) =>
      void stream.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length)),
  };
}

/** A file, a device or a terminal, written to in a thread of the pool, by one write at a time. */
function fileSink(fd: number): Sink {
  return { write: (bytes, done) => writeFile(fd, bytes, (error, taken = 0) => done(error, taken)) };
}
