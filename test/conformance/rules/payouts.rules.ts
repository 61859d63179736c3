import { micro, sum } from '../book.js';
import {
  column,
  dataOf,
  equals,
  holds,
  made,
  matches,
  refused,
  rowsOf,
  shows,
  SkippedRule,
} from '../check.js';
import type { Exchange } from '../exchange.js';
import { newTxHash } from '../funds.js';
import { listedOnce } from '../listed.js';
import { type Rule, rulesOf } from '../rule.js';
import type { Deposit, Saver } from '../savings.js';
import type { Stage } from '../stage.js';
import { refusedFor } from './fields.js';
import { near } from './figures.js';
import { newWallet } from './users.rules.js';

const DEPOSITS: readonly Deposit[] = [
  ['home', 100],
  ['cash', 20],
];
/** All cash, and a part of the vault. */
const AMOUNT = 60;
const MOST_OPEN = 10;

/** A withdrawal that an executor is to pay, and what executors report of it. */
interface Payout {
  saver: Saver;
  answer: Exchange;
  id: string;
  /** With an executor's key. */
  report: (step: 'taken' | 'paid' | 'failed', body?: object) => Promise<Exchange>;
  /** As the partner reads it. */
  read: () => Promise<any>;
}

/** @throws Skipped where withdrawals are paid at once */
async function requested(stage: Stage, deposits = DEPOSITS, amount = AMOUNT): Promise<Payout> {
  const saver = await (await stage.savings()).saver(deposits);
  const answer = await saver.request({ amount });
  const { id, status } = dataOf(answer, 201);
  if (status === 'paid')
    throw new SkippedRule('withdrawals are paid at once, as nobody executes moves (SETTLEMENT=instant)');
  const path = `/withdrawals/${id}`;
  return {
    saver,
    answer,
    id,
    report: (step, body) => saver.funds.reporter.post(`${path}/${step}`, body),
    read: async () => dataOf(await saver.caller.get(path), 200),
  };
}

const rule = (says: string, run: Rule['run']): [string, Rule['run'], 'partner'] => [says, run, 'partner'];
const paid = (amount?: number): { tx_hash: string; amount?: number } => ({
  tx_hash: newTxHash(),
  ...(amount !== undefined && { amount }),
});
/** Whether the balance of a saver has that much reserved. */
async function expectReserved({ saver }: Payout, amount: number): Promise<void> {
  const { value, available } = await saver.balance();
  equals('what is reserved', micro(value) - micro(available), micro(amount));
}

export const payoutsRules = rulesOf('payouts', {
  reserved: rule(
    'A withdrawal that an executor is to pay reserves its amount: it is worth as much as before, but not available; nothing is booked.',
    async (stage) => {
      const payout = await requested(stage);
      const { saver, answer } = payout;
      const none = { paid_amount: null, tx_hash: null, paid_at: null, taken_at: null, taken_by: null };
      const open = { status: 'requested', amount: AMOUNT, cost: 0, failure: null, note: null };
      const withdrawal = answer.body.data;
      shows('the withdrawal', withdrawal, { ...open, ...none }, answer);
      equals('the sum of its parts', sum(withdrawal.parts, 'amount'), micro(AMOUNT), answer);
      holds(withdrawal.expires_at > withdrawal.requested_at, 'it lapses before it begins', answer);
      await expectReserved(payout, AMOUNT);
      near('the value', (await saver.balance()).value, 120, answer);
      equals('what is booked', await saver.entries(), []);
      refused(await saver.request({ amount: 61 }), 409, 'insufficient_balance');
      for (const { position_id: position } of withdrawal.parts) {
        const settled = saver.funds.settled();
        const path = `/positions/${position}/withdrawals`;
        refused(await saver.funds.reporter.post(path, settled), 409, 'insufficient_balance');
      }
      dataOf(await saver.request({ amount: 59 }), 201);
    },
  ),
  paid: rule(
    'A withdrawal is requested, taken by an executor and paid, by one transfer, which is a settlement; it is listed for executors by status.',
    async (stage) => {
      const payout = await requested(stage);
      const { saver, id, answer } = payout;
      const isListed = async (now: string): Promise<void> => {
        for (const status of ['requested', 'taken', 'paid', 'failed', 'lapsed']) {
          const path = `/withdrawals?status=${status}&user_id=${saver.id}`;
          const ids = column(dataOf(await saver.funds.reporter.get(path), 200), 'id');
          equals(`what is ${status}`, ids, status === now ? [id] : []);
        }
        equals('its status', (await payout.read()).status, now);
      };
      await isListed('requested');
      const taken = await payout.report('taken');
      const { taken_at, taken_by } = dataOf(taken, 201);
      shows('the withdrawal', taken.body.data, { id, status: 'taken', amount: AMOUNT }, taken);
      matches('taken_at', taken_at, /Z$/, taken);
      matches('taken_by', taken_by, /^key_/, taken);
      await isListed('taken');
      await expectReserved(payout, AMOUNT);
      const report = paid(AMOUNT);
      const done = await payout.report('paid', report);
      const withdrawal = dataOf(done, 201);
      const { tx_hash } = report;
      const expected = {
        id,
        status: 'paid',
        amount: AMOUNT,
        paid_amount: AMOUNT,
        cost: 0,
        tx_hash,
        taken_at,
        taken_by,
      };
      shows('the withdrawal', withdrawal, expected, done);
      equals(
        'its parts',
        column(withdrawal.parts, 'position_id'),
        column(answer.body.data.parts, 'position_id'),
        done,
      );
      await isListed('paid');
      await expectReserved(payout, 0);
      near('the value', (await saver.balance()).value, 60, done);
      for (const { position_id: position } of withdrawal.parts) {
        const settlements = await saver.caller.get(`/settlements?position_id=${position}`);
        const ofIt = rowsOf(settlements).filter((row) => row.type === 'withdrawal');
        const transfers = ofIt.map((row) => [row.tx_hash, row.asset, row.amount]);
        equals('its transfer', transfers, [[tx_hash, saver.asset, AMOUNT]], settlements);
      }
    },
  ),
  once: rule(
    'A report on a withdrawal that is repeated changes nothing; a second take, another payment and a report on one that has ended are 409.',
    async (stage) => {
      const payout = await requested(stage);
      const { saver, report } = payout;
      dataOf(await report('taken'), 201);
      refused(await report('taken'), 409, 'withdrawal_already_reported');
      const payment = paid(AMOUNT);
      const first = await report('paid', payment);
      const again = await report('paid', payment);
      equals('the second answer', dataOf(again, 201), dataOf(first, 201), again);
      equals('what was paid', sum(await saver.entries(), 'amount'), micro(AMOUNT), again);
      for (const other of [paid(), { ...payment, amount: 59 }])
        refused(await report('paid', other), 409, 'withdrawal_already_reported');
      refused(await report('taken'), 409, 'withdrawal_not_open');
      refused(await report('failed', { note: 'Late.' }), 409, 'withdrawal_not_open');
      const next = dataOf(await saver.request({ amount: 1 }), 201).id;
      const { tx_hash } = payment;
      const twice = await saver.funds.reporter.post(`/withdrawals/${next}/paid`, { tx_hash });
      refused(twice, 409, 'settlement_already_recorded');
      equals('the withdrawal', await payout.read(), first.body.data, first);
    },
  ),
  failed: rule(
    'A withdrawal that failed releases what it reserved, alerts its partner and the administrators, and is not paid any more.',
    async (stage) => {
      const payout = await requested(stage);
      const { saver, id, report } = payout;
      dataOf(await report('taken'), 201);
      const note = 'The vault is paused.';
      const failed = await report('failed', { note });
      const ended = {
        id,
        status: 'failed',
        failure: 'reported',
        note,
        paid_amount: null,
        paid_at: null,
        tx_hash: null,
      };
      shows('the withdrawal', dataOf(failed, 201), ended, failed);
      await expectReserved(payout, 0);
      equals('what is booked', await saver.entries(), []);
      const again = await report('failed', { note });
      equals('the second answer', dataOf(again, 201), failed.body.data, again);
      refused(await report('failed', { note: 'Another one.' }), 409, 'withdrawal_already_reported');
      for (const [step, body] of [['taken'], ['paid', paid()]] as const)
        refused(await report(step, body), 409, 'withdrawal_not_open');
      const isOf = ({ data }: any): boolean => data.alert?.withdrawal_id === id;
      for (const [caller, path] of [
        [saver.caller, '/events?types=system.status&limit=500'],
        [stage.admin, '/alerts/events?types=system.status&limit=500'],
      ] as const) {
        const listed = await listedOnce(caller, path, (events) => events.some(isOf));
        const kinds = dataOf(listed, 200)
          .filter(isOf)
          .map(({ data }: any) => data.alert.kind);
        equals('its alerts', kinds, ['withdrawal_unpaid'], listed);
      }
    },
  ),
  bounds: rule(
    'A payment of more than the books expect, or of much less, is a 422 amount_out_of_bounds, as is any less from cash; nothing changes.',
    async (stage) => {
      const payout = await requested(stage);
      const before = await payout.read();
      for (const amount of [AMOUNT + 0.000001, AMOUNT * 2, 25, 0.01])
        refused(await payout.report('paid', paid(amount)), 422, 'amount_out_of_bounds');
      equals('the withdrawal', await payout.read(), before);
      await expectReserved(payout, AMOUNT);
      const ofCash = await requested(stage, [['cash', 50]], 50);
      refused(await ofCash.report('paid', paid(49.999999)), 422, 'amount_out_of_bounds');
      equals('what is booked', [...(await payout.saver.entries()), ...(await ofCash.saver.entries())], []);
      equals('its status', dataOf(await ofCash.report('paid', paid(50)), 201).status, 'paid');
    },
  ),
  short: rule(
    'What a vault paid out less is the cost of the withdrawal, which its position bears; whoever pays has taken it.',
    async (stage) => {
      const { saver, id } = await requested(stage, [['home', 100]], 50);
      await saver.requireVault();
      // Another key than that of the deposits, which may not deviate by any part of what it reported itself.
      const payer = await stage.unbound('write', 'read');
      const done = await payer.post(`/withdrawals/${id}/paid`, paid(49.99));
      const withdrawal = dataOf(done, 201);
      shows(
        'the withdrawal',
        withdrawal,
        { status: 'paid', amount: 50, cost: 0.01, paid_amount: 49.99 },
        done,
      );
      equals('when it was taken', withdrawal.taken_at, withdrawal.paid_at, done);
      equals('what was withdrawn', column(await saver.entries(), 'amount'), [49.99], done);
      const [{ costs, value }] = await saver.positions();
      equals('the costs of its position', costs, 0.01, done);
      near('the value of its position', value, 50, done);
    },
  ),
  limit: rule(
    'A user has ten open withdrawals at once: one more is a 409 withdrawal_limit_reached, until one of them has ended.',
    async (stage) => {
      const { saver, report } = await requested(stage, [['home', 100]], 1);
      for (let open = 1; open < MOST_OPEN; open++) made(await saver.request({ amount: 1 }));
      const more = await saver.request({ amount: 1 });
      refused(more, 409, 'withdrawal_limit_reached');
      equals('the withdrawals', (await saver.withdrawals()).length, MOST_OPEN, more);
      dataOf(await report('failed', { note: 'For another one.' }), 201);
      dataOf(await saver.request({ amount: 1 }), 201);
    },
  ),
  wallet: rule(
    'A user with several wallets names the one that an executor is to pay, else 400.',
    async (stage) => {
      await requested(stage);
      const wallets = [newWallet(), newWallet()];
      const saver = await (await stage.savings()).saver(DEPOSITS, { wallets });
      for (const ask of [saver.request, saver.preview]) refusedFor(await ask({ amount: 1 }), 'wallet');
      equals('the withdrawals', await saver.withdrawals(), []);
    },
  ),
  whole: rule(
    'A withdrawal of everything reserves all that its positions are worth, now and until it is paid.',
    async (stage) => {
      const { saver } = await requested(stage, DEPOSITS, 1);
      const answer = await saver.request();
      const { id } = dataOf(answer, 201);
      near('its amount', answer.body.data.amount, 119, answer);
      equals('what is available', (await saver.balance()).available, 0);
      refused(await saver.request({ amount: 0.000001 }), 409, 'insufficient_balance');
      const [{ id: open }] = (await saver.withdrawals()).slice(1);
      dataOf(await saver.funds.reporter.post(`/withdrawals/${open}/paid`, paid()), 201);
      const done = await saver.funds.reporter.post(`/withdrawals/${id}/paid`, paid());
      const { amount, paid_amount } = dataOf(done, 201);
      equals('paid_amount', paid_amount, amount, done);
      near('what is paid', amount, 119, done);
      equals('the balances', dataOf(await saver.user(), 200).balances, []);
    },
  ),
});
