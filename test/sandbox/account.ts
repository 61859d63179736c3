import { Clock } from '../../src/domain/kernel/clock.js';
import type { Api, Answer } from '../support/api.js';
import { type shortMarkets, startApp, type TestApp } from '../support/app.js';
import { createPartner } from '../support/partner.js';
import { forbidding } from '../support/simulated-move.js';

/** A sandbox whose wall clock stands still: a market follows from its seed and the hour, and is the same in every run. */
export async function startSandboxAt(wall: string, adjust?: typeof shortMarkets): Promise<TestApp> {
  const app = await startApp('sandbox', {}, undefined, adjust);
  app.application.get(Clock).now = () => new Date(wall);
  return app;
}

/** An account of the sandbox as a tester uses it: over HTTP, with its own key. */
export class Account {
  private constructor(
    readonly id: string,
    readonly api: Api,
    readonly userId: string,
  ) {}

  /** @param seed of its market; default: its own */
  static async open(app: TestApp, seed?: string): Promise<Account> {
    const { id, api } = await createPartner(app.admin);
    // The first request of an account creates a month of its market; resetting it to a seed afterwards would create a second one.
    if (seed !== undefined)
      await app.sql('INSERT INTO markets (id, owner_id, seed) VALUES ($1, $1, $2)', [id, seed]);
    const { body } = await api.post('/users', { external_id: `first of ${id}` });
    return new Account(id, api, body.data.id);
  }

  /** `data` of a GET. @throws Error for an answer other than 200 */
  async read(path: string): Promise<any> {
    return dataOf(await this.api.get(path));
  }

  /** Every element of a list, over all its pages. */
  async list(path: string, limit = 500): Promise<any[]> {
    const all: any[] = [];
    for (let cursor = ''; ;) {
      const mark = path.includes('?') ? '&' : '?';
      const { body } = await this.api.get(`${path}${mark}limit=${limit}${cursor}`);
      all.push(...body.data);
      if (!body.meta.has_more) return all;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
  }

  async deposit(amount: number, asset = 'USDC', userId = this.userId): Promise<any> {
    return dataOf(await this.api.post('/positions', { user_id: userId, asset, amount }));
  }

  async withdraw(positionId: string, amount?: number): Promise<any> {
    return dataOf(
      await this.api.post(
        `/positions/${positionId}/withdrawals`,
        amount === undefined ? undefined : { amount },
      ),
    );
  }

  async advance(hours: number): Promise<any> {
    return dataOf(await this.api.post('/simulation/clock/advance', { hours }));
  }

  /** Makes the funds in a vault leave it in the next hour. */
  async forbid(app: TestApp, vaultId: string): Promise<void> {
    dataOf(await this.api.put('/partner/policy', forbidding(app, vaultId)));
  }

  async bend(scenario: string): Promise<any> {
    return dataOf(await this.api.post('/simulation/market', { scenario }));
  }

  async reset(seed?: string): Promise<any> {
    return dataOf(await this.api.post('/simulation/reset', seed === undefined ? undefined : { seed }));
  }
}

function dataOf({ status, text, body }: Answer): any {
  if (status !== 200 && status !== 201) throw new Error(`answered ${status}: ${text}`);
  return body.data;
}
