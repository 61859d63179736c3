import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/domain/kernel/clock.js';
import type { TestApp } from '../support/app.js';
import { Account, startSandboxAt } from './account.js';

const WALL = '2026-11-20T09:30:00Z';
const READS = [
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
  '/yield/history/USDT',
  '/analytics/uplift',
  '/analytics/decisions',
  '/moves',
  '/analytics/signals',
  '/analytics/regime',
  '/analytics/advisor',
  '/simulation/clock',
];

/** Determinism, on which regression tests of clients rest: the same calls give the same answers, on any machine, on any day at the same wall time. */
describe('the simulation is deterministic', () => {
  /** Two deployments, in which other accounts are active as well. */
  let app: TestApp;
  let elsewhere: TestApp;

  beforeAll(async () => {
    [app, elsewhere] = [await startSandboxAt(WALL), await startSandboxAt(WALL)];
  });
  afterAll(() => Promise.all([app.close(), elsewhere.close()]));

  const script = async (where: TestApp, seed: string): Promise<string[]> => {
    const account = await Account.open(where, seed);
    const answers: unknown[] = [];
    const other = (await account.api.post('/users', { external_id: 'second' })).body.data.id;
    const positions = [
      await account.deposit(50_000),
      await account.deposit(70_000, 'USDT'),
      await account.deposit(123.456789, 'USDC', other),
    ];
    answers.push(positions, await account.advance(30), await account.bend('volatile'));
    answers.push(await account.advance(80), await account.withdraw(positions[1].id, 5_000));
    answers.push(await account.withdraw(positions[2].id), await account.bend('outage'));
    answers.push(await account.advance(31), await account.bend('rising'), await account.advance(40));
    for (const path of READS) answers.push((await account.api.get(path)).body);
    for (const id of [account.userId, other]) answers.push(await account.list(`/users/${id}/ledger`));
    return answers.map((answer) => nameless(JSON.stringify(answer, null, 1)));
  };

  it('The same calls with the same seed at the same wall-clock time have the same responses, ids excepted', async () => {
    const [first, second] = [await script(app, 'release-2'), await script(elsewhere, 'release-2')];
    expect(second).toEqual(first);
    expect(first.join()).toMatch(/"rebalances": [1-9]/);
  }, 60_000);

  it('The same seed has the same hours at any wall-clock time, whatever scenarios run in other accounts', async () => {
    const hours = async (where: TestApp, wall: string): Promise<unknown[]> => {
      where.application.get(Clock).now = () => new Date(wall);
      const account = await Account.open(where, 'release-51');
      await account.advance(40);
      await account.bend('volatile');
      await account.advance(30);
      const vaults = await account.list('/vaults');
      const history = await account.read('/yield/history/USDC');
      return [
        ...vaults.map(({ id, apy, tvl }) => [id, apy, tvl]),
        ...history.points.map(({ apy, tvl, vaults: of }: any) => [apy, tvl, of]),
      ];
    };
    const [winter, spring] = [await hours(app, WALL), await hours(elsewhere, '2027-04-02T17:05:00Z')];
    expect(spring).toEqual(winter);
    expect(winter.length).toBeGreaterThan(700);
  });
});

/** Replaces ids by the order of their first appearance. */
function nameless(text: string): string {
  const names = new Map<string, string>();
  return text.replace(/\b(ptn|usr|pos|dec|mov|bat|evt|wh|del|cmp)_[0-9a-z]{26}\b/g, (id, prefix: string) => {
    if (!names.has(id)) names.set(id, `${prefix} ${names.size + 1}`);
    return names.get(id)!;
  });
}
