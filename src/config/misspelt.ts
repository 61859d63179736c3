import { distance } from 'fastest-levenshtein';

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
