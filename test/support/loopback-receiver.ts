import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface ReceivedRequest {
  /** The request line and header fields, byte for byte. */
  head: string;
  body: Buffer;
}

/** Called once for each complete request; writes any bytes to the bare socket. */
export type Answer = (socket: Socket, request: ReceivedRequest) => void;

/**
 * A webhook receiver on a loopback port that counts requests. It is a TCP server, because an HTTP server would prevent most of what tests need:
 * resets, half answers, answers byte by byte.
 */
export class LoopbackReceiver {
  readonly requests: ReceivedRequest[] = [];
  readonly sockets = new Set<Socket>();
  connections = 0;
  /** The largest number of connections at one time. */
  mostAtOnce = 0;

  private constructor(private readonly server: Server) {}

  /** @param identity serve TLS with this certificate and key, in PEM */
  static async open(answer: Answer, identity?: { cert: string; key: string }): Promise<LoopbackReceiver> {
    const server = identity ? createTlsServer(identity) : createTcpServer();
    const receiver = new LoopbackReceiver(server);
    server.on('connection', () => receiver.connections++);
    server.on(identity ? 'secureConnection' : 'connection', (socket: Socket) =>
      receiver.serve(socket, answer),
    );
    server.on('tlsClientError', () => {});
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(scheme: 'http' | 'https' = 'http', host = '127.0.0.1'): string {
    return `${scheme}://${host}:${this.port}/hook?from=test`;
  }

  /** Called for each connection, before any request. */
  onConnection(listener: (socket: Socket) => void): void {
    this.server.on('connection', listener);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket, answer: Answer): void {
    let pending = Buffer.alloc(0);
    this.sockets.add(socket);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.sockets.size);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const headEnd = pending.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const head = pending.toString('latin1', 0, headEnd);
        const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
        const end = headEnd + 4 + length;
        if (pending.length < end) return;
        const request = { head, body: pending.subarray(headEnd + 4, end) };
        pending = pending.subarray(end);
        this.requests.push(request);
        answer(socket, request);
      }
    });
  }
}

/** @returns an answer of `status` with a small body, which leaves the connection open */
export function answerWith(status: number, fields: Record<string, string> = {}, body = 'ok'): Answer {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} Any\r\ncontent-length: ${body.length}\r\n${lines.join('')}\r\n${body}`;
  return (socket) => void socket.write(text);
}
