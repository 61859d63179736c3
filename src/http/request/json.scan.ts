import type { Detail } from '../../domain/domain-error.js';

/** JSON token that matters here: a string, a number, or punctuation. `true`, `false` and `null` need no check. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g;
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
 * Information that `JSON.parse` loses silently: a duplicate name loses its first value, and a number beyond a double becomes another number, or
 * infinite. It is found in the text, because the parsed value no longer shows it.
 * @param text well-formed JSON
 * @returns the losses, in the order of the text
 */
export function* lostInParsing(text: string): Generator<Detail> {
  const levels: Level[] = [];
  let nameFollows = false;
  const path = (): string => levels.map(({ at }) => at).join('.');
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      nameFollows = token === '{';
      levels.push({ names: nameFollows ? new Set() : null, at: 0 });
    } else if (token === '}' || token === ']') {
      nameFollows = false;
      levels.pop();
    } else if (token === ',') {
      if (level!.names) nameFollows = true;
      else level!.at = (level!.at as number) + 1;
    } else if (token[0] !== '"') {
      if (!isKept(token))
        yield { field: path(), message: 'must be a number of at most 15 digits, below 1e308' };
    } else if (nameFollows) {
      const name = JSON.parse(token) as string;
      nameFollows = false;
      level!.at = name;
      if (level!.names!.has(name)) yield { field: path(), message: 'is given twice' };
      level!.names!.add(name);
    }
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
