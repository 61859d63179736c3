import { entryOf } from '../book.js';
import { dataOf, equals, holds, made, rowsOf, shows, Skipped } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { isIdle } from './series.js';

/** The events of a partner with a past, oldest first, and its ledger. */
async function raised(stage: Stage): Promise<{ answer: Exchange; events: any[]; entries: any[] }> {
  const { caller } = await stage.life();
  const answer = await caller.get('/events?limit=500');
  const entries = rowsOf(await caller.get('/partner/ledger?limit=500')).reverse();
  return { answer, events: rowsOf(answer), entries };
}

export const eventsRules = rulesOf('events', {
  positions: [
    'A deposit raises position.opened, a withdrawal position.withdrawn with its amount, the last one position.closed, a move position.rebalanced.',
    async (stage) => {
      const { answer, events, entries } = await raised(stage);
      const of = (type: string): any[] => events.filter((event) => event.type === type);
      const named = (rows: any[], name: (row: any) => string): string[] => rows.map(name).sort();
      const { caller } = await stage.life();
      const positions = rowsOf(await caller.get('/positions?limit=500'));
      const expected: Record<string, any[]> = {
        'position.opened': entries.filter(entryOf('deposit')),
        'position.withdrawn': entries.filter(entryOf('withdrawal')),
        'position.closed': positions.filter(({ status }) => status === 'closed'),
        'position.active': positions.filter(({ active_at }) => active_at !== null),
      };
      for (const [type, causes] of Object.entries(expected)) {
        const shown = named(of(type), ({ data }) => data.id);
        const caused = named(causes, ({ position_id, id }) => position_id ?? id);
        equals(`the positions of ${type}`, shown, caused, answer);
      }
      const paid = (rows: any[]): string[] =>
        named(rows, (row) => `${row.position_id ?? row.id} ${row.amount}`);
      const withdrawn = of('position.withdrawn').map(({ data }) => data);
      equals('what was withdrawn', paid(withdrawn), paid(expected['position.withdrawn']!), answer);
      // A move out of cash that was never in a vault makes a position active.
      const moves = entries.filter(entryOf('rebalance')).map((one) => one.decision_id);
      for (const { data, id } of of('position.rebalanced'))
        holds(moves.includes(data.decision_id), `${id} is of no move of the ledger`, answer);
    },
  ],
  data: [
    'An event of a position has the position as it was then, with the decision that caused it, at the time of its entry.',
    async (stage) => {
      const { answer, events, entries } = await raised(stage);
      const { caller } = await stage.life();
      const positions = rowsOf(await caller.get('/positions?limit=500'));
      for (const { type, data, created_at, id } of events.filter((one) => one.data.object === 'position')) {
        const { user_id, asset, opened_at, origin_vault_id } = positions.find((one) => one.id === data.id);
        shows(`the data of ${id}`, data, { user_id, asset, opened_at }, answer);
        const amount = data.principal + data.yield;
        if (type !== 'position.closed')
          holds(Math.abs(data.value - amount) < 2e-6, `${id} is worth ${data.value}`, answer);
        holds(
          origin_vault_id === (data.origin_vault_id ?? origin_vault_id),
          `${id} has another first vault`,
          answer,
        );
        const statuses: Record<string, string[]> = {
          'position.opened': [isIdle(data.vault_id) ? 'pending' : 'active'],
          'position.closed': ['closed'],
          'position.withdrawn': ['pending', 'active', 'closed'],
        };
        const allowed = statuses[type] ?? ['active'];
        holds(
          allowed.includes(data.status),
          `${id}, ${type}, is of a position that is ${data.status}`,
          answer,
        );
        const entry = entries.find((one) => one.position_id === data.id && one.at === created_at);
        holds(entry !== undefined, `${id} is of no entry at ${created_at}`, answer);
        if (type === 'position.opened')
          equals(`the decision of ${id}`, data.decision_id, entry.decision_id, answer);
      }
      const order = events.map(({ recorded_at }) => recorded_at);
      equals('the order', order, order.toSorted(), answer);
    },
  ],
  delivered: [
    'An event of a type is sent to the endpoints that subscribed to it and to no other, and names those that it did not reach.',
    async (stage) => {
      const { answer, events } = await raised(stage);
      const { caller } = await stage.life();
      const hooks = rowsOf(await caller.get('/webhooks?limit=500'));
      for (const { type, deliveries, undelivered_to: missed, id } of events.filter(
        (one) => one.type !== 'system.status',
      )) {
        const subscribed = hooks.filter((one) => one.events.includes(type)).map((one) => one.id);
        const sent = deliveries.map(({ webhook_id }: any) => webhook_id);
        equals(`the endpoints of ${id}`, sent.toSorted(), subscribed.sort(), answer);
        const failed = deliveries.filter(({ status }: any) => status === 'failed');
        equals(
          `whom ${id} did not reach`,
          missed,
          failed.map(({ webhook_id }: any) => webhook_id),
          answer,
        );
      }
    },
  ],
  thresholds: [
    'yield.threshold says above where the APY of its asset was below the threshold and is not any more, and below for the reverse.',
    async (stage) => {
      const { caller } = await (stage.contract === 'sandbox' ? stage.traveller() : stage.partner());
      const read = (): Promise<Exchange> => caller.get('/events?types=yield.threshold&limit=500');
      let answer = await read();
      for (const scenario of stage.contract === 'sandbox' ? ['rising', 'falling'] : []) {
        if (dataOf(answer, 200).length > 0) break;
        dataOf(await caller.post('/simulation/market', { scenario }), 200);
        made(await caller.post('/simulation/clock/advance', { hours: 216 }));
        answer = await read();
      }
      const crossings = dataOf(answer, 200) as any[];
      if (crossings.length === 0) throw new Skipped('no yield crossed a threshold while the run lasted');
      for (const { data, id } of crossings) {
        const { asset, threshold, direction, apy, previous_apy: before, at } = data;
        const crossed =
          before < threshold && apy >= threshold
            ? 'above'
            : before >= threshold && apy < threshold
              ? 'below'
              : null;
        equals(`direction of ${id}, from ${before} to ${apy} over ${threshold},`, direction, crossed, answer);
        const history = await caller.get(`/yield/history/${asset}?from=${at}&to=${at}`);
        equals(`the APY at ${at}`, dataOf(history, 200).points[0]?.apy, apy, answer);
      }
    },
  ],
});
