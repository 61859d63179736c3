import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Settings } from '../../src/config/settings.js';
import { Chains } from '../../src/domain/markets/chain/chains.js';
import { Clock, addHours, hourOf } from '../../src/domain/kernel/clock.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { PriceHistory } from '../../src/domain/markets/hours/price-history.js';
import { DeploymentCounts } from '../../src/jobs/deployment-counts.js';
import { Worker } from '../../src/jobs/worker.js';
import type { Api } from '../support/api.js';
import { startFreshApp, type TestApp } from '../support/app.js';
import { Anvil, type DeployedContract } from '../support/chain/anvil.js';
import { ProviderProxy } from '../support/chain/provider-proxy.js';
import { answerOf, json, LlamaServer, row } from '../support/llama-server.js';
import { newTxHash } from '../support/market.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { until } from '../support/until.js';

/** The live contract over a chain: an ERC-4626 vault with shares of 18 decimals over a token of 6 decimals, read through two providers. */
describe('yields from the chain', () => {
  const VAULT = 'vlt_aave_v3_usdc';
  /** A trend needs seven whole days. */
  const HOURS = 9 * 24;
  /** The yield of an hour on a million, in micro-units: about 4.5 % a year. */
  const INTEREST = 5_000_000n;
  const yearly = Math.expm1(8760 * Math.log1p(5e-6));
  const start = hourOf(new Date());
  let anvil: Anvil;
  let token: DeployedContract;
  let shares: DeployedContract;
  let providers: ProviderProxy[];
  let llama: LlamaServer;
  let app: TestApp;
  let partner: TestPartner;
  let protocol: Api;
  let reader: Api;
  let pool: string;
  let now: Date | null = null;
  let hour = 0;

  beforeAll(async () => {
    anvil = await Anvil.start({ at: new Date(addHours(start, -HOURS).getTime() - 600_000) });
    token = await anvil.deploy('TestToken');
    shares = await anvil.deploy('TestVault', token.address, 12);
    const [holder] = anvil.accounts;
    await token.send('mint', holder, 10n ** 12n);
    await token.send('approve', shares.address, 10n ** 12n);
    // Together with the virtual unit of the vault a whole million, so that its share price is an integer.
    await shares.send('deposit', 10n ** 12n - 1n, holder);
    for (let ago = HOURS; ago > 0; ago--) {
      await anvil.setTime(addHours(start, -ago));
      await token.send('mint', shares.address, INTEREST);
    }
    await anvil.mine(3, new Date(start.getTime() - 300_000));
    providers = await Promise.all([anvil.url, anvil.url].map((url) => ProviderProxy.open(url)));
    llama = await LlamaServer.open();
    llama.pools = json(answerOf([]));
    app = await startFreshApp(
      'partner',
      {
        RPC_URL_ETHEREUM: providers.map(({ url }) => url).join(','),
        SETTLEMENT: 'instant',
        DEFILLAMA_BASE_URL: llama.url,
      },
      (_, settings) => (settings.vaults = followed(settings)),
    );
    now = new Date();
    app.application.get(Clock).now = () => now!;
    partner = await createPartner(app.admin);
    const [write, read] = await Promise.all(
      ['write', 'read'].map((scope) => app.admin.post('/keys', { label: scope, scopes: [scope] })),
    );
    protocol = app.admin.as(write!.body.data.secret);
    reader = app.admin.as(read!.body.data.secret);
  });

  afterAll(async () => {
    await app?.close();
    llama?.close();
    providers?.forEach((provider) => provider.close());
    await anvil?.stop();
  });

  /** One vault is read from the chain, all others from the yield API. */
  const followed = ({ vaults }: Settings): Settings['vaults'] =>
    vaults.map((vault) => {
      const secondSource = vault.feed.kind === 'chain' ? vault.feed.secondSource : vault.feed;
      if (secondSource?.kind !== 'defillama') return vault;
      if (vault.id !== VAULT) return { ...vault, feed: secondSource };
      pool = secondSource.pool;
      return {
        ...vault,
        feed: {
          kind: 'chain',
          standard: 'erc4626',
          address: shares.address,
          reserve: null,
          holder: null,
          secondSource,
        },
      };
    });

  /** Advances an hour, with final blocks of that hour. */
  const pass = async (): Promise<void> => {
    hour += 1;
    now = new Date(addHours(start, hour).getTime() + 60_000);
    await anvil.mine(3, new Date(now.getTime() - 30_000));
    await app.application.get(HourlyCycle).run();
  };
  /** Divergent vaults by the metrics, after a census. */
  const divergent = async (): Promise<string[]> => {
    await app.application.get(DeploymentCounts).countBacklogs();
    const text = await app.metrics();
    return [...text.matchAll(/^vaultline_vault_divergent\{vault="(\w+)"\} 1$/gm)].map(([, vault]) => vault!);
  };
  const price = async (): Promise<bigint> => BigInt(await shares.call('convertToAssets', 10n ** 30n));
  /** The index at the beginning of the present hour. */
  const index = async (): Promise<bigint> => {
    const [row] = await app.sql<{ index: string }>(
      `SELECT share_index AS index FROM snapshots WHERE vault_id = $1 ORDER BY hour DESC LIMIT 1`,
      [VAULT],
    );
    return BigInt(row!.index);
  };
  const listed = async (): Promise<any> => {
    const { body } = await reader.get('/vaults');
    return body.data.find(({ id }: any) => id === VAULT);
  };
  const deposit = async (): Promise<any> => {
    const { body: made } = await partner.api.post('/users', { external_id: `chain:${newTxHash()}` });
    const input = { user_id: made.data.id, asset: 'USDC', amount: 1000, tx_hash: newTxHash() };
    const { status, body, text } = await protocol.post('/positions', input);
    if (status !== 201) throw new Error(text);
    return body.data;
  };
  /** The vault's gates in the newest decision. */
  const gates = async (): Promise<any[]> => {
    const { body } = await partner.api.get('/analytics/decisions?limit=1');
    return body.data[0].alternatives.find(({ vault_id }: any) => vault_id === VAULT).gates;
  };

  it('Yields from the chain reads the past hour by hour at the start, and evaluates the vault by it at once', async () => {
    const past = () =>
      app.sql<{ hour: Date; apy: number | null }>(
        'SELECT hour, apy FROM snapshots WHERE vault_id = $1 AND hour < $2 ORDER BY hour',
        [VAULT, start],
      );
    await until(async () => (await past()).length >= HOURS, 50_000);
    const hours = await past();
    expect(hours[0]!.hour).toEqual(addHours(start, -HOURS));
    expect(hours[0]!.apy).toBeNull();
    expect(hours.at(-1)!.apy).toBeCloseTo(yearly, 3);
    const signals = await reader.get('/analytics/signals');
    const signal = signals.body.data.find(({ vault_id }: any) => vault_id === VAULT);
    expect(signal.expected_apy).toBeGreaterThan(0.04);
    const history = await reader.get('/yield/history/USDC');
    expect(history.body.data.points.filter(({ apy }: any) => apy !== null).length).toBeGreaterThan(24);
  });

  it('Yields from the chain continues with a partly read past, and leaves hours unknown that providers no longer have', async () => {
    const history = app.application.get(PriceHistory);
    const count = async (): Promise<number> => {
      const [row] = await app.sql<{ count: number }>(
        'SELECT count(*)::int FROM share_prices WHERE hour < $1',
        [start],
      );
      return row!.count;
    };
    const whole = await count();
    expect(await history.read()).toEqual({ prices: 0, unfinished: [] });
    const forget = (newer: number, older: number) =>
      app.sql('DELETE FROM share_prices WHERE hour BETWEEN $1 AND $2', [
        addHours(start, -older),
        addHours(start, -newer),
      ]);
    await forget(3, 10);
    expect(await history.read()).toEqual({ prices: 8, unfinished: [] });
    expect(await count()).toBe(whole);
    await forget(3, 10);
    for (const provider of providers) provider.mood = 'forgets';
    expect(await history.read()).toEqual({ prices: 0, unfinished: [] });
    for (const provider of providers) provider.mood = 'honest';
    await history.read();
    expect(await count()).toBe(whole);
  });

  it('Yields from the chain shows the source of a yield, of a day and of a week', async () => {
    await pass();
    const shownVault = await listed();
    expect(shownVault).toMatchObject({ source: 'chain', stale: false });
    // The vault earned nothing in the last two hours.
    expect(shownVault.apy).toBeLessThan(yearly);
    expect(shownVault.apy).toBeGreaterThan(yearly * 0.9);
    expect(shownVault.apy_7d).toBeCloseTo(yearly, 2);
    expect(shownVault.tvl).toBeCloseTo(1_000_000 + 5 * HOURS, 0);
    const other = (await reader.get('/vaults')).body.data.find(({ id }: any) => id !== VAULT);
    expect(other.source).toBe('defillama');
    expect(other).not.toHaveProperty('apy_7d');
  });

  it('Yields from the chain adds 1 % of a share price to the index as 1 %, to the unit, and accepts no deposits before', async () => {
    // From here on the test alone advances the hours: a tick of the queue would read the chain in between.
    await app.application.get(Worker).stop();
    await pass();
    await pass();
    const [before, from] = [await index(), await price()];
    expect((await deposit()).vault_id).toBe(VAULT);
    expect((await gates()).map(({ gate }) => gate)).toEqual(expect.arrayContaining(['step']));
    await token.send('mint', shares.address, (10n ** 12n + INTEREST * BigInt(HOURS)) / 100n);
    expect(await price()).toBe((from * 101n) / 100n);
    await pass();
    // An observation that earns from the next hour on.
    expect(await index()).toBe(before);
    expect((await deposit()).vault_id).toBe('vlt_idle_usdc');
    expect((await gates()).find(({ gate }) => gate === 'step')).toMatchObject({ value: 0.01, passed: false });
    await pass();
    expect(await index()).toBe(before);
    await pass();
    expect(await index()).toBe((before * 101n) / 100n);
    // A step of the share price is not extrapolated as a yield.
    expect((await listed()).apy).toBeLessThan(0.05);
    expect((await deposit()).vault_id).toBe(VAULT);
  });

  it('Yields from the chain has no observation while two providers disagree, and names both', async () => {
    providers[1]!.mood = 'lie';
    const observedAt = (await listed()).observed_at;
    await pass();
    expect((await listed()).observed_at).toBe(observedAt);
    expect(app.application.get(Chains).counts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ chain: 'ethereum', reason: 'other_hash', count: 1 }),
      ]),
    );
    const metrics = await app.metrics();
    expect(metrics).toMatch(
      /^vaultline_chain_provider_faults_total\{chain="ethereum",provider="2 127\.0\.0\.1:\d+",reason="other_hash"\} 1$/m,
    );
    expect(app.logs()).toContain('another block at height');
    providers[1]!.mood = 'price';
    await pass();
    expect((await listed()).observed_at).toBe(observedAt);
    providers[1]!.mood = 'cut';
    await pass();
    expect((await listed()).observed_at).not.toBe(observedAt);
    providers[1]!.mood = 'honest';
  });

  it('Yields from the chain is read as usual through nodes that refuse batches and reads by block hash, each in its own way', async () => {
    const before = app.application.get(Chains).counts.length;
    const refused = (id: unknown) => ({ id, error: { code: -32000, message: 'not on this plan' } });
    providers[0]!.mood = { batch: () => ({ status: 400, body: '<h1>Bad Request</h1>' }) };
    providers[1]!.mood = {
      batch: () => 'reset',
      single: ({ id, params: [, at] }) =>
        typeof at === 'object' && at !== null ? { status: 400, body: refused(id) } : undefined,
    };
    await pass();
    expect(await listed()).toMatchObject({ observed_at: addHours(start, hour).toISOString(), stale: false });
    expect(app.application.get(Chains).counts).toHaveLength(before);
    for (const provider of providers) provider.mood = 'honest';
  });

  it('Yields from the chain accepts no deposits while the second source reports another yield', async () => {
    llama.pools = json(answerOf([row({ pool, apyBase: 20, apy: 20 })]));
    await pass();
    expect((await deposit()).vault_id).toBe('vlt_idle_usdc');
    const gate = (await gates()).find((item) => item.gate === 'divergence');
    expect(gate).toMatchObject({ threshold: 0.03, passed: false });
    expect(gate.value).toBeCloseTo(0.044 - 0.221, 1);
    // Any process says so, also one that did not run the tick, and that it is over.
    expect(await divergent()).toEqual([VAULT]);
    llama.pools = json(answerOf([row({ pool, apyBase: 4.4, apy: 4.4 })]));
    await pass();
    expect((await deposit()).vault_id).toBe(VAULT);
    expect(await divergent()).toEqual([]);
    llama.pools = json(answerOf([]));
  });

  it('Yields from the chain evicts from a vault whose share price fell by 2 %, at the index with the loss', async () => {
    const position = await deposit();
    expect(position.vault_id).toBe(VAULT);
    await pass();
    const before = await index();
    const [balance] = [BigInt(await token.call('balanceOf', shares.address)) + 1n];
    await token.send('burn', shares.address, balance / 50n);
    await pass();
    // The loss is known and not taken yet: a deposit now would bear a loss of others.
    expect((await deposit()).vault_id).toBe('vlt_idle_usdc');
    await pass();
    const after = await index();
    expect(Number((after * 1_000_000n) / before)).toBeCloseTo(980_000, -1);
    const { body } = await partner.api.get(`/partner/user/${position.user_id}/positions`);
    expect(body.data[0].vault_id).toBe('vlt_idle_usdc');
    expect(body.data[0].value).toBeCloseTo(980, 0);
    const { body: decisions } = await partner.api.get('/analytics/decisions?kind=rebalance&limit=1');
    expect(decisions.data[0]).toMatchObject({ reason: 'evicted', from_vault_id: VAULT });
  });
});
