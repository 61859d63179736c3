import { Book, entryOf, micro, sum } from '../book.js';
import { dataOf, equals, holds, matches, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { type Rule, rulesOf } from '../rule.js';
import type { Life } from '../life.js';
import type { Stage } from '../stage.js';
import { close } from './figures.js';
import type { VaultSeries } from './series.js';

interface Ledger {
  answer: Exchange;
  /** Oldest first. */
  entries: any[];
  life: Life;
}

async function ledgerOf(stage: Stage): Promise<Ledger> {
  const life = await stage.life();
  const answer = await life.caller.get('/partner/ledger?limit=500');
  return { answer, entries: rowsOf(answer).toReversed(), life };
}

/** A rule of the entries of a type, which the run may have none of. */
const ofEach = (
  type: string,
  says: string,
  expect: (entry: any, ledger: Ledger & { decisions: any[] }, stage: Stage) => void,
): [string, Rule['run']] => [
  says,
  async (stage) => {
    const ledger = await ledgerOf(stage);
    const entries = ledger.entries.filter(entryOf(type));
    if (entries.length === 0) throw new SkippedRule(await whyNone(type, stage));
    const { caller } = ledger.life;
    const isDecided = /deposit|rebalance/.test(type);
    const decisions = isDecided ? rowsOf(await caller.get('/analytics/decisions?limit=500')) : [];
    for (const entry of entries) {
      holds(stage.assets.includes(entry.asset), `an asset is ${entry.asset}`, ledger.answer);
      matches('note', entry.note, /^[A-Z].*\.$/, ledger.answer);
      expect(entry, { ...ledger, decisions }, stage);
    }
  },
];

/** @throws Broken where there must be one */
async function whyNone(type: string, stage: Stage): Promise<string> {
  if (stage.contract === 'partner' && type === 'rebalance')
    return 'funds move hourly at the earliest, which a run does not wait for';
  const { moved, caller } = await stage.life();
  const answer = await caller.get(`/positions/${moved.id}`);
  const { yield: gain } = dataOf(answer, 200);
  holds(type === 'yield_accrual' && gain === 0, `the ledger has no ${type}`, answer);
  return 'the vault that funds were in pays nothing now';
}

function expectDecided(entry: any, kind: string, decisions: any[], answer: Exchange): void {
  const { vault_id: to_vault_id, asset, decision_id } = entry;
  const decision = decisions.find(({ id }) => id === decision_id);
  shows('its decision', decision, { kind, to_vault_id, asset }, answer);
}

export const ledgerRules = rulesOf('ledger', {
  deposits: ofEach(
    'deposit',
    'A deposit entry has the amount above 0 of its position, its vault and the decision that chose it, and no cost.',
    (entry, ledger) => {
      const [{ answer, life, decisions }, { user_id, amount, at }] = [ledger, entry];
      holds(amount > 0, `the amount is ${amount}`, answer);
      shows('the entry', entry, { cost: 0, fee: 0, carried_loss: 0 }, answer);
      expectDecided(entry, 'route', decisions, answer);
      const opened = [life.moved, life.closed, life.risky, life.waiting];
      const position = opened.find(({ id }) => id === entry.position_id);
      if (!position) return;
      const { asset, vault_id, apy } = entry;
      const shown = { user_id, asset, vault_id, principal: amount, opened_at: at, apy };
      shows('the position', position, shown, answer);
    },
  ),
  withdrawals: ofEach(
    'withdrawal',
    'A withdrawal entry has the amount above 0 that was paid, and no decision and no cost.',
    (entry, { answer, entries, life: { moved } }) => {
      holds(entry.amount > 0, `the amount is ${entry.amount}`, answer);
      shows('the entry', entry, { cost: 0, fee: 0, decision_id: null }, answer);
      const paid = entries.filter((entry) => entry.position_id === moved.id).filter(entryOf('withdrawal'));
      equals('what was withdrawn in part', sum(paid, 'amount'), 400_000_000, answer);
    },
  ),
  rebalances: ofEach(
    'rebalance',
    'A rebalance entry has its decision and its cost of 0 or more, and the amount that arrived in the new vault; without a decision it is the cost of a payment, in its vault.',
    (entry, { answer, entries, decisions }) => {
      holds(entry.amount > 0 && entry.cost >= 0, `it moved ${entry.amount} for ${entry.cost}`, answer);
      const before = entries.slice(0, entries.indexOf(entry));
      const previous = before.findLast((row) => row.position_id === entry.position_id);
      const isMove = entry.decision_id !== null;
      if (isMove) expectDecided(entry, 'rebalance', decisions, answer);
      else holds(entry.cost > 0, 'it has neither a decision nor a cost', answer);
      holds(isMove === (previous.vault_id !== entry.vault_id), 'only a move leaves its vault', answer);
    },
  ),
  accruals: ofEach(
    'yield_accrual',
    'A yield accrual is not 0, is below 0 for a loss, and has the terms of its fee and no cost.',
    (entry, { answer, entries, life: { risky, terms } }, { contract }) => {
      shows('the entry', entry, { cost: 0, ...terms }, answer);
      holds(entry.amount !== 0, 'an accrual is of nothing', answer);
      const isLoss = entries.some((entry) => entry.position_id === risky.id && entry.amount < 0);
      holds(isLoss || contract === 'partner', 'the loss of a vault is no accrual below 0', answer);
    },
  ),
  apys: [
    "The apy of an entry is the fraction that its vault's history has at that time, and 0 in cash.",
    async (stage) => {
      const { answer, entries } = await ledgerOf(stage);
      const { series } = await stage.market();
      for (const { vault_id, at, apy, id } of entries) {
        const near = await series.apysAround(vault_id, at);
        const isRight = near.length === 0 || near.includes(apy);
        holds(isRight, `${id} has ${apy}, and the vault ${near.join()}`, answer);
      }
    },
  ],
  adds: [
    'The entries of a position add up: a move takes its cost, no balance falls below 0, and the rest is worth the position less what is pending.',
    async (stage) => {
      const { caller } = await stage.life();
      const { as_of } = dataOf(await caller.get('/partner/summary'), 200);
      const book = await Book.read(caller, stage.assets, as_of);
      const { answer } = await ledgerOf(stage);
      for (const position of book.positions) {
        let balance = 0;
        for (const { type, amount, cost, id } of book.only('position_id', position.id).entries) {
          balance += type === 'rebalance' ? -micro(cost) : micro(amount) * (type === 'withdrawal' ? -1 : 1);
          holds(balance >= 0, `${id} leaves less than nothing`, answer);
          if (type === 'rebalance') equals(`the amount of ${id}`, micro(amount), balance, answer);
        }
        if (position.status === 'closed') equals(`the rest of ${position.id}`, balance, 0, answer);
        else await expectGrown((await stage.market()).series, position, balance, book, answer);
      }
    },
  ],
  fees: [
    'A fee is on gains beyond the carried loss of its user and asset, rounded once up, and the partner has its share of it, rounded down.',
    async (stage) => {
      const { answer, entries } = await ledgerOf(stage);
      const settled = entries.toSorted((a, b) => (a.at + a.id < b.at + b.id ? -1 : 1));
      for (const userEntries of Object.values(
        Object.groupBy(settled, (row) => `${row.user_id} ${row.asset}`),
      ))
        expectFees(userEntries!, answer);
    },
  ],
  journal: [
    'Each entry is in the journal with its note, and its debits equal its credits.',
    async (stage) => {
      const { entries, life } = await ledgerOf(stage);
      const answer = await life.caller.get('/partner/journal?limit=500');
      const rows = rowsOf(answer).toReversed();
      const FIELDS = ['id', 'at', 'recorded_at', 'user_id', 'asset', 'note'];
      const named = (row: any): unknown[] => FIELDS.map((field) => row[field]);
      equals('the journal', rows.map(named), entries.map(named), answer);
      for (const [index, { lines, id }] of rows.entries()) {
        equals(`the credits of ${id}`, sum(lines, 'credit'), sum(lines, 'debit'), answer);
        const { amount, cost, fee, type } = entries[index];
        const of = (account: string): number => {
          const accountLines = lines.filter((line: any) => line.account === account);
          return sum(accountLines, 'debit') - sum(accountLines, 'credit');
        };
        const brought = type === 'rebalance' ? -cost : type === 'withdrawal' ? -amount : amount;
        equals(`what ${id} brings the vaults`, of('vaults'), micro(brought), answer);
        equals(`what ${id} owes of fees`, of('fees_receivable'), micro(fee), answer);
      }
    },
  ],
});

/** The worth of a position is what was booked last, grown by the index of its vault since then. */
async function expectGrown(
  series: VaultSeries,
  { id, vault_id, value }: any,
  booked: number,
  book: Book,
  answer: Exchange,
): Promise<void> {
  const { at } = book.only('position_id', id).entries.at(-1);
  const growth = await series.growth(vault_id, at, book.asOf);
  if (growth === null) return;
  const expected = booked * growth;
  close(`the worth of ${id}`, micro(value), expected, 20 + Math.abs(expected - booked) / 100, answer);
}

function expectFees(entries: readonly any[], answer: Exchange): void {
  const charged = { gains: 0, fee: 0, partner: 0, carried: 0 };
  for (const { id, type, amount, cost, fee, partner_revenue, carried_loss: carried, ...terms } of entries) {
    if (type === 'yield_accrual') {
      const recovered = Math.min(charged.carried, Math.max(0, micro(amount)));
      charged.gains += Math.max(0, micro(amount)) - recovered;
      const lost = Math.max(0, -micro(amount));
      equals(`carried_loss of ${id}`, micro(carried), lost - recovered || 0, answer);
      const due = Math.ceil((charged.gains * terms.performance_fee_bps) / 10_000) - charged.fee;
      equals(`fee of ${id}`, micro(fee), due, answer);
      charged.fee += due;
      const share = Math.floor((charged.fee * terms.revenue_share_bps) / 10_000) - charged.partner;
      equals(`partner_revenue of ${id}`, micro(partner_revenue), share, answer);
      charged.partner += share;
    } else if (type === 'rebalance') equals(`carried_loss of ${id}`, micro(carried), micro(cost), answer);
    else if (type === 'withdrawal')
      holds(carried <= 0 && -micro(carried) <= charged.carried, `${id} takes ${carried} of a loss`, answer);
    charged.carried += micro(carried);
  }
}
