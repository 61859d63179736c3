/** A number that may be an amount beyond 2^33 units. */
const LONG_NUMBER = /:-?\d{10}/;

/** JSON with an exact text beside each amount that a double does not hold to the micro-unit: such an amount is an object, which has that text. */
export function jsonOf(body: object): string {
  const text = JSON.stringify(body);
  return LONG_NUMBER.test(text) ? JSON.stringify(body, withExactTexts) : text;
}

function withExactTexts(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, unknown][] =>
      one instanceof Number
        ? [
            [name, one.valueOf()],
            [`${name}_exact`, String(one)],
          ]
        : [[name, one]],
    ),
  );
}
