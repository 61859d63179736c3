import { equals, holds } from '../check.js';
import type { Exchange } from '../exchange.js';

/** Tolerance above the rounding errors of the sums of a run, in whole units. */
const ROUNDED = 0.000_05;

type Figure = number | null;

/** Both are null, or no further apart than the slack. */
export function close(what: string, actual: Figure, expected: Figure, slack: number, answer: Exchange): void {
  const isClose =
    actual === null || expected === null ? actual === expected : Math.abs(actual - expected) <= slack;
  holds(isClose, `${what} is ${actual}, and must be ${expected}`, answer);
}

export const near = (what: string, actual: number, expected: number, answer: Exchange): void =>
  close(what, actual, expected, ROUNDED, answer);

const MICRO_UNIT = 0.000_001;
/** Tolerance above the rounding errors of the values of a few positions, in whole units. */
const TOLERANCE = 0.000_008;
/** Fields that the ledger has to the micro-unit. */
const EXACT =
  /(deposits|withdrawals|costs|amount|count|_fee|_revenue|revenue|carried_loss|principal|accrued)$/;

/** Checks that all fields are equal, values within their rounding. */
export function alike(what: string, actual: any, expected: any, answer: Exchange): void {
  if (typeof expected === 'number' && typeof actual === 'number')
    close(what, actual, expected, EXACT.test(what) ? MICRO_UNIT / 2 : TOLERANCE, answer);
  else if (typeof expected === 'object' && expected !== null) {
    equals(`the fields of ${what}`, Object.keys(actual ?? {}).sort(), Object.keys(expected).sort(), answer);
    for (const [key, value] of Object.entries(expected)) alike(`${what}.${key}`, actual[key], value, answer);
  } else equals(what, actual, expected, answer);
}

/** Checks a value read between two other reads of it: numbers must lie between theirs, everything else must be equal. Ignores `as_of`. */
export function within(
  what: string,
  value: any,
  [before, after]: readonly [any, any],
  answer: Exchange,
): void {
  if (typeof before === 'object' && before !== null) {
    equals(`the fields of ${what}`, Object.keys(value ?? {}).sort(), Object.keys(before).sort(), answer);
    for (const key of Object.keys(before).filter((name) => name !== 'as_of'))
      within(`${what}.${key}`, value[key], [before[key], after[key]], answer);
  } else if (typeof before === 'number' && typeof after === 'number') {
    const isBetween =
      value >= Math.min(before, after) - ROUNDED && value <= Math.max(before, after) + ROUNDED;
    holds(isBetween, `${what} is ${value}, and was ${before} before and ${after} after`, answer);
  } else equals(what, value, before, answer);
}

/** Checks that a decision names each evaluated vault once, and one as chosen: the one that the funds enter or stay in. */
export function expectChosen(
  { alternatives, to_vault_id: to, from_vault_id: from }: any,
  answer: Exchange,
): void {
  holds(Array.isArray(alternatives) && alternatives.length > 0, 'it names no alternatives', answer);
  const vaults = alternatives.map(({ vault_id: id }: any) => id);
  equals('the number of vaults', new Set(vaults).size, vaults.length, answer);
  const chosen = alternatives
    .filter((alternative: any) => alternative.chosen)
    .map(({ vault_id: id }: any) => id);
  equals('what is chosen', chosen, [to ?? from], answer);
}

/** Gates that a chosen vault may have failed, by the reason of a deposit's decision. */
const MAY_FAIL: Record<string, readonly string[]> = { best_vault: [], insufficient_history: ['history'] };

/** Checks that the vault of a deposit passed its gates. Cash has no gates, and is chosen if every vault failed one. */
export function expectGates({ alternatives, reason }: any, answer: Exchange): void {
  const failed = (row: any): string[] =>
    row.gates.filter(({ passed }: any) => !passed).map(({ gate }: any) => gate);
  const chosen = alternatives.find((alternative: any) => alternative.chosen);
  if (reason === 'no_open_vault') {
    equals('the gates of cash', chosen.gates, [], answer);
    const open = alternatives.filter(
      (alternative: any) => alternative !== chosen && failed(alternative).length === 0,
    );
    holds(open.length === 0, `${open[0]?.vault_id} failed no gate, and cash was chosen`, answer);
    return;
  }
  const allowed = MAY_FAIL[reason];
  holds(allowed !== undefined, `${reason} is no reason of a deposit`, answer);
  holds(chosen.gates.length > 0, 'what was chosen has no gates', answer);
  const against = failed(chosen).filter((gate) => !allowed.includes(gate));
  equals('the gates that what was chosen failed', against, [], answer);
}
