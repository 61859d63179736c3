import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { rejectedBy } from './deadline.js';

/** Wait before the one repeat of a connection that failed. */
const RETRY_DELAY_MS = 100;
/** After it a connection counts as failed, and is tried once more. */
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Connections to one host at most. */
const CONNECTIONS = 4;

/** What kept an answer from being one. */
export type JsonFailure = 'unreachable' | 'timeout' | 'status' | 'too_large' | 'cut' | 'no_json';

/**
 * `asOf`: when the answer was made, as far as its headers tell, else now. `trouble`: the failure in words, with nothing of the URL. `refused`: nothing more is to be
 * asked of this host for now.
 */
export type JsonAnswer =
  | { ok: true; value: unknown; asOf: Date }
  | { ok: false; failure: JsonFailure; trouble: string; refused: boolean };

/** What is posted, already in JSON. */
interface Posted {
  body: string;
  headers?: Readonly<Record<string, string>>;
}

/** Asks JSON of a host that is not trusted: within a deadline and a number of bytes, from that host alone, as a result and never as an exception. */
export class JsonSource {
  private readonly agent: Agent;

  /** @param maxBytes of a body, counted while it arrives */
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
   * Follows no redirect. Repeats once, at once, where no connection came about or it broke before an answer.
   *
   * @param deadline over connect, headers and body, and over the repeat
   */
  get(url: string, deadline: AbortSignal): Promise<JsonAnswer> {
    return this.answerOf(url, deadline);
  }

  /** The same for a question that has a body. It may reach the host twice: only for what changes nothing there. */
  post(url: string, posted: Posted, deadline: AbortSignal): Promise<JsonAnswer> {
    return this.answerOf(url, deadline, posted);
  }

  private async answerOf(url: string, deadline: AbortSignal, posted?: Posted): Promise<JsonAnswer> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await this.connect(url, deadline, posted);
    } catch (error) {
      if (deadline.aborted)
        return { ok: false, failure: 'timeout', trouble: 'no answer within the deadline', refused: false };
      return {
        ok: false,
        failure: 'unreachable',
        trouble: `no connection (${codeOf(error)})`,
        refused: true,
      };
    }
    const { statusCode, headers, body } = answer;
    body.on('error', () => undefined); // said by whoever reads it; where nobody does, of no interest
    const failed = (failure: JsonFailure, trouble: string, refused = false): JsonAnswer => {
      body.destroy();
      return { ok: false, failure, trouble, refused };
    };
    if (statusCode !== 200) return failed('status', `answered ${statusCode}`, statusCode === 429);
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
        ? failed('timeout', 'no whole answer within the deadline')
        : failed('cut', `an answer cut off (${codeOf(error)})`);
    }
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
      return { ok: true, value, asOf: madeAt(headers) };
    } catch {
      return failed('no_json', 'an answer that is not JSON');
    }
  }

  /** Drops all connections, and with them what is under way. May be called twice. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async connect(
    url: string,
    deadline: AbortSignal,
    posted?: Posted,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await this.ask(url, deadline, posted);
    } catch (error) {
      if (deadline.aborted || this.agent.destroyed) throw error;
      await pause(RETRY_DELAY_MS, undefined, { signal: deadline });
      return await this.ask(url, deadline, posted);
    }
  }

  private async ask(url: string, deadline: AbortSignal, posted?: Posted): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    const asked = this.agent.request({
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
    // undici hears of an abort only once it is connected; until then the race keeps the deadline.
    return await Promise.race([asked, rejectedBy(deadline)]);
  }
}

/** Last-Modified where the host says it, else now less the time that a cache kept it. Never later than now. */
function madeAt(headers: Dispatcher.ResponseData['headers']): Date {
  const now = Date.now();
  const modified = Date.parse(String(headers['last-modified']));
  const age = Number(headers['age']);
  const made = Number.isNaN(modified) ? now - (age > 0 ? age * 1000 : 0) : modified;
  return new Date(Math.max(0, Math.min(now, made)));
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
