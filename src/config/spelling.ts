import { distance } from 'fastest-levenshtein';

type Tree = Record<string, unknown>;

/** Keys of a file are in snake case, those of the program in camel case. A capital letter in a file's key becomes an underscore and the letter, which no class declares, so that the key is refused. */
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
 * Environment variables that look like a misspelt setting: a setting ignored because of a typo is worse than a refused boot. Values are not looked
 * at.
 * @returns a line for each
 */
export function misspelt(names: readonly string[], settings: readonly string[]): string[] {
  return names
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const meant = settings.find((setting) => resembles(name, setting));
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}

/** Settings whose names are distinctive enough for a distance of two. NODE_ENV is used by everything, and short names are too close to others. */
const isOwn = (setting: string): boolean =>
  setting.includes('_') && setting.length >= 8 && setting !== 'NODE_ENV';

function resembles(name: string, setting: string): boolean {
  if (isSlip(name, setting)) return true;
  if (!isOwn(setting)) return false;
  // The environment may hold names of any length, and no setting has one near it.
  if (name.length > setting.length + 2) return false;
  const upper = name.toUpperCase();
  // A prefix alone, such as a duration without its unit.
  return distance(upper, setting) <= 2 || (upper.includes('_') && setting.startsWith(`${upper}_`));
}

/** Two adjacent letters swapped, or one doubled: never deliberate, however short the name. */
function isSlip(name: string, setting: string): boolean {
  if (name.length !== setting.length && name.length !== setting.length + 1) return false;
  return [...setting].some((letter, at) => {
    const [before, after] = [setting.slice(0, at), setting.slice(at + 1)];
    return (
      name === before + letter + letter + after || name === before + after.charAt(0) + letter + after.slice(1)
    );
  });
}

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
