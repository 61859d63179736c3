import { connect, type Socket } from 'node:net';

/** Makes the next request of a connection, as bytes. */
export type NextRequest = () => string;

/** One slice of load on one server. */
export interface Slice {
  seconds: number;
  /** Milliseconds of each answer, sorted. */
  took: number[];
}

/**
 * A load generator over keep-alive connections, each with one request in flight. It does as little work a request as a client can, since it shares
 * the machine with the server.
 *
 * @throws Error for an answer with another status, with its text
 */
export class Load {
  /** @param kinds the next request of each connection */
  constructor(
    private readonly port: number,
    private readonly kinds: readonly NextRequest[],
    private readonly status: number,
  ) {}

  async run(requests: number): Promise<Slice> {
    const connections = await Promise.all(
      this.kinds.map((next) => Connection.open(this.port, next, this.status)),
    );
    const from = performance.now();
    let remaining = requests;
    const more = (): boolean => remaining-- > 0;
    try {
      const took = await Promise.all(connections.map((connection) => connection.sendWhile(more)));
      const seconds = (performance.now() - from) / 1_000;
      return { seconds, took: took.flat().sort((a, b) => a - b) };
    } finally {
      connections.forEach((connection) => connection.close());
    }
  }
}

const HEAD_END = '\r\n\r\n';

class Connection {
  private received = '';
  /** Length of the whole answer in characters; 0 until its head is complete. */
  private length = 0;
  private answered: ((error?: Error) => void) | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly next: NextRequest,
    private readonly status: number,
  ) {
    // Latin-1 makes one character of each byte.
    socket.setNoDelay().setEncoding('latin1');
    socket.on('data', (chunk: string) => this.take(chunk));
    socket.on('close', () => this.answered?.(new Error('a connection was closed')));
    socket.on('error', () => undefined);
  }

  static open(port: number, next: NextRequest, status: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket, next, status)));
      socket.once('error', reject);
    });
  }

  async sendWhile(more: () => boolean): Promise<number[]> {
    const took: number[] = [];
    while (more()) {
      const from = performance.now();
      await this.send();
      took.push(performance.now() - from);
    }
    return took;
  }

  close(): void {
    this.socket.destroy();
  }

  private send(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(new Error('a connection was closed'));
      this.answered = (error) => (error ? reject(error) : resolve());
      this.socket.write(this.next(), 'latin1');
    });
  }

  private take(chunk: string): void {
    this.received += chunk;
    if (this.length === 0) {
      const end = this.received.indexOf(HEAD_END);
      if (end < 0) return;
      const body = /content-length: (\d+)/i.exec(this.received)?.[1];
      this.length = end + HEAD_END.length + Number(body);
    }
    if (this.received.length < this.length) return;
    const wrong = Number(this.received.slice(9, 12)) !== this.status ? this.received : null;
    this.received = '';
    this.length = 0;
    const { answered } = this;
    this.answered = null;
    answered?.(wrong === null ? undefined : new Error(`answered otherwise than ${this.status}: ${wrong}`));
  }
}
