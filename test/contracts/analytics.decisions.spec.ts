import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { HOUR_MS } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { Conformance } from '../support/conformance.js';
import { expectError } from '../support/expected-error.js';
import { listed } from '../support/catalogue.js';
import { eitherContract } from '../support/long.js';
import { startMarket, type TestMarket } from '../support/market.js';

const SHORT = ({ routing, signals }: Constants): void => {
  // With equal horizons, a decision's outcome is due as soon as its promise ends.
  routing.lastingHorizonDays = routing.horizonDays;
  signals.windowHours = 4;
  signals.minSnapshots = 2;
  signals.recentHalfLifeHours = signals.longHalfLifeHours = 1;
};
const AAVE = 'vlt_aave_v3_usdc';
const COMPOUND = 'vlt_compound_v3_usdc';

describe.each(eitherContract('partner'))('%s contract: decisions', (contract) => {
  let market: TestMarket;
  let conformance: Conformance;
  let partnerApi: Api;
  let users: string[];
  let positions: any[];
  let second: string;

  beforeAll(async () => {
    market = await startMarket(contract, {
      adjust: SHORT,
      ...(contract === 'partner' && { yields: { [AAVE]: { apy: 0.06 } } }),
    });
    conformance = await Conformance.of(contract);
    partnerApi = market.partner.api;
    second = market.app.settings.constants.assets[1]!;
    await market.advance(3);
    users = [await market.createUser(), await market.createUser()];
    positions = [
      await market.deposit(users[0]!, 40_000),
      await market.deposit(users[1]!, 10_000),
      await market.deposit(users[1]!, 500, second),
    ];
  });
  afterAll(() => market.close());

  const list = async (query = '', api = partnerApi): Promise<any> => {
    const path = `/analytics/decisions${query}`;
    const answer = await api.get(path);
    conformance.check('GET', path, answer);
    expect([answer.status, answer.body.object]).toEqual([200, 'list']);
    return answer.body;
  };
  const ids = (decisions: any[]): string[] => decisions.map(({ id }) => id);

  it('Decisions are listed as summaries: the same ones, without what follows from their inputs', async () => {
    const [whole, summaries] = [await list(), await list('?view=summary')];
    const shown = whole.data.map((decision: any) => {
      const { inputs, alternatives: _, exposure: __, rationale: ___, plan: ____, ...rest } = decision;
      return { ...rest, amount: inputs.amount };
    });
    expect(shown.length).toBeGreaterThan(2);
    expect(summaries).toEqual({ ...whole, data: shown });
    expect((await list('?view=whole')).data).toEqual(whole.data);
    const [first] = (await list('?view=summary&limit=1')).data;
    expect(first).toEqual(shown[0]);
    const refused = await partnerApi.get('/analytics/decisions?view=all');
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ field: 'view', message: 'must be one of whole, summary' }],
    ]);
    const csv = await partnerApi.get('/analytics/decisions?view=summary', { accept: 'text/csv' });
    expect([csv.status, csv.body.error?.code]).toEqual([400, 'validation_failed']);
  });

  it('Decisions show the partner’s exposure before and after a deposit, its limits, and an empty plan', async () => {
    const [decision] = (await list(`?position_id=${positions[0].id}`)).data;
    const { id, venue, riskTier } = listed(market.app.settings).find(
      (row) => row.id === positions[0].origin_vault_id,
    )!;
    const whole = { vaults: { [id]: 1 }, tiers: { [riskTier]: 1 }, venues: { [venue]: 1 } };
    expect(decision.exposure).toMatchObject({
      before: { vaults: {}, tiers: {}, venues: {} },
      after: whole,
      limits: { tiers: { low: 1 }, venues: { [venue]: 1 } },
    });
    const [later] = (await list(`?position_id=${positions[1].id}`)).data;
    expect(later.exposure.before).toEqual(whole);
    expect(decision.plan).toEqual({ decisions: [], inflows_of_others: [] });
  });

  it('Decisions are filtered by user, position, asset and kind, alone and combined; newest first', async () => {
    const [first, other, foreign] = await Promise.all(
      positions.map(async ({ id }) => (await list(`?position_id=${id}`)).data[0].id as string),
    );
    expect(ids((await list()).data)).toEqual([foreign, other, first]);
    expect(ids((await list(`?user_id=${users[1]}`)).data)).toEqual([foreign, other]);
    expect(ids((await list('?asset=USDC')).data)).toEqual([other, first]);
    expect(ids((await list(`?asset=${second}&user_id=${users[1]}`)).data)).toEqual([foreign]);
    expect(ids((await list(`?kind=route&user_id=${users[1]}`)).data)).toEqual([foreign, other]);
    for (const filter of ['', `&user_id=${users[1]}`, `&position_id=${positions[0].id}`, '&asset=USDC'])
      expect((await list(`?kind=hold${filter}`)).data).toEqual([]);
    const both = `?user_id=${users[1]}&position_id=${positions[1].id}`;
    expect(ids((await list(both)).data)).toEqual([other]);
    expectError(
      await partnerApi.get(`/analytics/decisions?user_id=${users[0]}&position_id=${positions[1].id}`),
      404,
      'not_found',
    );
  });

  it('Decisions of a period include its start and exclude its end', async () => {
    const all = (await list()).data;
    const { id, at } = all[1];
    const { length } = all;
    const times = all.map((row: { at: string }) => row.at);
    const after = times.filter((time: string) => time >= at).length;
    expect((await list(`?from=${at}`)).data).toHaveLength(after);
    expect((await list(`?to=${at}`)).data).toHaveLength(length - after);
    expect(ids((await list(`?from=${at.slice(0, 10)}&to=${times[0].slice(0, 10)}`)).data)).toContain(id);
    expect((await list(`?user_id=${users[1]}&to=2020-01-01`)).data).toEqual([]);
    expect((await list(`?position_id=${positions[0].id}&from=2100-01-01`)).data).toEqual([]);
  });

  it('Decisions explain a hold with the gate that a better vault failed', async () => {
    if (contract === 'sandbox') return;
    market.setYields({ [COMPOUND]: { apy: 0.12 } });
    await market.advance(3);
    await market.app.application.get(HourlyCycle).run();
    const [hold, ...others] = (await list('?asset=USDC&kind=hold')).data;
    expect(others).toEqual([]);
    expect(hold).toMatchObject({
      kind: 'hold',
      reason: 'gate_failed',
      user_id: null,
      position_id: null,
      positions: 2,
      from_vault_id: AAVE,
      to_vault_id: null,
      expected_uplift: { apy_delta: 0, amount: 0, cost: 0, npv: 0 },
      outcome: null,
      inputs: { current_vault_id: AAVE, hours_in_vault: 3 },
    });
    expect(hold.alternatives.find(({ chosen }: any) => chosen)).toMatchObject({
      vault_id: AAVE,
      action: 'hold',
      gates: ['active', 'fresh', 'index', 'outflow', 'liquidity', 'quarantine'].map((gate) =>
        expect.objectContaining({ gate, passed: true }),
      ),
    });
    const better = hold.alternatives.find(({ vault_id }: any) => vault_id === COMPOUND);
    expect(better).toMatchObject({ action: 'move', chosen: false });
    expect(better.gates).toContainEqual({ gate: 'time_in_vault', value: 3, threshold: 6, passed: false });
    expect(hold.rationale).toContain('Time in vault (3 hours, must be at least 6 hours)');
    // The decision is about the funds of all partners together, and moved no funds of this user.
    expect(ids((await list(`?user_id=${users[0]}`)).data)).not.toContain(hold.id);
  });

  it('Decisions explain a move; the ledger refers to the decision', async () => {
    if (contract === 'sandbox') return;
    await market.advance(3);
    await market.app.application.get(HourlyCycle).run();
    const [move] = (await list('?asset=USDC')).data;
    expect(ids((await list('?kind=rebalance')).data)).toEqual([move.id]);
    expect(move).toMatchObject({
      kind: 'rebalance',
      reason: 'all_gates_passed',
      positions: 2,
      from_vault_id: AAVE,
      to_vault_id: COMPOUND,
    });
    const { alternatives, expected_uplift, inputs } = move;
    expect(alternatives.map(({ action }: any) => action)).toContain('hold');
    const [best] = alternatives;
    expect(best).toMatchObject({ vault_id: COMPOUND, chosen: true });
    expect(best.gates).toHaveLength(20);
    expect(best.gates.every(({ passed }: any) => passed)).toBe(true);
    expect(expected_uplift.apy_delta).toBe(best.delta);
    expect(expected_uplift.amount).toBeCloseTo((inputs.amount * best.delta * 7) / 365, 3);
    expect(expected_uplift.cost).toBe(2);
    expect(expected_uplift.npv).toBeCloseTo(expected_uplift.amount - 2, 6);
    expect(move.outcome).toBeNull();
    for (const user of users) {
      expect(ids((await list(`?user_id=${user}&asset=USDC`)).data)[0]).toBe(move.id);
      const ledger = (await partnerApi.get(`/users/${user}/ledger`)).body.data;
      expect(ledger.find(({ type }: any) => type === 'rebalance').note).toContain(move.id);
    }
  });

  /** A metric's values by their labels, as an operator reads them. */
  const metric = async (name: string): Promise<Record<string, number>> => {
    const text = await market.app.metrics();
    const lines = text.split('\n').filter((line) => line.startsWith(name));
    return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
  };

  it('Decisions show the outcome of a move after its horizon, and a metric adds outcomes up', async () => {
    if (contract === 'sandbox') return;
    market.pass(20 * 24 * HOUR_MS);
    await market.tick();
    await market.app.application.get(HourlyCycle).run();
    const { data } = await list('?asset=USDC&kind=rebalance');
    const { outcome, snapshot_hour, expected_uplift } = data.at(-1);
    expect(outcome).toEqual({
      promised: expect.any(Number),
      realised: expect.any(Number),
      at: expect.any(String),
    });
    expect(Date.parse(outcome.at) - Date.parse(snapshot_hour)).toBe(7 * 24 * HOUR_MS);
    expect(outcome.promised).toBeGreaterThan(expected_uplift.cost);
    // Only one day of the horizon was observed: the gain is a day at 12 % over a day at 6 %, less the cost.
    const realised = 50_000 * (1.12 ** (24 / 8_760) - 1.06 ** (24 / 8_760)) - 2;
    expect(Math.abs(outcome.realised - realised)).toBeLessThan(1);
    expect(await metric('vaultline_moves_outcome_units')).toEqual({
      'vaultline_moves_outcome_units{market="base",of="promised"}': outcome.promised,
      'vaultline_moves_outcome_units{market="base",of="realised"}': outcome.realised,
    });
  });

  it('Decisions show an eviction, which is also in an event, the log and a metric', async () => {
    if (contract === 'sandbox') return;
    const evicted = async (): Promise<number> =>
      (await metric('vaultline_evictions_total'))['vaultline_evictions_total{market="base"}']!;
    expect(await evicted()).toBe(0);
    listed(market.app.settings).find(({ id }) => id === COMPOUND)!.active = false;
    await market.advance();
    await market.app.application.get(HourlyCycle).run();
    const [eviction] = (await list('?asset=USDC&kind=rebalance')).data;
    expect(eviction).toMatchObject({
      reason: 'evicted',
      positions: 2,
      from_vault_id: COMPOUND,
      outcome: null,
    });
    expect(await evicted()).toBe(1);
    const line = market.app
      .logs()
      .split('\n')
      .find((text) => text.includes('funds are evicted from a vault'));
    expect(JSON.parse(line!)).toMatchObject({
      level: 40,
      decisionId: eviction.id,
      fromVaultId: COMPOUND,
      toVaultId: eviction.to_vault_id,
      rationale: eviction.rationale,
    });
    const events = await market.app.sql<{ data: any }>(
      `SELECT envelope->'data' AS data FROM events WHERE envelope->>'type' = 'position.rebalanced' ORDER BY id DESC LIMIT 2`,
    );
    for (const { data } of events)
      expect(data).toMatchObject({ vault_id: eviction.to_vault_id, decision_id: eviction.id });
    expect(events.map(({ data }) => data.id).sort()).toEqual([positions[0].id, positions[1].id].sort());
  });
});
