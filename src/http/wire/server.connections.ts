import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpConstants } from '../../config/constants.js';
import { countedAddress } from '../access/authentication.throttle.js';
import { ServerConnection } from './server.connection.js';

/** Grace period before an idle connection is closed to make room: within it, the caller may be between two requests. */
const OVERDUE_MS = 1_000;

/** Reason for which a connection was closed or refused; label of a metric. */
export type Cut = 'send_timeout' | 'unsent_bytes' | 'address_full' | 'server_full';

export type ConnectionBounds = Pick<
  HttpConstants,
  'connections' | 'connectionsPerAddress' | 'requestsAhead' | 'sendTimeoutSeconds' | 'unsentBytes'
>;

/** Trusted proxies in front of the server. */
export interface Proxies {
  /** Whether the address is a proxy, which brings connections of many callers. */
  isProxy(address: string): boolean;
  /** Address of the caller who sent the request. */
  callerOf(request: IncomingMessage): string;
}

const NO_PROXIES: Proxies = {
  isProxy: () => false,
  callerOf: ({ socket }) => socket.remoteAddress ?? '',
};

/** Connections of one address. */
interface Neighbours {
  open: number;
  waiting: Set<ServerConnection>;
}

/** Connections of a server, with bounds on the memory that callers can hold: connections, pipelined requests, answers that they do not read. */
export class ServerConnections {
  readonly cuts: Record<Cut, number> = { send_timeout: 0, unsent_bytes: 0, address_full: 0, server_full: 0 };
  private readonly open = new Map<Socket, ServerConnection>();
  /** Connections that wait for their callers, the longest wait first. */
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
   * Admits a connection. At a limit, the connection that has waited longest for its caller is closed to make room.
   * @returns null when it is admitted; otherwise the limit that refuses it, because all others are in use
   */
  admit(socket: Socket): Cut | null {
    const { remoteAddress = '' } = socket;
    const address = this.proxies.isProxy(remoteAddress) ? null : countedAddress(remoteAddress);
    const neighbours = address === null ? undefined : this.addresses.get(address);
    const full =
      (neighbours && neighbours.open >= this.bounds.connectionsPerAddress
        ? this.makeRoom(neighbours.waiting, 'address_full')
        : null) ??
      (this.open.size >= this.bounds.connections ? this.makeRoom(this.waiting, 'server_full') : null);
    if (full) return full;
    this.keep(new ServerConnection(socket, address, this.bounds.requestsAhead, this.answer, this.moved));
    return null;
  }

  /** Closes connections whose callers do not read their answer in time. To be called about once a second. */
  sweep(now: number = performance.now()): void {
    const longestMs = this.bounds.sendTimeoutSeconds * 1000;
    for (const connection of this.open.values()) {
      if (connection.isSending && now - connection.since > longestMs) this.cut(connection, 'send_timeout');
    }
  }

  /** @returns null when there is room */
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
    if (this.unsentBytes > this.bounds.unsentBytes) this.relieve();
  };

  /** Removes the connection from every list. */
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

  /** Closes the connections with the most unread answer bytes until the total fits: callers that read their answers keep them. */
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
    while (this.unsentBytes > this.bounds.unsentBytes) {
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
