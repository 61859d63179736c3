import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../domain-error.js';
import { Places } from '../places.js';

/** Share of the pool's connections that one tenant may hold at once; at least two connections. */
const SHARE = 0.4;
/** Limit on a tenant's waiting statements and transactions. */
const LINE = 100;

/**
 * Connections by tenant: a partner with slow or blocked requests waits for its own, while others still get connections. A waiting caller holds none.
 * Work without a tenant, such as that of operators' keys, is not limited.
 */
export class Tenancy {
  private readonly current = new AsyncLocalStorage<{ tenant: string | null }>();
  private readonly places: Places;

  /** @param waitMs how long a caller waits for a connection before it is refused */
  constructor(poolSize: number, waitMs: number) {
    const share = Math.max(2, Math.floor(poolSize * SHARE));
    this.places = new Places({ share, length: LINE, waitMs, refusal: crowded });
  }

  /** Runs a request whose tenant is not known yet, with everything that it starts. */
  begin<T>(request: () => T): T {
    return this.current.run({ tenant: null }, request);
  }

  /** Sets the tenant of the current request. */
  name(tenant: string): void {
    const request = this.current.getStore();
    if (request) request.tenant = tenant;
  }

  /** Tenant of the current request; null: not known yet, or the operator. */
  get tenant(): string | null {
    return this.current.getStore()?.tenant ?? null;
  }

  /**
   * Runs work that takes one connection, within the tenant's share.
   * @throws DomainError `service_unavailable` when too many of its own wait, or it waited too long
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
