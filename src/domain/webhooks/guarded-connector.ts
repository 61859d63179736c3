import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

import type { UrlGuard } from './url-guard.js';

/** Of a name with many addresses; each may cost a connection attempt, and webhooks are not to be a port scanner. */
const MAX_PINNED_ADDRESSES = 4;
/** Before the next address is tried; Node's own quarter second fails receivers on other continents. */
const ADDRESS_ATTEMPT_MS = 1_000;

/**
 * Opens connections to one origin, only to addresses that the guard has just judged.
 *
 * @param timeoutMs bounds DNS, TCP and TLS together
 * @param wanted whether any send still waits. When a request is given up, undici opens a new connection for it before it
 * notices; a receiver that is too slow already should be spared that.
 */
export function guardedConnector(
  guard: UrlGuard,
  origin: string,
  timeoutMs: number,
  wanted: () => boolean,
): buildConnector.connector {
  const open = buildConnector({
    lookup: guardedLookup(guard, origin),
    timeout: timeoutMs,
    allowH2: false, // HTTP/2 repeats the requests of a connection that the peer winds down
    rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  });
  return (options, callback) => {
    if (wanted()) open(options, callback);
    else process.nextTick(callback, new Error('No send waits for this connection.'), null);
  };
}

/**
 * Resolves and judges the name anew for each connection and pins the connection to the outcome, so that a name which changes
 * its address between check and use gains nothing. Node does not call it for literal addresses: those cannot change, and the
 * sender has had them judged.
 */
function guardedLookup(guard: UrlGuard, origin: string): LookupFunction {
  return (_hostname, options, callback) => {
    guard.check(origin, 'send').then(
      ({ addresses }) => {
        const pinned = addresses.slice(0, MAX_PINNED_ADDRESSES);
        if (options.all) callback(null, pinned);
        else callback(null, pinned[0]?.address ?? '', pinned[0]?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
