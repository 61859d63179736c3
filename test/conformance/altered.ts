/* eslint-disable no-restricted-syntax -- Altered answers have any names: that is what the rules are to notice. */
import type { Alteration, PassingAnswer } from './altering-proxy.js';
import type { Contract } from './operations.js';

/** What rules are asked of: a deployment of a contract, or one of the partner contract with executors, or whose custody accounts are read. */
export type Deployment = Contract | 'reported' | 'held';
export const contractOf = (deployment: Deployment): Contract =>
  deployment === 'sandbox' ? 'sandbox' : 'partner';

/** What a deployment might do that breaks its contract, and the rule that must notice it. */
export type AlteredAnswer = [
  rule: string,
  wrong: string,
  alteration: Alteration,
  only: Deployment | undefined,
];
/** By rule, what is wrong. */
export type Alterations = Record<string, Record<string, Alteration>>;

export type Change = (node: any, passing: PassingAnswer) => unknown;

/** Changes the answers to an operation. */
export const answers = (operation: string, change: Change): Alteration => ({
  answered: (reply, passing) => void (passing.operation === operation && change(reply, passing)),
});
export const data = (operation: string, change: Change): Alteration =>
  answers(operation, ({ body }, passing) => change(body.data, passing));
export const rows = (operation: string, change: Change): Alteration =>
  data(operation, (all, passing) => all.forEach((row: any) => change(row, passing)));
export const list = (operation: string, change: (all: any[]) => any[]): Alteration =>
  answers(operation, ({ body }) => (body.data = change(body.data)));
/** Answers as if a parameter had not been sent. */
export const ignoring = (operation: string, name: string): Alteration => ({
  answered: async (reply, { operation: asked, url }, again) => {
    if (asked !== operation || !url.searchParams.has(name)) return;
    const other = new URL(url);
    other.searchParams.delete(name);
    Object.assign(reply, await again(`${other.pathname}${other.search}`.replace('/api/v1', '')));
  },
});
/** Does something else than it was asked for, and claims that it did it. */
export const doing = (operation: string, done: object, claimed: object = {}): Alteration => ({
  asked: (passing) => void (passing.operation === operation && Object.assign(passing.body ?? {}, done)),
  ...data(operation, (record) => Object.assign(record, claimed)),
});
/** Has a page of another size where none is asked for. */
export const paged = (operation: string, size: string): Alteration => ({
  asked: ({ operation: asked, url: { searchParams: query } }) =>
    void (asked === operation && !query.has('limit') && query.set('limit', size)),
});
export const without = (operation: string, type: string): Alteration =>
  list(operation, (all) => all.filter((row) => (row.type ?? row.kind) !== type));
export const set =
  (values: object): Change =>
  (node) =>
    Object.assign(node, values);
export const scaled =
  (factor: number, name: string, is: (node: any) => boolean = () => true): Change =>
  (node) =>
    typeof node[name] === 'number' && is(node) && (node[name] = Number((node[name] * factor).toFixed(6)));
export const each =
  (name: string, change: Change): Change =>
  (node, passing) =>
    node[name].forEach((row: any) => change(row, passing));
export const swapped =
  (name: string, ...words: [string, string][]): Change =>
  (node) =>
    (node[name] =
      new Map(
        words.flatMap(([a, b]) => [
          [a, b],
          [b, a],
        ]),
      ).get(node[name]) ?? node[name]);
export const ofType =
  (type: string) =>
  (entry: any): boolean =>
    entry.type === type;

/** Answers refusals with a code as if they were successes. */
export const accepting = (
  operation: string,
  code: string,
  is: (passing: PassingAnswer) => boolean = () => true,
): Alteration => ({
  refused: (reply, passing) => {
    if (passing.operation !== operation || reply.body?.error?.code !== code || !is(passing)) return;
    Object.assign(reply, {
      status: operation.startsWith('POST') ? 201 : 200,
      body: { object: 'any', data: {} },
    });
  },
});
/** Refuses for another reason. */
export const refusing = (operation: string, code: string, other: string): Alteration => ({
  refused: ({ body }, passing) => {
    if (passing.operation === operation && body?.error?.code === code) body.error.code = other;
  },
});
/** Takes any caller for the one who created the record in the path. */
export const opened = (operation: string, created: string): Alteration => {
  const owners = new Map<string, string>();
  return {
    asked: ({ operation: asked, url, headers }) => {
      const owner = [...owners].find(([id]) => asked === operation && url.href.includes(id))?.[1];
      if (owner !== undefined) headers.authorization = owner;
    },
    ...data(created, ({ id }, { headers }) => owners.set(id, headers.authorization!)),
  };
};
/** Ignores a header. */
export const withoutHeader = (operation: string, name: string): Alteration => ({
  asked: (passing) => void (passing.operation === operation && delete passing.headers[name]),
});

export const listed = (wrongs: Alterations, only?: Deployment): AlteredAnswer[] =>
  Object.entries(wrongs).flatMap(([rule, all]) =>
    Object.entries(all).map(([wrong, alteration]): AlteredAnswer => [rule, wrong, alteration, only]),
  );
