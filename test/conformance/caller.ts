import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { exchanged } from '../support/api.js';
import type { Exchange } from './exchange.js';
import { change } from '../support/change.js';

/** How much a run may ask of a server. */
export interface Bounds {
  requests: number;
  /** Unix milliseconds. */
  deadline: number;
}

/** Thrown when a run may ask nothing more, or the server gives no answer. */
export class UnansweredCall extends Error {}

const REQUEST_TIMEOUT_MS = 20_000;
const RETRIES = 3;

/** The connections of a run, what it asked so far, and what it may. */
export class Line {
  /** Every exchange of the run, in order. */
  readonly exchanges: Exchange[] = [];
  private readonly agent: PlainAgent | SecureAgent;
  private stopped: string | null = null;

  constructor(
    /** Without the API root and without a slash at the end. */
    readonly url: string,
    private readonly bounds: Bounds,
  ) {
    const options = { keepAlive: true, maxSockets: 8 };
    this.agent = url.startsWith('https:') ? new SecureAgent(options) : new PlainAgent(options);
  }

  get requests(): number {
    return this.exchanges.length;
  }

  /** Nothing more is asked, but for what cleans up. */
  stop(why: string): void {
    this.stopped = why;
  }

  /** Lets the run end what it began, within a time of its own. */
  reopen(ms: number): void {
    this.stopped = null;
    change(this.bounds, { requests: Infinity, deadline: Date.now() + ms });
  }

  close(): void {
    this.agent.destroy();
  }

  /** @throws Unanswered */
  async ask(
    exchange: Pick<Exchange, 'caller' | 'method' | 'path' | 'sent'>,
    key?: string,
  ): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      this.expectLeave();
      const answer = await this.once(exchange, key);
      this.exchanges.push(answer);
      if (answer.status !== 429 || attempt === RETRIES) return answer;
      const seconds = Number(answer.headers.get('retry-after') ?? 1);
      const resumed = Date.now() + (Number.isFinite(seconds) ? seconds : 1) * 1000;
      if (resumed >= this.bounds.deadline)
        throw new UnansweredCall(`the server asks for ${seconds} s of rest, which is more than this run has`);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, resumed - Date.now())));
    }
  }

  private expectLeave(): void {
    if (this.stopped !== null) throw new UnansweredCall(this.stopped);
    if (this.requests >= this.bounds.requests)
      throw new UnansweredCall(`${this.requests} requests were made`);
    if (Date.now() >= this.bounds.deadline) throw new UnansweredCall('the time for this run is over');
  }

  private async once(
    asked: Pick<Exchange, 'caller' | 'method' | 'path' | 'sent'>,
    key?: string,
  ): Promise<Exchange> {
    const { method, path, sent } = asked;
    try {
      const answer = await exchanged(this.url, method, path, {
        headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...sent.headers },
        body: sent.body ?? undefined,
        agent: this.agent,
        timeoutMs: REQUEST_TIMEOUT_MS,
      });
      return { ...asked, ...answer };
    } catch (error) {
      throw new UnansweredCall(`${method} ${path} got no answer: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** A caller of the deployment with one key, or none. */
export class Caller {
  constructor(
    private readonly line: Line,
    readonly name: string,
    readonly key?: string,
  ) {}

  as(name: string, key?: string): Caller {
    return new Caller(this.line, name, key);
  }

  get = (path: string, headers?: Record<string, string>): Promise<Exchange> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Exchange> =>
    this.send('POST', path, body, headers);
  patch = (path: string, body?: unknown, headers?: Record<string, string>): Promise<Exchange> =>
    this.send('PATCH', path, body, headers);
  delete = (path: string, headers?: Record<string, string>): Promise<Exchange> =>
    this.send('DELETE', path, undefined, headers);

  /** `path` is relative to the API root; a string body is sent as it is. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Exchange> {
    const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const typed = text === null ? headers : { 'content-type': 'application/json', ...headers };
    const asked = { caller: this.name, method, path, sent: { headers: typed, body: text } };
    return this.line.ask(asked, this.key);
  }
}
