import type { Client } from 'undici';

/** Progress of a connection: `connected` once opened, `secured` once TLS has accepted the certificate. */
export type ConnectionStage = 'connected' | 'secured';
export type OnStage = (stage: ConnectionStage) => void;

const DROPPED = new Error('The connection was dropped.');

/**
 * Connections to receivers, each with an undici client of its own and used for one send at a time. undici's pools are avoided: each allocates a queue
 * of 2,048 entries, which is more memory than the rest of a send, and keeps it while the receiver hangs.
 */
export class Connections {
  private readonly idle = new Map<string, Client[]>();
  /** Open clients, each with the signal that aborts a connection attempt, which the client itself cannot abort. */
  private readonly clients = new Map<Client, AbortController>();

  /** @param open creates an unconnected client; the signal closes its connections, opened or still opening */
  constructor(private readonly open: (origin: string, signal: AbortSignal, onStage?: OnStage) => Client) {}

  /**
   * Takes a connection for exclusive use until it is kept or dropped; a new one connects on first use.
   * @param onStage called with the progress of a new connection
   */
  take(origin: string, onStage?: OnStage): Client {
    const waiting = onStage ? undefined : this.idle.get(origin)?.at(-1);
    if (waiting) {
      this.forget(origin, waiting);
      return waiting;
    }
    const end = new AbortController();
    const client = this.open(origin, end.signal, onStage);
    this.clients.set(client, end);
    client.on('disconnect', () => {
      if (this.forget(origin, client)) this.drop(client);
    });
    return client;
  }

  /** Keeps the connection for the next send, unless it has closed meanwhile. */
  keep(origin: string, client: Client): void {
    if (client.destroyed || !client.stats.connected) return this.drop(client);
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
    const end = this.clients.get(client);
    this.clients.delete(client);
    const ended = client.destroy();
    end?.abort(DROPPED);
    await ended;
  }

  /** @returns whether it was idle */
  private forget(origin: string, client: Client): boolean {
    const waiting = this.idle.get(origin) ?? [];
    const index = waiting.lastIndexOf(client); // the one that is taken is the last
    if (index < 0) return false;
    waiting.splice(index, 1);
    if (waiting.length === 0) this.idle.delete(origin);
    return true;
  }
}
