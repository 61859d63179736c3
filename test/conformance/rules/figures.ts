import { equals, holds } from '../check.js';
import type { Exchange } from '../exchange.js';

/** More than the roundings of the sums of a run, in whole units. */
const ROUNDED = 0.000_05;

export function near(what: string, actual: number, expected: number, answer: Exchange): void {
  holds(Math.abs(actual - expected) <= ROUNDED, `${what} is ${actual}, and must be ${expected}`, answer);
}

/** Holds what was read between two readings of the same: figures lie between theirs, everything else is equal. Moments are left out. */
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

/** A decision names the vaults that were weighed, each once, and one as chosen: the one that the funds go to, or stay in. */
export function expectChosen(
  { alternatives, to_vault_id: to, from_vault_id: from }: any,
  answer: Exchange,
): void {
  holds(Array.isArray(alternatives) && alternatives.length > 0, 'it names no alternatives', answer);
  const vaults = alternatives.map(({ vault_id: id }: any) => id);
  equals('the number of vaults', new Set(vaults).size, vaults.length, answer);
  const chosen = alternatives.filter((one: any) => one.chosen).map(({ vault_id: id }: any) => id);
  equals('what is chosen', chosen, [to ?? from], answer);
}
