import { Agent } from 'undici';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A path relative to the API root. */
  path: string;
  /** The API key of the request. */
  secret: string;
  body?: object;
  idempotencyKey?: string;
}

/**
 * Outcome of a request for its caller. `broken`: the request was sent without a complete answer, so that its effect is unknown. `unreached`:
 * connection refused, so that it had no effect.
 */
export type Outcome =
  | { kind: 'acknowledged'; status: number; text: string; data: any; replayed: boolean }
  | { kind: 'refused'; status: number; code: string; text: string }
  | { kind: 'unavailable'; code: string; retryAfter: string | null }
  | { kind: 'failed'; status: number; text: string }
  | { kind: 'broken'; reason: string }
  | { kind: 'unreached' };

/** A timeout above every deadline of the server: a request that takes longer hangs, and counts as `broken`. */
const PATIENCE_MS = 60_000;
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']);

/** A client of several processes of a deployment: it uses them in turn, and skips those that refuse connections. */
export class Caller {
  private readonly agent = new Agent({
    connections: 64,
    pipelining: 1,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
    connect: { timeout: PATIENCE_MS },
  });
  private turn = 0;

  /** @param urls URLs of the processes, `http://127.0.0.1:<port>`; read at each call */
  constructor(private readonly urls: () => readonly string[]) {}

  /** Sends one request; where a process refuses the connection, to each of the others. Never throws. */
  async send(call: Call): Promise<Outcome> {
    const urls = this.urls();
    const first = this.turn++;
    for (let other = 0; other < urls.length; other++) {
      const outcome = await this.sendTo(urls[(first + other) % urls.length]!, call);
      if (outcome.kind !== 'unreached') return outcome;
    }
    return { kind: 'unreached' };
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async sendTo(url: string, { method, path, secret, body, idempotencyKey }: Call): Promise<Outcome> {
    try {
      const { statusCode, headers, ...answer } = await this.agent.request({
        origin: url,
        path: `/api/v1${path}`,
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: body ? JSON.stringify(body) : null,
      });
      const text = await answer.body.text();
      return judged(statusCode, text, headers);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return NOT_CONNECTED.has(code ?? '')
        ? { kind: 'unreached' }
        : { kind: 'broken', reason: `${code ?? 'error'}: ${message}` };
    }
  }
}

function judged(
  status: number,
  text: string,
  headers: Record<string, string | string[] | undefined>,
): Outcome {
  const body = parsed(text);
  if (body === undefined && status !== 204) return { kind: 'failed', status, text };
  if (status < 300) {
    const replayed = headers['idempotency-replayed'] === 'true';
    return { kind: 'acknowledged', status, text, data: body?.data, replayed };
  }
  const code = String(body?.error?.code);
  if (status === 503)
    return { kind: 'unavailable', code, retryAfter: headers['retry-after']?.toString() ?? null };
  return status < 500 ? { kind: 'refused', status, code, text } : { kind: 'failed', status, text };
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
