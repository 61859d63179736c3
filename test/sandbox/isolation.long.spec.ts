import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { TestApp } from '../support/app.js';
import { Account, startSandboxAt } from './account.js';

const WALL = '2026-11-20T10:15:00Z';
/** More than the month of history of an account, so that the two accounts have no hour in common. */
const DAYS_AHEAD = 40;

/** Every read that shows a figure or a time of an account. */
const READS = [
  '/simulation/clock',
  '/vaults',
  '/positions',
  '/partner/summary',
  '/partner/users',
  '/partner/deposits',
  '/partner/withdrawals',
  '/partner/tvl',
  '/partner/yield',
  '/partner/yield/history/USDC',
  '/partner/points',
  '/partner/revenue',
  '/yield/history/USDC?interval=day',
  '/analytics/uplift',
  '/analytics/decisions',
  '/analytics/signals',
  '/analytics/regime',
  '/analytics/advisor',
  '/webhooks/events',
];

/** Two accounts more than a month apart: each has its own time, and neither changes the other. */
describe('two accounts 40 days apart', () => {
  let app: TestApp;
  let near: Account;
  let far: Account;

  beforeAll(async () => {
    app = await startSandboxAt(WALL);
    [near, far] = [await Account.open(app, 'near'), await Account.open(app, 'far')];
    for (let left = DAYS_AHEAD * 24; left > 0; left -= 480) await far.advance(Math.min(left, 480));
    await near.deposit(50_000);
    await far.deposit(70_000);
    await near.advance(30);
    await far.advance(30);
  }, 60_000);
  afterAll(() => app.close());

  const nowOf = { near: at(30), far: at(DAYS_AHEAD * 24 + 30) };
  const everything = async (account: Account): Promise<Record<string, unknown>> => {
    const paths = [...READS, `/users/${account.userId}/ledger`, `/partner/user/${account.userId}/positions`];
    return Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, (await account.api.get(path)).body])),
    );
  };

  it.each(['near', 'far'] as const)(
    'the %s one sees its own now in every report, list and signal',
    async (which) => {
      const account = which === 'near' ? near : far;
      const now = nowOf[which];
      const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
      expect(await account.read('/simulation/clock')).toMatchObject({
        now: iso(now),
        wall_time: iso(Date.parse(WALL)),
        hour: iso(hour),
      });
      const all: any = await everything(account);
      for (const path of READS.filter((one) => /partner\/(?!users|yield\/history)|uplift|advisor/.test(one)))
        expect([path, all[path].data.as_of]).toEqual([path, iso(now)]);
      expect(all['/analytics/regime'].data.as_of).toBe(iso(hour));
      for (const signal of all['/analytics/signals'].data) expect(signal.as_of).toBe(iso(hour));
      for (const vault of all['/vaults'].data)
        expect(vault).toMatchObject({ observed_at: iso(hour), stale: false });
      expect(all['/partner/yield/history/USDC'].data.points.at(-1).at).toBe(iso(hour));
      // Everything that happened lies between the deposit and now, in the account's own time.
      const opened = now - 30 * HOUR_MS;
      const times = [
        ...all['/positions'].data.map(({ opened_at }: any) => opened_at),
        ...all['/analytics/decisions'].data.map((decision: any) => decision.at),
        ...all[`/users/${account.userId}/ledger`].data.map((entry: any) => entry.at),
      ].map((time: string) => Date.parse(time));
      expect(times.length).toBeGreaterThan(2);
      for (const time of times) {
        expect(time).toBeGreaterThanOrEqual(opened);
        expect(time).toBeLessThanOrEqual(now);
      }
    },
  );

  it('have independent figures', async () => {
    for (const [actor, other] of [
      [near, far],
      [far, near],
    ] as const) {
      const before = await everything(other);
      const { id } = await actor.deposit(1_000_000);
      await actor.bend('volatile');
      await actor.advance(24);
      await actor.withdraw(id, 400_000);
      await actor.api.post('/simulation/events', { type: 'yield.threshold' });
      expect(await everything(other)).toEqual(before);
    }
    const before = await everything(far);
    await near.reset('elsewhere');
    expect(await everything(far)).toEqual(before);
  });

  it('leave the base market, which unbound keys read, at wall-clock time', async () => {
    const key = (await app.admin.post('/keys', { label: 'reader', scopes: ['read'] })).body.data.secret;
    const reader = app.admin.as(key);
    const { body } = await reader.get('/analytics/signals');
    const wall = Math.max(Date.parse(WALL), Date.now());
    for (const { as_of } of body.data) expect(Date.parse(as_of)).toBeLessThanOrEqual(wall);
    expect(body.data.length).toBeGreaterThan(0);
  });
});

function at(hoursAhead: number): number {
  return Date.parse(WALL) + hoursAhead * HOUR_MS;
}

const iso = (time: number): string => new Date(time).toISOString();
