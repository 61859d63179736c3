type Tree = Record<string, unknown>;

/** Keys of a file are in snake case, those of the program in camel case. A capital letter in a file's key becomes an underscore and the letter, which no class declares, so that the key is refused. */
export const camelCase = (key: string): string =>
  key.replace(/_([a-z])|([A-Z])/g, (_match, small?: string, capital?: string) =>
    small === undefined ? `_${capital}` : small.toUpperCase(),
  );

/** Inverse of `camelCase`. */
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
