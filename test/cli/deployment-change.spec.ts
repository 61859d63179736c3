import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDomain } from '../../src/cli/context.js';
import { prepare } from '../../src/cli/prepared.js';
import { loadSettings, type Settings } from '../../src/config/settings.js';
import type { Vault } from '../../src/config/vault-catalogue.js';
import { IdentityCheck } from '../../src/domain/cycle/deployment/identity-check.js';
import { shortMarkets, startApp, startFreshApp, type TestApp } from '../support/app.js';
import { vaultline } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

const AAVE = 'vlt_aave_v3_usdc';
type Adjust = (settings: Settings) => void;

const ofVault =
  (change: Partial<Vault>): Adjust =>
  (settings) => {
    settings.vaults = settings.vaults.map((vault) => (vault.id === AAVE ? { ...vault, ...change } : vault));
  };

/** Processes of one schema share their identity: a restart with another one would book, charge or move otherwise than the processes beside it. */
describe('settings that all processes of a deployment have in common', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await startAndStop();
  });
  afterAll(() => database.drop());

  const start = (env: Record<string, string> = {}, adjust: Adjust = () => undefined): Promise<TestApp> =>
    startApp('partner', env, database, (_, settings) => adjust(settings));
  const startAndStop = async (env?: Record<string, string>, adjust?: Adjust): Promise<void> =>
    (await start(env, adjust)).close();
  const records = (): Promise<{ reason: string; identity: Record<string, unknown> }[]> =>
    database.query('live', 'SELECT reason, identity FROM deployment_changes ORDER BY number');
  const change = (env: Record<string, string>, ...options: string[]) =>
    vaultline(['--contract', 'partner', 'deployment', 'change', ...options], {
      DATABASE_URL: database.url,
      SECRETS_KEY,
      DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
      ...env,
    });

  it.each<[string, Record<string, string>, Adjust, string]>([
    [
      'how moves are settled',
      { SETTLEMENT: 'instant' },
      () => undefined,
      'SETTLEMENT is "instant", and "reported"',
    ],
    [
      'the source of a vault, where a chain has RPC URLs now',
      { RPC_URL_PLASMA: 'http://127.0.0.1:9' },
      () => undefined,
      'vaults.vlt_aave_v3_usdt0_plasma.feed is "aave-v3 0x925a2a7214ed92428b5b1b090f80b25700095e12 0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb", and "defillama e338c687-a5d8-4abf-bc04-127990811b0a"',
    ],
    [
      'the chain of a vault',
      {},
      ofVault({ chain: 'arbitrum' }),
      `vaults.${AAVE}.chain is "arbitrum", and "ethereum"`,
    ],
    [
      'the venue of a vault',
      {},
      ofVault({ venue: 'Elsewhere' }),
      `vaults.${AAVE}.venue is "Elsewhere", and "Aave v3`,
    ],
    ['the asset of a vault', {}, ofVault({ asset: 'USDT0' }), `vaults.${AAVE}.asset is "USDT0", and "USDC"`],
    [
      'a fee',
      {},
      ({ constants }) => void (constants.revenue.performanceFeeBps = 900),
      'revenue.performance_fee_bps is 900, and 1000',
    ],
    [
      'a token contract',
      {},
      ({ tokens }) => void (tokens[0]!.decimals = 18),
      'tokens.USDC.ethereum is "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 of 18 decimals", and "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 of 6 decimals"',
    ],
  ])(
    'Settings that all processes of a deployment have in common stop the start when they differ, with both values: %s',
    async (_, env, adjust, message) => {
      const settings = loadSettings({ CONTRACT: 'partner', DATABASE_URL: database.url, SECRETS_KEY, ...env });
      adjust(settings);
      const before = await records();
      // The check that a start runs first.
      const stopped = withDomain(settings, (context) => context.get(IdentityCheck).run());
      await expect(stopped).rejects.toThrow(message);
      await expect(stopped).rejects.toThrow('`vaultline deployment change`');
      expect(await records()).toEqual(before);
    },
  );

  it('Settings that all processes of a deployment have in common permit a rolling deploy: limits, costs, names and further vaults may differ', async () => {
    const further = { id: 'vlt_further_usdc' };
    const adjust: Adjust = (settings) => {
      ofVault({ name: 'Renamed', riskTier: 'high', capacity: 5n, entryCost: 7n, exitDelayHours: 1 })(
        settings,
      );
      settings.vaults.push({ ...settings.vaults[1]!, ...further });
      settings.constants.routing.minDelta = 0.5;
    };
    await startAndStop({}, adjust);
    await startAndStop();
    // The id stays that vault's, also while it is not listed.
    const stopped = start({}, (settings) =>
      settings.vaults.push({ ...settings.vaults[1]!, ...further, chain: 'base' }),
    );
    await expect(stopped).rejects.toThrow('vaults.vlt_further_usdc.chain is "base"');
    expect((await records()).map(({ reason }) => reason)).toEqual(['start', 'start']);
  });

  it('Settings that all processes of a deployment have in common are replaced by an operator’s command, with a record; the former ones are refused from then on', async () => {
    expect(await change({ SETTLEMENT: 'instant' }, '--reason', 'No executor yet')).toMatchObject({
      code: 0,
      stdout: 'SETTLEMENT: reported is instant now.\n',
    });
    expect((await records()).at(-1)).toMatchObject({
      reason: 'No executor yet',
      identity: { SETTLEMENT: 'instant', [`vaults.${AAVE}.chain`]: 'ethereum' },
    });
    expect((await records()).at(-2)!.identity).toMatchObject({ SETTLEMENT: 'reported' });
    await startAndStop({ SETTLEMENT: 'instant' });
    await expect(start()).rejects.toThrow('SETTLEMENT is "reported", and "instant"');
    expect(await change({ SETTLEMENT: 'instant' })).toMatchObject({
      code: 0,
      stdout: 'The settings do not differ from the recorded ones.\n',
    });
  });

  it('Settings that all processes of a deployment have in common are not replaced while processes run with the former ones: the error names them', async () => {
    const app = await start({ SETTLEMENT: 'instant' });
    try {
      const { stdout } = await change({ SETTLEMENT: 'reported' });
      expect(stdout).toMatch(/^SETTLEMENT: instant is reported now\.\n1 processes .*: restart them\.\n$/);
    } finally {
      await app.close();
    }
  });

  it('Settings that all processes of a deployment have in common have records that the database refuses to change', async () => {
    for (const sql of ["UPDATE deployment_changes SET reason = 'x'", 'DELETE FROM deployment_changes'])
      await expect(database.query('live', sql)).rejects.toThrow();
  });

  it('Settings that all processes of a deployment have in common are those of one process when several start first at once with different ones', async () => {
    const fresh = await createTestDatabase();
    try {
      const starts = await Promise.allSettled(
        ['instant', 'reported'].map((SETTLEMENT) => startApp('partner', { SETTLEMENT }, fresh)),
      );
      expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const start of starts) {
        if (start.status === 'fulfilled') await start.value.close();
        else expect(String(start.reason)).toMatch(/SETTLEMENT is "\w+", and "\w+"/);
      }
    } finally {
      await fresh.drop();
    }
  });
});

describe('YIELDS of another kind than the schema’s', () => {
  let app: TestApp;
  const env = { YIELDS: 'simulated' };
  const other = () => ({
    DATABASE_URL: app.database.url,
    SECRETS_KEY,
    DEFILLAMA_BASE_URL: 'http://127.0.0.1:9',
  });
  const written = () => app.sql('SELECT count(*) AS keys FROM api_keys');

  it('YIELDS of another kind than the schema’s stops npm start before any write, also before the first observation', async () => {
    app = await startFreshApp('partner', { DEFILLAMA_BASE_URL: 'http://127.0.0.1:9' });
    const before = await written();
    app.settings.simulatedYields = true;
    await expect(prepare(app.settings, {})).rejects.toThrow(
      /YIELDS is "simulated", and "live" .*another DATA_DIR/s,
    );
    expect(await written()).toEqual(before);
    await app.close();
  });

  it('YIELDS of another kind than the schema’s cannot be replaced once there are yields, because figures of both must not mix', async () => {
    app = await startApp('partner', env, undefined, shortMarkets);
    const { code, stderr } = await vaultline(['--contract', 'partner', 'deployment', 'change'], other());
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('YIELDS is live, and this database holds simulated'),
    ]);
    await app.close();
  });
});
