import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { rejectedBy } from '../deadline.js';

/** Wait before the one repeat of a connection that failed. */
const RETRY_DELAY_MS = 100;
/** After it a connection counts as failed, and is tried once more. */
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Connections to one host at most. */
const CONNECTIONS = 4;

/** `asOf`: when the answer was made, as far as its headers tell, else now. `refused`: nothing more is to be asked of this host for now. */
export type JsonAnswer =
  { ok: true; value: unknown; asOf: Date } | { ok: false; trouble: string; refused: boolean };

/** GETs JSON from a host that is not trusted: within a deadline and a number of bytes, from that host alone, as a result and never as an exception. */
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
  async get(url: string, deadline: AbortSignal): Promise<JsonAnswer> {
    let answer: Dispatcher.ResponseData;
    try {
      answer = await this.connect(url, deadline);
    } catch (error) {
      if (deadline.aborted) return { ok: false, trouble: 'no answer within the deadline', refused: false };
      return { ok: false, trouble: `no connection (${codeOf(error)})`, refused: true };
    }
    const { statusCode, headers, body } = answer;
    body.on('error', () => undefined); // said by whoever reads it; where nobody does, of no interest
    const failed = (trouble: string, refused = false): JsonAnswer => {
      body.destroy();
      return { ok: false, trouble, refused };
    };
    if (statusCode !== 200) return failed(`answered ${statusCode}`, statusCode === 429);
    const tooLarge = `an answer of more than ${this.maxBytes} bytes`;
    if (Number(headers['content-length']) > this.maxBytes) return failed(tooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > this.maxBytes) return failed(tooLarge);
        chunks.push(chunk);
      }
    } catch (error) {
      return failed(
        deadline.aborted ? 'no whole answer within the deadline' : `an answer cut off (${codeOf(error)})`,
      );
    }
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
      return { ok: true, value, asOf: madeAt(headers) };
    } catch {
      return failed('an answer that is not JSON');
    }
  }

  /** Drops all connections, and with them what is under way. May be called twice. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async connect(url: string, deadline: AbortSignal): Promise<Dispatcher.ResponseData> {
    try {
      return await this.ask(url, deadline);
    } catch (error) {
      if (deadline.aborted || this.agent.destroyed) throw error;
      await pause(RETRY_DELAY_MS, undefined, { signal: deadline });
      return await this.ask(url, deadline);
    }
  }

  private async ask(url: string, deadline: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    const asked = this.agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { accept: 'application/json' },
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
