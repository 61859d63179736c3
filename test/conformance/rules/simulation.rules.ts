import Stripe from 'stripe';
import type { Caller } from '../caller.js';
import { BrokenRule, dataOf, equals, holds, made, refused, rowsOf, shows } from '../check.js';
import { ABSENT } from '../operations.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { refusedFor } from './fields.js';
import { EVENTS } from './webhooks.rules.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const clockOf = async (stage: Stage): Promise<any> =>
  dataOf(await (await stage.partner()).caller.get('/simulation/clock'), 200);

export const simulationRules = rulesOf('simulation', {
  advanced: [
    "An advance of 24 hours moves the account's clock, accrues yield, and keeps earlier cursors valid.",
    async (stage) => {
      const { id } = await stage.position();
      made(await stage.deposit(1));
      const { caller } = await stage.partner();
      const earned = async (): Promise<number> => dataOf(await caller.get(`/positions/${id}`), 200).yield;
      const [before, begun] = [await earned(), await caller.get('/positions?limit=1')];
      const { hours_ahead: wasAhead } = await clockOf(stage);
      const answer = await caller.post('/simulation/clock/advance', { hours: 24 });
      const { hours, from, to } = made(answer);
      equals('the hours', [hours, (Date.parse(to) - Date.parse(from)) / HOUR_MS], [24, 24], answer);
      const { now, hours_ahead: ahead } = await clockOf(stage);
      holds(Date.parse(now) >= Date.parse(to), 'the clock stands before the end of the advance', answer);
      equals('the hours ahead', ahead, wasAhead + 24, answer);
      holds((await earned()) !== before, 'the position earned nothing in a day', answer);
      const next = await caller.get(`/positions?limit=1&cursor=${begun.body.meta.next_cursor}`);
      const first = await caller.get('/positions?limit=2');
      const ids = [...dataOf(begun, 200), ...dataOf(next, 200)].map((one: any) => one.id);
      const expected = dataOf(first, 200).map((one: any) => one.id);
      equals('what is read', ids, expected, next);
      for (const wrong of [0, 745, 1.5, '24', null])
        refusedFor(await caller.post('/simulation/clock/advance', { hours: wrong }), 'hours');
      equals('the hours ahead', (await clockOf(stage)).hours_ahead, ahead);
    },
    'sandbox',
  ],
  scenario: [
    'A known scenario starts with the next hour, and is shown by the clock; an unknown one is refused.',
    async (stage) => {
      const { caller } = await stage.partner();
      const answer = await caller.post('/simulation/market', { scenario: 'calm' });
      const { scenario_from: from, hour } = dataOf(answer, 200);
      shows('the clock', answer.body.data, { object: 'simulation_clock', scenario: 'calm' }, answer);
      equals('its first hour', Date.parse(from) - Date.parse(hour), HOUR_MS, answer);
      equals('the scenario', (await clockOf(stage)).scenario, 'calm');
      for (const wrong of ['stormy', null])
        refusedFor(await caller.post('/simulation/market', { scenario: wrong }), 'scenario');
    },
    'sandbox',
  ],
  events: [
    'A requested event of each type arrives signed, with the schema of a real one.',
    async (stage) => {
      const { inbox } = await stage.inbox();
      const { caller } = await stage.partner();
      const hook = made(await caller.post('/webhooks', { url: inbox.url, events: EVENTS }));
      for (const type of EVENTS) {
        const answer = await caller.post('/simulation/events', { type, webhook_id: hook.id });
        const { id, created_at, data } = dataOf(answer, 201);
        const got = await inbox.requestOf(id, answer);
        const signature = String(got.headers['webhook-signature']);
        try {
          const event = Stripe.webhooks.constructEvent(got.body, signature, hook.secret);
          equals('the event', event, { id, type, created_at, data }, answer);
          stage.check.checkEvent(got);
        } catch (error) {
          throw new BrokenRule(`what came is not as promised: ${(error as Error).message}`, answer);
        }
      }
      made(await caller.delete(`/webhooks/${hook.id}`));
    },
    'sandbox',
  ],
  subscribed: [
    'A requested event reaches every active subscribed endpoint of the account, or the one named, and is in the delivery log.',
    async (stage) => {
      const { inbox } = await stage.inbox();
      const [{ caller }, { caller: stranger }] = [await stage.partner(), await stage.stranger()];
      const register = async (input: object, owner = caller): Promise<string> =>
        made(await owner.post('/webhooks', { url: inbox.url, events: ['yield.threshold'], ...input })).id;
      const subscribed = [
        await register({}),
        await register({ events: ['yield.threshold', 'position.opened'] }),
      ];
      const others = [await register({ events: ['position.opened'] }), await register({ active: false })];
      const foreign = await register({}, stranger);
      /** The endpoints that the log says it was delivered to, once they are as many. */
      const reached = async (id: string, count: number): Promise<string[]> => {
        for (let tries = 0; ; tries++) {
          const log = dataOf(await caller.get('/webhooks/events?status=delivered&limit=20'), 200) as any[];
          const ids = log.filter(({ payload }) => payload.id === id).map(({ webhook_id }) => webhook_id);
          if (ids.length >= count || tries === 100) return ids.sort();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const raise = async (input: object): Promise<string> =>
        made(await caller.post('/simulation/events', { type: 'yield.threshold', ...input })).id;
      const all = await raise({});
      const named = await raise({ webhook_id: subscribed[1] });
      equals('who got it', await reached(all, 2), subscribed.toSorted());
      equals('who got what was for one', await reached(named, 1), [subscribed[1]]);
      equals(
        "the other account's log",
        dataOf(await stranger.get('/webhooks/events?event=yield.threshold'), 200),
        [],
      );
      for (const id of [...subscribed, ...others]) made(await caller.delete(`/webhooks/${id}`));
      made(await stranger.delete(`/webhooks/${foreign}`));
    },
    'sandbox',
  ],
  dated: [
    "Events and test sends are dated at the account's time, and signed at wall-clock time.",
    async (stage) => {
      const { inbox, hook } = await stage.inbox();
      const { caller } = await stage.partner();
      made(await caller.post('/simulation/clock/advance', { hours: 2 }));
      const raised = made(
        await caller.post('/simulation/events', { type: 'system.status', webhook_id: hook.id }),
      );
      const { payload: tested } = made(await caller.post(`/webhooks/${hook.id}/test`));
      const { now, wall_time: wall } = await clockOf(stage);
      equals('when the test was asked for', tested.data.requested_at, tested.created_at);
      for (const { id, created_at } of [raised, tested]) {
        holds(Math.abs(Date.parse(now) - Date.parse(created_at)) < MINUTE_MS, `${id} is of ${created_at}`);
        const got = await inbox.requestOf(id);
        const [, seconds] = /^t=(\d+),/.exec(String(got.headers['webhook-signature'])) ?? [];
        const signed = Number(seconds) * 1000;
        holds(Math.abs(Date.parse(wall) - signed) < MINUTE_MS, `${id} is signed at another time`);
      }
    },
    'sandbox',
  ],
  'event-input': [
    'A requested event needs a known type, an object as data, and an active subscribed endpoint of the account.',
    async (stage) => {
      const [{ caller }, { id: webhook_id }] = [await stage.partner(), await stage.webhook()];
      const raise = (body: object) => caller.post('/simulation/events', body);
      const given = { amount: 12.5, note: 'mine' };
      const answer = await raise({ type: 'position.withdrawn', data: given });
      shows('the data', dataOf(answer, 201).data, { object: 'position', ...given }, answer);
      refusedFor(await raise({ type: 'position.moved' }), 'type');
      refusedFor(await raise({ type: 'system.status', data: [] }), 'data');
      for (const id of [`wh_${ABSENT}`, 'nonsense'])
        refused(await raise({ type: 'system.status', webhook_id: id }), 404, 'not_found');
      const { caller: stranger } = await stage.stranger();
      const others = await stranger.post('/simulation/events', { type: 'system.status', webhook_id });
      refused(others, 404, 'not_found');
      const off = (await stage.newWebhook({ active: false })).body.data;
      for (const [body, message] of [
        [{ type: 'position.opened', webhook_id }, 'is not subscribed to position.opened'],
        [{ type: 'system.status', webhook_id: off.id }, 'is inactive: it gets no events'],
      ] as const) {
        const refusal = await raise(body);
        refusedFor(refusal, 'webhook_id');
        equals('the message', refusal.body.error.details[0].message, message, refusal);
      }
    },
    'sandbox',
  ],
  reset: [
    'A reset empties the account, keeps its users, and makes the market of its seed again, which is not that of another seed.',
    async (stage) => {
      const { caller, deposit } = await stage.funds(await stage.traveller());
      const { id: user_id } = await stage.newUser(caller);
      const [asset] = stage.assets;
      const market = async (of: Caller): Promise<unknown[]> =>
        dataOf(await of.get(`/yield/history/${asset}`), 200).points.map(({ apy }: any) => apy);
      made(await deposit({ user_id, asset, amount: 10 }));
      const before = await market(caller);
      const { seed } = dataOf(await caller.get('/simulation/clock'), 200);
      const answer = await caller.post('/simulation/reset');
      shows('the clock', dataOf(answer, 200), { seed, hours_ahead: 0 }, answer);
      for (const path of ['/positions', `/users/${user_id}/ledger`, '/analytics/decisions', '/events'])
        equals(path, dataOf(await caller.get(path), 200), []);
      equals(
        'the users',
        rowsOf(await caller.get('/partner/users')).map(({ id }) => id),
        [user_id],
      );
      equals('the market of one seed', await market(caller), before, answer);
      const other = await market((await stage.partner()).caller);
      holds(
        before.some((apy) => !other.includes(apy)),
        'another seed makes the same market',
      );
    },
    'sandbox',
  ],
});
