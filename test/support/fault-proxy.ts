import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Where an exchange breaks off: before its target has the request, while the target works on it, or once the target has answered. */
export type Moment = 'before' | 'during' | 'after';

/** A fault of the next exchange that matches; its connection is reset in any case. */
export interface Fault {
  /** Of the method, the path and the body. */
  matches: RegExp;
  moment: Moment;
  happens?: () => void;
}

/** An HTTP proxy that breaks off exchanges. */
export class FaultProxy {
  /** Is null again once it has happened. */
  fault: Fault | null = null;
  /** Called with each request, before its target has it. */
  watch: (text: string) => Promise<void> = () => Promise.resolve();
  /** Whether the connection of an answer is reset. */
  loses: () => boolean = () => false;

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  static async open(target: string): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server, target);
    server.on('request', (incoming, response) => {
      proxy.pass(incoming, response).catch(() => response.destroy());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const text = `${incoming.method} ${incoming.url} ${body.toString()}`;
    await this.watch(text);
    const fault = this.fault?.matches.test(text) ? this.fault : null;
    if (fault) this.fault = null;
    const breakOff = (): void => {
      fault?.happens?.();
      response.socket?.resetAndDestroy();
    };
    if (fault?.moment === 'before') return breakOff();
    const answering = this.ask(incoming, body);
    if (fault?.moment === 'during') breakOff();
    const answer = await answering;
    const content = await buffer(answer);
    if (fault?.moment === 'during') return;
    if (fault || this.loses()) return breakOff();
    response.writeHead(answer.statusCode!, answer.headers).end(content);
  }

  private async ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { 'transfer-encoding': _, ...rest } = headers;
    const sent = request(new URL(url!, this.target), {
      method,
      headers: { ...rest, 'content-length': body.length, host: new URL(this.target).host },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }
}
