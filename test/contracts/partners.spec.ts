import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { expectError, fieldsOf } from '../support/expected-error.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const textsOf = (keys: number, name = 10, value = 10): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [String(n).padEnd(name, '.'), 'v'.repeat(value)]),
  );

/** What metadata is accepted, wherever it stands. */
const GOOD_METADATA = [
  {},
  { tier: 'gold', note: '' },
  textsOf(50),
  textsOf(1, 40, 500),
  { '🔑': '🔑'.repeat(500) },
];
const BAD_METADATA = [
  ...[textsOf(51), textsOf(1, 41), textsOf(1, 1, 501), { '': 'x' }],
  ...[{ a: 1 }, { a: null }, { a: {} }, { a: ['b'] }, [], 'text', null],
];

describe.each(['partner', 'sandbox'] as const)('%s contract: partners and their campaigns', (contract) => {
  const assets = contract === 'partner' ? ['USDC', 'USDT0'] : ['USDC', 'USDT'];
  let app: TestApp;
  let admin: Api;

  beforeAll(async () => {
    app = await startApp(contract);
    admin = app.admin;
  });
  afterAll(() => app.close());

  const expectRefused = (answer: Answer, field: string): void => {
    expectError(answer, 400, 'validation_failed');
    expect(fieldsOf(answer)).toEqual([field]);
  };
  const dataOf = ({ status, body }: Answer, expected: number): any => {
    expect(status).toBe(expected);
    return body.data;
  };
  const newPartner = async (input: object = {}): Promise<any> =>
    dataOf(await admin.post('/partners', { name: 'Acme', ...input }), 201);

  /** Tries each value of a field: what is accepted is shown as `shown` makes it, what is not names the field. */
  const expectField = async (
    write: (body: object) => Promise<any>,
    field: string,
    good: readonly unknown[],
    bad: readonly unknown[],
    shown: (data: any) => any = (data) => data,
  ): Promise<void> => {
    for (const value of good) {
      const { status, body } = await write({ [field]: value });
      expect([value, status]).toEqual([value, status === 201 ? 201 : 200]);
      expect(shown(body.data)[field]).toEqual(value);
    }
    for (const value of bad) expectRefused(await write({ [field]: value }), field);
  };

  describe('a partner', () => {
    it('needs only a name; the rest has defaults', async () => {
      const { object, partner, api_key } = await newPartner();
      expect(object).toBe('partner_created');
      expect(partner).toEqual({
        id: expect.stringMatching(/^ptn_[0-9a-hjkmnp-tv-z]{26}$/),
        object: 'partner',
        name: 'Acme',
        status: 'active',
        contact_email: null,
        revenue_share_bps: 4000,
        metadata: {},
        created_at: TIME,
        updated_at: partner.created_at,
        disabled_at: null,
      });
      expect(api_key).toMatchObject({
        partner_id: partner.id,
        scopes: ['partner:read', 'read'],
        label: 'Acme default key',
      });
      expect((await admin.as(api_key.secret).get('/webhooks')).status).toBe(200);
      expect(dataOf(await admin.get(`/partners/${partner.id}`), 200)).toEqual(partner);
    });

    it('takes what is within bounds and names the field of what is not, on creation and on change', async () => {
      const { partner } = await newPartner();
      const create = (body: object) => admin.post('/partners', { name: 'Acme', ...body });
      const update = (body: object) => admin.patch(`/partners/${partner.id}`, body);
      for (const [write, shown] of [
        [create, (data: any) => data.partner],
        [update, (data: any) => data],
      ] as const) {
        await expectField(
          write,
          'name',
          ['x', 'é'.repeat(120), '🔑'.repeat(120)],
          ['', 'x'.repeat(121), null, 7],
          shown,
        );
        const emails = ['ops@acme.example', null];
        await expectField(
          write,
          'contact_email',
          emails,
          ['ops', '', 'a@b', `${'x'.repeat(250)}@a.example`, 7],
          shown,
        );
        await expectField(write, 'revenue_share_bps', [0, 10_000], [-1, 10_001, 0.5, '4000', null], shown);
        await expectField(write, 'metadata', GOOD_METADATA, BAD_METADATA, shown);
      }
      await expectField(update, 'status', ['active', 'disabled', 'active'], ['gone', '', null]);
      expectRefused(await admin.post('/partners', {}), 'name');
      expectRefused(await create({ status: 'disabled' }), 'status');
      expectRefused(await update({ id: 'ptn_1' }), 'id');
    });

    it('names its first key as asked, or after the partner', async () => {
      const label = async (input: object): Promise<string> => (await newPartner(input)).api_key.label;
      expect(await label({ key_label: 'Production' })).toBe('Production');
      expect(await label({ name: 'x'.repeat(120) })).toBe(`${'x'.repeat(100)} default key`);
      expect(await label({ name: `x${'🔑'.repeat(119)}` })).toBe(`x${'🔑'.repeat(99)} default key`);
      for (const key_label of ['', 'x'.repeat(121), null]) {
        expectRefused(await admin.post('/partners', { name: 'Acme', key_label }), 'key_label');
      }
    });

    it('changes only what is sent; null clears what may be null', async () => {
      const full = { contact_email: 'ops@acme.example', revenue_share_bps: 1, metadata: { a: '1', b: '2' } };
      const { partner } = await newPartner(full);
      const path = `/partners/${partner.id}`;
      const renamed = dataOf(await admin.patch(path, { name: 'New' }), 200);
      expect(renamed).toEqual({ ...partner, name: 'New', updated_at: TIME });
      expect(Date.parse(renamed.updated_at)).toBeGreaterThanOrEqual(Date.parse(partner.created_at));
      expect(dataOf(await admin.patch(path, { contact_email: null }), 200).contact_email).toBeNull();
      expect(dataOf(await admin.patch(path, { metadata: { c: '3' } }), 200).metadata).toEqual({ c: '3' });
      const last = dataOf(await admin.patch(path, {}), 200);
      expect(last).toMatchObject({
        name: 'New',
        contact_email: null,
        revenue_share_bps: 1,
        metadata: { c: '3' },
      });
      expect(dataOf(await admin.get(path), 200)).toEqual(last);
    });

    it('keeps the time since when it is disabled; the list narrows to a status', async () => {
      const { partner } = await newPartner();
      const path = `/partners/${partner.id}`;
      const disabled = dataOf(await admin.patch(path, { status: 'disabled' }), 200);
      expect(disabled).toMatchObject({ status: 'disabled', disabled_at: TIME });
      expect(dataOf(await admin.patch(path, { status: 'disabled' }), 200).disabled_at).toBe(
        disabled.disabled_at,
      );
      const idsOf = async (query: string) =>
        (await admin.get(`/partners${query}`)).body.data.map(({ id }: any) => id);
      expect(await idsOf('?status=disabled')).toContain(partner.id);
      expect(await idsOf('?status=active')).not.toContain(partner.id);
      expect(await idsOf('')).toContain(partner.id);
      expect(dataOf(await admin.patch(path, { status: 'active' }), 200).disabled_at).toBeNull();
    });
  });

  describe('a campaign', () => {
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
      expectError(
        await admin.patch(`/partners/${other}/campaigns/${id}`, { name: 'Mine' }),
        404,
        'not_found',
      );
      expect((await admin.get(`/partners/${other}/campaigns`)).body.data).toEqual([]);
      const nobody = '/partners/ptn_01kaabcdefghjkmnpqrstvwxyz/campaigns';
      expectError(await admin.get(nobody), 404, 'not_found');
      expectError(await admin.post(nobody, { name: 'Lost' }), 404, 'not_found');
    });
  });
});
