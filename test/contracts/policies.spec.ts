import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Constants } from '../../src/config/constants.js';
import { HourlyCycle } from '../../src/domain/cycle/hourly-cycle.service.js';
import { decide } from '../../src/domain/routing/allocation/choice.js';
import { DecisionLog } from '../../src/domain/routing/allocation/decision-log.js';
import type { Api } from '../support/api.js';
import { listed } from '../support/catalogue.js';
import { Conformance } from '../support/conformance.js';
import { expectError } from '../support/expected-error.js';
import { eitherContract } from '../support/long.js';
import { newTxHash, startMarket, type TestMarket } from '../support/market.js';
import { createPartner } from '../support/partner.js';

const SHORT = ({ signals }: Constants): void => {
  signals.windowHours = 4;
  signals.minSnapshots = 2;
  signals.recentHalfLifeHours = signals.longHalfLifeHours = 1;
};
const OPEN = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };
const IDLE = 'vlt_idle_usdc';
/** Amounts that are routed to the best vault, to several vaults, to another one, and to none. */
const AMOUNTS = [0.000001, 12_345.678901, 4_000_000, 999_999_999];

describe.each(eitherContract('partner'))('%s contract: policies', (contract) => {
  let market: TestMarket;
  let conformance: Conformance;
  let partnerApi: Api;
  let user: string;
  let vaults: { id: string; riskTier: string }[];

  beforeAll(async () => {
    market = await startMarket(contract, { adjust: SHORT });
    conformance = await Conformance.of(contract);
    // The clock is held: values grow with time, and the preview and the deposit must be of the same moment.
    market.holdClock();
    await market.advance(3);
    partnerApi = market.partner.api;
    user = await market.createUser();
    vaults = listed(market.app.settings).filter(({ asset }) => asset === 'USDC');
  });
  afterAll(() => market.close());

  const checked = async (method: string, path: string, body?: object, api = partnerApi): Promise<any> => {
    const answer = await api.send(method, path, body);
    conformance.check(method, path, answer);
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
    return answer.body.data;
  };
  const policy = (change: object): Promise<any> => checked('PUT', '/partner/policy', { ...OPEN, ...change });
  const preview = (amount: number, api = partnerApi): Promise<any> =>
    checked('POST', '/positions/preview', { asset: 'USDC', amount }, api);
  const decisionOf = async ({ id }: { id: string }): Promise<any> =>
    (await partnerApi.get(`/analytics/decisions?position_id=${id}`)).body.data[0];
  const OF_A_RECORD = ['id', 'user_id', 'position_id', 'positions', 'outcome', 'order', 'plan'];
  /** The part of a decision that a preview shows. */
  const foreseen = (decision: object): object => ({
    ...Object.fromEntries(Object.entries(decision).filter(([name]) => !OF_A_RECORD.includes(name))),
    object: 'decision_preview',
  });
  /** The fields that a preview and a decision share, compared byte for byte. */
  const bare = ({ inputs, alternatives, expected_uplift, rationale }: any): string =>
    JSON.stringify([inputs, alternatives, expected_uplift, rationale]);
  const rows = (): Promise<object[]> =>
    market.app
      .sql(`SELECT (SELECT count(*) FROM decisions) AS decisions, (SELECT count(*) FROM positions) AS positions, (SELECT count(*) FROM events) AS events,
              (SELECT count(*) FROM idempotency_claims) AS claims`);
  const settled = (): object => (contract === 'partner' ? { tx_hash: newTxHash() } : {});
  const hour = async (): Promise<void> => {
    await market.advance();
    await market.app.application.get(HourlyCycle).run();
  };

  it('A preview equals the decision on a deposit right after it, for any amount and policy, and stores nothing', async () => {
    const { to_vault_id: best } = await preview(100);
    const large = { asset: 'USDC', amount: 40_000_000, split: true };
    const spread: any[] = await checked('POST', '/positions/preview', large);
    expect(new Set(spread.map(({ to_vault_id: id }) => id)).size).toBeGreaterThan(1);
    const policies = [
      {},
      { allowed_vaults: vaults.map(({ id }) => id).filter((id) => id !== best) },
      { max_risk_tier: 'low', min_gain: 0.01 },
      { allowed_vaults: [] },
      { paused: true },
    ];
    const went = new Set<string>();
    for (const rules of policies) {
      const { version, digest, in_force } = await policy(rules);
      for (const amount of AMOUNTS) {
        const before = await rows();
        const told = await preview(amount);
        const once = { 'idempotency-key': `preview ${version} ${amount}` };
        await partnerApi.post('/positions/preview', { asset: 'USDC', amount }, once);
        expect(await rows()).toEqual(before);
        const made = await decisionOf(await market.deposit(user, amount));
        expect(told).toEqual(foreseen(made));
        expect(bare(told)).toBe(bare(made));
        if (version > 0)
          expect(told.inputs.policy).toMatchObject({ version, digest, paused: in_force.paused });
        went.add(told.to_vault_id);
      }
    }
    // The deposits went to several vaults and to cash.
    expect([went.size > 2, went.has(IDLE)]).toEqual([true, true]);
    await policy({});
  });

  it('A pause keeps deposits in cash and positions in their vaults until it ends', async () => {
    const position = await market.deposit(user, 20_000);
    expect(position.status).toBe('active');
    await policy({ paused: true });
    const waits = await market.deposit(user, 30_000);
    expect(waits).toMatchObject({ status: 'pending', vault_id: IDLE });
    const { reason, rationale } = await decisionOf(waits);
    expect([reason, rationale]).toEqual(['no_open_vault', expect.stringContaining('the policy is paused')]);
    await hour();
    expect((await partnerApi.get(`/positions/${position.id}`)).body.data.vault_id).toBe(position.vault_id);
    expect((await partnerApi.get(`/positions/${waits.id}`)).body.data.vault_id).toBe(IDLE);
    await policy({});
    await hour();
    expect((await partnerApi.get(`/positions/${waits.id}`)).body.data.status).toBe('active');
  });

  it('Funds in a vault outside the policy move within an hour, largest first, to the best one or cash; decisions replay', async () => {
    const partner = await createPartner(market.app.admin);
    const metric = async (): Promise<number> => {
      const text = await market.app.metrics();
      return Number(/^vaultline_policy_moves_total (\d+)$/m.exec(text)![1]);
    };
    const before = await metric();
    const depositor = await market.createUser(partner);
    const positions: { id: string; vault_id: string }[] = [];
    const { api } = partner;
    positions.push(await market.deposit(depositor, 1_000));
    const from = positions[0]!.vault_id;
    await checked('PUT', '/partner/policy', { ...OPEN, allowed_vaults: [from] }, api);
    for (const amount of [9_000, 4_000]) positions.push(await market.deposit(depositor, amount));
    expect(positions.map(({ vault_id }) => vault_id)).toEqual([from, from, from]);
    // Of the low tier, where three positions may be together.
    const rest = vaults.filter(({ id, riskTier }) => id !== from && riskTier === 'low').map(({ id }) => id);
    await checked('PUT', '/partner/policy', { ...OPEN, allowed_vaults: rest }, api);
    const to = (await preview(14_000, api)).to_vault_id;
    await hour();
    const [decision] = (await api.get('/analytics/decisions?kind=rebalance')).body.data;
    expect(decision).toMatchObject({ reason: 'policy', from_vault_id: from, to_vault_id: to, positions: 3 });
    expect(decision.rationale).toContain(`the policy forbids ${from}, as it fails Policy (allowed_vaults)`);
    expect(decision.expected_uplift.cost).toBeGreaterThan(0);
    expect(await metric()).toBe(before + 1);
    const ledger = (await api.get(`/users/${depositor}/ledger`)).body.data;
    const moved = ledger.filter(({ type }: any) => type === 'rebalance');
    expect(moved.every(({ note }: any) => note.includes(decision.id))).toBe(true);
    const order = moved.toReversed().map(({ position_id }: any) => position_id);
    expect(order).toEqual([1, 2, 0].map((index) => positions[index]!.id));
    const events = await market.app.sql<{ decision: string }>(
      `SELECT envelope->'data'->>'decision_id' AS decision FROM events WHERE partner_id = $1 AND type = 'position.rebalanced'`,
      [partner.id],
    );
    expect(events).toEqual(positions.map(() => ({ decision: decision.id })));
    await checked('PUT', '/partner/policy', { ...OPEN, allowed_vaults: [] }, api);
    await hour();
    const [cash] = (await api.get('/analytics/decisions?kind=rebalance')).body.data;
    expect(cash).toMatchObject({ reason: 'policy', from_vault_id: to, to_vault_id: IDLE });
    for (const { id } of [decision, cash]) {
      const { record } = await market.app.application.get(DecisionLog).find(id);
      expect(decide(record.inputs)).toEqual(record);
    }
  });

  it('A policy is replaced as a whole, and each change is an immutable version that can be read', async () => {
    const partner = await createPartner(market.app.admin);
    const { api } = partner;
    const rules = { ...OPEN, max_risk_tier: 'medium', min_gain: 0.005 };
    const made = await checked('PUT', '/partner/policy', rules, api);
    expect(await checked('PUT', '/partner/policy', OPEN, api)).toMatchObject({ ...OPEN, version: 2 });
    expect(await checked('GET', '/partner/policy?version=1', undefined, api)).toEqual(made);
    expectError(await api.get('/partner/policy?version=9'), 404, 'not_found');
    for (const version of ['0', '1.5', 'x', '-1'])
      expectError(await api.get(`/partner/policy?version=${version}`), 400, 'validation_failed');
    for (const [field, value, entry = ''] of [
      ['allowed_vaults', [IDLE], '[0]'],
      ['allowed_vaults', [vaults[0]!.id, vaults[0]!.id], '[1]'],
      ['allowed_vaults', [vaults[0]!.id, 'a vault', 7], '[1]'],
      ['allowed_vaults', 'vlt_a'],
      ['max_risk_tier', 'none'],
      ['min_gain', 1.5],
      ['min_gain', -0.1],
      ['min_gain', 0.0000001],
      ['paused', null],
    ] as const) {
      const refused = await api.put('/partner/policy', { ...OPEN, [field]: value });
      expectError(refused, 400, 'validation_failed');
      expect(refused.body.error.details[0].field).toBe(`${field}${entry}`);
    }
    await expect(market.app.sql(`UPDATE partner_policies SET digest = 'x'`)).rejects.toThrow();
  });

  it('Exposure limits narrow those of the service or of a bound that replaces them; omitted ones stay', async () => {
    const partner = await createPartner(market.app.admin);
    const { api } = partner;
    const { venue } = market.app.settings.vaults[0]!;
    const bound = (limits: object): Promise<any> =>
      checked('PUT', `/partners/${partner.id}/policy`, { ...OPEN, ...limits }, market.app.admin);
    const services = { low: 1, medium: 0.5, high: 0.2 };
    const none = await checked('GET', '/partner/policy', undefined, api);
    expect(none).toMatchObject({
      max_vault_exposure: {},
      in_force: { max_vault_exposure: services, max_tier_exposure: { high: 0.25 }, max_venue_exposure: {} },
    });
    const limits = {
      max_vault_exposure: { medium: 0.4 },
      max_tier_exposure: { high: 0 },
      max_venue_exposure: { [venue]: 0.3 },
    };
    const limited = await checked('PUT', '/partner/policy', { ...OPEN, ...limits }, api);
    expect(limited).toMatchObject({
      ...limits,
      version: 1,
      in_force: { ...limits, max_vault_exposure: { ...services, medium: 0.4 } },
    });
    expect(limited.digest).not.toBe(none.digest);
    expect(await checked('PUT', '/partner/policy', OPEN, api)).toEqual(limited);
    const cleared = await checked('PUT', '/partner/policy', { ...OPEN, max_venue_exposure: null }, api);
    expect(cleared).toMatchObject({ ...limits, max_venue_exposure: {} });
    const wider = await bound({ max_vault_exposure: { medium: 0.8, high: 0.1 } });
    expect(wider.in_force.max_vault_exposure).toEqual({ ...services, medium: 0.4, high: 0.1 });
    const refused = await api.put('/partner/policy', { ...OPEN, max_vault_exposure: { high: 0.15 } });
    expectError(refused, 422, 'policy_out_of_bounds');
    expect(refused.body.error.details).toEqual([
      { field: 'max_vault_exposure.high', message: expect.stringContaining('0.1') },
    ]);
    for (const [field, value] of [
      ['max_vault_exposure', { medium: 1.1 }],
      ['max_vault_exposure', { middle: 0.5 }],
      ['max_vault_exposure', 0.5],
      ['max_tier_exposure', { high: '0.1' }],
      ['max_tier_exposure', [0.1]],
      ['max_venue_exposure', { Nowhere: 0.5 }],
      ['max_venue_exposure', { [venue]: -0.1 }],
    ] as const) {
      const refused = await api.put('/partner/policy', { ...OPEN, [field]: value });
      expectError(refused, 400, 'validation_failed');
      expect(refused.body.error.details[0].field).toBe(field);
    }
  });

  it('A split deposit opens up to eight equal positions, routed one after the other as in its preview', async () => {
    const api = contract === 'partner' ? market.protocol : partnerApi;
    const amount = 7_999_999.000001;
    const split = (body: object, headers = {}) =>
      api.post(
        '/positions',
        { user_id: user, asset: 'USDC', amount, split: true, ...settled(), ...body },
        headers,
      );
    const told = await checked('POST', '/positions/preview', { asset: 'USDC', amount, split: true });
    const once = { 'idempotency-key': `split ${contract}` };
    const transfer = settled();
    const answer = await split(transfer, once);
    conformance.check('POST', '/positions', answer);
    expect([answer.status, answer.body.object, answer.body.meta]).toEqual([201, 'list', { has_more: false }]);
    const positions: any[] = answer.body.data;
    expect(positions.map(({ principal }) => principal)).toEqual([
      ...Array(1).fill(999_999.875001),
      ...Array(7).fill(999_999.875),
    ]);
    expect(new Set(positions.map(({ deposit_id }) => deposit_id)).size).toBe(1);
    expect(positions[0].deposit_id).toMatch(/^dep_/);
    const decisions = [];
    for (const position of positions) decisions.push(await decisionOf(position));
    expect(told).toEqual(decisions.map(foreseen));
    expect(positions.map(({ vault_id }) => vault_id)).toEqual(told.map((row: any) => row.to_vault_id));
    const events = await market.app.sql<{ id: string }>(
      `SELECT envelope->'data'->>'id' AS id FROM events WHERE type = 'position.opened' AND envelope->'data'->>'deposit_id' = $1 ORDER BY 1`,
      [positions[0].deposit_id],
    );
    expect(events.map(({ id }) => id)).toEqual(positions.map(({ id }) => id));
    const again = await split(transfer, once);
    expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', answer.text]);
    const small = (await split({ amount: 1.9 })).body.data;
    expect(small.map(({ principal }: any) => principal)).toEqual([1.9]);
    expect((await split({ split: false })).body).toMatchObject({
      object: 'position',
      data: { deposit_id: null },
    });
    expectError(await split({ split: 'yes' }), 400, 'validation_failed');
  });
});
