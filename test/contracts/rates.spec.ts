import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import { Conformance } from '../support/conformance.js';
import { type Field, fieldsWithin } from '../support/answer-fields.js';
import { startMarket, type TestMarket } from '../support/market.js';
import { Receiver } from '../support/receiver.js';

/** A minimum history of two hours, and thresholds so close together that one is crossed every few hours. */
const SHORT = ({ signals, yieldThresholds: thresholds }: Constants): void => {
  signals.windowHours = 4;
  signals.minSnapshots = 2;
  signals.recentHalfLifeHours = signals.longHalfLifeHours = 1;
  thresholds.levels = Array.from({ length: 200 }, (_, step) => (step + 1) / 2_000);
  thresholds.rearm = 0;
};
/** Yields with more decimals than a feed sends; sums and quotients have more still. */
const YIELDS = {
  vlt_aave_v3_usdc: { apy: 0.05123456789012345 },
  vlt_compound_v3_usdc: { apy: 0.05312345678901234 },
  vlt_aave_v3_usdt0: { apy: 0.06123456789012345 },
};

/** Decimals of a number as JSON writes it. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}

describe.each(['partner', 'sandbox'] as const)('%s contract: rates', (contract) => {
  let market: TestMarket;
  let receiver: Receiver;
  let conformance: Conformance;
  /** Answers of one moment, by path. */
  const answers = new Map<string, any>();
  const events: any[] = [];
  const numbers: Field[] = [];

  beforeAll(async () => {
    market = await startMarket(contract, {
      adjust: SHORT,
      ...(contract === 'partner' && { yields: YIELDS }),
    });
    conformance = await Conformance.of(contract);
    receiver = await Receiver.start();
    await market.partner.api.post('/webhooks', { url: receiver.url });
    market.holdClock();
    // The clock stands at the beginning of an hour, so that the minute that passes below stays within the hour and no tick is due.
    market.pass(HOUR_MS - (market.now().getTime() % HOUR_MS));
    await market.tick();
    await market.advance(4);
    const [first, second] = [await market.createUser(), await market.createUser()];
    await market.deposit(first, 1_000);
    if (contract === 'partner') {
      // Another vault becomes the best, by too little for a move to pay.
      market.setYields({ vlt_aave_v3_usdc: { apy: 0.05423456789012345 } });
      await market.advance(4);
    }
    const { id } = await market.deposit(second, 777.777777);
    await market.withdraw(id, 1.234567);
    const { id: closed } = await market.deposit(second, 3.3);
    await market.withdraw(closed, null);
    await market.deposit(second, 55.5, market.app.settings.constants.assets[1]);

    // Uplift is a fraction of capital over time, so that some time has to pass.
    market.pass(60_000);
    const paths = [
      '/vaults',
      '/positions?status=active',
      `/partner/user/${second}/positions`,
      `/users/${second}/ledger`,
      ...['summary', 'users', 'deposits', 'withdrawals', 'tvl', 'yield', 'points', 'revenue'].map(
        (report) => `/partner/${report}`,
      ),
      ...market.app.settings.constants.assets.map((asset) => `/yield/history/${asset}`),
      ...['signals', 'regime', 'uplift', `uplift?user_id=${second}`, `decisions?user_id=${second}`].map(
        (part) => `/analytics/${part}`,
      ),
      ...(contract === 'sandbox' ? ['/analytics/advisor'] : []),
    ];
    for (const path of paths) {
      const answer = await market.partner.api.get(path);
      const { status, body } = answer;
      expect([path, status]).toEqual([path, 200]);
      conformance.check('GET', path, answer);
      answers.set(path.replace(second, '{id}'), body.data);
      numbers.push(...fieldsWithin(conformance.document, 'GET', path, body));
    }
    // Events of two deposits, a partial and a full withdrawal, and those before and after them.
    for (const got of await receiver.waitFor(10)) {
      conformance.checkEvent(got);
      const event = JSON.parse(got.body.toString());
      events.push(event);
      numbers.push(...fieldsWithin(conformance.document, 'webhook', event.type, event));
    }
  });
  afterAll(async () => {
    await receiver.close();
    await market.close();
  });

  const of = (path: string): any => answers.get(path);
  const vaultOf = (id: string): any => of('/vaults').find((vault: any) => vault.id === id);
  const signalOf = (id: string): any => of('/analytics/signals').find(({ vault_id }: any) => vault_id === id);

  it('are documented with twelve decimals at most', () => {
    expect(conformance.document.info.description).toMatch(/at most 12 decimals/i);
  });

  it('have twelve decimals at most in every answer and event; other numbers have six', () => {
    const RATES = [
      'apy',
      'mean_apy',
      'expected_apy',
      'risk_adjusted_apy',
      'expected_risk_adjusted_apy',
      'share',
      'routed_apy',
      'uplift_pct',
      'value',
    ];
    const names = new Set(numbers.map(({ name }) => name));
    for (const name of RATES) expect(names).toContain(name);
    const isRate = ({ name, description }: Field): boolean =>
      RATES.includes(name) || /apy$/.test(name) || /fraction/.test(description);
    expect(numbers.filter((field) => decimalsOf(field.value) > (isRate(field) ? 12 : 6))).toEqual([]);
  });

  it('of a vault are one figure wherever it is shown', () => {
    const positions = [...of('/positions?status=active'), ...of('/partner/user/{id}/positions')];
    expect(positions.filter(({ apy }) => apy !== null).length).toBeGreaterThan(3);
    const newest = events.filter(({ type, data }) => type === 'position.opened' && data.asset !== 'USDC');
    const entries = of('/users/{id}/ledger');
    const decisions = of('/analytics/decisions?user_id={id}');
    for (const [what, list] of Object.entries({ positions, newest, entries, decisions }))
      expect([what, list.length > 0]).toEqual([what, true]);
    const shown = [
      ...positions.filter(({ apy }) => apy !== null),
      ...newest.map(({ data }) => data),
      ...entries,
      ...decisions.flatMap(({ alternatives, inputs }: any) => [...alternatives, ...inputs.candidates]),
      ...of('/analytics/signals'),
    ];
    for (const one of shown) {
      expect([one.vault_id, one.apy]).toEqual([one.vault_id, vaultOf(one.vault_id).apy]);
      for (const name of ['expected_apy', 'risk_adjusted_apy', 'expected_risk_adjusted_apy'])
        if (one[name] !== undefined)
          expect([one.vault_id, name, one[name]]).toEqual([one.vault_id, name, signalOf(one.vault_id)[name]]);
    }
  });

  it('of what a partner holds are one figure in every report', () => {
    const rowsOf = (path: string): [string, any][] => of(path).assets.map((row: any) => [row.asset, row]);
    const yields = new Map(rowsOf('/partner/yield'));
    const held = new Map(rowsOf('/partner/tvl'));
    const single: string[] = [];
    for (const [asset, { apy }] of rowsOf('/partner/summary')) {
      expect(apy).toBe(yields.get(asset).apy);
      const { vaults } = held.get(asset);
      if (vaults.length > 1) continue;
      single.push(asset);
      expect(apy).toBe(vaultOf(vaults[0].vault_id).apy);
      expect(vaults[0].share).toBe(1);
    }
    expect(single).toHaveLength(contract === 'partner' ? 1 : 2);
  });

  it('of the market are one figure in its history and in events', () => {
    const crossings = events.filter(({ type }) => type === 'yield.threshold');
    expect(crossings.length).toBeGreaterThan(0);
    for (const { data } of crossings) {
      const { points } = of(`/yield/history/${data.asset}`);
      const index = points.findIndex(({ at }: any) => at === data.at);
      expect([points[index].apy, points[index - 1].apy]).toEqual([data.apy, data.previous_apy]);
    }
    for (const asset of market.app.settings.constants.assets) {
      const { points, apy } = of(`/yield/history/${asset}`);
      expect(apy).toBe(points.at(-1).apy);
    }
  });

  it('of the advisor are those of the answers that it sums up', () => {
    if (contract === 'partner') return;
    const { regime, opportunities, uplift } = of('/analytics/advisor');
    expect(regime).toEqual(of('/analytics/regime'));
    const worthwhile = of('/analytics/signals').filter((one: any) => one.recommendation !== 'reduce');
    expect(opportunities).toEqual(
      worthwhile.slice(0, 3).map((one: any, index: number) => ({ ...one, rank: index + 1 })),
    );
    const { baselines } = of('/analytics/uplift');
    expect(uplift.baselines.lending.projected).toEqual(baselines.lending.projected);
  });
});
