import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Whom a connection waits for: its caller, with the next request; this process, with the answer; its caller, who has to take that answer. */
export type Phase = 'reading' | 'answering' | 'sending';

/** What Node keeps of the parser of a connection. */
interface Parsed {
  parser?: { onIncoming: (request: IncomingMessage) => number } | null;
}

/**
 * A caller's connection. Of what the caller sends ahead (pipelining, RFC 9112, 9.3.2) one request at a time is handled, and the next when the answer
 * before is with the caller: a caller that takes no answers has one made, not thousands.
 */
export class ServerConnection {
  phase: Phase = 'reading';
  /** When the phase began; monotonic milliseconds. */
  since = performance.now();
  /** Bytes of its answer that the caller had not taken when it was last looked. */
  unsentBytes = 0;
  private exchange: [IncomingMessage, ServerResponse] | null = null;
  private readonly ahead: [IncomingMessage, ServerResponse][] = [];
  /** What ends the connection when nothing waits to be answered any more. */
  private end: (() => void) | null = null;

  /**
   * @param address whom it counts for; null for nobody
   * @param mostAhead requests that may wait behind the one that is answered
   * @param moved told of every change of the phase
   */
  constructor(
    readonly socket: Socket,
    readonly address: string | null,
    private readonly mostAhead: number,
    private readonly answer: RequestListener,
    private readonly moved: (connection: ServerConnection) => void,
  ) {
    // Whoever finishes reading a request lets the socket flow, and Node does at the end of each.
    socket.on('resume', () => this.readNoFurther());
  }

  get request(): IncomingMessage | null {
    return this.exchange?.[0] ?? null;
  }

  /** Whether a part of an answer is on its way. */
  get isSending(): boolean {
    return this.exchange?.[1].headersSent ?? false;
  }

  /** Answers the request when those before it are. */
  take(request: IncomingMessage, response: ServerResponse): void {
    if (!this.exchange) return this.begin(request, response);
    this.ahead.push([request, response]);
    this.readNoFurther();
    if (this.ahead.length === this.mostAhead) {
      // Its answer says that the connection ends, so that a caller which sent more sends that again on another one.
      response.shouldKeepAlive = false;
      this.ignoreMore();
    }
  }

  /** Ends the connection behind the answer that is under way. @returns false where none is */
  endAfterAnswer(): boolean {
    if (!this.exchange) return false;
    const [, response] = this.exchange;
    response.shouldKeepAlive = false;
    this.ahead.length = 0;
    this.end = () => this.socket.destroySoon();
    return true;
  }

  /** Ends the connection in a way of the caller's, behind the answers to what came before: answers come in the order of their requests (RFC 9112, 9.3.2). */
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

  /** Backpressure: what waits here is not to grow. */
  private readNoFurther(): void {
    if (this.ahead.length > 0) this.socket.pause();
  }

  /** What was read already is parsed to its end: thousands of requests may stand in it, of which Node would keep each. */
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
