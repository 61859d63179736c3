import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api, Answer } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/expected-error.js';
import { BAD_METADATA, dataOf, expectField, expectRefused, GOOD_METADATA, TIME } from '../support/fields.js';

describe.each(['partner', 'sandbox'] as const)('%s contract: campaigns', (contract) => {
  const assets = contract === 'partner' ? ['USDC', 'USDT0'] : ['USDC', 'USDT'];
  let app: TestApp;
  let admin: Api;

  beforeAll(async () => {
    app = await startApp(contract);
    admin = app.admin;
  });
  afterAll(() => app.close());

  const newPartner = async (input: object = {}): Promise<any> =>
    dataOf(await admin.post('/partners', { name: 'Acme', ...input }), 201);

  let path: string;
  let partnerId: string;
  beforeAll(async () => {
    partnerId = (await newPartner()).partner.id;
    path = `/partners/${partnerId}/campaigns`;
  });
  const create = (body: object): Promise<Answer> => admin.post(path, { name: 'Winter', ...body });

  it('needs only a name; it starts now, ends never, and counts once, for every asset', async () => {
    const campaign = dataOf(await create({}), 201);
    expect(campaign).toEqual({
      id: expect.stringMatching(/^cmp_[0-9a-hjkmnp-tv-z]{26}$/),
      object: 'campaign',
      partner_id: partnerId,
      name: 'Winter',
      status: 'active',
      asset: null,
      points_multiplier: 1,
      starts_at: campaign.created_at,
      ends_at: null,
      metadata: {},
      created_at: TIME,
      updated_at: campaign.created_at,
    });
  });

  it('takes what is within bounds and names the field of what is not, on creation and on change', async () => {
    const { id } = dataOf(await create({ starts_at: '2026-01-01T00:00:00Z' }), 201);
    const update = (body: object) => admin.patch(`${path}/${id}`, body);
    for (const write of [create, update]) {
      await expectField(write, 'name', ['x', 'x'.repeat(120)], ['', 'x'.repeat(121), null, 7]);
      const others = ['BTC', 'usdc', '', contract === 'partner' ? 'USDT' : 'USDT0', 7];
      await expectField(write, 'asset', [...assets, null], others);
      await expectField(
        write,
        'points_multiplier',
        [1, 1.5, 1.01, 9.99, 10],
        [0.99, 10.01, 1.005, '2', null],
      );
      const times = ['2026-02-29T00:00:00Z', '2026-12-01', '2026-12-01T00:00:00+01:00', 'now', 1, null];
      await expectField(write, 'starts_at', ['2026-01-31T12:00:00.001Z'], times);
      await expectField(write, 'ends_at', ['2098-12-31T23:59:59.999Z', null], times.slice(0, -1));
      await expectField(write, 'metadata', GOOD_METADATA.slice(0, 2), BAD_METADATA.slice(0, 4));
    }
    await expectField(update, 'status', ['disabled', 'active'], ['gone', null]);
    expectRefused(await create({ status: 'active' }), 'status');
    expectRefused(await admin.post(path, {}), 'name');
  });

  it('ends after it starts, whichever of the two is changed', async () => {
    const [day1, day2, day3] = [1, 2, 3].map((day) => `2026-12-0${day}T00:00:00.000Z`);
    expectRefused(await create({ starts_at: day2, ends_at: day2 }), 'ends_at');
    expectRefused(await create({ starts_at: day2, ends_at: day1 }), 'ends_at');
    const { id } = dataOf(await create({ starts_at: day1, ends_at: day2 }), 201);
    expectRefused(await admin.patch(`${path}/${id}`, { starts_at: day3 }), 'ends_at');
    expectRefused(await admin.patch(`${path}/${id}`, { ends_at: day1 }), 'ends_at');
    const moved = dataOf(await admin.patch(`${path}/${id}`, { starts_at: day2, ends_at: day3 }), 200);
    expect(moved).toMatchObject({ starts_at: day2, ends_at: day3 });
  });

  it('changes only what is sent; null clears what may be null', async () => {
    const input = {
      asset: assets[1],
      points_multiplier: 2.5,
      ends_at: '2099-01-01T00:00:00.000Z',
      metadata: { a: '1' },
    };
    const campaign = dataOf(await create(input), 201);
    const update = async (body: object) => dataOf(await admin.patch(`${path}/${campaign.id}`, body), 200);
    expect(await update({ name: 'Spring' })).toEqual({ ...campaign, name: 'Spring', updated_at: TIME });
    expect(await update({ asset: null, ends_at: null })).toMatchObject({
      asset: null,
      ends_at: null,
      points_multiplier: 2.5,
    });
  });

  it('is kept when disabled; the list narrows to a status', async () => {
    const { id } = dataOf(await create({}), 201);
    expect(dataOf(await admin.patch(`${path}/${id}`, { status: 'disabled' }), 200).status).toBe('disabled');
    const idsOf = async (query: string) =>
      (await admin.get(path + query)).body.data.map((row: any) => row.id);
    expect(await idsOf('?status=disabled')).toEqual([id]);
    expect(await idsOf('?status=active')).not.toContain(id);
    expect((await idsOf(''))[0]).toBe(id);
  });

  it('belongs to its partner: another partner’s path does not lead to it', async () => {
    const { id } = dataOf(await create({}), 201);
    const other = (await newPartner()).partner.id;
    expectError(await admin.patch(`/partners/${other}/campaigns/${id}`, { name: 'Mine' }), 404, 'not_found');
    expect((await admin.get(`/partners/${other}/campaigns`)).body.data).toEqual([]);
    const nobody = '/partners/ptn_01kaabcdefghjkmnpqrstvwxyz/campaigns';
    expectError(await admin.get(nobody), 404, 'not_found');
    expectError(await admin.post(nobody, { name: 'Lost' }), 404, 'not_found');
  });
});
