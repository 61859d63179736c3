import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, byte for byte. */
  body: Buffer;
}

/** A webhook receiver on loopback. It counts every request, answered or not. */
export class Receiver {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /**
   * @param answer default: status 200
   * @param host in its URL; one that is not of loopback is received on every interface
   */
  static async start(
    answer: (response: ServerResponse, got: Received) => void = (response) => response.end(),
    host = '127.0.0.1',
  ): Promise<Receiver> {
    const server = createServer();
    // The server is unreferenced, so that a failed test that does not close it cannot keep the run from ending.
    server.unref().on('connection', (socket) => socket.unref());
    const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, isLoopback ? host : undefined, resolve);
    });
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/hook`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const got = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
        receiver.received.push(got);
        answer(response, got);
      });
    });
    return receiver;
  }

  /** Waits for a number of requests. @throws Error when fewer have come in time */
  async waitFor(count: number, ms = 10_000): Promise<Received[]> {
    const deadline = Date.now() + ms;
    while (this.received.length < count) {
      if (Date.now() > deadline) throw new Error(`${this.received.length} of ${count} requests came`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.received;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
