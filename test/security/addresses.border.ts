import { Socket } from 'node:net';
import { SERVER_URL } from '../support/database.js';

/** An attempted connection. */
export interface Crossing {
  /** `host:port` as it was requested */
  to: string;
  /** The addresses that the connection would have used: for a name, the answer of its lookup. */
  addresses: string[];
}

interface ConnectOptions {
  host?: string;
  port?: number | string;
  path?: string;
  lookup?: (
    host: string,
    options: { all: true },
    done: (error: Error | null, addresses: { address: string }[]) => void,
  ) => void;
}

type Connect = (this: Socket, ...values: any[]) => Socket;

/**
 * A border between this process and all networks: a connection to a port that is not it must be recorded, and refused as if nothing listened, before
 * a packet is sent. The database is allowed.
 */
export class Border {
  readonly crossings: Crossing[] = [];
  private readonly ports = new Set<string>();

  private constructor(private readonly connect: Connect) {}

  static close(): Border {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the socket it belongs to
    const connect = Socket.prototype.connect as Connect;
    const border = new Border(connect);
    border.letThrough(process.env[SERVER_URL]!);
    Socket.prototype.connect = function (this: Socket, ...values: unknown[]): Socket {
      const options = optionsOf(values);
      if (options.path !== undefined || border.ports.has(String(options.port))) {
        return connect.apply(this, values);
      }
      border.refuse(this, options);
      return this;
    };
    return border;
  }

  /** @param url of a server whose port is allowed, on every address */
  letThrough(url: string): void {
    this.ports.add(new URL(url).port);
  }

  open(): void {
    Socket.prototype.connect = this.connect;
  }

  private refuse(socket: Socket, { host = 'localhost', port, lookup }: ConnectOptions): void {
    const crossing: Crossing = { to: `${host}:${port}`, addresses: [] };
    const end = (error: Error): void => {
      process.nextTick(() => socket.destroy(error));
    };
    const refused = Object.assign(new Error('refused at the border'), { code: 'ECONNREFUSED' });
    const literal = host.includes(':') || /^[\d.]+$/.test(host);
    if (literal || !lookup) {
      this.crossings.push({ ...crossing, addresses: [host] });
      end(refused);
      return;
    }
    lookup(host, { all: true }, (error, addresses) => {
      if (error) return end(error);
      this.crossings.push({ ...crossing, addresses: addresses.map(({ address }) => address) });
      end(refused);
    });
  }
}

/** Node calls `connect` with options, with a port and a host, or with an array of options and callback. */
function optionsOf([first, second]: unknown[]): ConnectOptions {
  if (Array.isArray(first)) return first[0] as ConnectOptions;
  if (typeof first === 'object') return first as ConnectOptions;
  return { port: first as number, ...(typeof second === 'string' && { host: second }) };
}
