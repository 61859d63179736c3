import { entryOf } from '../book.js';
import { column, dataOf, equals, holds, made, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { near } from './figures.js';
import { isIdle } from './series.js';
import { logPath } from './webhooks.rules.js';

/** What a position is by its event, but for one that is opened in cash; else it is active. */
const STATUSES: Record<string, string[]> = {
  'position.closed': ['closed'],
  'position.withdrawn': ['pending', 'active', 'closed'],
};

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
        if (type !== 'position.closed') near('value', data.value, data.principal + data.yield, answer);
        equals('its first vault', data.origin_vault_id ?? origin_vault_id, origin_vault_id, answer);
        const isOpening = type === 'position.opened' && isIdle(data.vault_id);
        const allowed = isOpening ? ['pending'] : (STATUSES[type] ?? ['active']);
        holds(allowed.includes(data.status), `${type} is of a position that is ${data.status}`, answer);
        const entry = entries.find((one) => one.position_id === data.id && one.at === created_at);
        holds(entry !== undefined, `${id} is of no entry at ${created_at}`, answer);
        if (type === 'position.opened')
          equals(`the decision of ${id}`, data.decision_id, entry.decision_id, answer);
      }
      const order = column(events, 'recorded_at');
      equals('the order', order, order.toSorted(), answer);
    },
  ],
  delivered: [
    'An event of a type is sent to the endpoints that subscribed to it and to no other, and names those that it did not reach.',
    async (stage) => {
      const { answer, events } = await raised(stage);
      const { caller } = await stage.life();
      const hooks = rowsOf(await caller.get('/webhooks?limit=500'));
      const log = rowsOf(await caller.get(`${logPath(stage)}?limit=500`));
      const ofPositions = events.filter(({ type }) => type !== 'system.status');
      for (const { type, deliveries, undelivered_to: missed, id } of ofPositions) {
        const subscribed = hooks.filter((one) => one.events.includes(type));
        const sent = column(deliveries, 'webhook_id').toSorted();
        equals(`the endpoints of ${id}`, sent, column(subscribed, 'id').sort(), answer);
        const failed = deliveries.filter(({ status }: any) => status === 'failed');
        equals(`whom ${id} did not reach`, missed, column(failed, 'webhook_id'), answer);
        for (const send of deliveries)
          shows(
            'the send',
            log.find((one) => one.id === send.id),
            send,
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
      for (let days = 0; stage.contract === 'sandbox' && days < 18; days += 3) {
        if (dataOf(answer, 200).length > 0) break;
        const scenario = days < 9 ? 'rising' : 'falling';
        if (days % 9 === 0) made(await caller.post('/simulation/market', { scenario }));
        made(await caller.post('/simulation/clock/advance', { hours: 72 }));
        answer = await read();
      }
      const crossings = dataOf(answer, 200) as any[];
      if (crossings.length === 0) throw new SkippedRule('no yield crossed a threshold while the run lasted');
      for (const { data, id } of crossings) {
        const { asset, threshold, direction, apy, previous_apy: before, at } = data;
        const [was, is] = [before >= threshold, apy >= threshold];
        holds(was !== is, `${id} crosses nothing: ${before}, ${apy}, ${threshold}`, answer);
        equals(`direction of ${id}`, direction, is ? 'above' : 'below', answer);
        const history = await caller.get(`/yield/history/${asset}?from=${at}&to=${at}`);
        equals(`the APY at ${at}`, dataOf(history, 200).points[0]?.apy, apy, answer);
      }
    },
  ],
});
