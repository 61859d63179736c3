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

  it('has only figures from these responses in its sentences', async () => {
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

  it('states that there is no uplift for an account without positions', async () => {
    const fresh = await createPartner(market.app.admin);
    const { rationale, uplift } = await read('/analytics/advisor', fresh.api);
    expect(uplift.positions).toBe(0);
    expect(rationale.at(-1)).toBe('There are no positions yet, so there is no uplift.');
  });

  it('recommends no vault that takes no deposits', async () => {
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
