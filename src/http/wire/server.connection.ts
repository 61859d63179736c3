import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Phase of a connection: `reading` waits for the caller's request, `answering` for this process, `sending` for the caller to take the answer. */
export type Phase = 'reading' | 'answering' | 'sending';

/** Node's parser of a connection, as far as it is used here. */
interface Parsed {
  parser?: { onIncoming: (request: IncomingMessage) => number } | null;
}

/**
 * Connection of a caller. Pipelined requests (RFC 9112, 9.3.2) are handled one at a time, the next when the answer before it was taken: a caller that
 * reads no answers has one generated, not thousands.
 */
export class ServerConnection {
  phase: Phase = 'reading';
  /** Monotonic time at which the phase began, in milliseconds. */
  since = performance.now();
  /** Bytes of the answer that the caller had not taken at the last check. */
  unsentBytes = 0;
  private exchange: [IncomingMessage, ServerResponse] | null = null;
  private readonly ahead: [IncomingMessage, ServerResponse][] = [];
  /** Way in which the connection ends once no answer is outstanding. */
  private end: (() => void) | null = null;

  /**
   * @param address address that the connection counts for; null for none
   * @param mostAhead pipelined requests that may wait
   * @param moved called at every change of phase
   */
  constructor(
    readonly socket: Socket,
    readonly address: string | null,
    private readonly mostAhead: number,
    private readonly answer: RequestListener,
    private readonly moved: (connection: ServerConnection) => void,
  ) {
    // Body readers resume the socket, and Node does at the end of each request.
    socket.on('resume', () => this.readNoFurther());
  }

  get request(): IncomingMessage | null {
    return this.exchange?.[0] ?? null;
  }

  /** Whether part of an answer is in flight. */
  get isSending(): boolean {
    return this.exchange?.[1].headersSent ?? false;
  }

  /** Handles the request once the ones before it are answered. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (!this.exchange) return this.begin(request, response);
    this.ahead.push([request, response]);
    this.readNoFurther();
    if (this.ahead.length === this.mostAhead) {
      // The answer announces the end of the connection, so that the caller repeats its pipelined requests on another one.
      response.shouldKeepAlive = false;
      this.ignoreMore();
    }
  }

  /**
   * Closes the connection after the answer in progress.
   * @returns false when there is none
   */
  endAfterAnswer(): boolean {
    if (!this.exchange) return false;
    const [, response] = this.exchange;
    response.shouldKeepAlive = false;
    this.ahead.length = 0;
    this.end = () => this.socket.destroySoon();
    return true;
  }

  /** Closes the connection in the given way after the outstanding answers, which go out in the order of their requests (RFC 9112, 9.3.2). */
  endBehind(end: () => void): void {
    if (this.exchange) this.end = end;
    else end();
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    this.exchange = [request, response];
    this.moveTo('answering');
    response.once('prefinish', () => this.moveTo('sending'));
    response.once('close', () => this.next());
    this.answer(request, response);
  }

  private next(): void {
    this.exchange = null;
    if (this.ahead.length === 0 && this.socket.writable) this.end?.();
    const next = this.socket.writable ? this.ahead.shift() : undefined;
    if (this.ahead.length === 0 && this.socket.isPaused()) this.socket.resume();
    if (next) this.begin(...next);
    else this.moveTo('reading');
  }

  /** Backpressure: stops reading, so that the queue of pipelined requests does not grow. */
  private readNoFurther(): void {
    if (this.ahead.length > 0) this.socket.pause();
  }

  /** Input that was read already is still parsed, and may hold thousands of requests, each of which Node would keep. They are ignored. */
  private ignoreMore(): void {
    const { parser } = this.socket as Parsed;
    if (!parser) return;
    parser.onIncoming = (request) => {
      (request as { upgrade?: boolean }).upgrade = false;
      return 0;
    };
  }

  private moveTo(phase: Phase): void {
    this.phase = phase;
    this.since = performance.now();
    this.moved(this);
  }
}
