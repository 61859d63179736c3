import { Socket } from 'node:net';

/** Addresses that the guard judges public. */
export const PUBLIC_HOSTS = ['93.184.216.34', '93.184.216.35'] as const;

type Connect = (...given: unknown[]) => Socket;

/**
 * Diverts this process's connections to the public hosts to the same port of loopback, below everything that judges addresses.
 * @returns ends it
 */
export function divertToLoopback(): () => void {
  const prototype = Socket.prototype as unknown as { connect: Connect };
  const { connect } = prototype;
  prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
    // `net.connect` passes its arguments as one list.
    const [options] = [given[0]].flat() as [{ host?: string }];
    if (PUBLIC_HOSTS.some((host) => host === options.host)) options.host = '127.0.0.1';
    return connect.apply(this, given);
  };
  return () => void (prototype.connect = connect);
}
