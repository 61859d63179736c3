import { column, dataOf, equals, holds, matches, refused, rowsOf, shows, SkippedRule } from '../check.js';
import { codeOf, type Exchange, fieldsOf } from '../exchange.js';
import { newTxHash } from '../funds.js';
import { type Rule, rulesOf } from '../rule.js';
import type { Saver } from '../savings.js';
import type { Stage } from '../stage.js';
import { near } from './figures.js';
import { isIdle } from './series.js';

const AMOUNT = 100;
const NOTE = 'The vault is paused.';

/** A deposit whose funds an executor is to put into their vault. */
interface Received {
  saver: Saver;
  /** As they were answered first. */
  position: any;
  move: any;
  report: (path: string, body?: object) => Promise<Exchange>;
  read: () => Promise<any>;
  settled: (amount?: number) => object;
}

/** @throws Skipped where deposits enter their vault at once */
async function received(stage: Stage): Promise<Received> {
  const saver = await (await stage.savings()).saver([['home', AMOUNT]]);
  const { reporter } = saver.funds;
  const input = { user_id: saver.id, asset: saver.asset, amount: AMOUNT, tx_hash: newTxHash() };
  const answer = await reporter.post('/positions', { ...input, allocated: false });
  if (codeOf(answer) === 'validation_failed' && fieldsOf(answer).includes('allocated'))
    throw new SkippedRule(
      'deposits enter their vault at once, as nobody executes moves (SETTLEMENT=instant)',
    );
  const position = dataOf(answer, 201);
  await saver.requireVault();
  const [move] = rowsOf(await reporter.get(`/moves?position_id=${position.id}`));
  return {
    saver,
    position,
    move,
    report: (path, body) => reporter.post(path, body),
    read: async () => dataOf(await saver.caller.get(`/positions/${position.id}`), 200),
    settled: (amount = AMOUNT) => ({ tx_hash: newTxHash(), amount }),
  };
}

const rule = (says: string, run: Rule['run']): [string, Rule['run'], 'partner'] => [says, run, 'partner'];

export const movesRules = rulesOf('moves', {
  read: [
    'A move is read by id as it is listed, with the decision behind it, and not by another partner.',
    async (stage) => {
      const { caller } = await stage.life();
      const answer = await caller.get('/moves?limit=20');
      const moves = dataOf(answer, 200) as any[];
      if (moves.length === 0) throw new SkippedRule('no funds moved while the run lasted');
      const { caller: stranger } = await stage.stranger();
      const decisions = rowsOf(await caller.get('/analytics/decisions?limit=500'));
      for (const move of moves) {
        const path = `/moves/${move.id}`;
        equals('the move', dataOf(await caller.get(path), 200), move, answer);
        refused(await stranger.get(path), 404, 'not_found');
        const { asset, from_vault_id, to_vault_id, decision_id } = move;
        const decision = decisions.find(({ id }) => id === decision_id);
        shows('its decision', decision, { kind: 'rebalance', asset, from_vault_id, to_vault_id }, answer);
      }
    },
  ],
  received: rule(
    'A deposit that was only received is pending in cash, and active once its allocation is reported, which is repeated without effect.',
    async (stage) => {
      const { saver, position, move, report, read, settled } = await received(stage);
      shows('the position', position, { status: 'pending', value: AMOUNT, active_at: null });
      holds(isIdle(position.vault_id), `it is in ${position.vault_id}`);
      const from = { from_vault_id: position.vault_id, position_id: position.id };
      const arriving = { status: 'arriving', amount: AMOUNT, positions: 1, ended_at: null };
      shows('its move', move, { ...from, ...arriving });
      const path = `/positions/${position.id}/allocated`;
      for (const amount of [AMOUNT * 2, 1])
        refused(await report(path, settled(amount)), 422, 'amount_out_of_bounds');
      equals('its status', (await read()).status, 'pending');
      const arrival = settled();
      const answer = await report(path, arrival);
      const active = { status: 'active', vault_id: move.to_vault_id, principal: AMOUNT, costs: 0 };
      shows('the position', dataOf(answer, 201), active, answer);
      matches('active_at', answer.body.data.active_at, /Z$/, answer);
      equals('its status', dataOf(await report(path, arrival), 201).status, 'active');
      refused(await report(path, settled()), 409, 'move_already_reported');
      near('the balance', (await saver.balance()).value, 2 * AMOUNT, answer);
    },
  ),
  settled: rule(
    'An executor settles a move once: it is listed by its status, a second report is a 409, and one on a move that has ended, too.',
    async (stage) => {
      const { position, move, report, read, settled, saver } = await received(stage);
      const isListed = async (now: string): Promise<void> => {
        for (const status of ['requested', 'arriving', 'settled', 'failed']) {
          const answer = await saver.caller.get(`/moves?position_id=${position.id}&status=${status}`);
          equals(
            `what is ${status}`,
            column(dataOf(answer, 200), 'id'),
            status === now ? [move.id] : [],
            answer,
          );
        }
      };
      await isListed('arriving');
      const arrival = settled(99.99);
      const answer = await report(`/moves/${move.id}/settled`, arrival);
      const ended = { id: move.id, status: 'settled', failure: null, note: null };
      shows('the move', dataOf(answer, 201), ended, answer);
      await isListed('settled');
      const again = await report(`/moves/${move.id}/settled`, arrival);
      equals('the second answer', dataOf(again, 201), answer.body.data, again);
      refused(await report(`/moves/${move.id}/settled`, settled()), 409, 'move_already_reported');
      for (const step of ['taken', 'failed'])
        refused(
          await report(`/moves/${move.id}/${step}`, step === 'failed' ? { note: NOTE } : undefined),
          409,
          'move_not_open',
          'move_already_reported',
        );
      shows(
        'the position',
        await read(),
        { status: 'active', vault_id: move.to_vault_id, costs: 0.01 },
        answer,
      );
    },
  ),
  failed: rule(
    'A move that failed leaves its funds in cash, which its user may withdraw; no report on it is taken any more.',
    async (stage) => {
      const { saver, position, move, report, read, settled } = await received(stage);
      const answer = await report(`/moves/${move.id}/failed`, { note: NOTE });
      const ended = { id: move.id, status: 'failed', failure: 'reported', note: NOTE };
      shows('the move', dataOf(answer, 201), ended, answer);
      shows('the position', await read(), { vault_id: position.vault_id, value: AMOUNT, costs: 0 }, answer);
      refused(await report(`/moves/${move.id}/settled`, settled()), 409, 'move_not_open');
      refused(await report(`/moves/${move.id}/taken`), 409, 'move_not_open');
      const paid = await saver.withdraw(AMOUNT);
      equals('what pays first', column(dataOf(paid, 201).parts, 'position_id'), [position.id], paid);
    },
  ),
  superseded: rule(
    'A withdrawal that needs funds that were only received ends their move: they stay in cash, and are paid.',
    async (stage) => {
      const { saver, position, move, report, settled } = await received(stage);
      const amount = AMOUNT + 40;
      const { id } = dataOf(await saver.request({ amount }), 201);
      const ended = await saver.caller.get(`/moves/${move.id}`);
      shows('the move', dataOf(ended, 200), { status: 'failed', failure: 'superseded' }, ended);
      refused(await report(`/moves/${move.id}/settled`, settled()), 409, 'move_not_open');
      const paid = await report(`/withdrawals/${id}/paid`, settled(amount));
      equals('what pays last', column(dataOf(paid, 201).parts, 'position_id').at(-1), position.id, paid);
      near('the rest', (await saver.balance()).value, 60, paid);
    },
  ),
});
