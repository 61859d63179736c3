import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { shortMarkets, startApp, startFreshApp, type TestApp } from '../support/app.js';
import { LONG } from '../support/long.js';
import { PublishedDocument } from '../support/published-document.js';
import { ALTERED } from './alterations.js';
import { contractOf, type Deployment } from './altered.js';
import { AlteringProxy } from './altering-proxy.js';
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

/** Rules whose data a deployment has only after hours or days, or through an executor. */
const LATER: Record<Contract, string[]> = {
  partner: [
    ...['ledger.rebalances', 'statements.days', 'statements.months', 'statements.trial-balance'],
    ...['statements.years', 'statements.packages'],
    ...[
      'statements.history',
      'statements.uplift',
      'events.thresholds',
      'filters.settlements',
      'filters.moves',
    ],
    ...[
      'filters.partner-statements-period-users',
      'filters.partner-invoices',
      'filters.partners-id-invoices',
    ],
    'decisions.moves',
  ],
  sandbox: ['filters.moves'],
};

const EXECUTED = rulesFor('partner')
  .map(({ id }) => id)
  .filter((id) => /^(payouts|moves)\./.test(id));
/** Rules that need a chain, which conformance.held has. */
const HELD = rulesFor('partner')
  .map(({ id }) => id)
  .filter((id) => id.startsWith('reserves.'));
type Described = Exclude<Deployment, 'held'>;
const UNFED: Record<Described, string[]> = {
  partner: [...EXECUTED, ...HELD, ...LATER.partner],
  sandbox: LATER.sandbox,
  reported: ['moves.read', ...HELD, ...LATER.partner],
};

/** Rules that are asked of a deployment. In the short form, one with executors is asked those that they make a difference to. */
const rulesOf = (deployment: Described): Rule[] =>
  rulesFor(contractOf(deployment)).filter(
    ({ id }) => LONG || deployment !== 'reported' || /^(withdrawals|payouts|moves)\./.test(id),
  );

/** The rule that asks for an account's month of market history. */
const MONTH_RULE = 'analytics.month';

const NAMES: Record<Described, string> = {
  partner: 'partner contract',
  sandbox: 'sandbox contract',
  reported: 'partner contract with executors',
};

/** What a run may leave: whoever made something, nobody can use it. */
export async function expectNothingLeft({ admin }: TestApp): Promise<void> {
  expect((await admin.get('/partners?status=active')).body.data).toEqual([]);
  const keys: any[] = (await admin.get('/keys?limit=500')).body.data;
  expect(keys.filter(({ revoked }) => !revoked)).toHaveLength(1);
}

/** The rules of a contract, asked of a deployment of it. */
export const describeDeployment = (deployment: Described): void =>
  describe(`${NAMES[deployment]}: a deployment`, () => {
    const contract = contractOf(deployment);
    let app: TestApp;
    let session: Session;
    let proxy: AlteringProxy;
    /** Hours of market history with which an account begins outside tests. */
    let historyHours: number;
    beforeAll(async () => {
      app = await startRuled(contract, deployment === 'reported' ? { SETTLEMENT: 'reported' } : {});
      proxy = await AlteringProxy.start(app.url, new PublishedDocument(contract).content);
      session = await Session.open({
        url: proxy.url,
        contract,
        adminKey: app.adminKey,
        seconds: 600,
        requests: 20_000,
      });
      historyHours = app.settings.constants.simulation.historyHours;
      shortMarkets(app.settings.constants, app.settings);
    });
    const open = (): Promise<Session> =>
      Session.open({
        url: proxy.url,
        contract,
        adminKey: app.adminKey,
        seconds: 600,
        requests: 20_000,
      });
    afterAll(async () => {
      await session.close();
      await proxy.close();
      await app.close();
    });

    it.each(rulesOf(deployment).map((rule): [string, string, Rule] => [rule.id, rule.says, rule]))(
      '%s: %s',
      async (_id, _says, rule) => {
        const { simulation } = app.settings.constants;
        if (rule.id === MONTH_RULE) simulation.historyHours = historyHours;
        const result = await session.run(rule);
        shortMarkets(app.settings.constants, app.settings);
        if (result.outcome === 'fail') throw new Error(told(result));
      },
    );

    const unfed = ['webhooks.loopback', ...UNFED[deployment]].filter((id) =>
      rulesOf(deployment).some((row) => row.id === id),
    );
    it('A deployment skips only what it cannot feed', () => {
      const skipped = session.results.filter(({ outcome }) => outcome === 'skipped');
      expect(skipped.map(({ id }) => id)).toEqual(unfed);
    });

    // The rules of both contracts are the same: in the short form each alteration is tried in one of them.
    it.each(ALTERED.filter(([, , , only]) => (only ?? (LONG ? contract : 'sandbox')) === deployment))(
      '%s notices that %s',
      async (id, _wrong, alteration) => {
        const rule = rulesFor(contract).find((row) => row.id === id)!;
        proxy.alteration = alteration;
        // What is asked of every answer so far is asked of a run of its own.
        const asking = id.startsWith('answers.') ? await open() : session;
        const { outcome, why } = await asking.run(rule);
        proxy.alteration = null;
        if (asking !== session) await asking.close();
        expect([outcome, why]).toEqual([
          'fail',
          expect.not.stringMatching(/got no answer|were made|is over/),
        ]);
      },
    );

    it('A deployment is left with disabled partners, closed positions and revoked keys only', async () => {
      expect(await session.close()).toEqual([]);
      await expectNothingLeft(app);
      const open = `SELECT id FROM positions WHERE closed_at IS NULL`;
      expect(await app.database.query(contract === 'partner' ? 'live' : 'sandbox', open)).toEqual([]);
    });
  });
