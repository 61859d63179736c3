import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the bytes of either direction pass, from now on. Default: whole, and at once. */
export interface Passage {
  /** Each piece is that late. */
  latencyMs?: number;
  /** Cuts what comes into pieces: the size of the next one, in bytes. */
  slice?: () => number;
  bytesPerSecond?: number;
}

/** What becomes of the connection on which something was said last: who asks twice may be given another one in between. */
export interface Fate {
  /** What the application must have said on it; the fault comes with it, or with a later message. */
  said: string;
  /** So many messages later. Default: 0 */
  later?: number;
  /** In place of a number: the message that says this. */
  then?: string;
  /** Whether that message still reaches the database, which then works on it; its answer never comes through. */
  reaches: boolean;
  /** `reset`: the application hears of it. `silence`: it does not. */
  how: 'reset' | 'silence';
}

/** Stands between an app and its database, so that a test can trouble the connections between them, take the database away and give it back. */
export class DatabaseProxy {
  private readonly links = new Set<Link>();
  /** What the application said so far, in messages. */
  messages = 0;
  private passage: Passage = {};
  private silent = false;
  private dooms: Doom[] = [];
  private resetAt = Infinity;

  private constructor(
    private readonly server: Server,
    /** The database's URL, by way of here. */
    readonly url: string,
    private behind: URL,
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

  /** Connections that are open now. */
  get connections(): number {
    return this.links.size;
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const link of this.links) link.close();
    await closed;
  }

  /** Lets connections through again, at the same address. */
  async restore(): Promise<void> {
    await new Promise<void>((resolve) =>
      this.server.listen(Number(new URL(this.url).port), '127.0.0.1', resolve),
    );
  }

  /** New connections go to the server of that URL, as an address does that moves to another machine. */
  move(serverUrl: string): void {
    this.behind = new URL(serverUrl);
  }

  /** Troubles what passes, on open connections and new ones. */
  trouble(passage: Passage): void {
    this.passage = passage;
  }

  /** Loses from now on what is sent on the connections that are open, both ways, and tells nobody; new ones work. */
  forget(): void {
    for (const link of this.links) link.lost = true;
  }

  /** Answers the next message on each open connection with a reset, as a machine does that was started anew and knows of none. */
  strand(): void {
    for (const link of this.links) link.stranded = true;
  }

  /** Takes every connection and every byte, and passes nothing on. */
  silence(): void {
    this.silent = true;
    this.forget();
  }

  /** Resets every open connection. */
  reset(): void {
    for (const link of this.links) link.reset();
  }

  /** Resets every open connection when the application has said so many messages more, on whichever of them. */
  resetAfter(messages: number): void {
    this.resetAt = this.messages + messages;
  }

  /** No more trouble for what comes. A connection that lost bytes stays lost. */
  heal(): void {
    this.passage = {};
    this.silent = false;
    this.dooms = [];
    this.resetAt = Infinity;
  }

  /** A connection on which it is said meets its fate. @returns once it did */
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
        this.dooms.find((one) => one.link === link);
      if (!doom) return null;
      Object.assign(doom, doom.link === link ? { messages: doom.messages + 1 } : { link, messages: 0 });
      return doom;
    },
    met: (doom) => {
      this.dooms = this.dooms.filter((one) => one !== doom);
    },
  };
}

interface Doom {
  fate: Fate;
  done: () => void;
  /** The connection that it was said on last. */
  link: Link | null;
  /** What was said on it since. */
  messages: number;
}

interface Rules {
  heard(): void;
  passage(): Passage;
  /** Of the connection on which that is said, or the same was before. */
  doomOf(link: Link, message: string): Doom | null;
  met(doom: Doom): void;
}

/** One connection, through here. */
class Link {
  lost = false;
  stranded = false;

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
      // In order, behind what is still on its way.
      waiting++;
      passing = passing.then(() => this.pass(chunk, to, passage)).finally(() => waiting--);
    });
    from.on('end', () => void passing.then(() => !this.lost && to.end()));
  }

  private async pass(
    chunk: Buffer,
    to: Socket,
    { latencyMs = 0, slice, bytesPerSecond }: Passage,
  ): Promise<void> {
    if (latencyMs > 0) await sleep(latencyMs);
    for (let at = 0; at < chunk.length && !this.lost && !to.destroyed;) {
      const piece = chunk.subarray(at, at + (slice?.() ?? chunk.length));
      at += piece.length;
      to.write(piece);
      if (bytesPerSecond !== undefined) await sleep((piece.length / bytesPerSecond) * 1000);
      // Each piece on its own: written at once they would be one again.
      else if (slice) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** @returns whether what the application says passes */
  private judge(chunk: Buffer): boolean {
    if (this.stranded) {
      this.reset();
      return false;
    }
    const message = chunk.toString('latin1');
    const doom = this.rules.doomOf(this, message);
    if (!doom || !isDue(doom, message)) return true;
    this.rules.met(doom);
    // The database has worked on it when it answers.
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
