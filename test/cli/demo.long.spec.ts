import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDomain } from '../../src/cli/context.js';
import { createDemoAccount } from '../../src/cli/demo-account.js';
import { createDemoOrders } from '../../src/cli/demo-orders.js';
import { createDemoPartner } from '../../src/cli/demo-partner.js';
import { RECEIVER_NETWORKS } from '../../src/cli/demo-webhooks.js';
import type { DeploymentKeys } from '../../src/cli/prepared.js';
import type { Contract } from '../../src/config/deployments.js';
import { loadSettings } from '../../src/config/settings.js';
import { DAY_MS } from '../../src/domain/kernel/clock.js';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

/** Age of the live demo's positions here; `npm start` makes them 90 days old. */
const DAYS = 40;

/** What the screens of a partner's key read, by screen. */
const OF_PARTNER = {
  Overview: ['/partner/summary', '/partner/history', '/analytics/uplift'],
  Decisions: ['route', 'hold', 'rebalance'].map((kind) => `/analytics/decisions?kind=${kind}`),
  'Money map': ['/partner/tvl', '/partner/tvl?as_of={day}', '/partner/policy'],
  Yields: ['/vaults', '/analytics/signals', '/analytics/regime', '/yield/history/USDC'],
  Users: ['/partner/users', '/partner/ledger', '/partner/points'],
  Positions: ['/positions', '/partner/deposits', '/partner/yield', '/partner/revenue'],
  Orders: ['/moves?status={underWay}', '/moves?status=settled', '/moves?status=failed'],
  Withdrawals: ['/withdrawals', '/partner/withdrawals'],
  Statements: ['/partner/statements', '/partner/statements/{month}', '/partner/statements/{month}/users'],
  Webhooks: [
    '/webhooks',
    '{deliveries}?status=delivered',
    '{deliveries}?status=failed',
    '/events?undelivered_to={webhook}',
    '/partner/journal',
  ],
  Audit: ['/partner/audit'],
};
/** The same of the executor's key. Reserves are those of custody accounts on a chain, and the demo has no chain. */
const OF_EXECUTOR = {
  Orders: ['/moves?status=requested', '/moves?status=arriving', '/moves?status=failed'],
  Withdrawals: ['/withdrawals?status=requested'],
  Administration: ['/settlements'],
  Yields: ['/vaults', '/analytics/signals'],
  Positions: ['/positions'],
};
type Case = ['account_key' | 'executor_key', string, string];
const casesOf = (key: Case[0], screens: Record<string, readonly string[]>): Case[] =>
  Object.entries(screens).flatMap(([screen, paths]) => paths.map((path): Case => [key, screen, path]));

const CONTRACTS = [
  ['sandbox', 'arriving', '/webhooks/events'],
  ['partner', 'requested', '/webhooks/deliveries'],
] as const;

/** The data that `npm start` makes: every screen of its keys has something to show. */
describe.each(CONTRACTS)('the demo data of the %s contract', (contract, underWay, deliveries) => {
  let database: TestDatabase;
  let app: TestApp;
  let keys: Partial<DeploymentKeys>;
  let api: Api;

  beforeAll(async () => {
    database = await createTestDatabase();
    keys = await demoOf(contract, database.url);
    app = await startApp(contract, contract === 'partner' ? { YIELDS: 'simulated' } : {}, database);
    api = app.admin.as(keys.account_key);
  }, 120_000);
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const read = async (path: string, reader = api): Promise<any> => {
    const { status, body } = await reader.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body.data;
  };
  const asOf = async (): Promise<Date> => new Date((await read('/partner/summary')).as_of);

  const cases = [
    ...casesOf('account_key', OF_PARTNER),
    ...(contract === 'partner' ? casesOf('executor_key', OF_EXECUTOR) : []),
  ];
  it.each(cases)('With the %s, %s has something to show: GET %s', async (key, _, template) => {
    const [closed] = (await read('/partner/statements')).filter(({ closed }: { closed: boolean }) => closed);
    const endpoints = (await read('/webhooks')).filter(({ last_success_at: at }: any) => at !== null);
    const values: Record<string, string> = {
      ...{ underWay, deliveries, month: closed.period, webhook: endpoints[0].id },
      day: new Date((await asOf()).getTime() - 7 * DAY_MS).toISOString().slice(0, 10),
    };
    const path = template.replace(/\{(\w+)\}/g, (_match, name: string) => values[name]!);
    hasFigures(await read(path, app.admin.as(keys[key])));
  });

  it('The demo covers more than 30 days, with a month that closed', async () => {
    const { opened_at: openedAt } = (await read('/positions?limit=100')).at(-1);
    expect((await asOf()).getTime() - Date.parse(openedAt)).toBeGreaterThan(30 * DAY_MS);
    const { points } = await read('/partner/history');
    expect(new Set(points.map(({ at }: { at: string }) => at)).size).toBeGreaterThanOrEqual(30);
    const [closed] = (await read('/partner/statements')).filter(({ closed }: { closed: boolean }) => closed);
    for (const { closing_value: value, yield: earned } of (await read(`/partner/statements/${closed.period}`))
      .assets)
      expect([value > 0, earned > 0]).toEqual([true, true]);
  });

  it('The book of the demo is within the limits on exposure', async () => {
    const { max_vault_exposure: ofVault, max_tier_exposure: ofTier } = (await read('/partner/policy'))
      .in_force;
    const vaults = new Map((await read('/vaults')).map((vault: any) => [vault.id, vault]));
    const { assets } = await read('/partner/tvl');
    const beyond: unknown[] = [];
    for (const { asset, vaults: held } of assets) {
      const tiers: Record<string, number> = {};
      for (const { vault_id: id, share } of held) {
        const tier = (vaults.get(id) as any)?.risk_tier;
        if (tier === undefined) continue;
        tiers[tier] = (tiers[tier] ?? 0) + share;
        if (share > ofVault[tier]) beyond.push([id, share]);
      }
      for (const [tier, share] of Object.entries(tiers))
        if (share > ofTier[tier]) beyond.push([asset, tier, share]);
      expect(held.length).toBeGreaterThan(1);
    }
    expect(beyond).toEqual([]);
  });

  it('The demo has an order that lapsed, and one whose gain is known', async () => {
    const failed = await read('/moves?status=failed');
    expect(failed.map(({ failure }: { failure: string }) => failure)).toContain('lapsed');
    const decided = await read('/analytics/decisions?kind=rebalance&limit=100');
    expect(decided.some(({ outcome }: any) => outcome?.realised > 0)).toBe(true);
  });

  it('Deliveries of the demo are signed, and an endpoint that is paused missed what came later', async () => {
    const [sent] = await read(`${deliveries}?status=delivered`);
    expect(sent).toMatchObject({ signature: expect.stringMatching(/^t=\d+,v1=/), response_status: 200 });
    const [failed] = await read(`${deliveries}?status=failed`);
    expect(failed).toMatchObject({ failure: 'http_status', response_status: 503, attempts: 1 });
    const endpoint = (await read('/webhooks')).find(({ id }: { id: string }) => id === sent.webhook_id);
    expect(endpoint).toMatchObject({ active: false, description: expect.stringContaining('paused') });
    const missed = await read(`/events?undelivered_to=${endpoint.id}&limit=100`);
    const ofEvent = missed.map(({ type, deliveries }: any) => [type, deliveries[0]?.failure ?? 'inactive']);
    expect(ofEvent).toContainEqual(['position.opened', 'http_status']);
    expect(ofEvent).toContainEqual(['position.withdrawn', 'inactive']);
  });
});

function demoOf(contract: Contract, databaseUrl: string): Promise<Partial<DeploymentKeys>> {
  const settings = loadSettings({
    ...(contract === 'partner' && { YIELDS: 'simulated' }),
    ...{ CONTRACT: contract, DATABASE_URL: databaseUrl, SECRETS_KEY },
    WEBHOOK_ALLOWED_NETWORKS: RECEIVER_NETWORKS.join(),
  });
  return withDomain(settings, async (context) => {
    if (contract === 'sandbox') return { account_key: await createDemoAccount(context, undefined) };
    const keys = await createDemoPartner(context, {}, DAYS);
    await createDemoOrders(context, settings, keys.executor_key);
    return keys;
  });
}

/** A list has an entry, and a report a figure above 0. */
function hasFigures(data: unknown): void {
  if (Array.isArray(data)) return expect(data.length).toBeGreaterThan(0);
  const figures: number[] = [];
  JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === 'number') figures.push(value);
    return value;
  });
  expect(figures.some((figure) => figure > 0)).toBe(true);
}
