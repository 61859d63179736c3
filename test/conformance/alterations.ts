import type { Fault, Passing, Returning } from './breaking.proxy.js';

/** Makes a fault anew for each run: some remember what they saw. */
export type Alteration = () => Fault;

/** Whether a request is of an operation, such as `GET /users/{id}/ledger`. */
export const isOf = (operation: string, { method, path }: Passing): boolean => {
  const [asked, template] = operation.split(' ') as [string, string];
  const pattern = template.replace(/\{\w+\}/g, '[^/?]+');
  return method === asked && new RegExp(`^${pattern}(\\?|$)`).test(path);
};

/** Alters successes of an operation. */
export const altering =
  (operation: string, alter: (answer: Returning, passing: Passing) => void): Alteration =>
  () => ({
    answered: (answer, passing) => {
      if (answer.status < 300 && isOf(operation, passing)) alter(answer, passing);
    },
  });

/**
 * Alters a part of `data`: `totals.net_tvl`, or `*.apy` of each row; nothing names `data` itself.
 * @param change undefined drops it
 */
export const changing = (
  operation: string,
  path: string,
  change: (value: any, of: any) => unknown,
): Alteration =>
  altering(operation, ({ body }) => changeAt(body, ['data', ...path.split('.').filter(Boolean)], change));

function changeAt(node: any, [name, ...rest]: string[], change: (value: any, of: any) => unknown): void {
  const names = name === '*' ? Object.keys(node) : [name!];
  for (const key of names) {
    if (node?.[key] === undefined) continue;
    if (rest.length > 0) changeAt(node[key], rest, change);
    else {
      const changed = change(node[key], node);
      if (changed === undefined) delete node[key];
      else node[key] = changed;
    }
  }
}

export const dropping = (operation: string, path: string): Alteration =>
  changing(operation, path, () => undefined);

export const reversing = (operation: string, path = ''): Alteration =>
  changing(operation, path, (rows) => [...rows].reverse());

/** Answers with another status. */
export const answering = (operation: string, status: number): Alteration =>
  altering(operation, (answer) => void (answer.status = status));

/** Answers each caller with what it was answered first: stale. */
export const repeating =
  (operation: string): Alteration =>
  () => {
    const first = new Map<string, unknown>();
    return {
      answered: (answer, passing) => {
        if (answer.status >= 300 || !isOf(operation, passing)) return;
        const request = `${passing.path} ${passing.headers.authorization ?? ''}`;
        answer.body = first.get(request) ?? answer.body;
        first.set(request, structuredClone(answer.body));
      },
    };
  };

/** Ignores a field of requests. */
export const ignoring =
  (operation: string, field: string): Alteration =>
  () => ({
    asked: (passing) => {
      if (isOf(operation, passing) && typeof passing.body === 'object') delete passing.body[field];
    },
  });

/** Ignores the query of requests, and with it their filters. */
export const withoutQuery =
  (operation: string): Alteration =>
  () => ({
    asked: (passing) => {
      if (isOf(operation, passing)) passing.path = passing.path.replace(/\?.*$/, '');
    },
  });

/** Leaves a header out of every answer. */
export const withoutHeader =
  (name: string): Alteration =>
  () => ({ answered: ({ headers }) => void delete headers[name] });
