import { closest, distance } from 'fastest-levenshtein';

type Tree = Record<string, unknown>;

/**
 * Keys of a file are in snake case, those of the program in camel case. A capital letter in a key of a file becomes an underscore and the letter: no class
 * declares that name, so the key is refused.
 */
export const camelCase = (key: string): string =>
  key.replace(/_([a-z])|([A-Z])/g, (_match, small?: string, capital?: string) =>
    small === undefined ? `_${capital}` : small.toUpperCase(),
  );

export const snakeCase = (key: string): string =>
  key.replace(/_([A-Z])|([A-Z])/g, (_match, kept?: string, capital?: string) =>
    capital === undefined ? kept! : `_${capital.toLowerCase()}`,
  );

/** Mapping with all of its keys in camel case, those of nested mappings and lists among them. */
export const camelCased = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).map(([key, value]) => [camelCase(key), inside(value)]));

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  return typeof value === 'object' && value !== null ? camelCased(value as Tree) : value;
}

/**
 * Setting that the name of an environment variable misspells: a setting that is ignored because of a typo is worse than a refused boot.
 * @returns undefined for a setting, and for what other programs read
 */
export function meantBy(name: string, settings: readonly string[]): string | undefined {
  // The environment may hold names of any length, and no setting has one near it.
  if (settings.includes(name) || name.length > LONGEST_NAME) return undefined;
  const near = settings.filter((setting) => resembles(name, setting));
  return near.length === 0 ? undefined : closest(name.toUpperCase(), near);
}

const LONGEST_NAME = 200;

const lettersOf = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Prefixes of the settings by chain, in letters. A name with such a prefix and an unknown chain counts as a misspelling. */
const BY_CHAIN = ['RPCURL', 'CUSTODYACCOUNTS'];

function resembles(name: string, setting: string): boolean {
  const [written, meant] = [lettersOf(name), lettersOf(setting)];
  const upper = name.toUpperCase();
  return (
    isSlip(written, meant) ||
    (Math.abs(written.length - meant.length) <= MOST_ERRORS && distance(written, meant) <= errorsIn(meant)) ||
    // Also misspelt: a truncated name (a duration without its unit), `_FILE` on a setting that is not a secret, the setting of an unknown chain.
    (upper.includes('_') && setting.startsWith(`${upper}_`)) ||
    written === `${meant}FILE` ||
    BY_CHAIN.some((prefix) => written.startsWith(prefix) && meant.startsWith(prefix))
  );
}

const MOST_ERRORS = 3;

/** Wrong letters by which a name is still recognised. Short ones are too close to other words: PORT to POST, YIELDS to FIELDS. */
const errorsIn = ({ length }: string): number => {
  if (length < 7) return 0;
  if (length < 8) return 1;
  return length < 14 ? 2 : MOST_ERRORS;
};

/** A letter that is missing or doubled, or two adjacent ones swapped: never deliberate, however short the name. */
const isSlip = (written: string, meant: string): boolean =>
  [...meant].some((letter, at) => {
    const [before, after] = [meant.slice(0, at), meant.slice(at + 1)];
    const slips = [after, letter + letter + after, after.charAt(0) + letter + after.slice(1)];
    return slips.some((rest) => written === before + rest);
  });

/** Displayed characters of a value. */
const SHOWN_CHARACTERS = 100;

/** Value for an error message: truncated, and without user and password of a URL. */
export function shownText(text: string): string {
  const plain = text.replace(/\S+/g, (word) => {
    const [from, to] = [word.indexOf('://') + 3, word.lastIndexOf('@')];
    return from >= 3 && to >= from ? `${word.slice(0, from)}[removed]${word.slice(to)}` : word;
  });
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS)}...` : plain;
}
