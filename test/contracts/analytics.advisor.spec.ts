import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Conformance } from '../support/conformance.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';

/** Only the sandbox has an advisor. */
describe('the advisor', () => {
  let market: TestMarket;
  let conformance: Conformance;

  beforeAll(async () => {
    market = await startMarket('sandbox');
    conformance = await Conformance.of('sandbox');
    const [first, second] = [await market.createUser(), await market.createUser()];
    await market.deposit(first, 25_000);
    await market.deposit(second, 1_234.567891, 'USDT');
    await market.advance(7);
    market.holdClock();
  });
  afterAll(() => market.close());

  const read = async (path: string, api = market.partner.api): Promise<any> => {
    const answer = await api.get(path);
    conformance.check('GET', path, answer);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body.data;
  };
  /** Every number in a text, as it is written. */
  const figuresIn = (text: string): string[] => text.match(/-?\d+(\.\d+)?/g) ?? [];
  /** Every number in an answer: as it is, and as it would be written in percent or percentage points. */
  const figuresOf = (node: unknown): string[] => {
    if (typeof node === 'number')
      return [String(node), plain(node), (node * 100).toFixed(2), (node * 100).toFixed(3)];
    return typeof node === 'object' && node !== null ? Object.values(node).flatMap(figuresOf) : [];
  };
  const plain = (units: number): string => units.toFixed(6).replace(/\.?0+$/, '');

  it('The advisor has only figures from these responses in its sentences', async () => {
    const { headline, rationale } = await read('/analytics/advisor');
    const shown = new Set(
      figuresOf([
        await read('/analytics/regime'),
        await read('/analytics/signals'),
        await read('/analytics/uplift'),
      ]),
    );
    // Regimes of two assets, three signals, the uplift so far and the projected one.
    expect(rationale).toHaveLength(2 + (await read('/analytics/advisor')).opportunities.length + 2);
    for (const sentence of [headline, ...rationale]) {
      expect(sentence).toMatch(/^\S.*\.$/);
      const figures = figuresIn(sentence);
      expect([sentence, figures.length > 0]).toEqual([sentence, true]);
      expect([sentence, figures.filter((figure) => !shown.has(figure))]).toEqual([sentence, []]);
    }
  });

  it('The advisor states that there is no uplift for an account without positions', async () => {
    const fresh = await createPartner(market.app.admin);
    const { rationale, uplift } = await read('/analytics/advisor', fresh.api);
    expect(uplift.positions).toBe(0);
    expect(rationale.at(-1)).toBe('There are no positions yet, so there is no uplift.');
  });

  it.each([
    [
      'is in quarantine',
      'vault_states',
      `quarantined_until = now() + interval '9 days', quarantine_reason = 'index'`,
    ],
    ['was not read for 4 hours', 'vault_states', `observed_hour = observed_hour - interval '4 hours'`],
    ['lost 40 % of its assets', 'signals', 'assets_change = -0.4'],
    ['lost 1 % of its value', 'signals', 'index_change = -0.01'],
    ['has neither deposits nor liquidity', 'vault_states', 'last_assets = NULL, last_liquidity = NULL'],
  ])('The advisor recommends no vault that %s, and neither does its signal', async (_, table, set) => {
    const { app } = market;
    const [{ vault_id: best, asset }] = await read('/analytics/signals');
    const of = `FROM ${table} WHERE market_id = 'base' AND vault_id = $1`;
    const [before] = await app.sql(`SELECT to_jsonb(${table}) AS row ${of}`, [best]);
    await app.sql(`UPDATE ${table} SET ${set} WHERE market_id = 'base' AND vault_id = $1`, [best]);
    try {
      const signals = await read(`/analytics/signals?asset=${asset}`);
      expect(signals.find(({ vault_id: id }: any) => id === best).recommendation).not.toBe('increase');
      expect(signals.filter(({ recommendation }: any) => recommendation === 'increase')).toHaveLength(1);
      const { opportunities } = await read('/analytics/advisor');
      expect(opportunities.map(({ vault_id: id }: any) => id)).not.toContain(best);
    } finally {
      await app.sql(`DELETE ${of}`, [best]);
      await app.sql(`INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, $1)).*`, [
        before.row,
      ]);
    }
  });

  it('The advisor recommends no vault that takes no deposits', async () => {
    const { settings } = market.app;
    const [best] = await read('/analytics/signals');
    const vault = settings.vaults.find(({ id }) => id === best.vault_id)!;
    vault.active = false;
    try {
      const { opportunities, headline, rationale } = await read('/analytics/advisor');
      const named = opportunities.map(({ vault_id }: any) => vault_id);
      expect(named).not.toContain(best.vault_id);
      expect(headline).not.toContain(best.name);
      // Places are numbered without a gap where the best vault is left out.
      const places = opportunities.map((_: any, index: number) => index + 1);
      expect(opportunities.map(({ rank }: any) => rank)).toEqual(places);
      const points = rationale.filter((sentence: string) => /^\d+\. /.test(sentence));
      expect(points.map((sentence: string) => Number.parseInt(sentence, 10))).toEqual(places);
    } finally {
      vault.active = true;
    }
  });
});
