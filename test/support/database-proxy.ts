import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { change } from './change.js';

/** How bytes pass in either direction from now on. Default: whole, and at once. */
export interface Passage {
  /** Splits the bytes into pieces: the size of the next piece. */
  slice?: () => number;
  /** Changes the bytes; their number stays. */
  rewrite?: (bytes: Buffer) => Buffer;
}

/** A fault of one connection. A text that is sent twice may select another connection the second time. */
export interface Fate {
  /** The text that selects the connection; the fault happens with its message, or with a later one. */
  said: string;
  /** The number of further messages before the fault. Default: 0 */
  later?: number;
  /** Instead of a number: the text of the message at which the fault happens. */
  then?: string;
  /** Whether that message still reaches the database, which carries it out; the answer never gets through. */
  reaches: boolean;
  /** `reset`: the application sees the reset. `silence`: it sees nothing. */
  how: 'reset' | 'silence';
}

/** A proxy between an app and its database, which can disturb connections, and take the database away and give it back. */
export class DatabaseProxy {
  private readonly links = new Set<Link>();
  /** The number of messages that the application sent so far. */
  messages = 0;
  private passage: Passage = {};
  private silent = false;
  private dooms: Doom[] = [];
  private resetAt = Infinity;

  private constructor(
    private readonly server: Server,
    /** The database's URL through this proxy. */
    readonly url: string,
    private readonly behind: URL,
  ) {}

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new DatabaseProxy(server, url.href, new URL(databaseUrl));
    server.on('connection', (near) => {
      const link = new Link(near, connect(Number(proxy.behind.port), proxy.behind.hostname), proxy.rules);
      link.lost = proxy.silent;
      proxy.links.add(link);
      near.on('close', () => proxy.links.delete(link));
    });
    return proxy;
  }

  /** The number of open connections. */
  get connections(): number {
    return this.links.size;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const link of this.links) link.close();
    await closed;
  }

  /** Accepts connections again, at the same address. */
  async restore(): Promise<void> {
    await new Promise<void>((resolve) =>
      this.server.listen(Number(new URL(this.url).port), '127.0.0.1', resolve),
    );
  }

  /** Disturbs the traffic of open and new connections. */
  trouble(passage: Passage): void {
    this.passage = passage;
  }

  /** Drops everything sent on the open connections from now on, in both directions, without a notice; new ones work. */
  forget(): void {
    for (const link of this.links) link.lost = true;
  }

  /** Accepts every connection and byte, and passes nothing on. */
  silence(): void {
    this.silent = true;
    this.forget();
  }

  /** Resets every open connection. */
  reset(): void {
    for (const link of this.links) link.reset();
  }

  /** Resets every open connection after a number of further messages, on any of them. */
  resetAfter(messages: number): void {
    this.resetAt = this.messages + messages;
  }

  /** Ends the disturbance of further traffic. A connection that lost bytes stays broken. */
  heal(): void {
    this.passage = {};
    this.silent = false;
    this.dooms = [];
    this.resetAt = Infinity;
  }

  /** The next connection with that message has the fault. @returns once the fault has happened */
  meet(fate: Fate): Promise<void> {
    return new Promise((done) => this.dooms.push({ fate, done, link: null, messages: 0 }));
  }

  private readonly rules: Rules = {
    heard: () => {
      if (++this.messages === this.resetAt) this.reset();
    },
    passage: () => this.passage,
    doomOf: (link, message) => {
      const doom =
        this.dooms.find(({ fate }) => message.includes(fate.said)) ??
        this.dooms.find((doom) => doom.link === link);
      if (!doom) return null;
      change(doom, doom.link === link ? { messages: doom.messages + 1 } : { link, messages: 0 });
      return doom;
    },
    met: (doom) => {
      this.dooms = this.dooms.filter((row) => row !== doom);
    },
  };
}

interface Doom {
  fate: Fate;
  done: () => void;
  /** The connection that sent the text last. */
  link: Link | null;
  /** The number of messages on it since. */
  messages: number;
}

interface Rules {
  heard(): void;
  passage(): Passage;
  /** The fault of the connection that sends the text, or sent it before. */
  doomOf(link: Link, message: string): Doom | null;
  met(doom: Doom): void;
}

/** One connection through the proxy. */
class Link {
  lost = false;

  constructor(
    private readonly near: Socket,
    private readonly far: Socket,
    private readonly rules: Rules,
  ) {
    for (const socket of [near, far]) {
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => !this.lost && this.close());
    }
    near.on('close', () => this.close()).on('data', () => rules.heard());
    this.pump(near, far, (chunk) => this.judge(chunk));
    this.pump(far, near, () => true);
  }

  close(): void {
    this.near.destroy();
    this.far.destroy();
  }

  reset(): void {
    this.near.resetAndDestroy();
    this.far.destroy();
  }

  private pump(from: Socket, to: Socket, passes: (chunk: Buffer) => boolean): void {
    let passing = Promise.resolve();
    let waiting = 0;
    from.on('data', (chunk: Buffer) => {
      if (this.lost || !passes(chunk)) return;
      const passage = this.rules.passage();
      if (waiting === 0 && Object.keys(passage).length === 0) {
        to.write(chunk);
        return;
      }
      // Pieces keep their order: each waits for those before it.
      waiting++;
      passing = passing.then(() => this.pass(chunk, to, passage)).finally(() => waiting--);
    });
    from.on('end', () => void passing.then(() => !this.lost && to.end()));
  }

  private async pass(sent: Buffer, to: Socket, { slice, rewrite }: Passage): Promise<void> {
    const chunk = rewrite?.(sent) ?? sent;
    for (let at = 0; at < chunk.length && !this.lost && !to.destroyed;) {
      const piece = chunk.subarray(at, at + (slice?.() ?? chunk.length));
      at += piece.length;
      to.write(piece);
      // Each piece is written in its own turn of the event loop: pieces written together would arrive as one.
      if (slice) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** @returns whether the application's message passes */
  private judge(chunk: Buffer): boolean {
    const message = chunk.toString('latin1');
    const doom = this.rules.doomOf(this, message);
    if (!doom || !isDue(doom, message)) return true;
    this.rules.met(doom);
    // The database has carried the message out when it answers.
    if (doom.fate.reaches) this.far.prependOnceListener('data', () => this.end(doom));
    else this.end(doom);
    return doom.fate.reaches;
  }

  private end({ fate, done }: Doom): void {
    this.lost = true;
    if (fate.how === 'reset') this.reset();
    done();
  }
}

const isDue = ({ fate: { then, later = 0 }, messages }: Doom, message: string): boolean =>
  then === undefined ? messages === later : message.includes(then);
