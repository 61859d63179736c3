import { pino } from 'pino';

/** Bytes of lines that the reader has not taken: half a minute of a busy process. Further lines are dropped. */
const HELD_BYTES = 4 * 1024 * 1024;
/** Bytes of lines that are gathered for one write: a write for each took 5 % of the CPU of an authenticated request. */
const GATHERED_BYTES = 4_096;
/** Interval at which fewer are written, and at which a failed write is tried again, as on a disk that was full. */
const FLUSH_MS = 100;

/** Output of the log. */
export interface LogOutput {
  write(line: string): void;
  /** Number of lines that were dropped since the start. */
  readonly dropped: number;
  /** Resolves when every line is written. Once a write fails or the time is over the rest is given up, so that no exit waits for it. */
  drained(ms: number): Promise<void>;
}

/**
 * pino's destination, in the asynchronous mode. Reading `process.stdout` makes a pipe non-blocking, so that a stalled reader costs neither a thread
 * nor an exit: pino tries again every 100 ms. In the synchronous mode it would sleep in between, and all requests with it.
 * @param afterDrops is told, once all held lines are written, how many are missing before
 */
export function logOutput(
  afterDrops: (dropped: number) => void,
  { fd = process.stdout.fd, heldBytes = HELD_BYTES }: { fd?: number; heldBytes?: number } = {},
): LogOutput {
  // The regular flush also writes what a failed write has left; pino itself waits for the next line, which a full buffer drops.
  const destination = pino.destination({
    fd,
    sync: false,
    maxLength: heldBytes,
    minLength: GATHERED_BYTES,
    periodicFlush: FLUSH_MS,
  });
  const count = { dropped: 0, untold: 0 };
  destination.on('drop', () => {
    count.dropped++;
    count.untold++;
  });
  destination.on('drain', () => {
    const { untold } = count;
    count.untold = 0;
    if (untold > 0) afterDrops(untold);
  });
  // A reader that is gone, or a full disk: logging fails, nothing else.
  destination.on('error', () => undefined);
  return {
    write: (line) => void destination.write(line),
    get dropped() {
      return count.dropped;
    },
    async drained(ms) {
      let giveUp: NodeJS.Timeout | undefined;
      const isDrained = await Promise.race([
        new Promise<boolean>((resolve) => destination.flush((error) => resolve(isWritten(error)))),
        new Promise<boolean>((resolve) => (giveUp = setTimeout(() => resolve(false), ms))),
      ]);
      clearTimeout(giveUp);
      // At the exit pino would write the rest synchronously, for as long as it takes: for ever, on a full disk.
      if (!isDrained) destination.destroy();
    },
  };
}

/** A pipe cannot be synchronised with a disk, which pino tries once all is written. */
const isWritten = (error?: NodeJS.ErrnoException | null): boolean => !error || error.syscall === 'fsync';
