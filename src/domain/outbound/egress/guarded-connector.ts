import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';

import type { OnStage } from './connections.js';
import type { UrlGuard } from './url-guard.js';

/** Addresses of one name that are pinned: each may cost a connection attempt, and webhooks must not serve as a port scanner. */
const MAX_PINNED_ADDRESSES = 4;
/** Time before the next address is tried; Node's default of 250 ms fails receivers on other continents. */
const ADDRESS_ATTEMPT_MS = 1_000;

/** Limit on the bytes of one answer on the wire, far above the limits of header and body. */
const MAX_WIRE_BYTES = 256 * 1024;

/**
 * Opens connections to one origin, only to addresses that the guard has just checked. `timeoutMs` bounds DNS, TCP and TLS together; `signal` closes
 * connections, opened or still opening.
 */
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
    maxCachedSessions: 0, // it is for one connection, as a rule
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

/**
 * Closes a connection whose receiver sends endless data that the limits of header and body do not count: interim answers, empty lines, chunk
 * extensions, a reason phrase.
 */
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
 * Resolves and checks the name again for each connection, and pins the connection to the result: defence against DNS rebinding. Node does not call it
 * for literal addresses, which cannot change and were checked before.
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
