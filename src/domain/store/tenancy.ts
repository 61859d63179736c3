import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../domain-error.js';
import { Places } from '../places.js';

/** Part of the pool's connections that one tenant may hold at once; two at least. */
const SHARE = 0.4;
/** Statements and transactions of one tenant that wait for one. */
const LINE = 100;

/**
 * Connections by tenant: a partner whose requests wait for each other, or take long, waits for itself, while the pool has connections for everybody else.
 * Whoever waits here holds none. What runs for nobody, such as the operator's own keys, is not counted.
 */
export class Tenancy {
  private readonly current = new AsyncLocalStorage<{ tenant: string | null }>();
  private readonly places: Places;

  /** @param waitMs how long a wait for a connection lasts before it is refused */
  constructor(poolSize: number, waitMs: number) {
    const share = Math.max(2, Math.floor(poolSize * SHARE));
    this.places = new Places({ share, length: LINE, waitMs, refusal: crowded });
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

  /** Whose request this is; null: nobody's that is known, or the operator's. */
  get tenant(): string | null {
    return this.current.getStore()?.tenant ?? null;
  }

  /**
   * Runs what takes one connection, when the tenant has one to spare.
   *
   * @throws DomainError `service_unavailable` where too many of its own wait, or have it wait for too long
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { tenant } = this;
    return tenant !== null ? this.places.run(work, tenant) : work();
  }
}

const crowded = (): DomainError =>
  new DomainError(
    'service_unavailable',
    'Too many of your requests are under way at once. Send fewer at a time, and try this one again in a moment.',
  );
