import type { Client } from 'undici';

/** How far a connection has come: opened, and, where it is encrypted, with a certificate that is good. */
export type ConnectionStage = 'connected' | 'secured';
export type OnStage = (stage: ConnectionStage) => void;

const DROPPED = new Error('The connection was dropped.');

/**
 * Connections to receivers, each with a client of its own and used for one send at a time. Not undici's pools: each of those has a queue of 2,048
 * places, which is more than everything else that a send to a receiver of its own takes, and outlives young garbage while the receiver hangs.
 */
export class Connections {
  /** Origin -> those that its receiver keeps open for further sends. */
  private readonly idle = new Map<string, Client[]>();
  /** Each with what ends its connection while that is being opened, of which the client does not know yet. */
  private readonly clients = new Map<Client, AbortController>();

  /** @param open a client that has not connected yet; the signal ends its connections, opened or not */
  constructor(private readonly open: (origin: string, signal: AbortSignal, onStage?: OnStage) => Client) {}

  /**
   * One that is nobody else's until it is kept or dropped; it connects when it is used.
   *
   * @param onStage told how far it comes: then it is a new one
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

  /** For the next send, unless it is closed by now. */
  keep(origin: string, client: Client): void {
    if (client.destroyed || !client.stats.connected) return this.drop(client);
    const waiting = this.idle.get(origin);
    if (waiting) waiting.push(client);
    else this.idle.set(origin, [client]);
  }

  /** Closes it, at whatever point it is; what waits for it fails. */
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
    const index = waiting.indexOf(client);
    if (index < 0) return false;
    waiting.splice(index, 1);
    if (waiting.length === 0) this.idle.delete(origin);
    return true;
  }
}
