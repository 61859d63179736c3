import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';

import type { OnStage } from './connections.js';
import type { UrlGuard } from './url-guard.js';

/** Of a name with many addresses; each may cost a connection attempt, and webhooks are not to be a port scanner. */
const MAX_PINNED_ADDRESSES = 4;
/** Before the next address is tried; Node's own quarter second fails receivers on other continents. */
const ADDRESS_ATTEMPT_MS = 1_000;

/** Of one answer, as it comes over the wire; far above the limits of header and body. */
const MAX_WIRE_BYTES = 256 * 1024;

/**
 * Opens connections to one origin, only to addresses that the guard has just judged.
 *
 * @param timeoutMs bounds DNS, TCP and TLS together
 * @param signal ends what is being opened, and what was
 * @param onStage told of a connection that is open, and of one that is ready for use
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
    // Undici returns the socket, encrypted or not, of which its types say nothing.
    const opening = open(options, ready) as unknown as Socket;
    opening.once('connect', () => onStage('connected'));
    return opening;
  };
}

/**
 * Ends a connection over which a receiver pours what the limits of header and body do not count: interim answers, empty lines, chunk
 * extensions, a reason phrase without end.
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
    // Whatever comes after a request was written belongs to its answer.
    if (socket.bytesWritten !== written) begin = read;
    ({ bytesWritten: written, bytesRead: read } = socket);
    if (read - begin > MAX_WIRE_BYTES) socket.destroy(new Error('An answer is larger than any limit.'));
  });
}

/**
 * Resolves and judges the name anew for each connection and pins the connection to the outcome, so that a name which changes
 * its address between check and use gains nothing. Node does not call it for literal addresses: those cannot change, and the
 * sender has had them judged.
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
