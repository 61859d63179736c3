import { Agent, request } from 'node:http';

/** A status, or the reason why there was none. */
export type Outcome = number | 'timeout' | 'broken';

export interface Call {
  method?: 'GET' | 'POST';
  /** A path from the server's root. */
  path: string;
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** The source address; default: 127.0.0.1. */
  from?: string;
}

/** A timeout longer than any request should take; a slice waits no longer for its last requests. */
const PATIENCE_MS = 5_000;

/** A minimal client: the cost of the test suite's client would be part of the figures. */
export class Caller {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  async call(call: Call): Promise<Outcome> {
    return (await this.answer(call)).outcome;
  }

  /** @returns the status and the body */
  answer({
    method = 'GET',
    path,
    key,
    body,
    headers,
    from,
  }: Call): Promise<{ outcome: Outcome; text: string }> {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve) => {
      const sent = request(`${this.url}${path}`, {
        method,
        agent: this.agent,
        ...(from !== undefined && { localAddress: from }),
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      });
      let outcome: Outcome = 'broken';
      const bound = setTimeout(() => {
        outcome = 'timeout';
        sent.destroy();
      }, PATIENCE_MS);
      let text = '';
      sent.on('response', (response) => {
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => (outcome = response.statusCode!));
        response.on('error', () => undefined);
      });
      sent.on('error', () => undefined);
      sent.on('close', () => {
        clearTimeout(bound);
        resolve({ outcome, text });
      });
      sent.end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
