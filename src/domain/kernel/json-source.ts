import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';

/** Pause before the single retry of a failed connection. */
const RETRY_DELAY_MS = 100;
/** Timeout of a connection, after which it is retried once. */
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECTIONS = 4;

export type JsonFailure = 'unreachable' | 'timeout' | 'status' | 'too_large' | 'cut' | 'no_json';

/**
 * `asOf`: time of the answer by its headers, else now. `trouble`: the failure, without the URL. `refused`: the host asked to be left alone. A failure has
 * a `value` where a POST was answered with JSON and another status than 200.
 */
type JsonAnswer =
  | { ok: true; value: unknown; asOf: Date }
  | { ok: false; failure: JsonFailure; trouble: string; refused: boolean; value?: unknown };

interface ParseReply {
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** JSON client for untrusted hosts: limits on time and bytes, no other host, and failures as results instead of exceptions. */
export class JsonSource {
  private readonly agent: Agent;

  /** @param maxBytes limit on a body, counted while it arrives */
  constructor(private readonly maxBytes: number) {
    this.agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      headersTimeout: 0, // the caller's deadline is the timeout
      bodyTimeout: 0,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  /**
   * Follows no redirect. Retries once, at once, when connecting failed or the connection broke before an answer.
   * @param deadline covers connect, headers and body, and the retry
   * @param posted body of a POST. It may reach the host twice, so it is for read-only requests. Absent: a GET
   */
  async request(url: string, deadline: AbortSignal, posted?: ParseReply): Promise<JsonAnswer> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await this.connect(url, deadline, posted);
    } catch (error) {
      const [failure, trouble] = deadline.aborted
        ? (['timeout', 'no answer within the deadline'] as const)
        : (['unreachable', `no connection (${codeOf(error)})`] as const);
      return { ok: false, failure, trouble, refused: failure === 'unreachable' };
    }
    const { statusCode, headers, body } = answer;
    body.on('error', () => undefined); // The reader of the body reports the error; without a reader it does not matter.
    const failed = (failure: JsonFailure, trouble: string, refused = false): JsonAnswer => {
      body.destroy();
      return { ok: false, failure, trouble, refused };
    };
    const refusal = [`answered ${statusCode}`, statusCode === 429] as const;
    if (statusCode !== 200 && !posted) return failed('status', ...refusal);
    const tooLarge = `an answer of more than ${this.maxBytes} bytes`;
    if (Number(headers['content-length']) > this.maxBytes) return failed('too_large', tooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > this.maxBytes) return failed('too_large', tooLarge);
        chunks.push(chunk);
      }
    } catch (error) {
      return deadline.aborted
        ? failed('timeout', 'no complete answer within the deadline')
        : failed('cut', `an answer cut off (${codeOf(error)})`);
    }
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
      if (statusCode !== 200) return { ...failed('status', ...refusal), value };
      return { ok: true, value, asOf: answeredAt(headers) };
    } catch {
      return statusCode === 200
        ? failed('no_json', 'an answer that is not JSON')
        : failed('status', ...refusal);
    }
  }

  /** Closes all connections, and aborts requests in progress. May be called twice. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async connect(
    url: string,
    deadline: AbortSignal,
    posted?: ParseReply,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await this.ask(url, deadline, posted);
    } catch (error) {
      if (deadline.aborted || this.agent.destroyed) throw error;
      await pause(RETRY_DELAY_MS, undefined, { signal: deadline });
      return await this.ask(url, deadline, posted);
    }
  }

  private async ask(
    url: string,
    deadline: AbortSignal,
    posted?: ParseReply,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    const response = this.agent.request({
      origin,
      path: pathname + search,
      method: posted ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(posted && { 'content-type': 'application/json', ...posted.headers }),
      },
      body: posted?.body ?? null,
      signal: deadline,
    });
    // undici reacts to an abort only once connected; until then the race enforces the deadline.
    return await Promise.race([response, rejectOnAbort(deadline)]);
  }
}

/** The earliest time that the headers give, for a cache may keep the Date of its origin, or add an Age. Never later than now. */
function answeredAt(headers: Dispatcher.ResponseData['headers']): Date {
  const now = Date.now();
  const dates = [headers['date'], headers['last-modified']].map((date) => Date.parse(String(date)));
  const times = [now, now - Number(headers['age']) * 1000, ...dates].filter((time) => !Number.isNaN(time));
  return new Date(Math.max(0, Math.min(...times)));
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}

/** Rejects with the signal's reason once it is aborted: to race against work that reacts to an abort late or never. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
