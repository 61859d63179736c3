import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { templateOf } from '../support/document.js';

/** A request on its way to a deployment. */
export interface PassingAnswer {
  /** `GET /positions/{id}`, as the document names it. */
  operation: string;
  url: URL;
  headers: IncomingHttpHeaders;
  /** The parsed body; undefined: none, or no JSON. */
  body: any;
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: any;
}

/** What a deployment would do that breaks its contract. */
export interface Alteration {
  /** Changes a request before the deployment gets it. `drop`: it gets none, and the caller's connection is cut. */
  asked?: (passing: PassingAnswer) => 'drop' | void;
  /** Changes a success before the caller gets it. `again` asks the deployment once more. */
  answered?: (
    reply: Reply,
    passing: PassingAnswer,
    again: (path: string) => Promise<Reply>,
  ) => void | Promise<void>;
  /** Changes a refusal before the caller gets it. */
  refused?: (reply: Reply, passing: PassingAnswer) => void;
}

/** A proxy on loopback before a deployment, which alters what passes. */
export class AlteringProxy {
  /** Null: everything passes as it is. */
  alteration: Alteration | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @param document the OpenAPI document of the deployment, by which operations are named */
  static async start(target: string, document: any): Promise<AlteringProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new AlteringProxy(server, `http://127.0.0.1:${port}`);
    server.on('request', (asked, answer) => {
      void (async () => {
        const sent = Buffer.concat(await asked.toArray());
        const url = new URL(asked.url ?? '/', target);
        const template = templateOf(document, url.pathname.replace('/api/v1', ''));
        const passing = {
          operation: `${asked.method} ${template}`,
          url,
          headers: asked.headers,
          body: jsonOf(sent),
        };
        const before = JSON.stringify(passing.body);
        if (proxy.alteration?.asked?.(passing) === 'drop') return asked.socket.destroy();
        const body =
          JSON.stringify(passing.body) === before ? sent : Buffer.from(JSON.stringify(passing.body));
        const reply = await forwarded(asked.method!, url, passing.headers, body);
        const parsed = { ...reply, body: jsonOf(reply.raw) };
        const was = JSON.stringify(parsed.body);
        const key = passing.headers.authorization;
        const again = async (path: string): Promise<Reply> => {
          const repeated = await forwarded(
            'GET',
            new URL(`/api/v1${path}`, target),
            { authorization: key },
            Buffer.alloc(0),
          );
          return { ...repeated, body: jsonOf(repeated.raw) };
        };
        if (reply.status < 300) await proxy.alteration?.answered?.(parsed, passing, again);
        else proxy.alteration?.refused?.(parsed, passing);
        const now = JSON.stringify(parsed.body);
        const out = now === was ? reply.raw : Buffer.from(now);
        // Those of the connection are the proxy's own, and the answer is sent whole.
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = parsed.headers;
        const headers = {
          ...kept,
          'content-length': asked.method === 'HEAD' ? undefined : String(out.length),
        };
        answer.writeHead(parsed.status, headers).end(out);
      })().catch(() => asked.socket.destroy());
    });
    return proxy;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function forwarded(
  method: string,
  url: URL,
  { 'content-length': _, ...headers }: IncomingHttpHeaders,
  body: Buffer,
): Promise<Omit<Reply, 'body'> & { raw: Buffer }> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
    const sending = request(url, { method, headers: { ...headers, ...length } }, (got) => {
      got
        .toArray()
        .then(
          (chunks) => resolve({ status: got.statusCode!, headers: got.headers, raw: Buffer.concat(chunks) }),
          reject,
        );
    });
    sending.on('error', reject).end(body);
  });
}

function jsonOf(bytes: Buffer): any {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
