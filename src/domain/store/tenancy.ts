import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../domain-error.js';

/** Part of the pool's connections that one tenant may hold at once; two at least. */
const SHARE = 0.4;
/** Statements and transactions of one tenant that wait for one. */
const LINE = 100;

interface Line {
  holding: number;
  waiting: (() => void)[];
}

/**
 * Connections by tenant: a partner whose requests wait for each other, or take long, waits for itself, while the pool has connections for everybody else.
 * Whoever waits here holds none. What runs for nobody, such as the operator's own keys, is not counted.
 */
export class Tenancy {
  private readonly current = new AsyncLocalStorage<{ tenant: string | null }>();
  private readonly lines = new Map<string, Line>();
  private readonly share: number;

  /** @param waitMs how long a wait for a connection lasts before it is refused */
  constructor(
    poolSize: number,
    private readonly waitMs: number,
  ) {
    this.share = Math.max(2, Math.floor(poolSize * SHARE));
  }

  /** A request of nobody known yet, and all that it brings about. */
  begin<T>(request: () => T): T {
    return this.current.run({ tenant: null }, request);
  }

  /** From here on what the request asks for is a tenant's. */
  name(tenant: string): void {
    const request = this.current.getStore();
    if (request) request.tenant = tenant;
  }

  /**
   * Runs what takes one connection, when the tenant has one to spare.
   *
   * @throws DomainError `service_unavailable` where too many of its own wait, or have it wait for too long
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const tenant = this.current.getStore()?.tenant;
    if (!tenant) return work();
    const line = this.lines.get(tenant) ?? { holding: 0, waiting: [] };
    this.lines.set(tenant, line);
    if (line.holding < this.share) line.holding++;
    else await this.turn(line);
    try {
      return await work();
    } finally {
      // Whoever is next takes the place as it is.
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.holding === 0) this.lines.delete(tenant);
    }
  }

  private turn({ waiting }: Line): Promise<void> {
    if (waiting.length >= LINE) throw crowded();
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(crowded());
      }, this.waitMs);
      waiting.push(enter);
    });
  }
}

const crowded = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many of your requests are under way at once. Send fewer at a time, and try this one again in a moment.',
  );
