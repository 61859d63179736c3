import type { Detail } from '../../domain/kernel/domain-error.js';
import { fieldName } from './field-rules.js';

/** Levels of a body, and values at any of them: metadata of 4 KiB has up to 2,000, and the rest of a body about a hundred. */
const DEEPEST = 16;
const MOST_VALUES = 2_500;

/** JSON token that matters here: a string, a word (`true`, `false`, `null`), a number, or punctuation. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|[a-z]+|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Decimal digits that a double always keeps. */
const DIGITS_OF_A_DOUBLE = 15;
/** Length limit of a number in characters: the largest double, written out, has 309. */
const LONGEST_NUMBER = 400;

/** Object or list that the scan is inside, and its path. */
interface Level {
  /** Names seen so far; null in a list. */
  names: Set<string> | null;
  at: string | number;
}

/**
 * Faults that only the text of a body shows. `JSON.parse` loses information silently: a duplicate name loses its first value, and a number beyond a
 * double becomes another number, or infinite. The scan comes before parsing, and ends at the first value beyond the limits: 64 KiB of brackets take
 * 5 ms to parse, and 8 ms to scan.
 * @param text JSON; the faults of one that is malformed are no more than a guess
 * @returns the faults, in the order of the text
 */
export function* faultsIn(text: string): Generator<Detail> {
  const levels: Level[] = [];
  let nameFollows = false;
  let values = 0;
  const path = (): string => (levels.length === 0 ? 'body' : fieldName(levels.map(({ at }) => at).join('.')));
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '}' || token === ']') {
      nameFollows = false;
      levels.pop();
      continue;
    }
    if (token === ',') {
      if (level?.names) nameFollows = true;
      else if (level) level.at = (level.at as number) + 1;
      continue;
    }
    if (nameFollows) {
      const name = nameOf(token);
      if (name === null) return;
      nameFollows = false;
      level!.at = name;
      if (level!.names!.has(name)) yield { field: path(), message: 'is given twice' };
      level!.names!.add(name);
      continue;
    }
    if (++values > MOST_VALUES) {
      yield { field: 'body', message: `must hold at most ${MOST_VALUES} values` };
      return;
    }
    if (token === '{' || token === '[') {
      if (levels.length === DEEPEST) {
        yield { field: path(), message: `is nested deeper than ${DEEPEST} levels` };
        return;
      }
      nameFollows = token === '{';
      levels.push({ names: nameFollows ? new Set() : null, at: 0 });
    } else if (/^[-\d]/.test(token) && !isKept(token)) {
      yield { field: path(), message: 'must be a number of at most 15 digits, below 1e308' };
    }
  }
}

/** @returns null for a token that is no string */
function nameOf(token: string): string | null {
  try {
    const name: unknown = JSON.parse(token);
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** Whether a double holds exactly the number that was written, in whatever notation: 1.50 is 15e-1. */
function isKept(source: string): boolean {
  if (source.length <= DIGITS_OF_A_DOUBLE && !/e/i.test(source)) return true;
  return source.length <= LONGEST_NUMBER && canonical(source) === canonical(String(Number(source)));
}

/** Digits and exponent in canonical form; null for text that is no number. */
function canonical(source: string): string | null {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + decimals).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return (
    significant && `${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`
  );
}
