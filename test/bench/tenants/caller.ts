import { Agent, request } from 'node:http';

/** A status, or why there was none. */
export type Outcome = number | 'timeout' | 'broken';

export interface Call {
  method?: 'GET' | 'POST';
  /** From the server's root. */
  path: string;
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whose address it comes from; default: 127.0.0.1. */
  from?: string;
}

/** Longer than any request should take; a slice waits no longer for its last ones. */
const PATIENCE_MS = 5_000;

/** A small client: what the test suite's costs would be measured along. */
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

  /** @returns the body as well */
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
