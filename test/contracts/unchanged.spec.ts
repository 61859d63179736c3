import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { vaultline } from '../support/command.js';
import { documentedOperations } from '../support/document.js';
import { eitherContract } from '../support/long.js';
import { createPartner, type TestPartner } from '../support/partner.js';
import { SECRETS_KEY } from '../support/secrets-key.js';

const [WALLET, OTHER] = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
];
const TABLES = [
  'partners',
  'partner_terms',
  'campaigns',
  'campaign_terms',
  'users',
  'wallets',
  'webhook_endpoints',
  'partner_policies',
  'api_keys',
  'audit_entries',
];
const METADATA = { metadata: { b: [1, { d: 0, c: null }], a: 'x', n: 1e21 } };
const REORDERED = { metadata: { n: 1000000000000000000000, a: 'x', b: [1, { c: null, d: 0 }] } };
const OPEN = { allowed_vaults: null, max_risk_tier: null, min_gain: null, paused: false };

describe.each(eitherContract('partner'))('%s contract: a change that changes nothing', (contract) => {
  let app: TestApp;
  let partner: TestPartner;
  let operations: string[];
  beforeAll(async () => {
    app = await startApp(contract);
    partner = await createPartner(app.admin);
    operations = (await documentedOperations(app))
      .filter(({ method }) => method === 'PATCH' || method === 'PUT')
      .map(({ operationId }) => operationId);
  });
  afterAll(() => app.close());

  /** Every version of every row that a change could make, with its place on the disk, which each update changes. */
  const rows = async (): Promise<unknown[]> =>
    (
      await Promise.all(
        TABLES.map((table) =>
          app.sql(`SELECT ctid::text, to_jsonb(t) - 'last_used_at' AS row FROM ${table} t ORDER BY 1`),
        ),
      )
    ).map((all, index) => [
      TABLES[index],
      all.map(({ ctid, row }) => (TABLES[index] === 'api_keys' ? row : { ctid, row })),
    ]);
  const made = async (api: Api, path: string, body: object): Promise<string> => {
    const { status, text, body: answer } = await api.post(path, body);
    expect([status, text]).toEqual([201, text]);
    return answer.data.id;
  };
  const expectNoChange = async (before: Answer, change: () => Promise<Answer>): Promise<void> => {
    expect([before.status, before.text]).toEqual([200, before.text]);
    const stored = await rows();
    const { status, body } = await change();
    expect([status, body]).toEqual([200, before.body]);
    expect(await rows()).toEqual(stored);
  };

  const CHANGES: Record<
    string,
    (world: TestPartner, vaults: string[]) => Promise<[Api, path: string, ...bodies: object[]]>
  > = {
    updatePartner: async ({ id }) => [
      app.admin,
      `/partners/${id}`,
      {
        name: 'A',
        contact_email: 'a@b.example',
        performance_fee_bps: 900,
        revenue_share_bps: 1_000,
        status: 'active',
        ...METADATA,
      },
      { contact_email: 'a@b.example', ...REORDERED },
      { name: 'A' },
      { status: 'active' },
      {},
    ],
    updateCampaign: async ({ id }) => [
      app.admin,
      `/partners/${id}/campaigns/${await made(app.admin, `/partners/${id}/campaigns`, { name: 'C' })}`,
      {
        name: 'D',
        asset: 'USDC',
        points_multiplier: 1.1,
        starts_at: '2026-01-01T00:00:00Z',
        ends_at: '2100-01-01T00:00:00Z',
        status: 'disabled',
        ...METADATA,
      },
      { starts_at: '2026-01-01T00:00:00.000Z', points_multiplier: 1.1, ...REORDERED },
      { status: 'disabled' },
    ],
    updateUser: async ({ api, id }) => [
      api,
      `/users/${await made(api, '/users', { external_id: `${id}:u`, wallets: [OTHER] })}`,
      { label: 'L', email: null, wallets: [WALLET, OTHER], status: 'blocked', ...METADATA },
      { wallets: [WALLET.toLowerCase(), OTHER.toLowerCase()], ...REORDERED },
      { status: 'blocked' },
      { email: null },
    ],
    updateWebhook: async ({ api }) => [
      api,
      `/webhooks/${await made(api, '/webhooks', { url: 'http://127.0.0.1:9/a' })}`,
      {
        url: 'http://127.0.0.1:9/b',
        events: ['position.closed', 'position.opened'],
        description: 'D',
        active: false,
      },
      { events: ['position.opened', 'position.closed'], url: 'http://127.0.0.1:9/b' },
      { active: false },
    ],
    replacePolicy: async ({ api }, vaults) => [
      api,
      '/partner/policy',
      { ...OPEN, allowed_vaults: vaults, max_tier_exposure: { medium: 0.5, high: 0.2 } },
      {
        ...OPEN,
        allowed_vaults: vaults.toReversed(),
        max_tier_exposure: { high: 0.2, medium: 0.5 },
      },
    ],
    boundPartnerPolicy: async ({ id }, vaults) => [
      app.admin,
      `/partners/${id}/policy`,
      { ...OPEN, allowed_vaults: vaults },
      { ...OPEN, allowed_vaults: vaults.toReversed() },
    ],
  };

  it('A change to the values that are already stored writes no row, no time and no audit entry, in whatever form it is sent', async () => {
    const vaults: string[] = (await partner.api.get('/vaults')).body.data
      .filter(({ asset }: any) => asset === 'USDC')
      .map(({ id }: any) => id)
      .slice(0, 3);
    for (const operation of operations) {
      const [api, path, first, ...others] = await CHANGES[operation]!(await createPartner(app.admin), vaults);
      const verb = operation.endsWith('Policy') ? api.put : api.patch;
      const changed = await verb(path, first);
      for (const body of [first, ...others]) await expectNoChange(changed, () => verb(path, body!));
    }
  });

  it('Nothing is stored when a caller sends the default policy, revokes a revoked key, disables a disabled partner or ends a quarantine that does not exist', async () => {
    const { id, api, keyId } = await createPartner(app.admin);
    await expectNoChange(await api.get('/partner/policy'), () => api.put('/partner/policy', OPEN));
    const revoke = (): Promise<Answer> => app.admin.delete(`/keys/${keyId}`);
    await expectNoChange(await revoke(), revoke);
    const disable = (): Promise<Answer> => app.admin.patch(`/partners/${id}`, { status: 'disabled' });
    await expectNoChange(await disable(), disable);
    const [caller, root] = contract === 'partner' ? [app.admin, ''] : [partner.api, '/simulation'];
    const path = `${root}/vaults/${app.settings.vaults[0]!.id}/quarantine`;
    const end = (): Promise<Answer> => caller.delete(path);
    await expectNoChange(await end(), end);
  });

  it('Nothing is stored when a command revokes a revoked key, or adopts settings that have not changed', async () => {
    const command = async (...words: string[]): Promise<void> => {
      const env = { DATABASE_URL: app.database.url, SECRETS_KEY, DEFILLAMA_BASE_URL: 'http://127.0.0.1:9' };
      expect((await vaultline(['--contract', contract, ...words], env)).code).toBe(0);
    };
    const { keyId } = await createPartner(app.admin);
    await command('keys', 'revoke', keyId);
    const stored = await rows();
    await command('keys', 'revoke', keyId);
    await command('deployment', 'change');
    expect(await rows()).toEqual(stored);
  });

  it('A different order of wallets, or one different value in the metadata, is a change and is stored', async () => {
    const { id, api } = await createPartner(app.admin);
    const user = `/users/${await made(api, '/users', { external_id: `${id}:w`, wallets: [WALLET, OTHER], ...METADATA })}`;
    const before = (await api.patch(user, {})).body.data;
    for (const change of [{ wallets: [OTHER, WALLET] }, { metadata: { ...METADATA.metadata, a: 'y' } }]) {
      const after = (await api.patch(user, change)).body.data;
      expect(after).toMatchObject(change);
      expect(after.updated_at > before.updated_at).toBe(true);
    }
  });
});
