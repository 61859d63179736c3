import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';

/** Tenant of the current request, through everything that it starts. Its recent writes decide where its reports are read. */
@Injectable()
export class Tenancy {
  private readonly current = new AsyncLocalStorage<{ tenant: string | null }>();

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
}
