import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpConstants } from '../../config/constants.js';
import { countedAddress } from '../access/authentication.throttle.js';
import { ServerConnection } from './server.connection.js';

/** Grace before a caller makes room for another one: within it, it may well be at work. */
const OVERDUE_MS = 1_000;

/** Why a connection was ended, or refused; a label of a metric. */
export type Cut = 'send_timeout' | 'unsent_bytes' | 'address_full' | 'server_full';

export type ConnectionBounds = Pick<
  HttpConstants,
  'connections' | 'connections_per_address' | 'requests_ahead' | 'send_timeout_seconds' | 'unsent_bytes'
>;

/** What a proxy in front changes. */
export interface Proxies {
  /** Whether an address brings the connections of many callers. */
  isProxy(address: string): boolean;
  /** Who sent a request. */
  callerOf(request: IncomingMessage): string;
}

const NO_PROXIES: Proxies = {
  isProxy: () => false,
  callerOf: ({ socket }) => socket.remoteAddress ?? '',
};

/** The connections of one address. */
interface Neighbours {
  open: number;
  waiting: Set<ServerConnection>;
}

/** The connections of a server. Bounds what callers hold of its memory: connections, requests sent ahead, answers that they do not take. */
export class ServerConnections {
  readonly cuts: Record<Cut, number> = { send_timeout: 0, unsent_bytes: 0, address_full: 0, server_full: 0 };
  private readonly open = new Map<Socket, ServerConnection>();
  /** Those that wait for their callers, the one that waits longest first. */
  private readonly waiting = new Set<ServerConnection>();
  private readonly addresses = new Map<string, Neighbours>();
  private unsentBytes = 0;

  constructor(
    private readonly bounds: ConnectionBounds,
    private readonly answer: RequestListener,
    private readonly proxies: Proxies = NO_PROXIES,
  ) {}

  get count(): number {
    return this.open.size;
  }

  of(socket: Socket): ServerConnection | undefined {
    return this.open.get(socket);
  }

  /**
   * Where a bound is reached, the connection that waits for its caller longest makes room.
   *
   * @returns null when it is let in; else the bound that refuses it, since all the others are at work
   */
  admit(socket: Socket): Cut | null {
    const { remoteAddress = '' } = socket;
    const address = this.proxies.isProxy(remoteAddress) ? null : countedAddress(remoteAddress);
    const neighbours = address === null ? undefined : this.addresses.get(address);
    const full =
      (neighbours && neighbours.open >= this.bounds.connections_per_address
        ? this.makeRoom(neighbours.waiting, 'address_full')
        : null) ??
      (this.open.size >= this.bounds.connections ? this.makeRoom(this.waiting, 'server_full') : null);
    if (full) return full;
    this.keep(new ServerConnection(socket, address, this.bounds.requests_ahead, this.answer, this.moved));
    return null;
  }

  /** Ends the connections whose callers do not take their answer in time. To be called about once a second. */
  sweep(now: number = performance.now()): void {
    const longestMs = this.bounds.send_timeout_seconds * 1000;
    for (const connection of this.open.values()) {
      if (connection.isSending && now - connection.since > longestMs) this.cut(connection, 'send_timeout');
    }
  }

  /** @returns null when there is room now */
  private makeRoom(waiting: Set<ServerConnection>, why: Cut): Cut | null {
    const [longest] = waiting;
    if (longest && performance.now() - longest.since > OVERDUE_MS) {
      this.cut(longest, why);
      return null;
    }
    this.cuts[why]++;
    return why;
  }

  private keep(connection: ServerConnection): void {
    const { socket, address } = connection;
    this.open.set(socket, connection);
    if (address !== null) {
      const neighbours = this.addresses.get(address) ?? { open: 0, waiting: new Set() };
      neighbours.open++;
      this.addresses.set(address, neighbours);
    }
    socket.once('close', () => this.forget(connection));
    this.moved(connection);
  }

  private readonly moved = (connection: ServerConnection): void => {
    if (!this.open.has(connection.socket)) return;
    this.unlist(connection);
    if (connection.phase !== 'answering') {
      this.waiting.add(connection);
      this.neighboursOf(connection)?.waiting.add(connection);
    }
    if (connection.phase === 'sending') this.lookAt(connection);
    if (this.unsentBytes > this.bounds.unsent_bytes) this.relieve();
  };

  /** Takes it out of every order in which it stands. */
  private unlist(connection: ServerConnection): void {
    this.waiting.delete(connection);
    this.neighboursOf(connection)?.waiting.delete(connection);
    this.unsentBytes -= connection.unsentBytes;
    connection.unsentBytes = 0;
  }

  private lookAt(connection: ServerConnection): void {
    this.unsentBytes -= connection.unsentBytes;
    connection.unsentBytes = connection.socket.writableLength;
    this.unsentBytes += connection.unsentBytes;
  }

  /** Lets go of answers of the caller that leaves most of them untaken, until they fit: who takes its answers keeps them, whatever others do. */
  private relieve(): void {
    const held = new Map<string, { bytes: number; connections: ServerConnection[] }>();
    for (const connection of this.waiting) {
      if (connection.unsentBytes === 0) continue;
      this.lookAt(connection);
      const caller = countedAddress(this.proxies.callerOf(connection.request!));
      const its = held.get(caller) ?? { bytes: 0, connections: [] };
      its.bytes += connection.unsentBytes;
      its.connections.push(connection);
      held.set(caller, its);
    }
    while (this.unsentBytes > this.bounds.unsent_bytes) {
      const [most] = [...held.values()].sort((a, b) => b.bytes - a.bytes);
      const longest = most!.connections.shift()!;
      most!.bytes -= longest.unsentBytes;
      this.cut(longest, 'unsent_bytes');
    }
  }

  private cut(connection: ServerConnection, why: Cut): void {
    this.cuts[why]++;
    this.forget(connection);
    connection.socket.destroy();
  }

  private forget(connection: ServerConnection): void {
    if (!this.open.delete(connection.socket)) return;
    this.unlist(connection);
    const neighbours = this.neighboursOf(connection);
    if (neighbours && --neighbours.open === 0) this.addresses.delete(connection.address!);
  }

  private neighboursOf({ address }: ServerConnection): Neighbours | undefined {
    return address === null ? undefined : this.addresses.get(address);
  }
}
