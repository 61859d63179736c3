import { dataOf, equals, holds, made, matches, refused, rowsOf, shows } from '../check.js';
import { ABSENT, ENVIRONMENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import { BAD_METADATA, GOOD_METADATA, refusedFor, tried } from './fields.js';
import { near } from './figures.js';

export const partnersRules = rulesOf('partners', {
  created: [
    'A new partner is active, with a key that works at once, and no users or deposits.',
    async ({ admin, name, contract }) => {
      const named = name('new');
      const answer = await admin.post('/partners', { name: named });
      const { partner, api_key: key } = dataOf(answer, 201);
      const objects = [answer.body.object, partner.object, key.object];
      equals('object', objects, ['partner_created', 'partner', 'api_key'], answer);
      matches('id', partner.id, /^ptn_[0-9a-hjkmnp-tv-z]{26}$/, answer);
      const plain = { status: 'active', contact_email: null, metadata: {}, disabled_at: null };
      shows('the partner', partner, { name: named, ...plain, updated_at: partner.created_at }, answer);
      holds(Number.isInteger(partner.revenue_share_bps), 'it has no share of the revenue', answer);
      const first = {
        scopes: ['partner:read', 'read'],
        partner_id: partner.id,
        environment: ENVIRONMENT[contract],
        label: `${[...named].slice(0, 100).join('')} default key`,
        revoked: false,
      };
      shows('the key', { ...key, scopes: key.scopes.toSorted() }, first, answer);
      matches('its secret', key.secret, new RegExp(`^vl_${ENVIRONMENT[contract]}_[0-9A-Za-z]{38}$`), answer);
      const read = await admin.get(`/partners/${partner.id}`);
      equals('the partner as it is read', dataOf(read, 200), partner, read);
      const keys = await admin.get('/keys?limit=20');
      const listed = rowsOf(keys).find(({ id }) => id === key.id);
      equals('the key in the list', listed, { ...key, secret: `${key.prefix}****` }, keys);
      const summary = await admin.as('new partner', key.secret).get('/partner/summary');
      shows('the summary', dataOf(summary, 200), { partner_id: partner.id, users: 0 }, summary);
      equals('net_tvl', summary.body.data.totals.net_tvl, 0, summary);
    },
  ],
  read: [
    'A partner read by its id equals its row in the list; an unknown id is a 404.',
    async (stage) => {
      const { id } = await stage.partner();
      const answer = await stage.admin.get(`/partners/${id}`);
      const listed = await stage.admin.get('/partners?status=active&limit=100');
      const row = dataOf(listed, 200).find((row: any) => row.id === id);
      // Its money earns between the two answers.
      const { net_tvl, ...read } = dataOf(answer, 200);
      equals('the partner', { ...read, net_tvl: row.net_tvl }, row, answer);
      near('its TVL', net_tvl, row.net_tvl, answer);
      refused(await stage.admin.get(`/partners/ptn_${ABSENT}`), 404, 'not_found');
    },
  ],
  updated: [
    'A PATCH of a partner changes the fields in its body only.',
    async ({ admin, name, newPartner }) => {
      const { id } = await newPartner('changed');
      const before = dataOf(await admin.get(`/partners/${id}`), 200);
      const listed = async (partner: any): Promise<void> => {
        const list = await admin.get('/partners?limit=20');
        const row = rowsOf(list).find((row) => row.id === id);
        equals('the partner in the list', row, partner, list);
      };
      await listed(before);
      const terms = { revenue_share_bps: 1234, metadata: { tier: 'gold' } };
      const change = { name: name('renamed'), contact_email: 'ops@example.test', ...terms };
      const answer = await admin.patch(`/partners/${id}`, change);
      const { updated_at, ...after } = dataOf(answer, 200);
      const { updated_at: _, ...expected } = { ...before, ...change };
      equals('the partner', after, expected, answer);
      holds(updated_at >= before.updated_at, 'updated_at went back', answer);
      const next = { contact_email: null, metadata: { c: '3' } };
      const cleared = await admin.patch(`/partners/${id}`, next);
      shows('the partner', dataOf(cleared, 200), { ...next, revenue_share_bps: 1234 }, cleared);
      const last = dataOf(await admin.patch(`/partners/${id}`, {}), 200);
      equals('the name', last.name, change.name);
      equals('the partner', dataOf(await admin.get(`/partners/${id}`), 200), last);
      await listed(last);
    },
  ],
  fields: [
    'The fields of a partner are validated on creation and change; an invalid field is named.',
    async ({ admin, name, newPartner }) => {
      const { id } = await newPartner('fields');
      const create = (body: object) => admin.post('/partners', { name: name('fields'), ...body });
      const update = (body: object) => admin.patch(`/partners/${id}`, body);
      const bad: Record<string, unknown[]> = {
        name: ['', 'x'.repeat(121), null, 7],
        contact_email: ['ops', '', 'a@b', `${'x'.repeat(250)}@a.example`, 7],
        revenue_share_bps: [-1, 10_001, 0.5, '4000', null],
        metadata: BAD_METADATA,
      };
      const good: Record<string, unknown[]> = {
        name: ['x', 'é'.repeat(120), '🔑'.repeat(120), name('fields')],
        contact_email: ['ops@acme.example', null],
        revenue_share_bps: [0, 10_000],
        metadata: GOOD_METADATA,
      };
      for (const [field, values] of Object.entries(bad)) {
        await tried(create, field, [], values.slice(0, 3));
        await tried(update, field, good[field]!, values);
      }
      for (const bounds of [
        { contact_email: 'ops@acme.example', revenue_share_bps: 0, metadata: GOOD_METADATA[2]! },
        { contact_email: null, revenue_share_bps: 10_000, metadata: GOOD_METADATA[3]! },
      ]) {
        const answer = await create(bounds);
        shows('the partner', dataOf(answer, 201).partner, bounds, answer);
      }
      await tried(update, 'status', ['active', 'disabled', 'active'], ['gone', '', null]);
      refusedFor(await admin.post('/partners', {}), 'name');
      refusedFor(await create({ status: 'disabled' }), 'status');
      refusedFor(await update({ id: 'ptn_1' }), 'id');
    },
  ],
  'first-key': [
    "A new partner's key has the label of key_label, or one from the first 100 characters of the partner's name.",
    async ({ admin, name, run }) => {
      const label = async (input: object): Promise<string> =>
        made(await admin.post('/partners', { name: name('key'), ...input })).api_key.label;
      equals('label', await label({ key_label: 'Production' }), 'Production');
      for (const letter of ['x', '🔑']) {
        const long = `${run} ${letter.repeat(119 - run.length)}`;
        const first = [...long].slice(0, 100).join('');
        equals('label', await label({ name: long }), `${first} default key`);
      }
      for (const key_label of ['', 'x'.repeat(121), null])
        refusedFor(await admin.post('/partners', { name: name('key'), key_label }), 'key_label');
    },
  ],
  disabled: [
    'Disabling a partner revokes its keys at once and prevents new ones; enabling it restores none.',
    async ({ admin, name, newPartner }) => {
      const { id, caller } = await newPartner('disabled');
      const off = await admin.patch(`/partners/${id}`, { status: 'disabled' });
      equals('status', dataOf(off, 200).status, 'disabled', off);
      matches('disabled_at', off.body.data.disabled_at, /Z$/, off);
      const read = await admin.get(`/partners/${id}`);
      equals('the partner as it is read', dataOf(read, 200), off.body.data, read);
      const again = await admin.patch(`/partners/${id}`, { status: 'disabled' });
      equals('disabled_at', dataOf(again, 200).disabled_at, off.body.data.disabled_at, again);
      const active = await admin.get('/partners?status=active&limit=500');
      holds(!dataOf(active, 200).some((row: any) => row.id === id), 'it is among the active', active);
      refused(await caller.get('/partner/summary'), 401, 'invalid_api_key');
      const late = { label: name('late'), scopes: ['partner:read'], partner_id: id };
      refused(await admin.post('/keys', late), 409, 'partner_disabled');
      const listed = await admin.get('/partners?status=disabled&limit=20');
      const row = rowsOf(listed).find((row) => row.id === id);
      equals('the partner in the list', row, again.body.data, listed);
      const on = await admin.patch(`/partners/${id}`, { status: 'active' });
      shows('the partner', dataOf(on, 200), { status: 'active', disabled_at: null }, on);
      refused(await caller.get('/partner/summary'), 401, 'invalid_api_key');
      const key = made(await admin.post('/keys', { ...late, label: name('enabled') }));
      // It is known, and has no right to that.
      refused(await admin.as('new key', key.secret).get('/keys'), 403, 'insufficient_scope');
    },
  ],
  'disabled-deposits': [
    'Nothing is deposited for a disabled partner: 409 partner_disabled; an active one may deposit again.',
    async (stage) => {
      const partner = await stage.newPartner('closed');
      const { deposit } = await stage.funds(partner);
      const { id: user_id } = await stage.newUser(partner.caller);
      const input = { user_id, asset: stage.assets[0], amount: 1 };
      for (const status of ['disabled', 'active']) {
        made(await stage.admin.patch(`/partners/${partner.id}`, { status }));
        const answer = await deposit(input);
        if (status === 'active') dataOf(answer, 201);
        else refused(answer, 409, 'partner_disabled');
      }
    },
    'partner',
  ],
});
