import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api.js';
import { startApp, type TestApp } from '../support/app.js';
import { BAD_METADATA, dataOf, expectField, expectRefused, GOOD_METADATA, TIME } from '../support/fields.js';

describe.each(['partner', 'sandbox'] as const)('%s contract: partners', (contract) => {
  let app: TestApp;
  let admin: Api;

  beforeAll(async () => {
    app = await startApp(contract);
    admin = app.admin;
  });
  afterAll(() => app.close());

  const newPartner = async (input: object = {}): Promise<any> =>
    dataOf(await admin.post('/partners', { name: 'Acme', ...input }), 201);

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
