import type { Detail } from '../../domain/domain-error.js';

/** A name or a text, a number, or what gives a JSON text its shape. What is left out, such as `true`, tells nothing here. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Decimal digits that a double always keeps. */
const DIGITS_OF_A_DOUBLE = 15;
/** Characters: the largest double, written out, has 309. */
const LONGEST_NUMBER = 400;

/** An object or a list that the scan is in, and where in it. */
interface Level {
  /** Names so far; null in a list. */
  names: Set<string> | null;
  at: string | number;
}

/**
 * What `JSON.parse` changes without a word: a name that an object has twice loses its first value, and a number that no double holds becomes another
 * one, or infinite. Found in the text, because nothing of it is left in the value.
 *
 * @param text well-formed JSON
 * @returns in the order of the text, as they are found
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

/** Whether a double is the number that was written, however it was written: 1.50 is 15e-1. */
function isKept(source: string): boolean {
  if (source.length <= DIGITS_OF_A_DOUBLE && !/e/i.test(source)) return true;
  return source.length <= LONGEST_NUMBER && canonical(source) === canonical(String(Number(source)));
}

/** Digits and exponent, one form a number; null for what is none. */
function canonical(source: string): string | null {
  const [, whole, decimals = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + decimals).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return (
    significant && `${significant}e${Number(exponent) - decimals.length + digits.length - significant.length}`
  );
}
