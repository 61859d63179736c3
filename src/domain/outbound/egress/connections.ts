import { buildConnector, type Client } from 'undici';
import type { LookupFunction, Socket } from 'node:net';
import type { UrlGuard } from './url-guard.js';

/** Progress of a connection: `connected` once opened, `secured` once TLS has accepted the certificate. */
export type ConnectionStage = 'connected' | 'secured';
export type OnStage = (stage: ConnectionStage) => void;

const DROPPED = new Error('The connection was dropped.');

/**
 * Idle time after which a connection takes no further send, even where its receiver announces longer: the server behind a proxy often closes after
 * Node's default of 5 s, and a send that meets the close is lost.
 */
export const MAX_IDLE_MS = 3_000;
/** Margin before the announced end, in which a send may already meet the close. */
export const IDLE_MARGIN_MS = 1_000;

/** Idle time of a connection after so many sends, ms; 0 or less where the receiver announces none, or accepts no further send. */
function idleMsOf(keepAlive: string, sends: number): number {
  const [seconds, maxSends = Infinity] = [/timeout=(\d+)/i, /max=(\d+)/i].map(
    (name) => name.exec(keepAlive)?.[1],
  );
  if (seconds === undefined || sends >= Number(maxSends)) return 0;
  return Math.min(Number(seconds) * 1000 - IDLE_MARGIN_MS, MAX_IDLE_MS);
}

interface Connection {
  /** Aborts a connection attempt, which the client itself cannot abort. */
  end: AbortController;
  sends: number;
  /** End of its idle time, by the monotonic clock. The timer that closes it may be late in a busy process. */
  until: number;
}

/**
 * Connections to receivers, each with an undici client of its own and used for one send at a time. undici's pools are avoided: each allocates a queue
 * of 2,048 entries, which is more memory than the rest of a send, and keeps it while the receiver hangs.
 */
export class Connections {
  private readonly idle = new Map<string, Client[]>();
  private readonly clients = new Map<Client, Connection>();

  /** @param open creates an unconnected client; the signal closes its connections, opened or still opening */
  constructor(private readonly open: (origin: string, signal: AbortSignal, onStage?: OnStage) => Client) {}

  /** Takes a connection for exclusive use until it is released or dropped. @param onStage called with the progress of a new one */
  take(origin: string, onStage?: OnStage): Client {
    for (let waiting; !onStage && (waiting = this.idle.get(origin)?.at(-1));) {
      this.forget(origin, waiting);
      if (performance.now() < this.clients.get(waiting)!.until) return waiting;
      this.drop(waiting);
    }
    const end = new AbortController();
    const client = this.open(origin, end.signal, onStage);
    this.clients.set(client, { end, sends: 0, until: 0 });
    client.on('disconnect', () => {
      if (this.forget(origin, client)) this.drop(client);
    });
    return client;
  }

  /** Releases the connection for the next send, unless it has closed or may close soon. @param keepAlive the field of the answer; '': there is none */
  release(origin: string, client: Client, keepAlive: string): void {
    const connection = this.clients.get(client);
    const idleMs = connection ? idleMsOf(keepAlive, ++connection.sends) : 0;
    if (!connection || idleMs <= 0 || client.destroyed || !client.stats.connected) return this.drop(client);
    connection.until = performance.now() + idleMs;
    const waiting = this.idle.get(origin);
    if (waiting) waiting.push(client);
    else this.idle.set(origin, [client]);
  }

  /** Closes the connection in whatever state it is; a pending send fails. */
  drop(client: Client): void {
    void this.end(client);
  }

  async close(): Promise<void> {
    this.idle.clear();
    await Promise.all([...this.clients.keys()].map((client) => this.end(client)));
  }

  private async end(client: Client): Promise<void> {
    const connection = this.clients.get(client);
    this.clients.delete(client);
    const ended = client.destroy();
    connection?.end.abort(DROPPED);
    await ended;
  }

  /** @returns whether it was idle */
  private forget(origin: string, client: Client): boolean {
    const waiting = this.idle.get(origin) ?? [];
    const index = waiting.lastIndexOf(client); // take() takes the last one
    if (index < 0) return false;
    waiting.splice(index, 1);
    if (waiting.length === 0) this.idle.delete(origin);
    return true;
  }
}

/** Addresses of one name that are pinned: each may cost a connection attempt, and webhooks must not serve as a port scanner. */
const MAX_PINNED_ADDRESSES = 4;
/** Time before the next address is tried; Node's default of 250 ms fails receivers on other continents. */
const ADDRESS_ATTEMPT_MS = 1_000;

/** Limit on the bytes of one answer on the wire, far above the limits of header and body. */
const MAX_WIRE_BYTES = 256 * 1024;

/** Opens connections to one origin, only to addresses that the guard has just checked. `timeoutMs` bounds DNS, TCP and TLS together. */
export function guardedConnector(
  guard: UrlGuard,
  origin: string,
  timeoutMs: number,
  signal: AbortSignal,
  onStage?: OnStage,
): buildConnector.connector {
  const open = buildConnector({
    lookup: guardedLookup(guard, origin, signal),
    signal,
    maxCachedSessions: 0, // a session seldom serves a second connection
    timeout: timeoutMs,
    allowH2: false, // HTTP/2 repeats the requests of a connection that the peer winds down
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  });
  if (!onStage) return (options, callback) => open(options, bounded(callback));
  return (options, callback) => {
    const ready = bounded((...[error, socket]) => {
      if (error) return callback(error, null);
      onStage('secured');
      callback(null, socket);
    });
    // undici returns the socket, encrypted or not, but its types do not say so.
    const opening = open(options, ready) as unknown as Socket;
    opening.once('connect', () => onStage('connected'));
    return opening;
  };
}

/** Closes a connection whose receiver sends endless data that the limits of header and body do not count, such as interim answers. */
function bounded(callback: buildConnector.Callback): buildConnector.Callback {
  return (...[error, socket]) => {
    if (error) return callback(error, null);
    limit(socket);
    callback(null, socket);
  };
}

function limit(socket: Socket): void {
  let written = 0;
  let read = 0;
  let begin = 0;
  socket.on('readable', () => {
    // Bytes that arrive after a request was written belong to its answer.
    if (socket.bytesWritten !== written) begin = read;
    ({ bytesWritten: written, bytesRead: read } = socket);
    if (read - begin > MAX_WIRE_BYTES) socket.destroy(new Error('An answer is larger than any limit.'));
  });
}

/**
 * Checks the name again for each connection, and pins the connection to the result, against DNS rebinding. Node does not call it for literal
 * addresses.
 */
function guardedLookup(guard: UrlGuard, origin: string, signal: AbortSignal): LookupFunction {
  return (_hostname, options, callback) => {
    guard.check(origin, 'send', signal).then(
      ({ addresses }) => {
        const pinned = addresses.slice(0, MAX_PINNED_ADDRESSES);
        if (options.all) callback(null, pinned);
        else callback(null, pinned[0]?.address ?? '', pinned[0]?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
