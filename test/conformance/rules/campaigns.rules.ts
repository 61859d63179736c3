import type { Caller } from '../caller.js';
import { dataOf, equals, holds, made, matches, refused, rowsOf, shows } from '../check.js';
import { ABSENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { BAD_METADATA, GOOD_METADATA, refusedFor, tried } from './fields.js';

const DAY_MS = 86_400_000;
/** A change takes effect at the time of its transaction, a few milliseconds before its answer arrives. */
const SLACK_MS = 15;
/** Waits longer than that. */
const passed = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 4 * SLACK_MS));

interface Campaigns {
  path: string;
  partnerId: string;
  admin: Caller;
  create: (input?: object) => ReturnType<Caller['post']>;
}

async function campaignsOf(stage: Stage): Promise<Campaigns> {
  const [{ id: partnerId }, { admin }] = [await stage.partner(), stage];
  const path = `/partners/${partnerId}/campaigns`;
  const create = (input: object = {}) => admin.post(path, { name: stage.name('campaign'), ...input });
  return { path, partnerId, admin, create };
}

export const campaignsRules = rulesOf('campaigns', {
  created: [
    'A campaign needs only a name: by default it starts now, has no end, the multiplier 1 and every asset.',
    async (stage) => {
      const { create, partnerId } = await campaignsOf(stage);
      const name = stage.name('campaign');
      const answer = await create({ name });
      const { id, created_at, ...campaign } = dataOf(answer, 201);
      matches('id', id, /^cmp_[0-9a-hjkmnp-tv-z]{26}$/, answer);
      const expected = {
        object: 'campaign',
        name,
        partner_id: partnerId,
        status: 'active',
        asset: null,
        metadata: {},
        points_multiplier: 1,
        starts_at: created_at,
        ends_at: null,
        updated_at: created_at,
      };
      equals('the campaign', campaign, expected, answer);
    },
  ],
  fields: [
    'The fields of a campaign are validated on creation and change; an invalid field is named.',
    async (stage) => {
      const { path, admin, create } = await campaignsOf(stage);
      const { id } = made(await create({ starts_at: '2026-01-01T00:00:00Z' }));
      const update = (body: object) => admin.patch(`${path}/${id}`, body);
      const times = ['2026-02-29T00:00:00Z', '2026-12-01', '2026-12-01T00:00:00+01:00', 'now', 1, null];
      const foreign = stage.contract === 'partner' ? 'USDT' : 'USDT0';
      const fields: [name: string, good: unknown[], bad: unknown[]][] = [
        ['name', ['x', 'x'.repeat(120)], ['', 'x'.repeat(121), null, 7]],
        ['asset', [...stage.assets, null], ['BTC', foreign, 'usdc', '', 7]],
        ['points_multiplier', [1, 1.5, 1.01, 9.99, 10], [0.99, 10.01, 1.005, '2', null]],
        ['starts_at', ['2026-01-31T12:00:00.001Z'], times],
        ['ends_at', ['2098-12-31T23:59:59.999Z', null], times.slice(0, -1)],
        ['metadata', GOOD_METADATA.slice(0, 2), BAD_METADATA.slice(0, 4)],
      ];
      for (const [name, good, bad] of fields) {
        await tried(create, name, good.slice(0, 2), bad);
        await tried(update, name, good, bad.slice(0, 2));
      }
      await tried(update, 'status', ['disabled', 'active'], ['gone', null]);
      refusedFor(await create({ status: 'active' }), 'status');
      refusedFor(await admin.post(path, {}), 'name');
    },
  ],
  ends: [
    'A campaign ends after its start, on creation and after a change of either time.',
    async (stage) => {
      const { path, admin, create } = await campaignsOf(stage);
      const [day1, day2, day3] = [1, 2, 3].map((day) => `2026-12-0${day}T00:00:00.000Z`);
      refusedFor(await create({ starts_at: day2, ends_at: day2 }), 'ends_at');
      refusedFor(await create({ starts_at: day2, ends_at: day1 }), 'ends_at');
      const { id } = made(await create({ starts_at: day1, ends_at: day2 }));
      refusedFor(await admin.patch(`${path}/${id}`, { starts_at: day3 }), 'ends_at');
      refusedFor(await admin.patch(`${path}/${id}`, { ends_at: day1 }), 'ends_at');
      const answer = await admin.patch(`${path}/${id}`, { starts_at: day2, ends_at: day3 });
      shows('its times', dataOf(answer, 200), { starts_at: day2, ends_at: day3 }, answer);
    },
  ],
  updated: [
    'A PATCH of a campaign changes the fields in its body only; null clears a nullable field.',
    async (stage) => {
      const { path, admin, create } = await campaignsOf(stage);
      const scope = { asset: stage.assets[1], points_multiplier: 2.5 };
      const input = { ...scope, ends_at: '2099-01-01T00:00:00.000Z', metadata: { a: '1' } };
      const { updated_at: _, ...before } = made(await create(input));
      const renamed = await admin.patch(`${path}/${before.id}`, { name: 'Spring' });
      const { updated_at: __, ...after } = dataOf(renamed, 200);
      equals('the campaign', after, { ...before, name: 'Spring' }, renamed);
      const cleared = await admin.patch(`${path}/${before.id}`, { asset: null, ends_at: null });
      shows(
        'the campaign',
        dataOf(cleared, 200),
        { asset: null, ends_at: null, points_multiplier: 2.5 },
        cleared,
      );
    },
  ],
  listed: [
    'A disabled campaign is kept; the list is newest first, and can be filtered by status.',
    async (stage) => {
      const { path, admin, create } = await campaignsOf(stage);
      const { id } = made(await create({ ends_at: '2099-01-01T00:00:00.000Z' }));
      const off = await admin.patch(`${path}/${id}`, { status: 'disabled' });
      equals('status', dataOf(off, 200).status, 'disabled', off);
      const list = await admin.get(path);
      equals('the campaign in the list', rowsOf(list)[0], off.body.data, list);
      const idsOf = async (query: string): Promise<string[]> =>
        dataOf(await admin.get(`${path}${query}`), 200).map((row: any) => row.id);
      equals('the newest that is disabled', (await idsOf('?status=disabled'))[0], id);
      equals('whether it is among the active', (await idsOf('?status=active')).includes(id), false);
      equals('the newest', (await idsOf(''))[0], id);
    },
  ],
  'of-its-partner': [
    "A campaign exists under its own partner's path only; an unknown partner's path is a 404.",
    async (stage) => {
      const { admin, create } = await campaignsOf(stage);
      const { id } = made(await create());
      const other = (await stage.newPartner('without campaigns')).id;
      refused(await admin.patch(`/partners/${other}/campaigns/${id}`, { name: 'Mine' }), 404, 'not_found');
      equals('its campaigns', dataOf(await admin.get(`/partners/${other}/campaigns`), 200), []);
      const nobody = `/partners/ptn_${ABSENT}/campaigns`;
      refused(await admin.get(nobody), 404, 'not_found');
      refused(await admin.post(nobody, { name: 'Lost' }), 404, 'not_found');
    },
  ],
  switched: [
    'A deposit earns at the multiplier of the best active campaign for its asset, while that is active; a disabled one gets no deposits and multiplies nothing.',
    async (stage) => {
      const partner = await stage.stranger();
      const { caller, ...funds } = await stage.funds(partner);
      const [asset, other] = stage.assets;
      const path = `/partners/${partner.id}/campaigns`;
      const create = async (input: object): Promise<any> =>
        made(await stage.admin.post(path, { name: stage.name('switched'), ...input }));
      const best = await create({ asset, points_multiplier: 10 });
      await create({ asset, points_multiplier: 2 });
      await create({ asset: other, points_multiplier: 9.5 });
      const { id: user_id } = await stage.newUser(caller);
      /** Milliseconds for which the best campaign had so many units, by the moments of its changes. */
      let [earned, since, units] = [0, 0, 0];
      const at = (moment: string, more: number, isActive = true): void => {
        earned += units * (Date.parse(moment) - since);
        [since, units] = [Date.parse(moment), isActive ? units + more : 0];
      };
      const deposit = async (): Promise<any> => made(await funds.deposit({ user_id, asset, amount: 1000 }));
      const turn = async (status: string): Promise<any> =>
        made(await stage.admin.patch(`${path}/${best.id}`, { status }));
      at((await deposit()).opened_at, 1000);
      await passed();
      at((await turn('disabled')).updated_at, 0, false);
      await deposit();
      await passed();
      at((await turn('active')).updated_at, 1000);
      at((await deposit()).opened_at, 1000);
      await passed();
      const answer = await caller.get('/partner/points');
      const { campaigns, as_of } = dataOf(answer, 200);
      at(as_of, 0);
      const row = campaigns.find((campaign: any) => campaign.campaign_id === best.id);
      equals('the multiplier', row.multiplier, 10, answer);
      const expected = (earned * 10) / DAY_MS;
      const slack = (3000 * 10 * SLACK_MS) / DAY_MS;
      holds(
        Math.abs(row.points - expected) <= slack,
        `it has ${row.points} points, and must have ${expected}`,
        answer,
      );
      equals(
        'the points of the asset that nobody deposited',
        campaigns.find((campaign: any) => campaign.multiplier === 9.5)?.points ?? 0,
        0,
        answer,
      );
    },
  ],
});
