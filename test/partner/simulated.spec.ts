import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepare } from '../../src/cli/prepared.js';
import { startApp, startFreshApp, type TestApp } from '../support/app.js';
import { vaultline } from '../support/command.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

/** `YIELDS=simulated`: the live contract on a machine without internet. */
describe('the live contract on simulated yields', () => {
  let app: TestApp;
  let partner: TestPartner;

  beforeAll(async () => {
    app = await startFreshApp('partner', { YIELDS: 'simulated' });
    partner = await createPartner(app.admin);
  }, 60_000);
  afterAll(() => app.close());

  it('The live contract on simulated yields marks its yields as simulated in each vault, the deployment and the OpenAPI document', async () => {
    const vaults = (await partner.api.get('/vaults')).body.data as {
      source: string;
      apy: number | null;
      stale: boolean;
    }[];
    expect(new Set(vaults.map(({ source, stale }) => `${source} ${stale}`))).toEqual(
      new Set(['simulated false']),
    );
    expect(vaults.every(({ apy }) => apy !== null && apy > 0)).toBe(true);
    expect(await (await fetch(`${app.url}/health/ready`)).json()).toEqual({
      status: 'ready',
      role: 'all',
      worker: 'running',
      yields: 'simulated',
    });
    const { info } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      info: { description: string };
    };
    expect(info.description).toContain('Nothing is real here');
  });

  it('The live contract on simulated yields has a month of yields from the first hour on, so that signals are known', async () => {
    const signals = (await partner.api.get('/analytics/signals')).body.data as {
      insufficient_history: boolean;
    }[];
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.filter((signal) => signal.insufficient_history)).toEqual([]);
  });

  it('The live contract on simulated yields refuses to start on live yields afterwards: figures of both would be mixed', async () => {
    await expect(startApp('partner', { YIELDS: 'live' }, app.database)).rejects.toThrow(
      /YIELDS is live, and this database holds simulated yields of 12 vaults/,
    );
    const live = { DATABASE_URL: app.database.url, SECRETS_KEY, DEFILLAMA_BASE_URL: 'http://127.0.0.1:9' };
    const { code, output } = await vaultline(['--contract', 'partner', 'tick'], live);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Set YIELDS=simulated, or use another database'),
    ]);
  });

  it('The live contract on simulated yields refuses the demo where yields are live, without a write', async () => {
    const written = () =>
      app.sql('SELECT (SELECT count(*) FROM api_keys) AS keys, (SELECT count(*) FROM users) AS users');
    await app.sql('UPDATE vault_states SET simulated = NULL');
    const before = await written();
    await expect(prepare(app.settings, {})).rejects.toThrow(
      /YIELDS is simulated, and this database holds live yields of 12 vaults/,
    );
    expect(await written()).toEqual(before);
  });
});
