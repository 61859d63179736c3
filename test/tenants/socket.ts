import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw connection that sends any bytes, and reads answers when the test does. */
export class Caller {
  private taken = '';

  private constructor(readonly socket: Socket) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => (this.taken += chunk.toString('latin1')));
    socket.pause();
  }

  /** @param localAddress the source address: loopback has many */
  static async open(url: string, localAddress = '127.0.0.1'): Promise<Caller> {
    const { port } = new URL(url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return new Caller(socket);
  }

  /** Sends requests at once (pipelined), without waiting for answers. */
  ask(path: string, times = 1, ...headers: string[]): this {
    const head = [`GET ${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n');
    this.socket.write(head.repeat(times));
    return this;
  }

  /** Begins to read answers. */
  read(): this {
    this.socket.resume();
    return this;
  }

  /** Status lines of the answers read so far. */
  get statuses(): number[] {
    return [...this.taken.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]+\r\n/g)].map(([, status]) => Number(status));
  }

  get text(): string {
    return this.taken;
  }

  /** Reads everything that still comes, until the server closes. */
  async untilClosed(): Promise<this> {
    this.read();
    if (!this.socket.closed) await once(this.socket, 'close');
    return this;
  }

  close(): void {
    this.socket.destroy();
  }
}
