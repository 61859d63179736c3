import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The URL of a receiver by its number, derived from the URL of the first. */
export function hangingUrl(first: string, number: number): string {
  const url = new URL(first);
  url.hostname = `127.1.${number >> 8}.${number & 255}`;
  return url.href;
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** Any number of receivers that accept connections and never answer. Each has its own loopback address, and so its own origin. */
export class HangingReceivers {
  readonly sockets = new Set<Socket>();
  /** The largest number of open connections at one time. */
  mostAtOnce = 0;
  /** The number of requests received. */
  requests = 0;
  /** Whether the receivers answer, instead of hanging. */
  answers = false;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<HangingReceivers> {
    const server = createServer();
    const receivers = new HangingReceivers(server);
    server.on('connection', (socket) => receivers.keep(socket));
    server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 });
    await once(server, 'listening');
    return receivers;
  }

  /** @param number index of the receiver, from 0 up to 65,000 */
  url(number: number): string {
    const { port } = this.server.address() as AddressInfo;
    return hangingUrl(`http://127.1.0.0:${port}/hook`, number);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.sockets.size);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').startsWith('POST ')) return;
      this.requests++;
      if (this.answers) socket.end(ANSWER);
    });
  }
}
