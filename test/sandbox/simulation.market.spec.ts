import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { shortMarkets, type TestApp } from '../support/app.js';
import { Account, startSandboxAt } from './account.js';

const LENDING = 'vlt_harbor_lend_usdc';
/** With this seed, the lending vault is the best one for USDC at that hour. */
const HOLDS_LENDING = 'lending 2';
const RISKIEST = 'vlt_summit_usdc';
/** With this seed, the vault of the highest risk is the best one. */
const HOLDS_RISKIEST = 'ninth';

const MONTH_HOURS = 30 * 24;

/** What scenarios do to holdings; their regimes are asked of the simulated market itself. */
describe('scenarios', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startSandboxAt('2026-11-20T12:00:00Z', shortMarkets);
  });
  afterAll(() => app.close());

  /** An account whose whole book may be in one vault of the highest risk. */
  const daring = async (seed: string): Promise<Account> => {
    const account = await Account.open(app, seed);
    const none = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };
    const limits = { max_vault_exposure: { high: 1 }, max_tier_exposure: { high: 1 } };
    const { status } = await app.admin.put(`/partners/${account.id}/policy`, { ...none, ...limits });
    expect(status).toBe(200);
    return account;
  };
  const regimes = async (account: Account): Promise<(string | null)[]> => {
    const { regime, assets } = await account.read('/analytics/regime');
    return [regime, ...assets.map((asset: { regime: string | null }) => asset.regime)];
  };

  describe('outage', () => {
    let account: Account;
    let last: string;
    beforeAll(async () => {
      account = await Account.open(app, 'first');
      last = (await vault()).observed_at;
      await account.bend('outage');
    });
    const vault = async (): Promise<any> => (await account.list('/vaults')).find(({ id }) => id === LENDING);
    const signal = async (): Promise<any> =>
      (await account.list('/analytics/signals')).find(({ vault_id }) => vault_id === LENDING);
    const headline = async (): Promise<string> => (await account.read('/analytics/advisor')).headline;

    it('The advisor reports it after four hours, names the silent vaults, and recommends no reduction', async () => {
      const lending = app.settings.vaults.filter((vault) => vault.lendingBaseline).map(({ name }) => name);
      expect(lending).toHaveLength(2);
      await account.advance(3);
      expect(await headline()).not.toContain('Outage');
      await account.advance(1);
      const told = await account.read('/analytics/advisor');
      const start = /^Outage: the feeds of (.+) and (.+) are silent\. Yields are (\w+)\. /.exec(
        told.headline,
      );
      expect(start?.slice(1, 3).sort()).toEqual(lending.sort());
      expect(start?.[3]).toBe(told.regime.regime);
      expect(told.opportunities.length).toBeGreaterThan(0);
      for (const [index, { rank, recommendation }] of told.opportunities.entries())
        expect([rank, recommendation === 'reduce']).toEqual([index + 1, false]);
      // The market continues with the other vaults.
      const { reason, apy, assets } = await account.read('/analytics/regime');
      for (const item of [{ reason, apy }, ...assets])
        expect(item).toMatchObject({ reason: null, apy: expect.any(Number) });
      expect(await regimes(account)).not.toContain(null);
    });

    it('The lending vaults are silent for 30 hours, stale after 24, and then observed again', async () => {
      await account.advance(2);
      // The last observation is still shown, with its time.
      expect(await vault()).toMatchObject({ stale: false, observed_at: last });
      await account.advance(19);
      expect(await vault()).toMatchObject({ stale: true, observed_at: last });
      expect(await signal()).toMatchObject({ observations: 168 - 25 });
      const { id } = await account.deposit(1_000);
      const [decision] = await account.list(`/analytics/decisions?position_id=${id}`);
      const { chosen, gates } = decision.alternatives.find(({ vault_id }: any) => vault_id === LENDING);
      expect(chosen).toBe(false);
      expect(gates.filter(({ passed }: any) => !passed).map(({ gate }: any) => gate)).toEqual([
        'fresh',
        'reading',
      ]);
      await account.advance(5);
      expect(await vault()).toMatchObject({ stale: true, observed_at: last });
      await account.advance(1);
      const back = await vault();
      expect(back).toMatchObject({ stale: false, apy: expect.any(Number) });
      expect(Date.parse(back.observed_at) - Date.parse(last)).toBe(31 * HOUR_MS);
      expect(await headline()).not.toContain('Outage');
    });
  });

  it('The scenario outage of a lending vault with funds evicts them after a day, and the yield history goes on', async () => {
    const account = await Account.open(app, HOLDS_LENDING);
    const { id, vault_id } = await account.deposit(1_000);
    expect(vault_id).toBe(LENDING);
    await account.bend('outage');
    await account.advance(24);
    expect(await account.read(`/positions/${id}`)).toMatchObject({ vault_id: LENDING });
    await account.advance(2);
    const position = await account.read(`/positions/${id}`);
    expect(position.vault_id).not.toBe(LENDING);
    expect(position.apy).toEqual(expect.any(Number));
    const [eviction] = await account.list(`/analytics/decisions?position_id=${id}&kind=rebalance`);
    expect(eviction).toMatchObject({
      reason: 'evicted',
      from_vault_id: LENDING,
      to_vault_id: position.vault_id,
    });
    expect(eviction.rationale).toContain('Fresh (25 hours, must be at most 24 hours)');
    const entries = await account.list(`/users/${account.userId}/ledger`);
    expect(entries.map(({ type }) => type)).toContain('yield_accrual');
    for (const entry of entries) expect(entry.apy).toEqual(expect.any(Number));
    const { points } = await account.read('/yield/history/USDC');
    const { vaults } = points.at(-30);
    expect(points.at(-1)).toMatchObject({ apy: expect.any(Number), vaults: vaults - 1 });
  });

  it('The scenario loss takes 5 % of the riskiest vault and its holdings in an hour; the holdings are evicted, and the ledger shows both', async () => {
    const account = await daring(HOLDS_RISKIEST);
    const { id, vault_id, value } = await account.deposit(1_000);
    expect(vault_id).toBe(RISKIEST);
    const { id: safe, vault_id: other } = await account.deposit(1_000, 'USDT');
    await account.bend('loss');
    await account.advance(1);
    const after = await account.read(`/positions/${id}`);
    // The funds that leave pay the cost.
    expect((after.value + after.costs) / value).toBeCloseTo(0.95, 4);
    expect(after.yield).toBeCloseTo(after.value - 1_000, 6);
    const { value: untouched } = await account.read(`/positions/${safe}`);
    expect(untouched > 999).toBe(other !== 'vlt_summit_usdt');
    await account.advance(24);
    const entries = await account.list(`/users/${account.userId}/ledger`);
    const { amount, note } = entries.find(
      (entry) => entry.position_id === id && entry.type === 'yield_accrual' && entry.amount < 0,
    );
    expect(amount).toBeLessThan(-49);
    expect(note).toMatch(/^Loss of 49\.\d+ USDC accrued\.$/);
    const [eviction] = await account.list(`/analytics/decisions?position_id=${id}&kind=rebalance`);
    expect(eviction).toMatchObject({ reason: 'evicted', from_vault_id: RISKIEST });
    expect(eviction.rationale).toMatch(/Index \(-5(\.0\d)? %, must be above -0\.5 %\)/);
    // The loss is taken once: afterwards the position earns again, in another vault.
    const later = await account.read(`/positions/${id}`);
    expect(later.value).toBeGreaterThan(after.value);
    const { principal } = await account.withdraw(id);
    expect(principal).toBeCloseTo(1_000 - later.value, 6);
  });

  it('The scenario failing takes most of the vault’s value when no funds are left in it, and the vault is in quarantine until a tester ends that', async () => {
    const account = await daring(HOLDS_RISKIEST);
    const { id, vault_id } = await account.deposit(1_000);
    expect(vault_id).toBe(RISKIEST);
    const riskiest = async () => (await account.list('/vaults')).find((row) => row.id === RISKIEST);
    await account.bend('failing');
    await account.advance(168);
    const { value } = await account.read(`/positions/${id}`);
    await account.advance(1);
    const { points } = await account.read(`/vaults/${RISKIEST}/history`);
    const [last, lost] = points.slice(-2);
    expect(lost.index / last.index).toBeCloseTo(0.6, 3);
    expect(await riskiest()).toMatchObject({ quarantine_reason: 'index' });
    const ended = await account.api.send('DELETE', `/simulation/vaults/${RISKIEST}/quarantine`);
    expect([ended.status, ended.body.data]).toMatchObject([200, { id: RISKIEST, quarantined_until: null }]);
    expect(await riskiest()).toMatchObject({ quarantined_until: null, quarantine_reason: null });
    const after = await account.read(`/positions/${id}`);
    expect(after.vault_id).not.toBe(RISKIEST);
    expect(after.value).toBeGreaterThan(value);
  });

  it('The scenario run evicts holdings within two hours of a loss of half of the TVL, with a decision that no alert counts', async () => {
    // The outflow is that of a market with a month of history.
    app.settings.constants.simulation.historyHours = MONTH_HOURS;
    const account = await daring(HOLDS_RISKIEST);
    shortMarkets(app.settings.constants, app.settings);
    const { id, vault_id } = await account.deposit(1_000);
    expect(vault_id).toBe(RISKIEST);
    const evicted = async (): Promise<number> => {
      const text = await app.metrics();
      // Testers bend their own markets, which alerts of the operator ignore.
      expect(text).toMatch(/^vaultline_evictions_total\{market="base"\} 0$/m);
      return Number(/^vaultline_evictions_total\{market="account"\} (\d+)$/m.exec(text)![1]);
    };
    const counted = await evicted();
    await account.bend('run');
    // 0.3 ** (7 / 12) is 0.495.
    await account.advance(8);
    const { vault_id: refuge } = await account.read(`/positions/${id}`);
    expect(refuge).not.toBe(RISKIEST);
    const [eviction] = await account.list(`/analytics/decisions?position_id=${id}&kind=rebalance`);
    expect(eviction).toMatchObject({ reason: 'evicted', from_vault_id: RISKIEST, to_vault_id: refuge });
    expect(eviction.rationale).toMatch(/Outflow \(-5\d(\.\d+)? %, must be above -50 %\)/);
    expect(await evicted()).toBe(counted + 1);
  });
});
