import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The server's reaction to one request: an answer, a broken connection, or silence. */
export type Step =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | 'reset'
  | 'half an answer'
  | 'silence';

/** A server on loopback that fails as scripted: one step a request, the last step for all further ones. */
export class ScriptedServer {
  readonly asked: ScriptedRequest[] = [];
  private steps: ((asked: ScriptedRequest) => Step)[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    // The server is unreferenced, so that a failed test that does not close it cannot keep the run from ending.
    server.unref().on('connection', (socket) => socket.unref());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const scripted = new ScriptedServer(server);
    server.on('request', (request, response) => void scripted.answer(request, response));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets a new script, and forgets the requests so far. */
  script(...steps: (Step | ((asked: ScriptedRequest) => Step))[]): void {
    this.asked.length = 0;
    this.steps = steps.map((step) => (typeof step === 'function' ? step : () => step));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://localhost');
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', headers } = request;
    const asked = { method, path: url.pathname, query: url.searchParams, headers, body };
    this.asked.push(asked);
    const step = this.steps[Math.min(this.asked.length, this.steps.length) - 1]!(asked);
    if (step === 'silence') return;
    if (step === 'reset') {
      request.socket.destroy();
    } else if (step === 'half an answer') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"object":');
      setTimeout(() => request.socket.destroy(), 10);
    } else {
      const text = typeof step.body === 'string' ? step.body : JSON.stringify(step.body);
      const fields = { 'content-type': 'application/json', 'x-request-id': `req_${this.asked.length}` };
      response.writeHead(step.status, { ...fields, ...step.headers }).end(text);
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const found = (data: unknown, status = 200): Step => ({ status, body: { object: 'user', data } });

export const refused = (status: number, code: string, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  body: { error: { code, message: `It is ${code}.`, request_id: 'req_of_body' } },
});
