import { describe, expect, it } from '@jest/globals';
import { Tenancy } from './tenancy.js';

/** Connection that a tenant holds until the test releases it. */
function taker(tenancy: Tenancy, tenant: string | null) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = { has: false, giveBack: resolve, done: Promise.resolve() };
  taken.done = tenancy.begin(() => {
    if (tenant !== null) tenancy.name(tenant);
    return tenancy.run(async () => {
      taken.has = true;
      await promise;
    });
  });
  return taken;
}
const turn = () => new Promise(setImmediate);

describe('connections by tenant', () => {
  it.each([
    [2, 2],
    [10, 4],
    [100, 40],
  ])('of a pool of %d one tenant holds %d at once; the others wait in order', async (size, share) => {
    const tenancy = new Tenancy(size, 60_000);
    const takers = Array.from({ length: share + 2 }, () => taker(tenancy, 'ptn_1'));
    await turn();
    expect(takers.map(({ has }) => has)).toEqual([...Array(share).fill(true), false, false]);
    takers[0]!.giveBack();
    await turn();
    expect(takers.slice(share).map(({ has }) => has)).toEqual([true, false]);
    takers.forEach(({ giveBack }) => giveBack());
    await Promise.all(takers.map(({ done }) => done));
  });

  it('take none from another tenant, nor from whoever is none', async () => {
    const tenancy = new Tenancy(2, 60_000);
    const takers = ['a', 'a', 'a', 'b', 'b', null, null, null].map((tenant) => taker(tenancy, tenant));
    await turn();
    expect(takers.map(({ has }) => has)).toEqual([true, true, false, true, true, true, true, true]);
    takers.forEach(({ giveBack }) => giveBack());
    await Promise.all(takers.map(({ done }) => done));
  });

  it('are waited for by so many, for so long: then it is said so, and the place in the line is free', async () => {
    const tenancy = new Tenancy(2, 20);
    const first = [taker(tenancy, 'a'), taker(tenancy, 'a')];
    const late = Array.from({ length: 101 }, () => taker(tenancy, 'a').done);
    const outcomes = await Promise.allSettled(late);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    first.forEach(({ giveBack }) => giveBack());
    await Promise.all(first.map(({ done }) => done));
    const next = taker(tenancy, 'a');
    await turn();
    expect(next.has).toBe(true);
    next.giveBack();
    await next.done;
  });

  it('are given back by work that fails', async () => {
    const tenancy = new Tenancy(2, 20);
    const fail = () =>
      tenancy.begin(() => {
        tenancy.name('a');
        return tenancy.run(() => Promise.reject(new Error('no')));
      });
    for (let count = 0; count < 5; count++) await expect(fail()).rejects.toThrow('no');
  });
});
