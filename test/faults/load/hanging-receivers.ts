import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** The URL of the receiver of a number, from that of the first. */
export function hangingUrl(first: string, number: number): string {
  const url = new URL(first);
  url.hostname = `127.1.${number >> 8}.${number & 255}`;
  return url.href;
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** Receivers that accept connections and never answer, as many as one likes: each is a loopback address of its own, and so an origin of its own. */
export class HangingReceivers {
  readonly sockets = new Set<Socket>();
  /** Connections that were open at one time. */
  mostAtOnce = 0;
  /** Requests that came. */
  requests = 0;
  /** Whether they answer for once. */
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

  /** @param number from 0 up to 65,000: whose URL */
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
