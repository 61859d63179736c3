/**
 * Changes properties of an object, such as constants of a deployment. A name that it does not have does not compile, as it would with `Object.assign`.
 * @returns undoes the change; within a test, `using _ = change(...)` does at its end. Settings of a deployment that the test started need none.
 */
export function change<T extends object, Values extends Partial<T>>(
  target: T,
  values: Values & Record<Exclude<keyof Values, keyof T>, never>,
): Disposable {
  const names = Object.keys(values) as (keyof T)[];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(target, name));
  // eslint-disable-next-line no-restricted-syntax -- the names are checked above
  Object.assign(target, values);
  return {
    [Symbol.dispose]: () =>
      names.forEach((name, at) => {
        const descriptor = before[at];
        if (descriptor) Object.defineProperty(target, name, descriptor);
        else delete target[name];
      }),
  };
}
