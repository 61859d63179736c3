import { entryOf, micro, sum } from '../book.js';
import { column, equals, holds, matches, rowsOf, shows, SkippedRule } from '../check.js';
import type { Exchange } from '../exchange.js';
import { rulesOf } from '../rule.js';
import type { Stage } from '../stage.js';
import { close, expectChosen, expectGates, near } from './figures.js';
import { isIdle } from './series.js';

const FLAGS = ['active', 'history', 'policy'];
/** How the value of a gate must stand to its threshold; a bound in either direction is in neither. */
const AT_MOST = ['fresh', 'capacity', 'reading', 'share', 'quarantine', 'exposure', 'cost'];
const AT_LEAST = [
  ...[...FLAGS, 'size', 'index', 'outflow', 'assets', 'liquidity', 'exit', 'delta', 'gain', 'net_gain'],
  ...['promise', 'time_in_vault', 'return'],
];

/** What every vault is judged by that funds may enter. */
const ENTERED = [
  ...['active', 'fresh', 'index', 'outflow', 'liquidity', 'quarantine', 'reading', 'assets', 'history'],
  ...['capacity', 'size', 'share', 'exposure'],
];

const RATE = 1e-9;

/** Decisions on the positions of a partner with a past, oldest last. */
async function decided(stage: Stage): Promise<{ answer: Exchange; decisions: any[]; entries: any[] }> {
  const { caller } = await stage.life();
  const answer = await caller.get('/analytics/decisions?limit=500');
  const entries = rowsOf(await caller.get('/partner/ledger?limit=500'));
  return { answer, decisions: rowsOf(answer), entries };
}

export const decisionsRules = rulesOf('decisions', {
  alternatives: [
    'A decision shows every vault of its asset that takes deposits as an alternative, each once, and one of them as chosen.',
    async (stage) => {
      const { answer, decisions } = await decided(stage);
      const vaults = await (await stage.market()).series.list();
      for (const decision of decisions) {
        expectChosen(decision, answer);
        const { alternatives, asset, inputs } = decision;
        const shown = column(alternatives, 'vault_id');
        const own = vaults.filter((one) => one.asset === asset);
        const missing = own.filter(({ active, id }) => active && !shown.includes(id));
        equals('the vaults that are missing', column(missing, 'id'), [], answer);
        const foreign = shown.filter((id) => !isIdle(id) && !own.some((one) => one.id === id));
        equals('the vaults of other assets', foreign, [], answer);
        for (const candidate of inputs.candidates) {
          const { vault_id, apy, expected_apy, expected_risk_adjusted_apy } = candidate;
          const one = alternatives.find((alternative: any) => alternative.vault_id === vault_id);
          shows(`the rates of ${vault_id}`, one, { apy, expected_apy, expected_risk_adjusted_apy }, answer);
          if (one.risk_adjusted_apy === null || apy <= 0 || expected_apy <= 0) continue;
          // Both rates have the haircut of the vault's tier, and the same deduction for its losses.
          const apart = one.risk_adjusted_apy - expected_risk_adjusted_apy;
          const kept = Math.abs(apy - expected_apy) < 0.0001 ? 1 : apart / (apy - expected_apy);
          holds(kept > 0.5 && kept < 1.000_01, `risk_adjusted_apy of ${vault_id} is of no haircut`, answer);
        }
      }
    },
  ],
  gates: [
    'A gate is passed exactly if its value keeps its threshold, and a deposit is in a vault that passed.',
    async (stage) => {
      const { answer, decisions } = await decided(stage);
      for (const decision of decisions) {
        for (const { gates, vault_id, action } of decision.alternatives) {
          const named = column(gates, 'gate');
          const isEntered = action !== 'hold' && !isIdle(vault_id);
          const missing = ENTERED.filter((gate) => isEntered && !named.includes(gate));
          equals(`the gates that ${vault_id} lacks`, missing, [], answer);
          for (const { gate, value, threshold, passed } of gates) {
            // Shown to two digits, and judged before.
            const isClose = Math.abs(value - threshold) <= Math.abs(threshold) / 20;
            if (value === null || threshold === null || (isClose && !FLAGS.includes(gate))) continue;
            const isBound = AT_MOST.includes(gate) || AT_LEAST.includes(gate);
            const must = AT_MOST.includes(gate) ? value <= threshold : value >= threshold;
            const why = `${gate} of ${vault_id} is ${value} against ${threshold}: ${passed}`;
            holds(!isBound || passed === must, why, answer);
          }
        }
        if (decision.kind === 'route') expectGates(decision, answer);
      }
    },
  ],
  kinds: [
    'A route puts a deposit into a vault, a rebalance moves funds from one to another, a hold leaves them; decisions are newest first.',
    async (stage) => {
      const { answer, decisions, entries } = await decided(stage);
      for (const { kind, from_vault_id: from, to_vault_id: to, id, at, snapshot_hour, ...one } of decisions) {
        const form = [from === null, to === null];
        const forms = { route: [true, false], rebalance: [false, false], hold: [false, true] };
        equals(`from and to of a ${kind}`, form, forms[kind as keyof typeof forms], answer);
        holds(from !== to, `${id} moves nothing`, answer);
        holds(at >= snapshot_hour, `${id} is older than what it was made of`, answer);
        shows('the inputs', one.inputs, { snapshot_hour, config_version: one.config_version }, answer);
        matches('rationale', one.rationale, new RegExp(to ?? from), answer);
        const booked = entries.filter((entry) => entry.decision_id === id);
        if (kind === 'hold') equals('what a hold booked', booked, [], answer);
        else equals('its positions', booked.length, one.positions, answer);
        if (kind !== 'route') continue;
        const { user_id, position_id, amount } = booked[0];
        shows('the decision', one, { object: 'decision', user_id, position_id }, answer);
        shows('the inputs', one.inputs, { amount, asset: one.asset, current_vault_id: null }, answer);
      }
      const times = column(decisions, 'at');
      equals('the order', times, times.toSorted().reverse(), answer);
    },
  ],
  uplift: [
    'The expected uplift of a decision is its amount at the advantage in rate over the horizon, and npv is that less the cost.',
    async (stage) => {
      const { answer, decisions, entries } = await decided(stage);
      for (const { id, kind, inputs, alternatives, expected_uplift: uplift } of decisions) {
        const chosen = alternatives.find((one: any) => one.chosen);
        const { current_vault_id, candidates } = inputs;
        const lending = candidates.find((one: any) => one.lending_baseline)?.vault_id;
        const base = alternatives.find(({ vault_id }: any) => vault_id === (current_vault_id ?? lending));
        const { apy_delta: delta, amount, cost, npv, horizon_days: days } = uplift;
        const costs = entries.filter((one) => one.decision_id === id).filter(entryOf('rebalance'));
        equals(`the cost of ${id}`, sum(costs, 'cost'), micro(cost), answer);
        if (delta === null || !base) continue;
        close(`apy_delta of ${id}`, delta, chosen.rate - base.rate, RATE, answer);
        near(`npv of ${id}`, npv, amount - cost, answer);
        const gain = (inputs.amount * delta * days) / 365;
        if (kind === 'route') near(`amount of ${id}`, amount, gain, answer);
        // A move counts what lasts of its advantage beyond a week, which may be less.
        const isLess = kind !== 'rebalance' || delta <= 0 || (amount > 0 && amount <= gain + 0.000_01);
        holds(isLess, `${id} expects ${amount}, and at most ${gain}`, answer);
      }
    },
  ],
  moves: [
    'A move has a decision of kind rebalance, and its delta is its rate less that of the vault that it left.',
    async (stage) => {
      const { answer, decisions } = await decided(stage);
      const moves = decisions.filter(({ kind }) => kind === 'rebalance');
      if (moves.length === 0 && stage.contract === 'partner')
        throw new SkippedRule('funds move hourly at the earliest, which a run does not wait for');
      holds(moves.length > 0, 'nothing was moved', answer);
      for (const { alternatives, id } of moves) {
        const held = alternatives.find((one: any) => one.action === 'hold');
        for (const { rate, delta, vault_id } of alternatives.filter((one: any) => one.delta !== null))
          close(`delta of ${vault_id} in ${id}`, delta, rate - held.rate, RATE, answer);
      }
    },
  ],
});
