import { dataOf, equals, holds, made, matches, refused, refusedField } from '../check.js';
import { isSuccess } from '../exchange.js';
import { ABSENT } from '../operations.js';
import { rulesOf } from '../rule.js';

export const partnersRules = rulesOf('partners', {
  created: [
    'A new partner is active, and comes with a key of its own that works at once.',
    async ({ admin, name }) => {
      const named = name('new');
      const answer = await admin.post('/partners', { name: named });
      const { partner, api_key: key } = dataOf(answer, 201);
      equals(
        'object',
        [answer.body.object, partner.object, key.object],
        ['partner_created', 'partner', 'api_key'],
        answer,
      );
      matches('id', partner.id, /^ptn_[0-9a-hjkmnp-tv-z]{26}$/, answer);
      const { status, contact_email, metadata, disabled_at } = partner;
      const expected = {
        name: named,
        status: 'active',
        contact_email: null,
        metadata: {},
        disabled_at: null,
      };
      equals(
        'the partner',
        { name: partner.name, status, contact_email, metadata, disabled_at },
        expected,
        answer,
      );
      equals(
        'the key',
        [[...key.scopes].sort(), key.partner_id],
        [['partner:read', 'read'], partner.id],
        answer,
      );
      dataOf(await admin.as('new partner', key.secret).get('/partner/summary'), 200);
    },
  ],
  read: [
    'A partner is read by its id, as the list shows it.',
    async (stage) => {
      const { id } = await stage.partner();
      const answer = await stage.admin.get(`/partners/${id}`);
      const listed = await stage.admin.get('/partners?status=active&limit=100');
      const row = dataOf(listed, 200).find((one: any) => one.id === id);
      equals('the partner', dataOf(answer, 200), row, answer);
      refused(await stage.admin.get(`/partners/ptn_${ABSENT}`), 404, 'not_found');
    },
  ],
  updated: [
    'A PATCH changes what it names and nothing else.',
    async ({ admin, name, newPartner }) => {
      const { id } = await newPartner('changed');
      const before = dataOf(await admin.get(`/partners/${id}`), 200);
      const change = {
        name: name('renamed'),
        contact_email: 'ops@example.test',
        revenue_share_bps: 1234,
        metadata: { tier: 'gold' },
      };
      const answer = await admin.patch(`/partners/${id}`, change);
      const { updated_at, ...after } = dataOf(answer, 200);
      const { updated_at: _, ...expected } = { ...before, ...change };
      equals('the partner', after, expected, answer);
      holds(updated_at >= before.updated_at, 'updated_at went back', answer);
      for (const [field, value] of Object.entries({
        name: '',
        revenue_share_bps: 10_001,
        status: 'gone',
        metadata: { a: 1 },
      }))
        refusedField(await admin.patch(`/partners/${id}`, { [field]: value }), field);
    },
  ],
  disabled: [
    'Disabling a partner revokes its keys at once, and enabling it again restores none; it gets no key meanwhile.',
    async ({ admin, name, newPartner }) => {
      const { id, caller } = await newPartner('disabled');
      const off = await admin.patch(`/partners/${id}`, { status: 'disabled' });
      equals('status', dataOf(off, 200).status, 'disabled', off);
      matches('disabled_at', off.body.data.disabled_at, /Z$/, off);
      refused(await caller.get('/partner/summary'), 401, 'invalid_api_key');
      const key = await admin.post('/keys', {
        label: name('late'),
        scopes: ['partner:read'],
        partner_id: id,
      });
      holds(!isSuccess(key), 'a disabled partner got a key', key);
      const listed = await admin.get('/partners?status=disabled&limit=20');
      holds(
        dataOf(listed, 200).some((one: any) => one.id === id),
        'the filter does not show it',
        listed,
      );
      const on = await admin.patch(`/partners/${id}`, { status: 'active' });
      const { status, disabled_at } = dataOf(on, 200);
      equals('the partner', { status, disabled_at }, { status: 'active', disabled_at: null }, on);
      refused(await caller.get('/partner/summary'), 401, 'invalid_api_key');
    },
  ],
  campaigns: [
    'A campaign is made, listed by status, disabled and kept; it is found under its own partner alone.',
    async (stage) => {
      const [{ id }, { id: other }] = [await stage.partner(), await stage.stranger()];
      const path = `/partners/${id}/campaigns`;
      const answer = await stage.admin.post(path, { name: stage.name('spring'), points_multiplier: 1.5 });
      const campaign = dataOf(answer, 201);
      equals(
        'the campaign',
        [campaign.object, campaign.partner_id, campaign.status, campaign.points_multiplier],
        ['campaign', id, 'active', 1.5],
        answer,
      );
      matches('id', campaign.id, /^cmp_/, answer);
      refused(
        await stage.admin.patch(`/partners/${other}/campaigns/${campaign.id}`, { status: 'disabled' }),
        404,
        'not_found',
      );
      const off = await stage.admin.patch(`${path}/${campaign.id}`, { status: 'disabled' });
      equals('status', dataOf(off, 200).status, 'disabled', off);
      for (const [status, is] of [
        ['disabled', true],
        ['active', false],
      ] as const) {
        const listed = await stage.admin.get(`${path}?status=${status}&limit=500`);
        equals(
          `among ${status}`,
          dataOf(listed, 200).some((one: any) => one.id === campaign.id),
          is,
          listed,
        );
      }
      for (const value of [0.99, 10.01, 1.234])
        refusedField(
          await stage.admin.post(path, { name: 'x', points_multiplier: value }),
          'points_multiplier',
        );
      made(await stage.admin.get(path));
    },
  ],
});
