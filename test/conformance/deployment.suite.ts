import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { startApp, startFreshApp, type TestApp } from '../support/app.js';
import type { Contract } from './operations.js';
import type { Rule } from './rule.js';
import { rulesFor } from './rules.js';
import { Session, told } from './session.js';

/** With yields in both contracts, so that deposits are decided on. */
export const startRuled = (contract: Contract, env: Record<string, string> = {}): Promise<TestApp> =>
  contract === 'partner'
    ? startFreshApp(contract, { YIELDS: 'simulated', ...env }, useShownSoon)
    : startApp(contract, env, undefined, useShownSoon);

/** So that a rule need not wait for the time in which the use of a key is shown. */
const useShownSoon = ({ access }: Constants): void => void (access.lastUsedFlushSeconds = 1);

/** What a run may leave: whoever made something, nobody can use it. */
export async function expectNothingLeft({ admin }: TestApp): Promise<void> {
  expect((await admin.get('/partners?status=active')).body.data).toEqual([]);
  const keys: any[] = (await admin.get('/keys?limit=500')).body.data;
  expect(keys.filter(({ revoked }) => !revoked)).toHaveLength(1);
}

/** Every rule of a contract, asked of a deployment of it. */
export const describeDeployment = (contract: Contract): void =>
  describe(`${contract} contract: a deployment`, () => {
    let app: TestApp;
    let session: Session;
    beforeAll(async () => {
      app = await startRuled(contract);
      session = await Session.open({ url: app.url, contract, adminKey: app.adminKey, seconds: 600 });
    });
    afterAll(async () => {
      await session.close();
      await app.close();
    });

    it.each(rulesFor(contract).map((rule): [string, string, Rule] => [rule.id, rule.says, rule]))(
      '%s: %s',
      async (_id, _says, rule) => {
        const result = await session.run(rule);
        if (result.outcome === 'fail') throw new Error(told(result));
      },
    );

    it('skips no rule but webhooks.loopback', () => {
      const skipped = session.results.filter(({ outcome }) => outcome === 'skipped');
      expect(skipped.map(({ id, why }) => [id, why])).toEqual([
        ['webhooks.loopback', 'the deployment allows receivers on loopback (WEBHOOK_ALLOWED_NETWORKS)'],
      ]);
    });

    it('is left with disabled partners, closed positions and revoked keys only', async () => {
      expect(await session.close()).toEqual([]);
      await expectNothingLeft(app);
      const open = `SELECT id FROM positions WHERE closed_at IS NULL`;
      expect(await app.database.query(contract === 'partner' ? 'live' : 'sandbox', open)).toEqual([]);
    });
  });
