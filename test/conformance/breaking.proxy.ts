import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parsed } from './caller.js';

/** A request on its way to the server. What is changed here the server gets. */
export interface Passing {
  method: string;
  /** Relative to the API root, with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
}

/** Its answer on the way back. What is changed here the caller gets. */
export interface Returning {
  status: number;
  headers: IncomingHttpHeaders;
  body: any;
}

/** One rule that a server breaks. */
export interface Fault {
  asked?: (passing: Passing) => void;
  answered?: (returning: Returning, passing: Passing) => void;
}

/** A server that keeps every rule but one: it stands in front of one that keeps them all. */
export class BreakingProxy {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string, fault: Fault): Promise<BreakingProxy> {
    const server = createServer((incoming, outgoing) => {
      void (async () => {
        const text = Buffer.concat(await incoming.toArray()).toString();
        const url = incoming.url ?? '';
        const root = url.startsWith('/api/v1/') ? '/api/v1' : '';
        const path = url.slice(root.length);
        const body = parsed(text);
        const passing: Passing = {
          method: incoming.method ?? '',
          path,
          headers: { ...incoming.headers },
          body,
        };
        fault.asked?.(passing);
        const sent = body === undefined ? text : JSON.stringify(passing.body);
        const returning = await forwarded(target, passing, root, sent);
        fault.answered?.(returning, passing);
        outgoing.writeHead(returning.status, endToEnd(returning.headers));
        outgoing.end(typeof returning.body === 'string' ? returning.body : JSON.stringify(returning.body));
      })().catch(() => outgoing.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new BreakingProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** What holds of one connection and its bytes alone: those that are sent on may be others, and are not compressed. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const {
    'content-length': _length,
    'transfer-encoding': _transfer,
    'accept-encoding': _accepted,
    connection: _connection,
    ...rest
  } = headers;
  return rest;
}

function forwarded(
  target: string,
  { method, path, headers }: Passing,
  root: string,
  text: string,
): Promise<Returning> {
  const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sending = request(
      target + root + path,
      { method, headers: { ...endToEnd(headers), ...length } },
      (answer) => {
        answer.toArray().then((chunks: Buffer[]) => {
          const whole = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parsed(whole) ?? whole });
        }, reject);
      },
    );
    sending.on('error', reject).end(text);
  });
}
